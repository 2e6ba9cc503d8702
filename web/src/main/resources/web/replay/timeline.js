// The timeline of a recording: density of movement, marks of events, the drawn time and the clip.

import { find } from '../map/page.js';
import { pen } from '../map/labels.js';

/** @import { Kind } from './messages.js' */
/** @import { Mark, Playback } from './playback.js' */

/** Kinds with a mark, and what the legend calls them; later ones are drawn over earlier ones. @type {[Kind, string][]} */
export const MARKS = [['joined', 'join'], ['left', 'leave'], ['despawned', 'no body'], ['died', 'death'], ['level', 'level'], ['flag', 'flag'], ['announcement', 'message'], ['chat', 'chat'],
  ['violation', 'violation']];
const MARK_PIXELS = 16;
/** The mark under the pointer is at most so far from it. */
const NEAR_PIXELS = 6;
/** A drag asks for a picture this often. */
const DRAG_MILLIS = 80;
const SECOND = 1000;

/** @param {number} value @param {number} digits */
const padded = (value, digits) => String(Math.floor(value)).padStart(digits, '0');

/** A time since the start of the recording, as 1:02:03.456. @param {number} millis */
export function offsetText(millis) {
  const hours = Math.floor(millis / 3_600_000), minutes = Math.floor(millis / 60_000) % 60;
  return `${hours ? hours + ':' + padded(minutes, 2) : minutes}:${padded(millis / SECOND % 60, 2)}.${padded(millis % SECOND, 3)}`;
}

/** The time of day in UTC. @param {bigint} start nanoseconds since 1970 @param {number} millis */
export function clockText(start, millis) {
  const date = new Date(Number(start / 1_000_000n) + millis);
  return Number.isFinite(date.getTime()) ? date.toISOString().replace('T', ' ').replace('Z', ' UTC') : '';
}

export class Timeline {
  /** The range of the clip, milliseconds. @type {{ from: number, to: number } | null} */
  clip = null;
  #playback;
  #canvas = find('timeline', HTMLCanvasElement);
  #context = pen(this.#canvas);
  #width = 1;
  #height = 1;
  /** @type {Float64Array} */
  #density = new Float64Array();
  #drawn = '';
  #dragged = 0;
  /** The time of the last seek by pointer, milliseconds. */
  #asked = NaN;

  /** @param {Playback} playback */
  constructor(playback) {
    this.#playback = playback;
    new ResizeObserver(() => this.#resize()).observe(this.#canvas);
    this.#resize();
    const canvas = this.#canvas;
    canvas.setAttribute('aria-valuemax', String(Math.round(playback.recording.duration / SECOND)));
    canvas.addEventListener('pointerdown', event => {
      canvas.setPointerCapture(event.pointerId);
      this.#seek(event);
    });
    canvas.addEventListener('pointermove', event => {
      this.#tip(event);
      const now = performance.now();
      if (!canvas.hasPointerCapture(event.pointerId) || now - this.#dragged < DRAG_MILLIS) return;
      this.#dragged = now;
      this.#seek(event);
    });
    canvas.addEventListener('pointerup', event => {
      // The press was a seek; only the end of a drag is another one.
      if (canvas.hasPointerCapture(event.pointerId) && this.#timeAt(event) !== this.#asked) this.#seek(event);
    });
    canvas.addEventListener('pointerleave', () => find('tip').hidden = true);
    canvas.addEventListener('keydown', event => this.#key(event));
    find('legend').replaceChildren(...MARKS.map(([kind, name]) => Object.assign(document.createElement('span'), { className: kind, textContent: name })));
  }

  #resize() {
    const { width, height } = this.#canvas.getBoundingClientRect(), ratio = Math.min(2, devicePixelRatio);
    this.#width = Math.max(1, width);
    this.#height = Math.max(1, height);
    this.#canvas.width = this.#width * ratio;
    this.#canvas.height = this.#height * ratio;
    this.#context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.#density = this.#playback.recording.density(Math.ceil(this.#width / 2));
    this.#drawn = '';
  }

  /** @param {PointerEvent} event */
  #timeAt(event) {
    return (event.clientX - this.#canvas.getBoundingClientRect().left) / this.#width * this.#playback.recording.duration;
  }

  /** @param {PointerEvent} event */
  #seek(event) {
    this.#asked = this.#timeAt(event);
    this.#playback.seek(this.#asked);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const playback = this.#playback;
    /** @type {Record<string, number>} */
    const by = { ArrowLeft: -SECOND, ArrowDown: -SECOND, ArrowRight: SECOND, ArrowUp: SECOND, PageDown: -30 * SECOND, PageUp: 30 * SECOND,
      Home: -Infinity, End: Infinity };
    if (!(event.key in by)) return;
    event.preventDefault();
    event.stopPropagation();
    playback.seek(playback.time + by[event.key]);
  }

  /** Shows the time under the pointer, and the mark there. @param {PointerEvent} event */
  #tip(event) {
    const time = this.#timeAt(event), { recording, marks } = this.#playback, tip = find('tip');
    /** @type {Mark | null} */
    let best = null;
    let nearest = NEAR_PIXELS / this.#width * recording.duration;
    for (const mark of marks) {
      const far = Math.abs(mark.time - time);
      if (far < nearest) [best, nearest] = [mark, far];
    }
    const name = MARKS.find(([kind]) => kind === best?.kind)?.[1] ?? '';
    tip.hidden = false;
    tip.textContent = offsetText(Math.min(recording.duration, Math.max(0, time))) + (best ? ` ${name} ${best.name} ${best.text}`.trimEnd() : '');
    const x = time / recording.duration * this.#width;
    tip.style.left = Math.min(Math.max(0, x - tip.offsetWidth / 2), this.#width - tip.offsetWidth) + 'px';
  }

  draw() {
    const { recording, marks, seen, complete, time, known } = this.#playback;
    const state = [Math.round(time / recording.duration * this.#width * 2), Math.round(known / recording.duration * this.#width), marks.length, complete,
      this.clip?.from, this.clip?.to, document.documentElement.className].join();
    if (state === this.#drawn) return;
    this.#drawn = state;
    const context = this.#context, width = this.#width, height = this.#height, style = getComputedStyle(document.documentElement);
    /** @param {string} name */
    const colour = name => style.getPropertyValue('--' + name).trim();
    /** @param {number} at */
    const x = at => at / recording.duration * width;
    context.clearRect(0, 0, width, height);
    context.fillStyle = colour('back');
    context.fillRect(0, 0, width, height);
    const most = this.#density.reduce((max, value) => Math.max(max, value), 1), step = width / this.#density.length;
    context.fillStyle = colour('grid');
    context.globalAlpha = 0.55;
    this.#density.forEach((value, i) => {
      const high = value / most * (height - MARK_PIXELS);
      context.fillRect(i * step, height - high, step, high);
    });
    context.globalAlpha = 0.3;
    context.fillStyle = colour('lit');
    if (this.clip) context.fillRect(x(this.clip.from), 0, Math.max(1, x(this.clip.to - this.clip.from)), height);
    if (!complete) {
      // It is known where there are events, and which, once they were read.
      context.fillStyle = colour('dim');
      recording.chunks.forEach((chunk, i) => {
        if (chunk.events && !seen.has(i)) context.fillRect(x(chunk.from), MARK_PIXELS / 2, 1, MARK_PIXELS / 2);
      });
    }
    context.globalAlpha = 1;
    for (const [kind] of MARKS) {
      context.fillStyle = colour(kind);
      for (const mark of marks) {
        if (mark.kind === kind) context.fillRect(x(mark.time) - 0.75, 0, 1.5, MARK_PIXELS);
      }
    }
    context.fillStyle = colour('lit');
    context.fillRect(x(time), height - 3, Math.max(0, x(known - time)), 3);
    context.fillStyle = colour('text');
    context.fillRect(x(time) - 1, 0, 2, height);
    this.#canvas.setAttribute('aria-valuenow', String(Math.round(time / SECOND)));
    this.#canvas.setAttribute('aria-valuetext', offsetText(time));
  }
}
