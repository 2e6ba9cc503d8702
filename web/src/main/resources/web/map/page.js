// Shared by all pages: elements by id, the theme and its colours, the dialog with the keys, and messages about failed scripts.

/** The element with an id. Fails if the page has no such element of the given type.
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

/** The closest ancestor of an event's target that matches a selector. @param {Event} event @param {string} selector @returns {HTMLElement | null} */
export function closest(event, selector) {
  return event.target instanceof Element ? event.target.closest(selector) : null;
}

/** Colours for scripts; those of the games are for text. @typedef {Record<string, string>} Colours */

/** Colours of bodies that are no game's, in both themes: in a match of teams by team; and of hits. @type {Colours} */
const BODIES = { red: '#f4505c', blue: '#3fa9ff', hurt: '#ffd84d' };

/** Of a body whose game the server does not know. */
const UNKNOWN = '#ccc';

/** A value of the style sheets. @param {string} name @returns {string} */
const styled = name => getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim();

/** The names of the server's games, from its style sheet games.css. @returns {string[]} */
const games = () => styled('games').split(' ').filter(Boolean);

/** @type {Colours | undefined} */
let bodies;

/** The colour of a body, in both themes. @param {string} hue @returns {string} */
export function bodyColour(hue) {
  bodies ??= { ...BODIES, ...Object.fromEntries(games().map(game => [game, styled('body-' + game)])) };
  return bodies[hue] ?? UNKNOWN;
}

/** The name that a game's players have for a weapon, else its means. @param {string} game @param {string} means */
export function weaponName(game, means) {
  const name = styled(`${game}-${means}`);
  return name ? String(JSON.parse(name)) : means.replaceAll('-', ' ');
}

/** The name of a player's colour. @param {{ game: string, team?: string }} player */
export const hueOf = player => player.team ? player.team : player.game;

/** The theme's colours from the style sheet. @returns {Colours} */
export function colours() {
  const names = ['back', 'text', 'dim', 'sky', 'grid', ...games(), ...Object.keys(BODIES)];
  return Object.fromEntries(names.map(name => [name, styled(name)]));
}

/** Sets up the button for the theme; the initial one is the browser's preference.
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

/** Sets up the dialog with the keys: the button "?", and the key "?" outside text fields. */
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

/** Shows failures of scripts to the user.
 * @param {(text: string) => void} show
 */
export function failures(show) {
  addEventListener('error', event => show('This page has failed: ' + event.message));
  addEventListener('unhandledrejection', event => show('This page has failed: ' + (event.reason?.message ?? event.reason)));
}
