/** The pages' copy of three.js, which the build takes out of its WebJar. */
declare module '*/lib/three.module.min.js' {
  export * from 'three';
}

/** What the page of a load has before its own script. */
declare const uPlot: typeof import('uplot');
