import { List } from './list.js';
import { Detail } from './detail.js';
import { Flows } from './flows.js';
import { Moves } from './moves.js';
import { failures, find, help, theme } from '../map/page.js';

/** @import { Flow } from './flows.js' */
/** @typedef {{ reading?: { file: string, part: number, lines: number }, files: string[], problems: string[], lines: number, leftOut: number, seconds: number, games: string[], players: Record<string, number>, called: Record<string, string>, names: Record<string, number>, flows: Flow[] }} Summary */

const form = find('filter', HTMLFormElement);
const detail = new Detail();
const flows = new Flows();
const moves = new Moves();
/** @type {Summary | null} */
let summary = null;

const list = new List(find('list'), row => detail.show(row).catch(state), (total, failed) => state(failed, total));

/** @param {unknown} failed @param {number} [total] */
function state(failed, total = list.total) {
  find('state').classList.toggle('failed', !!failed);
  find('state').textContent = failed ? wordsOf(failed) : !summary ? ''
    : `${total.toLocaleString('en')} of ${summary.lines.toLocaleString('en')} lines`
      + (summary.leftOut ? `, ${summary.leftOut} more were omitted` : '') + summary.problems.map(problem => '; ' + problem).join('');
}

/** @param {unknown} failed */
function wordsOf(failed) {
  return failed instanceof Error ? failed.message : String(failed);
}

/** @param {string} name */
function field(name) {
  const found = form.elements.namedItem(name);
  if (!(found instanceof HTMLSelectElement)) throw new Error('the form has no ' + name);
  return found;
}

/** @param {string} name @param {[value: string, words: string][]} entries */
function options(name, entries) {
  const select = field(name);
  for (const [value, words] of entries) select.add(new Option(words, value));
}

function filter() {
  find('state').textContent = 'searching …';
  return list.filter(new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, String(value)])).toString());
}

/** @type {ReturnType<typeof setTimeout> | undefined} */
let pause;
form.addEventListener('input', event => {
  clearTimeout(pause);
  pause = setTimeout(filter, event.target instanceof HTMLInputElement ? 250 : 0);
});
form.addEventListener('reset', () => setTimeout(filter));
form.addEventListener('submit', event => {
  event.preventDefault();
  filter();
});

const tabs = [...document.querySelectorAll('[data-tab]')].filter(each => each instanceof HTMLButtonElement);
for (const tab of tabs) {
  tab.addEventListener('click', () => {
    for (const each of tabs) {
      each.setAttribute('aria-pressed', String(each === tab));
      find(each.dataset.tab ?? '').hidden = each !== tab;
    }
    shown();
  });
}

/** Draws the current tab, once the captures are read. */
function shown() {
  if (find('moves').hidden) flows.draw();
  else if (summary) moves.begin(summary.seconds, summary.called).catch(state);
}

failures(text => state(new Error(text)));
theme(() => {
  flows.draw();
  moves.paint();
});
help();

/** Waits until the captures are read, showing the progress, and returns their summary. @returns {Promise<Summary>} */
async function read() {
  for (;;) {
    const answer = await fetch('summary');
    if (!answer.ok) throw new Error(await answer.text());
    /** @type {Summary} */
    const current = await answer.json();
if (!current.reading) return current;
const { file, part, lines } = current.reading;
    find('state').textContent = `reading ${file} … ${Math.floor(part * 100)} %, ${lines.toLocaleString('en')} lines`;
    await new Promise(resolve => setTimeout(resolve, 300));
  }
}

async function begin() {
  const { files, games, players, called, names, flows: lines, seconds } = summary = await read();
  find('files').textContent = files.join(', ');
  options('game', games.map(game => [game, game]));
  options('player', Object.entries(players)
    .map(([port, count]) => [port, `${called[port] ? called[port] + ', ' : ''}${port} (${count})`]));
  options('name', Object.entries(names).map(([name, count]) => [name, `${name} (${count})`]));
  flows.show(lines, seconds, port => {
    field('player').value = String(port);
    filter();
  });
  new ResizeObserver(() => flows.draw()).observe(find('flows'));
  shown();
  await filter();
}

/** The state of the page, for tests and debugging. */
Object.assign(window, { explorer: Object.freeze({
  get total() { return list.total; },
  get rows() { return [...document.querySelectorAll('.row[data-row]')].map(row => row.textContent); },
  get time() { return moves.time; },
  get bodies() { return moves.bodies.map(({ player, at }) => ({ player: player.id, game: player.game, name: player.name, x: at.x, y: at.y, z: at.z })); },
  get drawn() { return moves.drawn; },
  get matrix() { return moves.matrix; },
  get labels() { return moves.labels; },
  get view() { return moves.view; },
  get followed() { return moves.followed; },
  get players() { return moves.players.length; },
}) });
begin().catch(state);
