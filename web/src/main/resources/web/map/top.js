// The top view of the arena on a 2D canvas, which does not need WebGL: north is up.

import { GLASS, lightOf } from './mesh.js';
import { pen } from './labels.js';
import { hueOf } from './page.js';

/** @import { Blocks, Bounds, Mesh, Surface } from './mesh.js' */
/** @import { Body } from './track.js' */
/** @import { Colours } from './page.js' */
/** @import { Ray } from './acts.js' */
/** @typedef {{ x: number, y: number }} Point */

const PIXELS = 14;
/** Maximum side of the painted ground, which browsers support. */
const MAX_PIXELS = 4096;
const TRAIL = 2000;
/** Distance that is visible around the followed player until the user zooms. */
const FOLLOW_METRES = 12;

export class Top {
  zoom = 1;
  /** The place in the middle of the picture; null for the middle of the arena. @type {Point | null} */
  middle = null;
  width = 1;
  height = 1;
  ratio = 1;
  /** Called when the user moves the picture. */
onMoved = () => {};
  #canvas;
  #context;
  /** @type {HTMLCanvasElement | null} */
  #ground = null;
  #followed = false;
  #pixels = PIXELS;
  /** @type {Bounds} */
  #bounds = [-32, -32, 0, 32, 32, 8];

  /** @param {HTMLCanvasElement} canvas */
  constructor(canvas) {
    this.#canvas = canvas;
    this.#context = pen(canvas);
  }

  /** @param {number} width @param {number} height @param {number} ratio */
  resize(width, height, ratio) {
    this.#canvas.width = width * ratio;
    this.#canvas.height = height * ratio;
    this.width = width;
    this.height = height;
    this.ratio = ratio;
  }

  /** @param {Bounds} bounds */
  level(bounds) {
    this.#bounds = bounds;
    this.#ground = null;
    this.middle = null;
  }

  /** Paints the ground once, from the lowest face to the highest. @param {Mesh} mesh */
  mesh(mesh) {
    const [x0, y0, , x1, y1] = this.#bounds = mesh.bounds;
    const ground = document.createElement('canvas');
    this.#pixels = Math.min(PIXELS, MAX_PIXELS / Math.max(x1 - x0, y1 - y0, 1));
    ground.width = Math.ceil((x1 - x0) * this.#pixels);
    ground.height = Math.ceil((y1 - y0) * this.#pixels);
    if ('surfaces' in mesh) this.#floors(mesh.surfaces, pen(ground));
    else this.#tops(mesh, pen(ground));
    this.#ground = ground;
  }

  /** @param {Blocks} mesh @param {CanvasRenderingContext2D} paint */
  #tops(mesh, paint) {
    const [x0, , , , y1] = this.#bounds;
    const tops = mesh.faces.filter(face => face.axis === 2 && face.up && face.material !== GLASS);
    const high = Math.max(...tops.map(face => face.at), 1);
    for (const face of tops.sort((a, b) => a.at - b.at)) {
      const { rgb, glows } = mesh.colours[face.material];
      const light = lightOf(mesh, face), rise = 0.75 + 0.35 * Math.max(0, face.at) / high;
      paint.fillStyle = `rgb(${rgb.map((c, i) => Math.round(Math.min(255, c * (glows ? 1 : Math.sqrt(light[i]) * rise))))})`;
      paint.fillRect((face.u0 / 2 - x0) * this.#pixels, (y1 - face.v1 / 2) * this.#pixels,
        (face.u1 - face.u0) / 2 * this.#pixels, (face.v1 - face.v0) / 2 * this.#pixels);
    }
  }

  /** Paints the floors of a stock map, higher ones lighter. @param {Surface[]} surfaces @param {CanvasRenderingContext2D} paint */
  #floors(surfaces, paint) {
    const [x0, , z0, , y1, z1] = this.#bounds;
    /** @param {Surface} surface */
    const high = surface => Math.max(...surface.corners.map(corner => corner[2]));
    const floors = surfaces.filter(surface => surface.normal[2] > 0.3).map(surface => ({ surface, z: high(surface) }));
    for (const { surface, z } of floors.sort((a, b) => a.z - b.z)) {
      const rise = (0.45 + 0.55 * (z - z0) / Math.max(1, z1 - z0)) * (0.6 + 0.4 * surface.normal[2]);
      paint.fillStyle = `rgb(${surface.rgb.map(c => Math.round(c * rise))})`;
      paint.beginPath();
      for (const [x, y] of surface.corners) paint.lineTo((x - x0) * this.#pixels, (y1 - y) * this.#pixels);
      paint.fill();
    }
  }

  get scale() {
    const [x0, y0, , x1, y1] = this.#bounds;
    return Math.min(this.width / (x1 - x0), this.height / (y1 - y0)) * 0.94 * this.zoom;
  }

  /** The pixel of a place. @param {Point} at */
  screen(at) {
    const [x0, y0, , x1, y1] = this.#bounds;
    const middle = this.middle ?? { x: (x0 + x1) / 2, y: (y0 + y1) / 2 };
    return { x: this.width / 2 + (at.x - middle.x) * this.scale, y: this.height / 2 - (at.y - middle.y) * this.scale };
  }

  /** Keeps the followed player in the middle, and zooms in. @param {Point | null} at */
  follow(at) {
    const [x0, y0, , x1, y1] = this.#bounds;
    if (at && !this.#followed) this.zoom = Math.max(this.zoom, Math.min(12, Math.max(x1 - x0, y1 - y0) / 2 / FOLLOW_METRES));
    if (!at && this.#followed) [this.zoom, this.middle] = [1, null];
    this.#followed = at !== null;
    if (at) this.middle = { x: at.x, y: at.y };
  }

  /** @param {number} part */
  closer(part) {
    this.zoom = Math.min(12, Math.max(0.5, this.zoom * (1 + part * 0.2)));
  }

  /** Moves the picture by pixels, which stops following. @param {number} dx @param {number} dy */
  drag(dx, dy) {
    if (!dx && !dy) return;
    this.#followed = false;
    this.onMoved();
    const [x0, y0, , x1, y1] = this.#bounds;
    const middle = this.middle ?? { x: (x0 + x1) / 2, y: (y0 + y1) / 2 };
    this.middle = { x: middle.x - dx / this.scale, y: middle.y + dy / this.scale };
  }

  /** @param {Body[]} bodies @param {number} time @param {Colours} colours @param {boolean} trails @param {Ray[]} rays */
  draw(bodies, time, colours, trails, rays) {
    const context = this.#context, [x0, y0, , x1, y1] = this.#bounds;
    context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    context.fillStyle = colours.back;
    context.fillRect(0, 0, this.width, this.height);
    const corner = this.screen({ x: x0, y: y1 });
    const wide = (x1 - x0) * this.scale, high = (y1 - y0) * this.scale;
    if (this.#ground) context.drawImage(this.#ground, corner.x, corner.y, wide, high);
    context.strokeStyle = colours.dim;
    context.strokeRect(corner.x, corner.y, wide, high);
    context.lineWidth = 1.5;
    for (const { from, to, hue, alpha } of rays) {
      const a = this.screen({ x: from[0], y: from[1] }), b = this.screen({ x: to[0], y: to[1] });
      context.strokeStyle = colours[hue] ?? colours.text;
      context.globalAlpha = alpha;
      context.beginPath();
      context.moveTo(a.x, a.y);
      context.lineTo(b.x, b.y);
      context.stroke();
    }
    context.globalAlpha = 1;
    const size = Math.max(5, Math.min(14, this.scale * 0.7));
    for (const { player, at, followed } of bodies) {
      const colour = colours[hueOf(player)] ?? colours.text;
      if (trails) {
        context.strokeStyle = colour;
        context.globalAlpha = 0.55;
        context.lineWidth = 2;
        context.beginPath();
        for (const sample of player.samples) {
          if (sample.time < time - TRAIL || sample.time > time) continue;
          const p = this.screen(sample);
          if (sample.leaps) context.moveTo(p.x, p.y); else context.lineTo(p.x, p.y);
        }
        context.stroke();
        context.globalAlpha = 1;
      }
      const { x, y } = this.screen(at);
      context.save();
      context.translate(x, y);
      context.rotate(-at.yaw * Math.PI / 180);
      context.beginPath();
      context.moveTo(size, 0);
      context.lineTo(-size * 0.7, -size * 0.7);
      context.lineTo(-size * 0.35, 0);
      context.lineTo(-size * 0.7, size * 0.7);
      context.closePath();
      context.fillStyle = colour;
      context.fill();
      context.lineWidth = followed ? 3 : 1;
      context.strokeStyle = followed ? colours.text : '#0009';
      context.stroke();
      context.restore();
    }
  }
}
