// Samples of a player's position, and the bodies that the views draw.

/** @typedef {{ time: number, x: number, y: number, z: number, yaw: number, pitch: number, leaps: boolean }} Sample */
/** In a match, a player has a team, health, which is below 0 if it is unknown, and perhaps quad damage.
 * @typedef {{ id: number, game: string, name: string, stance: number, samples: Sample[], team?: string, health?: number, quad?: boolean }} Walker */
/** @typedef {{ player: Walker, at: Sample, followed: boolean, hidden: boolean }} Body hidden for the player through whose eyes the view looks */
/** @typedef {{ x: number, y: number, far?: number }} Pixel far is metres from the camera */

/** The length of a body's trail, milliseconds. */
export const TRAIL = 2500;

/** The number of the last sample at a time or before it; 0 if all are later.
 * @param {Sample[]} samples
 * @param {number} time milliseconds
 */
export function indexAt(samples, time) {
  let low = 0, high = samples.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (samples[middle].time <= time) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The position at a time, in milliseconds: interpolated between two samples, except over a teleport.
 * @param {Sample[]} samples at least one
 * @param {number} time
 * @returns {Sample}
 */
export function sampleAt(samples, time) {
  const i = indexAt(samples, time), before = samples[i], after = samples[i + 1];
  if (!after || after.leaps || before.time > time) return before;
  const part = (time - before.time) / (after.time - before.time);
  /** @param {number} a @param {number} b */
  const mix = (a, b) => a + (b - a) * part;
  const turn = ((after.yaw - before.yaw) % 360 + 540) % 360 - 180;
  return { time, x: mix(before.x, after.x), y: mix(before.y, after.y), z: mix(before.z, after.z),
    yaw: before.yaw + turn * part, pitch: mix(before.pitch, after.pitch), leaps: false };
}

/** The number of the body that is nearest to a pixel; null if none is near.
 * @param {Body[]} bodies
 * @param {(at: Sample) => Pixel | null} screen
 * @param {number} x
 * @param {number} y
 */
export function nearest(bodies, screen, x, y) {
  let best = null, minimum = 40;
  for (const { player, at } of bodies) {
    const place = screen(at), far = place ? Math.hypot(place.x - x, place.y - y) : Infinity;
    if (far < minimum) [best, minimum] = [player.id, far];
  }
  return best;
}
