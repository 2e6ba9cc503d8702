import { List } from './list.js';
import { Detail } from './detail.js';
import { Faults } from './faults.js';
import { Flows } from './flows.js';
import { Moves } from './moves.js';
import { failures, find, help, theme } from '../map/page.js';

/** @import { Flow } from './flows.js' */
/** @typedef {{ reading?: { file: string, part: number, lines: number }, live?: boolean, datagrams: boolean, files: string[], problems: string[], lines: number, leftOut: number, megabytes: number, from: number, seconds: number, games: string[], players: Record<string, number>, called: Record<string, string>, names: Record<string, number>, flows: Flow[] }} Summary */

/** Milliseconds between two requests for what a running session has added. */
const POLL = 400;
/** Requests for lines for each one for totals. */
const POLLS_PER_SUMMARY = 3;
const FILTERS = ['game', 'player', 'dir', 'name', 'field'];

const form = find('filter', HTMLFormElement);
const detail = new Detail();
const flows = new Flows();
const moves = new Moves();
const faults = new Faults(() => state(null));
/** @type {Summary | null} */
let summary = null;
/** Whether nothing is added to what is visible. */
let paused = false;
/** Whether the end was followed before the pause. */
let followed = false;
/** The number of the line after the last visible one, while it is paused. */
let until = 0;
/** The number of the selected line. @type {number | null} */
let selected = null;

const list = new List(find('list'), {
  selected: row => {
    selected = row.row;
    remember();
    detail.show(row).then(() => { find('link').hidden = false; }).catch(state);
  },
  loaded: (_count, failed) => state(failed),
  followed: showFollowing,
});

/** @param {unknown} failed */
function state(failed) {
  const nothing = !failed && !!summary && !list.count;
  find('nothing').hidden = !nothing;
  find('nothing').textContent = FILTERS.some(name => field(name).value) ? 'Nothing found: no line passes the filter.'
    : summary?.live ? 'No datagram has passed the proxy yet.' : 'There are no lines.';
  find('state').classList.toggle('failed', !!failed);
  // The totals of a running session are older than its lines.
  const lines = summary ? Math.max(summary.lines, list.next - (summary.live ? summary.leftOut : 0)) : 0;
  find('state').textContent = failed ? wordsOf(failed) : !summary ? '' : [
    `${list.count.toLocaleString('en')} of ${lines.toLocaleString('en')} lines` + (paused ? ', paused' : ''),
    summary.leftOut && (summary.live ? `${summary.leftOut.toLocaleString('en')} older ones have left (${summary.megabytes} MB)` : `${summary.leftOut.toLocaleString('en')} more were omitted`),
    faults.state?.missed && `${faults.state.missed.toLocaleString('en')} datagrams not observed: too many at once`,
    ...summary.problems,
  ].filter(Boolean).join('; ');
  find('state').title = summary?.live && summary.leftOut ? `The page keeps the newest ${summary.megabytes} MB: datagrams and lines from ${summary.from.toFixed(1)} s on` : '';
}

/** @param {unknown} failed */
function wordsOf(failed) {
  return failed instanceof TypeError && summary?.live ? 'The proxy does not answer; trying again …' : failed instanceof Error ? failed.message : String(failed);
}

/** @param {string} name */
function field(name) {
  const found = form.elements.namedItem(name);
  if (!(found instanceof HTMLSelectElement || found instanceof HTMLInputElement)) throw new Error('the form has no ' + name);
  return found;
}

/** Sets the options of a selection, after the first, which stands for all. @param {string} name @param {[value: string, words: string][]} entries */
function options(name, entries) {
  const select = field(name), value = select.value;
  if (!(select instanceof HTMLSelectElement) || select === document.activeElement) return;
  if (value && !entries.some(([each]) => each === value)) entries.push([value, value]);
  const made = entries.map(([each, words]) => new Option(words, each));
  const before = [...select.options].slice(1);
  if (made.length === before.length && made.every((each, i) => each.value === before[i].value && each.text === before[i].text)) return;
  select.replaceChildren(select.options[0], ...made);
  select.value = value;
}

/** @param {string} name @param {string} value a value that the selection may not have yet */
function set(name, value) {
  const input = field(name);
  if (input instanceof HTMLSelectElement && ![...input.options].some(each => each.value === value)) input.add(new Option(value, value));
  input.value = value;
}

/** The filter as a query, and as a part of a link. */
function query() {
  const parts = new URLSearchParams();
  for (const name of FILTERS) if (field(name).value) parts.set(name, field(name).value);
  return parts;
}

/** Keeps the filter and the selected line in the page's address, and in the links. */
function remember() {
  const link = query();
  if (selected !== null) link.set('row', String(selected));
  history.replaceState(null, '', '#' + link);
  find('link', HTMLAnchorElement).href = '#' + link;
  for (const format of ['pcap', 'jsonl', 'csv']) find('export-' + format, HTMLAnchorElement).href = `export/${format}?${visible()}`;
}

/** The query of what is visible. */
function visible() {
  const parts = query();
  if (paused) parts.set('until', String(until));
  return parts.toString();
}

/** @param {number | null} [row] the line to select */
async function filter(row = null) {
  find('state').textContent = 'searching …';
  find('nothing').hidden = true;
  selected = row;
  remember();
  flows.show(summary?.flows ?? [], summary?.seconds ?? 0, field('game').value);
  moves.pick(field('player').value);
  const there = await list.filter(visible(), row);
  if (row !== null && !there) {
    selected = null;
    state(new Error(summary?.live ? `line ${row} of the link has left, or does not pass its filter` : `line ${row} of the link does not pass its filter`));
  }
}

/** Shows the filter and the line of the page's address. */
function openLink() {
  const link = new URLSearchParams(location.hash.slice(1)), row = link.get('row');
  for (const name of FILTERS) set(name, link.get(name) ?? '');
  return filter(row && /^\d{1,15}$/.test(row) ? Number(row) : null);
}

/** @param {boolean} on */
function showFollowing(on) {
  find('follow').setAttribute('aria-pressed', String(on));
  moves.atEnd = on;
}

/** @param {boolean} on */
function setFollowing(on) {
  list.follow = on;
  showFollowing(on);
}

/** @param {boolean} on */
function setPaused(on) {
  if (on) followed = list.follow;
  paused = on;
  until = list.next;
  list.live = !on;
  find('pause').setAttribute('aria-pressed', String(on));
  setFollowing(!on && followed);
  moves.play(!on && moves.playing);
  list.query = visible();
  remember();
  state(null);
}

/** @type {ReturnType<typeof setTimeout> | undefined} */
let wait;
form.addEventListener('input', event => {
  clearTimeout(wait);
  wait = setTimeout(filter, event.target instanceof HTMLInputElement ? 250 : 0);
});
form.addEventListener('reset', () => setTimeout(filter));
form.addEventListener('submit', event => {
  event.preventDefault();
  filter();
});
addEventListener('hashchange', () => openLink().catch(state));
find('pause').addEventListener('click', () => setPaused(!paused));
find('follow').addEventListener('click', () => {
  if (paused) setPaused(false);
  // Movements that were sought back follow again.
  setFollowing(!(list.follow && moves.atEnd));
  list.draw();
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
  if (!find('flows').hidden) flows.draw();
  else if (summary && !find('moves').hidden) moves.load(summary, !!summary.live).catch(state);
}

flows.onPicked = choose;
moves.onChosen = choose;

/** Shows the lines of one player, or of all. @param {number | null} player */
function choose(player) {
  set('player', player === null ? '' : String(player));
  filter();
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

/** Shows the totals. @param {Summary} current */
function totals(current) {
  const { files, games, players, called, names, flows: lines, seconds } = summary = current;
  find('files').textContent = files.join(', ');
  list.names = called;
  options('game', games.map(game => [game, game]));
  options('player', Object.entries(players)
    .map(([port, count]) => [port, `${called[port] ? called[port] + ', ' : ''}${port} (${count})`]));
  options('name', Object.entries(names).map(([name, count]) => [name, `${name} (${count})`]));
  flows.show(lines, seconds, field('game').value);
}

/** Shows what a running session adds. */
async function poll() {
  for (let i = 1; ; i++) {
    await new Promise(resolve => setTimeout(resolve, POLL));
    if (document.hidden) continue;
    try {
      if (i % POLLS_PER_SUMMARY === 0) {
        await faults.refresh();
        if (!paused) totals(await read());
      }
      if (!paused) await list.refresh();
      if (!paused && !find('moves').hidden && summary) await moves.load(summary, true);
    } catch (failed) {
      state(failed);
    }
  }
}

async function begin() {
  const current = await read();
  totals(current);
  list.live = !!current.live;
  find('live').hidden = find('faults-tab').hidden = !current.live;
  find('export-pcap').hidden = !current.datagrams;
  new ResizeObserver(() => flows.draw()).observe(find('flows'));
  setFollowing(list.live && !location.hash.includes('row='));
  shown();
  await openLink();
  if (!current.live) return;
  await faults.refresh();
  poll();
}

/** The state of the page, for tests and debugging. */
Object.assign(window, { explorer: Object.freeze({
  get total() { return list.count; },
  get rows() { return [...document.querySelectorAll('.row[data-row]')].map(row => row.textContent); },
  get lines() { return summary?.lines ?? 0; },
  get selected() { return selected; },
  get following() { return list.follow; },
  get faults() { return faults.state; },
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
