// Decodes an arena from the server: faces of blocks, their colours and textures, and the light on them.

/** @typedef {[number, number, number]} Place */
/** @typedef {[number, number, number, number, number, number]} Bounds min x, y, z, max x, y, z */
/** @typedef {{ material: number, axis: number, up: boolean, at: number, u0: number, v0: number, u1: number, v1: number, x: number, y: number }} Face */
/** @typedef {{ rgb: number[], glows: boolean }} Colour */
/** @typedef {{ faces: Face[], colours: Colour[], textures: Uint8Array, side: number, materials: number, lights: Uint8Array, width: number, height: number, bounds: Bounds, sun: number[] }} Blocks */
/** @typedef {{ rgb: number[], corners: Place[], normal: Place }} Surface */
/** @typedef {{ surfaces: Surface[], bounds: Bounds }} Surfaces */
/** @typedef {Blocks | Surfaces} Mesh */

const MAGIC = 0x31435357;
const SURFACES = 0x32435357;
const UNITS = 32;

/** Decodes the response of /scene/NAME; Mesh.java has the format. @param {ArrayBuffer} buffer @returns {Mesh} */
export function readMesh(buffer) {
  const view = new DataView(buffer);
  if (view.getInt32(0, true) === SURFACES) return readSurfaces(view);
  const ints = [0, 4, 8, 12, 16, 20].map(at => view.getInt32(at, true));
  const [magic, count, width, height, materials, side] = ints;
  if (magic !== MAGIC) throw new Error('the response is not a scene');
  const floats = Array.from({ length: 9 }, (_, i) => view.getFloat32(24 + 4 * i, true));
  let at = 60;
  /** @type {Face[]} */
  const faces = [];
  for (let i = 0; i < count; i++, at += 16) {
    const s = Array.from({ length: 8 }, (_, j) => view.getInt16(at + 2 * j, true));
    faces.push({ material: s[0] & 255, axis: s[0] >> 9, up: (s[0] >> 8 & 1) === 1, at: s[1] / 2,
      u0: s[2], v0: s[3], u1: s[4], v1: s[5], x: s[6], y: s[7] });
  }
  /** @type {Colour[]} */
  const colours = [];
  for (let i = 0; i < materials; i++, at += 4) {
    colours.push({ rgb: [0, 1, 2].map(c => view.getUint8(at + c)), glows: view.getUint8(at + 3) === 1 });
  }
  const textures = new Uint8Array(buffer, at, materials * side * side);
  const lights = new Uint8Array(buffer, at + textures.length, 3 * width * height);
  const bounds = /** @type {Bounds} */ (floats.slice(0, 6));
  return { faces, colours, textures, side, materials, lights, width, height, bounds, sun: floats.slice(6) };
}

/** Decodes a stock map: polygons with one colour each. @param {DataView} view @returns {Surfaces} */
function readSurfaces(view) {
  /** @type {Surface[]} */ const surfaces = [];
  /** @type {Bounds} */ const bounds = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
  let at = 8;
  for (let i = view.getInt32(4, true); i > 0; i--) {
    const rgb = [0, 1, 2].map(c => view.getUint8(at + c)), count = view.getUint8(at + 3);
    /** @type {Place[]} */ const corners = [];
    at += 4;
    for (let k = 0; k < count; k++, at += 6) {
      const corner = /** @type {Place} */ ([0, 2, 4].map(c => view.getInt16(at + c, true) / UNITS));
      corners.push(corner);
      for (let c = 0; c < 3; c++) {
        bounds[c] = Math.min(bounds[c], corner[c]);
        bounds[c + 3] = Math.max(bounds[c + 3], corner[c]);
      }
    }
    surfaces.push({ rgb, corners, normal: normalOf(corners) });
  }
  return { surfaces, bounds };
}

/** @param {Place[]} corners @returns {Place} */
function normalOf(corners) {
  const sum = [0, 0, 0];
  corners.forEach((a, i) => {
    const b = corners[(i + 1) % corners.length];
    for (let c = 0; c < 3; c++) {
      const u = (c + 1) % 3, v = (c + 2) % 3;
      sum[c] += (a[u] - b[u]) * (a[v] + b[v]);
    }
  });
  const length = Math.hypot(...sum) || 1;
  return /** @type {Place} */ (sum.map(part => part / length));
}

/** The light in the middle of a face; 1 leaves the colour unchanged. @param {Blocks} mesh @param {Face} face */
export function lightOf(mesh, face) {
  const x = face.x + (face.u1 - face.u0 >> 1), y = face.y + (face.v1 - face.v0 >> 1);
  return [0, 1, 2].map(c => mesh.lights[3 * (y * mesh.width + x) + c] / 127.5);
}

/** The number of glass among the materials, which is transparent and drawn last. */
export const GLASS = 13;

/** The number of water among the materials. */
export const WATER = 18;

/** A function that returns the share of a line between two places up to the first wall, from 0 to 1.
 * @param {Mesh} mesh
 * @returns {(from: Place, to: Place) => number}
 */
export function sightIn(mesh) {
  if ('surfaces' in mesh) {
    return (from, to) => mesh.surfaces.reduce((free, surface) => Math.min(free, hitSurface(surface, from, to)), 1);
  }
  const walls = mesh.faces.filter(face => face.material !== GLASS && face.material !== WATER);
  return (from, to) => walls.reduce((free, face) => Math.min(free, hitFace(face, from, to)), 1);
}

/** @param {Face} face @param {Place} from @param {Place} to */
function hitFace({ axis, up, at, u0, v0, u1, v1 }, from, to) {
  const way = to[axis] - from[axis];
  if (up ? way >= 0 : way <= 0) return 1;
  const part = (at - from[axis]) / way;
  if (part < 0 || part > 1) return 1;
  const u = (axis + 1) % 3, v = (axis + 2) % 3;
  const pu = 2 * (from[u] + (to[u] - from[u]) * part), pv = 2 * (from[v] + (to[v] - from[v]) * part);
  return pu >= u0 && pu <= u1 && pv >= v0 && pv <= v1 ? part : 1;
}

/** @param {Surface} surface @param {Place} from @param {Place} to */
function hitSurface({ corners, normal }, from, to) {
  const first = corners[0];
  let way = 0, far = 0;
  for (let c = 0; c < 3; c++) {
    way += normal[c] * (to[c] - from[c]);
    far += normal[c] * (first[c] - from[c]);
  }
  if (way >= 0 || far > 0 || far < way) return 1;
  const part = far / way, met = from.map((value, c) => value + (to[c] - value) * part);
  for (let i = 0; i < corners.length; i++) {
    const a = corners[i], b = corners[(i + 1) % corners.length];
    let side = 0;
    for (let c = 0; c < 3; c++) {
      const u = (c + 1) % 3, v = (c + 2) % 3;
      side += normal[c] * ((b[u] - a[u]) * (met[v] - a[v]) - (b[v] - a[v]) * (met[u] - a[u]));
    }
    if (side < 0) return 1;
  }
  return part;
}
