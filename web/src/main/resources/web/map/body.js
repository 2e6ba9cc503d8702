// The shape of a body: legs, a trunk with arms, and a head with a visor in its view direction (along x), in shades of the game's colour.

import * as three from '../lib/three.module.min.js';

/** @typedef {{ shape: three.BufferGeometry, at: [number, number, number], shade: number }} Part */

/** @param {Part[]} parts */
function joined(parts) {
  /** @type {number[]} */ const position = [], /** @type {number[]} */ normal = [];
  /** @type {number[]} */ const color = [], /** @type {number[]} */ index = [];
  for (const { shape, at, shade } of parts) {
    const first = position.length / 3, plain = shape.index?.array ?? [], places = shape.attributes.position;
    shape.translate(...at);
    position.push(...places.array);
    normal.push(...shape.attributes.normal.array);
    for (let i = 0; i < places.count; i++) color.push(shade, shade, shade);
    for (const i of plain) index.push(first + i);
  }
  const made = new three.BufferGeometry();
  for (const [name, values] of Object.entries({ position, normal, color })) {
    made.setAttribute(name, new three.Float32BufferAttribute(values, 3));
  }
  made.setIndex(index);
  return made;
}

/** @param {number} x @param {number} y @param {number} z */
const box = (x, y, z) => new three.BoxGeometry(x, y, z);
/** @param {number} radius @param {number} length */
const round = (radius, length) => new three.CapsuleGeometry(radius, length, 2, 6).rotateX(Math.PI / 2);

/** The body without its head; the neck is at 1.5 m. */
export function bodyShape() {
  return joined([
    { shape: round(0.1, 0.5), at: [0, 0.13, 0.35], shade: 0.45 },
    { shape: round(0.1, 0.5), at: [0, -0.13, 0.35], shade: 0.45 },
    { shape: box(0.3, 0.18, 0.1), at: [0.07, 0.13, 0.05], shade: 0.25 },
    { shape: box(0.3, 0.18, 0.1), at: [0.07, -0.13, 0.05], shade: 0.25 },
    { shape: round(0.24, 0.34), at: [0, 0, 1.02], shade: 1 },
    { shape: round(0.075, 0.4), at: [0.02, 0.31, 1.05], shade: 0.75 },
    { shape: round(0.075, 0.4), at: [0.02, -0.31, 1.05], shade: 0.75 },
    { shape: box(0.6, 0.09, 0.11), at: [0.34, -0.24, 1.08], shade: 0.2 },
  ]);
}

/** The head, relative to the neck. */
export function headShape() {
  return joined([
    { shape: new three.SphereGeometry(0.2, 10, 7), at: [0, 0, 0.16], shade: 1 },
    { shape: box(0.14, 0.3, 0.12), at: [0.13, 0, 0.18], shade: 0.12 },
  ]);
}

/** The body with a quarter of the triangles, for bodies that are small in the picture. */
export function smallBodyShape() {
  return joined([
    { shape: box(0.17, 0.17, 0.7), at: [0, 0.13, 0.35], shade: 0.45 },
    { shape: box(0.17, 0.17, 0.7), at: [0, -0.13, 0.35], shade: 0.45 },
    { shape: new three.CapsuleGeometry(0.24, 0.34, 1, 5).rotateX(Math.PI / 2), at: [0, 0, 1.02], shade: 1 },
    { shape: box(0.13, 0.13, 0.54), at: [0.02, 0.31, 1.05], shade: 0.75 },
    { shape: box(0.13, 0.13, 0.54), at: [0.02, -0.31, 1.05], shade: 0.75 },
    { shape: box(0.6, 0.09, 0.11), at: [0.34, -0.24, 1.08], shade: 0.2 },
  ]);
}

/** The head of a body that is small in the picture. */
export function smallHeadShape() {
  return joined([
    { shape: new three.SphereGeometry(0.2, 6, 4), at: [0, 0, 0.16], shade: 1 },
    { shape: box(0.14, 0.3, 0.12), at: [0.13, 0, 0.18], shade: 0.12 },
  ]);
}
