// The table of a match: the best times of a race, or the scores of a fight.

import { find } from './page.js';

/** @import { Board } from './feed.js' */
/** @typedef {{ team: string, health: number, armour: number, quad: boolean }} Part */

/** @param {string} tag @param {string} className @param {string} text */
function cell(tag, className, text) {
  const made = document.createElement(tag);
  made.className = className;
  made.textContent = text;
  return made;
}

/**
 * Keeps the table up to date; it is hidden without a match.
 * @param {EventTarget & { board: Board | null, players: ReadonlyMap<number, Part> }} feed it dispatches 'board' and 'players'
 * @param {(id: number) => void} follow called with the id of a selected player
 */
export function board(feed, follow) {
  const section = find('board'), title = find('board-title'), head = find('board-head'), body = find('board-rows');
  /** What is visible, so that a row stays while it is clicked. */
  let visible = '';

  /** The name; of a player that may be here, a button that follows it. @param {Board['rows'][number]} row @param {boolean} quad */
  function named({ id, game, name }, quad) {
    const made = cell('td', game, ''), text = (quad ? '◆ ' : '') + name;
    if (!feed.players.has(id)) {
      made.textContent = text;
      return made;
    }
    const button = document.createElement('button');
    button.type = 'button';
    button.dataset.player = String(id);
    button.title = quad ? `Follow ${name}, which has quad damage` : 'Follow ' + name;
    button.append(cell('span', 'begin', text));
    button.addEventListener('click', () => follow(id));
    made.append(button);
    return made;
  }

  function update() {
    const shown = feed.board;
    section.hidden = !shown;
    if (!shown) return;
    // The best times are of players that may have left; only those who fight have health.
    const parts = shown.rows.map(row => feed.players.get(row.id)), fight = shown.rows.some(row => row.id !== 0);
    const next = JSON.stringify([shown, parts.map(part => part && [part.team, part.health, part.armour, part.quad])]);
    if (next === visible) return;
    visible = next;
    title.textContent = shown.title;
    const columns = [...shown.columns, ...(fight ? ['health', 'armour'] : [])];
    head.replaceChildren(...['Player', 'Game'].map(name => cell('th', '', name)), ...columns.map(name => cell('th', name === 'time' ? 'number wide' : 'number', name)));
    const focused = document.activeElement instanceof HTMLElement && body.contains(document.activeElement) ? document.activeElement.dataset.player : undefined;
    body.replaceChildren(...shown.rows.map((row, i) => {
      const made = cell('tr', parts[i]?.team ?? '', ''), { health = -1, armour = 0, quad = false } = parts[i] ?? {};
      const values = [...row.values, ...(fight ? health < 0 ? ['–', '–'] : [String(health), String(armour)] : [])];
      made.append(named(row, quad), cell('td', 'game ' + row.game, row.game), ...values.map(value => cell('td', 'number', value)));
      return made;
    }));
    if (focused !== undefined) [...body.querySelectorAll('button')].find(button => button.dataset.player === focused)?.focus();
    if (shown.rows.length === 0) {
      const none = document.createElement('tr');
      none.append(cell('td', '', 'none yet'));
      body.append(none);
    }
  }
  feed.addEventListener('board', update);
  feed.addEventListener('players', update);
}
