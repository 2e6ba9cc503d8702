// What happens in a match, drawn for a moment: shots, hits, and items that are taken.

import { hueOf } from './page.js';

/** @import { Place } from './mesh.js' */
/** @import { StagePlayer } from './stage.js' */
/** Times are milliseconds on the server's clock; by is the attacker of a hit, text its damage, or the item that was taken.
 * @typedef {{ time: number, kind: 'shot' | 'hit' | 'took', player: number, by: number, text: string, place: Place }} Act */
/** A line of a shot. @typedef {{ from: Place, to: Place, hue: string, alpha: number }} Ray */
/** A word at a place. @typedef {{ id: number, place: Place, text: string, hue: string }} Note */

/** How long each is drawn, milliseconds. */
const LIFE = { shot: 300, hit: 900, took: 1500 };
const EYES = 1.45;
const REACH = 60;
/** Metres that a word rises while it is drawn. */
const RISE = 0.8;
const rad = Math.PI / 180;

/** The lines and words of a time.
 * @param {readonly Act[]} acts
 * @param {ReadonlyMap<number, StagePlayer>} players
 * @param {number} time
 * @param {(from: Place, to: Place) => number} sight the share of a line up to the first wall
 */
export function drawingOf(acts, players, time, sight) {
  /** @type {Ray[]} */ const rays = [];
  /** @type {Note[]} */ const notes = [];
  acts.forEach((act, i) => {
    const age = time - act.time, part = age / LIFE[act.kind];
    if (age < 0 || part >= 1) return;
    const [x, y, z] = act.place, shooter = players.get(act.by), at = shooter?.at(act.time);
    if (act.kind === 'took') {
      notes.push({ id: -1 - i, place: [x, y, z + 0.4 + RISE * part], text: '+ ' + act.text, hue: 'text' });
      return;
    }
    if (act.kind === 'hit') notes.push({ id: -1 - i, place: [x, y, z + 0.6 + RISE * part], text: '−' + act.text, hue: 'hurt' });
    if (!shooter || !at || act.kind === 'hit' && act.by === act.player) return;
    /** @type {Place} */ const from = [at.x, at.y, at.z + EYES];
    if (act.kind === 'hit') {
      if (age < LIFE.shot) rays.push({ from, to: act.place, hue: 'hurt', alpha: 1 - age / LIFE.shot });
      return;
    }
    const flat = Math.cos(at.pitch * rad) * REACH;
    /** @type {Place} */ const far = [from[0] + Math.cos(at.yaw * rad) * flat, from[1] + Math.sin(at.yaw * rad) * flat, from[2] + Math.sin(at.pitch * rad) * REACH];
    const free = sight(from, far);
    /** @param {0 | 1 | 2} k */
    const end = k => from[k] + (far[k] - from[k]) * free;
    rays.push({ from, to: [end(0), end(1), end(2)], hue: hueOf(shooter), alpha: 1 - part });
  });
  return { rays, notes };
}
