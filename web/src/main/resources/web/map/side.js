// The table of players and the chat, as text, also for screen readers.

import { find } from './page.js';

const LINES = 60;
/** Characters at the end of a name that are always shown. */
const END = 5;

/** The node of the ghosts of a race or a recording. */
const GHOST_NODE = 1;

/** @import { News } from './feed.js' */
/** @typedef {{ id: number, game: string, name: string, node?: number, team?: string, spawned: boolean, ping: number, loss?: number, rates: number[], moves: number }} Player */
/** It dispatches 'players' and 'news'. @typedef {EventTarget & { players: ReadonlyMap<number, Player> }} Players */

/** @param {number} number @param {string} what */
function counted(number, what) {
  return `${number || 'No'} ${what}${number === 1 ? '' : 's'}`;
}

/** @param {string} tag @param {string} className @param {string} text */
function element(tag, className, text) {
  const made = document.createElement(tag);
  made.className = className;
  made.textContent = text;
  return made;
}

/**
 * Keeps the table up to date; the page's table has the columns that it wants, from the left.
 * @param {Players} feed
 * @param {(id: number) => void} follow called with the id of a selected player
 */
export function side(feed, follow) {
  const body = find('players'), count = find('count'), chat = find('chat'), columns = document.querySelectorAll('#list th').length;
  /** @type {Map<number, ReturnType<typeof row>>} */
  const rows = new Map();
  /** @type {number | null} */
  let followed = null;

  /** @param {Player} player */
  function row(player) {
    const made = document.createElement('tr');
    const name = document.createElement('button');
    name.type = 'button';
    const begin = element('span', 'begin', ''), end = element('span', 'end', '');
    name.append(begin, end);
    name.addEventListener('click', () => follow(player.id));
    const cells = ['', '', 'number', 'number', 'number', 'number', 'number moves'].map(kind => element('td', kind, ''));
    cells[0].append(name);
    const game = element('span', '', ''), node = element('span', 'node', '');
    cells[1].append(game, node);
    made.append(...cells.slice(0, columns));
    return { made, name, begin, end, game, node, cells };
  }

  /** @param {HTMLElement} node @param {string} text */
  function set(node, text) {
    if (node.textContent !== text) node.textContent = text;
  }

  /** The team of who is named; none if the player has left. @param {string} game @param {string} name */
  function team(game, name) {
    return [...feed.players.values()].find(player => player.game === game && player.name === name)?.team;
  }

  function update() {
    const players = [...feed.players.values()];
    const ghosts = players.filter(player => player.node === GHOST_NODE).length, real = players.length - ghosts;
    set(count, counted(real, 'player') + (ghosts === 0 ? '' : ', ' + counted(ghosts, 'ghost')));
    for (const [id, old] of rows) {
      if (!feed.players.has(id)) {
        old.made.remove();
        rows.delete(id);
      }
    }
    for (const player of players) {
      let shown = rows.get(player.id);
      if (!shown) {
        rows.set(player.id, shown = row(player));
        body.append(shown.made);
      }
      const chars = [...player.name];
      set(shown.begin, chars.slice(0, -END).join(''));
      set(shown.end, chars.slice(-END).join(''));
      shown.name.title = player.spawned ? 'Follow ' + player.name : player.name + ' is not spawned';
      shown.cells[1].className = 'game ' + player.game;
      set(shown.game, player.game);
      set(shown.node, player.node && player.node !== GHOST_NODE ? 'server ' + player.node : '');
      set(shown.cells[2], player.ping ? String(player.ping) : '–');
      const [datagramsIn, datagramsOut, bytesIn, bytesOut] = player.rates;
      const known = player.rates.length === 4;
      set(shown.cells[3], known ? player.loss + ' %' : '–');
      set(shown.cells[4], known ? String(datagramsIn + datagramsOut) : '–');
      shown.cells[4].title = known ? datagramsIn + ' from the player, ' + datagramsOut + ' to it' : '';
      set(shown.cells[5], known ? ((bytesIn + bytesOut) / 1000).toFixed(1) : '–');
      shown.cells[5].title = known ? bytesIn + ' bytes from the player, ' + bytesOut + ' to it' : '';
      set(shown.cells[6], String(player.moves));
      shown.made.classList.toggle('followed', player.id === followed);
    }
  }

  feed.addEventListener('players', update);
  feed.addEventListener('news', event => {
    const { detail } = /** @type {CustomEvent<{ all: boolean, lines: News[] }>} */ (event);
    if (detail.all) chat.replaceChildren();
    for (const [, game, name, text] of detail.lines) {
      const line = document.createElement('li');
      if (name) line.append(element('span', 'who ' + (team(game, name) || game), name));
      const isChat = text.startsWith(': ');
      line.append(element('span', isChat ? '' : 'event', isChat ? text : ' ' + text));
      chat.append(line);
    }
    while (chat.children.length > LINES) chat.firstElementChild?.remove();
    chat.scrollTop = chat.scrollHeight;
  });
  return {
    /** @param {number | null} id */
    mark(id) {
      followed = id;
      update();
    },
  };
}
