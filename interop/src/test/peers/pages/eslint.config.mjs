import js from '@eslint/js';
import globals from 'globals';

export default [
  js.configs.recommended,
  {
    languageOptions: { globals: globals.browser },
    rules: {
      eqeqeq: 'error', 'no-var': 'error', 'prefer-const': ['error', { destructuring: 'all' }], 'no-shadow-restricted-names': 'error',
      'no-implicit-globals': 'error', 'no-self-compare': 'error', 'no-unmodified-loop-condition': 'error', 'array-callback-return': 'error',
      'no-template-curly-in-string': 'error', 'no-promise-executor-return': 'off', 'no-eval': 'error', 'no-implied-eval': 'error',
    },
  },
];
