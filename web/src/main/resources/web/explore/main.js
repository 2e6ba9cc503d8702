import { List } from './list.js';
import { Detail } from './detail.js';
import { Flows } from './flows.js';
import { Moves } from './moves.js';

const find = id => document.getElementById(id);
const form = find('filter');
const detail = new Detail();
const flows = new Flows();
const moves = new Moves();
let summary = null;

const list = new List(find('list'), row => detail.show(row).catch(failed => state(failed)), (total, failed) => state(failed, total));

function state(failed, total = list.total) {
  find('state').classList.toggle('failed', !!failed);
  find('state').textContent = failed ? failed.message
    : `${total.toLocaleString('en')} of ${summary.lines.toLocaleString('en')} lines`
      + (summary.leftOut ? `, ${summary.leftOut} more are left out` : '') + summary.problems.map(problem => '; ' + problem).join('');
}

function options(name, entries) {
  const select = form.elements[name];
  for (const [value, words] of entries) select.add(new Option(words, value));
}

function filter() {
  find('state').textContent = 'searching …';
  return list.filter(new URLSearchParams(new FormData(form)).toString());
}

let pause = 0;
form.addEventListener('input', event => {
  clearTimeout(pause);
  pause = setTimeout(filter, event.target.name === 'field' ? 250 : 0);
});
form.addEventListener('reset', () => setTimeout(filter));
form.addEventListener('submit', event => {
  event.preventDefault();
  filter();
});

for (const tab of document.querySelectorAll('[data-tab]')) {
  tab.addEventListener('click', () => {
    for (const each of document.querySelectorAll('[data-tab]')) {
      each.setAttribute('aria-pressed', each === tab);
      find(each.dataset.tab).hidden = each !== tab;
    }
    if (tab.dataset.tab === 'moves') moves.begin(summary.seconds, summary.called).catch(failed => state(failed));
    else flows.draw();
  });
}

function light(on) {
  document.documentElement.classList.toggle('light', on);
  find('light').setAttribute('aria-pressed', on);
  flows.draw();
}
find('light').addEventListener('click', () => light(find('light').getAttribute('aria-pressed') !== 'true'));

/** What the captures hold, once they are read; until then how far that is, every moment. */
async function read() {
  for (;;) {
    const answer = await fetch('summary');
    if (!answer.ok) throw new Error(await answer.text());
    const told = await answer.json();
    if (!told.reading) return told;
    const { file, part, lines } = told.reading;
    find('state').textContent = `reading ${file} … ${Math.floor(part * 100)} %, ${lines.toLocaleString('en')} lines`;
    await new Promise(resolve => setTimeout(resolve, 300));
  }
}

async function begin() {
  summary = await read();
  find('files').textContent = summary.files.join(', ');
  options('game', summary.games.map(game => [game, game]));
  options('player', Object.entries(summary.players)
    .map(([port, count]) => [port, `${summary.called[port] ? summary.called[port] + ', ' : ''}${port} (${count})`]));
  options('name', Object.entries(summary.names).map(([name, count]) => [name, `${name} (${count})`]));
  flows.show(summary.flows, summary.seconds, port => {
    form.elements.player.value = port;
    filter();
  });
  new ResizeObserver(() => flows.draw()).observe(find('flows'));
  await filter();
}

/** To be read by tests and the curious. */
window.explorer = Object.freeze({
  get total() { return list.total; },
  get rows() { return [...document.querySelectorAll('.row[data-row]')].map(row => row.textContent); },
  get time() { return moves.time; },
  get bodies() { return moves.bodies.map(({ player, at }) => ({ player: player.player, x: at.x, y: at.y, z: at.z })); },
  get drawn() { return moves.drawn; },
  get players() { return moves.players.length; },
});
light(matchMedia('(prefers-color-scheme: light)').matches);
begin().catch(failed => {
  find('state').classList.add('failed');
  find('state').textContent = failed.message;
});
