// The table of a match: the best times of a race, or the scores of a fight.

import { find } from './page.js';

/** @import { Board } from './feed.js' */

/** @param {string} tag @param {string} className @param {string} text */
function cell(tag, className, text) {
  const made = document.createElement(tag);
  made.className = className;
  made.textContent = text;
  return made;
}

/**
 * Keeps the table up to date; it is hidden without a match.
 * @param {EventTarget & { board: Board | null }} feed it dispatches 'board'
 */
export function board(feed) {
  const section = find('board'), title = find('board-title'), head = find('board-head'), body = find('board-rows');
  feed.addEventListener('board', () => {
    const shown = feed.board;
    section.hidden = !shown;
    if (!shown) return;
    title.textContent = shown.title;
    head.replaceChildren(...['Player', 'Game'].map(name => cell('th', '', name)), ...shown.columns.map(name => cell('th', 'number', name)));
    body.replaceChildren(...shown.rows.map(row => {
      const made = document.createElement('tr');
      made.append(cell('td', '', row.name), cell('td', 'game ' + row.game, row.game), ...row.values.map(value => cell('td', 'number', value)));
      return made;
    }));
    if (shown.rows.length === 0) {
      const none = document.createElement('tr');
      none.append(cell('td', '', 'none yet'));
      body.append(none);
    }
  });
}
