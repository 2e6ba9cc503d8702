// An arena as the server describes it: faces of blocks, their colours and textures, and the light on them.

const MAGIC = 0x31435357;
const SURFACES = 0x32435357;
const UNITS = 32;

/** Reads what /scene/NAME answers; Mesh.java says how it is laid out. */
export function readMesh(buffer) {
  const view = new DataView(buffer);
  if (view.getInt32(0, true) === SURFACES) return readSurfaces(view);
  const ints = [0, 4, 8, 12, 16, 20].map(at => view.getInt32(at, true));
  const [magic, count, width, height, materials, side] = ints;
  if (magic !== MAGIC) throw new Error('not a scene');
  const floats = Array.from({ length: 9 }, (_, i) => view.getFloat32(24 + 4 * i, true));
  let at = 60;
  const faces = [];
  for (let i = 0; i < count; i++, at += 16) {
    const s = Array.from({ length: 8 }, (_, j) => view.getInt16(at + 2 * j, true));
    faces.push({ material: s[0] & 255, axis: s[0] >> 9, up: (s[0] >> 8 & 1) === 1, at: s[1] / 2,
      u0: s[2], v0: s[3], u1: s[4], v1: s[5], x: s[6], y: s[7] });
  }
  const colours = [];
  for (let i = 0; i < materials; i++, at += 4) {
    colours.push({ rgb: [0, 1, 2].map(c => view.getUint8(at + c)), glows: view.getUint8(at + 3) === 1 });
  }
  const textures = new Uint8Array(buffer, at, materials * side * side);
  const lights = new Uint8Array(buffer, at + textures.length, 3 * width * height);
  return { faces, colours, textures, side, materials, lights, width, height, bounds: floats.slice(0, 6), sun: floats.slice(6) };
}

/** A stock map: polygons with a colour each. */
function readSurfaces(view) {
  const surfaces = [], bounds = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
  let at = 8;
  for (let i = view.getInt32(4, true); i > 0; i--) {
    const rgb = [0, 1, 2].map(c => view.getUint8(at + c)), count = view.getUint8(at + 3), corners = [];
    at += 4;
    for (let k = 0; k < count; k++, at += 6) {
      const corner = [0, 2, 4].map(c => view.getInt16(at + c, true) / UNITS);
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
  return sum.map(part => part / length);
}

/** The light in the middle of a face, 1 for a colour as it is. */
export function lightOf(mesh, face) {
  const x = face.x + (face.u1 - face.u0 >> 1), y = face.y + (face.v1 - face.v0 >> 1);
  return [0, 1, 2].map(c => mesh.lights[3 * (y * mesh.width + x) + c] / 127.5);
}

/** Is a solid glass? Drawn last, and seen through. */
export const GLASS = 13;

/** The number of water among the materials. */
export const WATER = 18;
