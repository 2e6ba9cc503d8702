// The tables of a match: the scores, and the best times of a race.

import { find } from './page.js';

/** @import { Board } from './feed.js' */
/** @typedef {{ team: string, health: number, armour?: number, quad?: boolean }} Part */

/** @param {string} tag @param {string} className @param {string} text */
function cell(tag, className, text) {
  const made = document.createElement(tag);
  made.className = className;
  made.textContent = text;
  return made;
}

/**
 * Keeps the tables up to date; they are hidden without a match.
 * @param {EventTarget & { boards: Board[], players: ReadonlyMap<number, Part> }} feed it dispatches 'boards' and 'players'
 * @param {(id: number) => void} follow called with the id of a selected player
 * @param {boolean} [vitals] whether health and armour are known
 */
export function boards(feed, follow, vitals = true) {
  const section = find('boards');
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

  /** @param {Board} shown */
  function table(shown) {
    const fight = vitals && shown.columns.includes('deaths'), made = document.createElement('table'), head = made.createTHead().insertRow(), body = made.createTBody();
    const columns = [...shown.columns, ...(fight ? ['health', 'armour'] : [])];
    head.append(...['Player', 'Game'].map(name => cell('th', '', name)), ...columns.map(name => cell('th', 'number', name)));
    for (const row of shown.rows) {
      const { team = '', health = -1, armour = 0, quad = false } = feed.players.get(row.id) ?? {}, line = body.insertRow();
      const values = [...row.values, ...(fight ? health < 0 ? ['–', '–'] : [String(health), String(armour)] : [])];
      line.className = team;
      line.append(named(row, quad), cell('td', 'game ' + row.game, row.game), ...values.map(value => cell('td', 'number', value)));
    }
    if (shown.rows.length === 0) body.insertRow().append(cell('td', '', 'none yet'));
    return made;
  }

  function update() {
    const shown = feed.boards;
    section.hidden = shown.length === 0;
    const parts = shown.flatMap(board => board.rows).map(row => feed.players.get(row.id));
    const next = JSON.stringify([shown, parts.map(part => part && [part.team, part.health, part.armour, part.quad])]);
    if (next === visible) return;
    visible = next;
    const focused = document.activeElement instanceof HTMLElement && section.contains(document.activeElement) ? document.activeElement.dataset.player : undefined;
    section.replaceChildren(...shown.flatMap(board => [cell('h2', '', board.title), table(board)]));
    if (focused !== undefined) [...section.querySelectorAll('button')].find(button => button.dataset.player === focused)?.focus();
  }
  feed.addEventListener('boards', update);
  feed.addEventListener('players', update);
}
