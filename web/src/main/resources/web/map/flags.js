// The flags of a match: a pole with a pennant where each is, a ring at its base, and another one around its carrier.

/** @import { Place } from './mesh.js' */
/** @import { Note, Ray } from './acts.js' */
/** @import { StagePlayer } from './stage.js' */
/** A flag of a team. carrier is the number of the player that has it; place is where it lies; until is when it comes home by the clock of the drawn time, in milliseconds, below 0 if that is not known.
 * @typedef {{ team: string, state: 'home' | 'carried' | 'dropped', home: Place, carrier: number, place: Place, until: number }} Flag */

/** Metres. */
const BASE = 1.5, CARRIER = 1, POLE = 2.2, PENNANT = 0.9, OVERHEAD = 2.8;
const CORNERS = 12;
/** Before the numbers of what happened lately. */
const FIRST_NOTE = -1000;

/** @param {Ray[]} rays @param {Place} middle @param {number} radius @param {string} hue @param {number} alpha */
function ring(rays, [x, y, z], radius, hue, alpha) {
  /** @param {number} i @returns {Place} */
  const corner = i => [x + radius * Math.cos(i * 2 * Math.PI / CORNERS), y + radius * Math.sin(i * 2 * Math.PI / CORNERS), z + 0.1];
  for (let i = 0; i < CORNERS; i++) rays.push({ from: corner(i), to: corner(i + 1), hue, alpha });
}

/** The lines and words of flags at a time.
 * @param {readonly Flag[]} flags
 * @param {ReadonlyMap<number, StagePlayer>} players
 * @param {number} time
 */
export function marksOf(flags, players, time) {
  /** @type {Ray[]} */ const rays = [];
  /** @type {Note[]} */ const notes = [];
  flags.forEach(({ team, state, home, carrier, place, until }, i) => {
    ring(rays, home, BASE, team, 0.7);
    const at = state === 'carried' ? players.get(carrier)?.at(time) : null;
    if (state === 'carried' && !at) return;
    /** @type {Place} */ const foot = at ? [at.x, at.y, at.z] : state === 'home' ? home : place;
    const [x, y, z] = foot, low = z + (at ? 1 : 0), high = low + POLE;
    if (at) ring(rays, foot, CARRIER, team, 1);
    for (const [from, to] of /** @type {[Place, Place][]} */ ([[[x, y, low], [x, y, high]], [[x, y, high], [x + PENNANT, y, high - 0.3]], [[x + PENNANT, y, high - 0.3], [x, y, high - 0.6]]])) {
      rays.push({ from, to, hue: team, alpha: 1 });
    }
    const left = state === 'dropped' && until > time ? ` ${Math.ceil((until - time) / 1000)} s` : '';
    notes.push({ id: FIRST_NOTE - i, place: [x, y, at ? z + OVERHEAD : high], text: '⚑' + left, hue: team });
  });
  return { rays, notes };
}
