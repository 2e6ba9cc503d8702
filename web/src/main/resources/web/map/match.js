// The line of a match above the map: what is played, its scores, and how long it goes on.

import { find } from './page.js';

/** @import { Match } from './feed.js' */

const PERIOD = 200;

/** A time as 4:05. @param {number} millis */
export function clockText(millis) {
  const seconds = Math.ceil(millis / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** The words of a match, without its teams. @param {Match} match @param {number | null} left milliseconds */
export function matchText({ mode, phase, round, ends, limit, unit, winner }, left) {
  const paused = ends === undefined && left !== null;
  return [mode, round ? `round ${round}` : '', phase === 'playing' ? '' : winner ? `${winner} won` : phase, paused ? 'paused' : '', left === null ? '' : clockText(left),
    limit ? `to ${limit} ${unit}` : ''].filter(each => each).join(' · ');
}

/**
 * Keeps the line up to date; it is empty without a match.
 * @param {EventTarget & { match: Match | null, left: number | null }} feed it dispatches 'match'
 */
export function match(feed) {
  const line = find('match');
  let shown = '';
  function update() {
    const { match: played, left } = feed, teams = played?.teams ?? [], text = played ? matchText(played, left) : '';
    const next = text + teams.join();
    if (next === shown) return;
    shown = next;
    line.replaceChildren(text, ...teams.flatMap(([team, frags]) => {
      const score = document.createElement('span');
      score.className = team;
      score.textContent = `${team} ${frags}`;
      return [' · ', score];
    }));
  }
  feed.addEventListener('match', update);
  setInterval(update, PERIOD);
}
