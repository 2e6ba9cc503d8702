// What all pages share: elements by id, the theme with its colours, the help for keys, and where a failure of a script is shown.

/**
 * The element of an id. Fails where the page has none of the kind.
 * @template {HTMLElement} [T=HTMLElement]
 * @param {string} id
 * @param {{ new (): T }} [kind]
 * @returns {T}
 */
export function find(id, kind) {
  const element = document.getElementById(id);
  if (!element || (kind && !(element instanceof kind))) throw new Error(`the page has no ${kind?.name ?? 'element'} #${id}`);
  return /** @type {T} */ (element);
}

/** The element about the target of an event that a selector names. @param {Event} event @param {string} selector @returns {HTMLElement | null} */
export function closest(event, selector) {
  return event.target instanceof Element ? event.target.closest(selector) : null;
}

/** Colours that scripts draw with; those of the games are of text. @typedef {Record<string, string>} Colours */

/** Of the bodies, by day and by night. @type {Colours} */
export const BODIES = { sauerbraten: '#ffa52e', quake2: '#5fc93c', quake3: '#f4505c', bedrock: '#3fa9ff' };

/** The style sheet's colours of the theme. @returns {Colours} */
export function colours() {
  const style = getComputedStyle(document.documentElement);
  const names = ['back', 'text', 'dim', 'sky', 'grid', ...Object.keys(BODIES)];
  return Object.fromEntries(names.map(name => [name, style.getPropertyValue('--' + name).trim()]));
}

/**
 * The button that changes the theme; the browser's own preference is the first.
 * @param {() => void} paint called after each change
 */
export function theme(paint) {
  const button = find('theme', HTMLButtonElement), root = document.documentElement;
  /** @param {boolean} light */
  const set = light => {
    root.classList.toggle('light', light);
    button.textContent = light ? 'Theme: light' : 'Theme: dark';
    paint();
  };
  button.addEventListener('click', () => set(!root.classList.contains('light')));
  set(matchMedia('(prefers-color-scheme: light)').matches);
}

/** The panel with the keys: the button "?", and the key where no text is written. */
export function help() {
  const dialog = find('help', HTMLDialogElement);
  const toggle = () => dialog.open ? dialog.close() : dialog.showModal();
  find('ask').addEventListener('click', toggle);
  find('closed').addEventListener('click', toggle);
  dialog.addEventListener('click', event => { if (event.target === dialog) dialog.close(); });
  addEventListener('keydown', event => {
    if (event.key !== '?' || (event.target instanceof HTMLInputElement && event.target.type !== 'range')) return;
    event.preventDefault();
    toggle();
  });
}

/**
 * A script that failed is seen by the user, too.
 * @param {(text: string) => void} show
 */
export function failures(show) {
  addEventListener('error', event => show('The page has failed: ' + event.message));
  addEventListener('unhandledrejection', event => show('The page has failed: ' + (event.reason?.message ?? event.reason)));
}
