// The camera of the 3D view: of all players, free, following a player, or through its eyes. Angles are the arena's: degrees from
// east, up.

/** @import { PerspectiveCamera } from '../lib/three.module.min.js' */
/** @import { Body } from './track.js' */
/** @import { Bounds, Place } from './mesh.js' */
/** @typedef {'all' | 'free' | 'follow' | 'eyes' | 'top'} View */

const EYES = 1.6;
const STEP = 12;
/** Distance of the camera from walls, metres. */
const FROM_WALL = 0.3;
/** Minimum distance in the view of all players, metres; and the share of the picture that they fill. */
const MIN_FAR = 9;
const FILLED = 0.8;
const rad = Math.PI / 180;
/** @param {number} value @param {number} min @param {number} max */
const clamp = (value, min, max) => Math.min(max, Math.max(min, value));
/** @param {Place} a @param {Place} b */
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

/** The corners of a box. @param {Bounds} bounds @returns {Place[]} */
export function corners([x0, y0, z0, x1, y1, z1]) {
  return [x0, x1].flatMap(x => [y0, y1].flatMap(y => [z0, z1].map(z => /** @type {Place} */ ([x, y, z]))));
}

/** The corners of boxes around bodies, from the feet to the name. @param {Body[]} bodies @returns {Place[]} */
export function around(bodies) {
  return bodies.flatMap(({ at: { x, y, z } }) => corners([x - 0.8, y - 0.8, z, x + 0.8, y + 0.8, z + 2.4]));
}

export class Camera {
  /** @type {View} */
  view = 'all';
  x = 0; y = 0; z = 12;
  yaw = 59; pitch = -42;
  away = 6;
  /** Seconds until the camera turns back behind the followed player. */
  #turned = 0;
  /** The subject of the last call of frame. */
  #framed = '';
  /** Whether the next picture has no connection with the last one. */
  #jumps = false;
  /** @type {Set<string>} */
  keys = new Set();
  /** Called when the user moves the camera in the view of all players. */
onMoved = () => {};
  /** The share of a line up to the first wall, from 0 to 1. @type {(from: Place, to: Place) => number} */
  sight = () => 1;

  /** Goes to where it belongs at once, as after a jump in time. */
  jump() {
    this.#jumps = true;
  }

  #take() {
    if (this.view !== 'all') return;
    this.view = 'free';
    this.onMoved();
  }

  /** Moves to where all places are visible, at once if the subject has changed.
   * @param {Place[]} places
   * @param {string} what
   * @param {{ fov: number, aspect: number }} lens
   * @param {number} seconds
   */
  frame(places, what, lens, seconds) {
    if (!places.length) return;
    const c = Math.cos(this.yaw * rad), s = Math.sin(this.yaw * rad), p = Math.cos(this.pitch * rad), q = Math.sin(this.pitch * rad);
    /** @type {Place} */ const ahead = [c * p, s * p, q];
    /** @type {Place} */ const right = [s, -c, 0];
    /** @type {Place} */ const up = [-c * q, -s * q, p];
    const high = Math.tan(lens.fov / 2 * rad) * FILLED, wide = high * lens.aspect;
    // The planes of the picture's edges that enclose all places meet at the camera.
    let left = -Infinity, rightmost = Infinity, top = -Infinity, bottom = Infinity, sum = 0;
    for (const place of places) {
      const x = dot(place, right), y = dot(place, up), z = dot(place, ahead);
      left = Math.max(left, x - wide * z);
      rightmost = Math.min(rightmost, x + wide * z);
      top = Math.max(top, y - high * z);
      bottom = Math.min(bottom, y + high * z);
      sum += z;
    }
    const back = Math.min((rightmost - left) / 2 / wide, (bottom - top) / 2 / high, sum / places.length - MIN_FAR);
    const to = [0, 1, 2].map(i => (left + rightmost) / 2 * right[i] + (top + bottom) / 2 * up[i] + back * ahead[i]);
    const part = what === this.#framed && !this.#jumps ? 1 - Math.exp(-2 * seconds) : 1;
    this.#framed = what;
    this.x += (to[0] - this.x) * part;
    this.y += (to[1] - this.y) * part;
    this.z += (to[2] - this.z) * part;
  }

  /** @param {number} yaw @param {number} pitch */
  turn(yaw, pitch) {
    this.#take();
    this.yaw = (this.yaw + yaw + 360) % 360;
    this.pitch = clamp(this.pitch + pitch, -89, 89);
    this.#turned = 3;
  }

  /** Ahead, to the right, up; metres. @param {number} ahead @param {number} right @param {number} up */
  go(ahead, right, up) {
    this.#take();
    const c = Math.cos(this.yaw * rad), s = Math.sin(this.yaw * rad);
    this.x += c * ahead + s * right;
    this.y += s * ahead - c * right;
    this.z += up + (ahead ? Math.sin(this.pitch * rad) * ahead : 0);
  }

  /** @param {number} part */
  closer(part) {
    if (this.view === 'all' || this.view === 'free') this.go(part * 4, 0, 0);
    else this.away = clamp(this.away * (1 - part * 0.2), 2, 40);
  }

  /** Moves by the pressed keys or after the followed player, and updates the camera.
   * @param {number} seconds
   * @param {Body | null} target
   * @param {PerspectiveCamera} three
   */
  update(seconds, target, three) {
    /** @param {string} a @param {string} b */
    const axis = (a, b) => (this.keys.has(a) ? 1 : 0) - (this.keys.has(b) ? 1 : 0);
    const turn = 100 * seconds, jumps = this.#jumps;
    this.#jumps = false;
    const yaw = axis('ArrowLeft', 'ArrowRight') * turn, pitch = axis('ArrowUp', 'ArrowDown') * turn;
    if (yaw || pitch) this.turn(yaw, pitch);
    if (this.view === 'eyes' && target) {
      const low = (target.player.stance & 2) !== 0 ? 0.6 : 0, { x, y, z } = target.at;
      const free = this.sight([x, y, z + 0.5], [x, y, z + EYES - low + FROM_WALL]);
      this.#look(three, x, y, z + 0.5 + (EYES - low - 0.5) * free, target.at.yaw, target.at.pitch);
      return;
    }
    if (this.view === 'follow' && target) {
      this.#turned = Math.max(0, this.#turned - seconds);
      if (this.#turned === 0) {
        const behind = ((target.at.yaw - this.yaw) % 360 + 540) % 360 - 180;
        this.yaw += behind * (jumps ? 1 : Math.min(1, 2.5 * seconds));
        this.pitch += (-18 - this.pitch) * (jumps ? 1 : Math.min(1, 2 * seconds));
      }
      this.#follow(target);
    } else {
      const step = STEP * seconds * (this.keys.has('ShiftLeft') ? 3 : 1);
      const ahead = axis('KeyW', 'KeyS'), right = axis('KeyD', 'KeyA'), up = axis('KeyE', 'KeyQ');
      if (ahead || right || up) this.go(ahead * step, right * step, up * step);
    }
    this.#look(three, this.x, this.y, this.z, this.yaw, this.pitch);
  }

  /** Moves behind the player, but not behind a wall. @param {Body} target */
  #follow({ at: { x, y, z } }) {
    const c = Math.cos(this.pitch * rad), s = Math.sin(this.pitch * rad);
    /** @type {Place} */ const head = [x, y, z + EYES];
    /** @type {Place} */ const back = [-Math.cos(this.yaw * rad) * c, -Math.sin(this.yaw * rad) * c, -s];
    const wanted = this.away + FROM_WALL;
    const free = this.sight(head, [head[0] + back[0] * wanted, head[1] + back[1] * wanted, head[2] + back[2] * wanted]);
    const far = Math.max(0.2, free * wanted - FROM_WALL);
    [this.x, this.y, this.z] = head.map((value, i) => value + back[i] * far);
  }

  /** @param {PerspectiveCamera} three @param {number} x @param {number} y @param {number} z @param {number} yaw @param {number} pitch */
  #look(three, x, y, z, yaw, pitch) {
    if (!Number.isFinite(x + y + z + yaw + pitch)) throw new Error(`the camera has no valid position: ${[x, y, z, yaw, pitch]}`);
    three.position.set(x, y, z);
    const flat = Math.cos(pitch * rad);
    three.lookAt(x + Math.cos(yaw * rad) * flat, y + Math.sin(yaw * rad) * flat, z + Math.sin(pitch * rad) + 1e-6);
    three.updateMatrixWorld();
  }
}
