// The arena from above on a plain canvas: north is up. Needs no WebGL.

import { GLASS, lightOf } from './mesh.js';

const PIXELS = 14;
/** Of the painted ground along a side, which browsers have room for. */
const WIDEST = 4096;
const TRAIL = 2000;

export class Top {
  zoom = 1;
  middle = null;
  #canvas;
  #context;
  #ground = null;
  #pixels = PIXELS;
  #bounds = [-32, -32, 0, 32, 32, 8];

  constructor(canvas) {
    this.#canvas = canvas;
    this.#context = canvas.getContext('2d');
  }

  resize(width, height, ratio) {
    this.#canvas.width = width * ratio;
    this.#canvas.height = height * ratio;
    this.width = width;
    this.height = height;
    this.ratio = ratio;
  }

  level(bounds) {
    this.#bounds = bounds;
    this.#ground = null;
    this.middle = null;
  }

  /** Paints the ground once, from the lowest to the highest; a roof over everything is left out. */
  mesh(mesh) {
    const [x0, y0, , x1, y1] = this.#bounds = mesh.bounds;
    const ground = document.createElement('canvas');
    this.#pixels = Math.min(PIXELS, WIDEST / Math.max(x1 - x0, y1 - y0, 1));
    ground.width = Math.ceil((x1 - x0) * this.#pixels);
    ground.height = Math.ceil((y1 - y0) * this.#pixels);
    const paint = ground.getContext('2d');
    if (mesh.surfaces) this.#floors(mesh.surfaces, paint);
    const tops = (mesh.faces ?? []).filter(face => face.axis === 2 && face.up && face.material !== GLASS);
    const high = Math.max(...tops.map(face => face.at), 1);
    for (const face of tops.sort((a, b) => a.at - b.at)) {
      const { rgb, glows } = mesh.colours[face.material];
      const light = lightOf(mesh, face), rise = 0.75 + 0.35 * Math.max(0, face.at) / high;
      paint.fillStyle = `rgb(${rgb.map((c, i) => Math.round(Math.min(255, c * (glows ? 1 : Math.sqrt(light[i]) * rise))))})`;
      paint.fillRect((face.u0 / 2 - x0) * this.#pixels, (y1 - face.v1 / 2) * this.#pixels,
        (face.u1 - face.u0) / 2 * this.#pixels, (face.v1 - face.v0) / 2 * this.#pixels);
    }
    this.#ground = ground;
  }

  /** A stock map's, the higher the lighter. */
  #floors(surfaces, paint) {
    const [x0, , z0, , y1, z1] = this.#bounds;
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

  /** Pixels of a place. */
  screen(at) {
    const [x0, y0, , x1, y1] = this.#bounds;
    const middle = this.middle ?? { x: (x0 + x1) / 2, y: (y0 + y1) / 2 };
    return { x: this.width / 2 + (at.x - middle.x) * this.scale, y: this.height / 2 - (at.y - middle.y) * this.scale };
  }

  /** Moves the picture by pixels. */
  drag(dx, dy) {
    const [x0, y0, , x1, y1] = this.#bounds;
    const middle = this.middle ?? { x: (x0 + x1) / 2, y: (y0 + y1) / 2 };
    this.middle = { x: middle.x - dx / this.scale, y: middle.y + dy / this.scale };
  }

  draw(bodies, time, colours, trails) {
    const context = this.#context, [x0, y0, , x1, y1] = this.#bounds;
    context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    context.fillStyle = colours.back;
    context.fillRect(0, 0, this.width, this.height);
    const corner = this.screen({ x: x0, y: y1 });
    const wide = (x1 - x0) * this.scale, high = (y1 - y0) * this.scale;
    if (this.#ground) context.drawImage(this.#ground, corner.x, corner.y, wide, high);
    context.strokeStyle = colours.dim;
    context.strokeRect(corner.x, corner.y, wide, high);
    const size = Math.max(5, Math.min(14, this.scale * 0.7));
    for (const { player, at, followed } of bodies) {
      const colour = colours[player.game] ?? colours.text;
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
