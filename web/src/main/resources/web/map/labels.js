// Names above bodies, on a canvas over the picture. Nearer bodies are named first, then what happens; a name without room is omitted. A name that is
// already visible has priority, to avoid flicker.

const CELL = 24;
/** Heights at which a name is tried if there is no room, pixels. */
const RISES = [0, 18, 36];
/** Longer names are cut in the middle, as they often differ at the end. */
const MAX_CHARS = 24;
/** Before the name of a player with quad damage. */
const QUAD = '◆ ';
/** The bar of a player's health, pixels; it is full at the health with which most games begin. */
const BAR_WIDTH = 36, BAR_HEIGHT = 4, FULL = 100;

import { hueOf } from './page.js';

/** @import { Body, Pixel, Sample } from './track.js' */
/** @import { Colours } from './page.js' */
/** Places are in pixels; a word that is not a player's name has a number below 0. health is below 0 without a bar.
 * @typedef {{ id: number, text: string, x: number, y: number, far: number, colour: string, followed: boolean, health?: number }} Label */

/** @param {string} name */
export function shortened(name) {
  const chars = [...name], end = Math.floor((MAX_CHARS - 1) / 2);
  return chars.length <= MAX_CHARS ? name : chars.slice(0, MAX_CHARS - 1 - end).join('') + '…' + chars.slice(-end).join('');
}

/**
 * The names of bodies.
 * @param {Body[]} bodies
 * @param {(at: Sample) => Pixel | null} screen the pixel of a body's name
 * @param {Colours} colours
 */
export function labelsOf(bodies, screen, colours) {
  /** @type {Label[]} */
  const found = [];
  for (const { player, at, followed, hidden } of bodies) {
    const place = hidden ? null : screen(at);
    if (!place) continue;
    found.push({ id: player.id, text: (player.quad ? QUAD : '') + shortened(player.name), x: place.x, y: place.y, far: place.far ?? 0,
      colour: colours[hueOf(player)] ?? colours.text, followed, health: player.health });
  }
  return found;
}

/** The 2D context of a canvas. @param {HTMLCanvasElement} canvas */
export function pen(canvas) {
  const context = canvas.getContext('2d');
  if (!context) throw new Error('the browser does not support 2D canvases');
  return context;
}

export class Labels {
  #canvas;
  #context;
  /** @type {Map<string, number>} */
  #widths = new Map();
  /** @type {Set<number>} */
  #shown = new Set();
  width = 0;
  height = 0;

  /** @param {HTMLCanvasElement} canvas */
  constructor(canvas) {
    this.#canvas = canvas;
    this.#context = pen(canvas);
  }

  /** @param {number} width @param {number} height @param {number} ratio */
  resize(width, height, ratio) {
    this.#canvas.width = width * ratio;
    this.#canvas.height = height * ratio;
    this.#context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.width = width;
    this.height = height;
  }

  /** @param {Label[]} places @param {string} back */
  draw(places, back) {
    const context = this.#context;
    context.clearRect(0, 0, this.width, this.height);
    context.font = '600 12px system-ui, sans-serif';
    context.textBaseline = 'middle';
    context.lineWidth = 3;
    context.lineJoin = 'round';
    context.strokeStyle = back;
    /** @param {Label} place */
    const rank = place => (place.followed ? -1e9 : place.id < 0 ? 1e6 : 0) + place.far - (this.#shown.has(place.id) ? 4 : 0);
    /** @type {Set<number>} */ const taken = new Set(), /** @type {Set<number>} */ shown = new Set();
    for (const place of places.sort((a, b) => rank(a) - rank(b))) {
      const width = this.#width(place.text);
      const left = place.x - width / 2 - 3, right = place.x + width / 2 + 3;
      if (right < 0 || left > this.width || place.y + 9 < 0 || place.y - 9 > this.height) continue;
      /** @param {number} y */
      const cellsAt = y => {
        const cells = [];
        for (let x = Math.floor(left / CELL); x <= Math.floor(right / CELL); x++) {
          for (let row = Math.floor((y - 9) / 9); row <= Math.floor((y + 9) / 9); row++) cells.push(x + 10000 * row);
        }
        return cells;
      };
      const y = RISES.map(rise => place.y - rise).find(y => !cellsAt(y).some(cell => taken.has(cell)));
      if (y === undefined) continue;
      const cells = cellsAt(y);
      cells.forEach(cell => taken.add(cell));
      shown.add(place.id);
      context.strokeText(place.text, left + 3, y);
      context.fillStyle = place.colour;
      context.fillText(place.text, left + 3, y);
      if (place.health !== undefined && place.health >= 0) this.#bar(place.x, y + 8, place.health, back);
    }
    this.#shown = shown;
  }

  /** @param {number} x @param {number} y @param {number} health @param {string} back */
  #bar(x, y, health, back) {
    const context = this.#context, left = x - BAR_WIDTH / 2, part = Math.min(1, health / FULL);
    context.fillStyle = back;
    context.fillRect(left - 1, y - 1, BAR_WIDTH + 2, BAR_HEIGHT + 2);
    context.fillStyle = part > 0.6 ? '#4cb944' : part > 0.3 ? '#e0a21b' : '#e5484d';
    context.fillRect(left, y, BAR_WIDTH * part, BAR_HEIGHT);
  }

  /** @param {string} text */
  #width(text) {
    let width = this.#widths.get(text);
    if (width === undefined) {
      if (this.#widths.size > 2000) this.#widths.clear();
      this.#widths.set(text, width = this.#context.measureText(text).width);
    }
    return width;
  }

  /** The ids of players with visible names. */
  get shown() {
    return [...this.#shown].filter(id => id >= 0);
  }
}
