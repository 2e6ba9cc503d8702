// The totals of each connection, and a plot of bytes per second.

import { find } from '../map/page.js';
import { pen as penOf } from '../map/labels.js';
import { roundUp, ticksOf } from '../map/ticks.js';

/** @typedef {{ packets: number, bytes: number, resent: number, lost: number, numbered: number, spans: number[] }} FlowWay */
/** @typedef {{ client: string, server: string, game: string, name: string, player: number, from: number, to: number, span: number, c2s: FlowWay, s2c: FlowWay, roundTrips: number, leastMillis: number, sumMillis: number, mostMillis: number }} Flow */

const CELLS = 10;
/** @type {('c2s' | 's2c')[]} */
const WAYS = ['c2s', 's2c'];
/** @param {number} n */
const figure = n => n >= 1e6 ? Number((n / 1e6).toFixed(1)) + 'M' : n >= 1e4 ? Number((n / 1e3).toFixed(1)) + 'k' : String(Math.round(n));
/** @param {number} a @param {number} b */
const both = (a, b) => `${figure(a)}  ${figure(b)}`;

export class Flows {
  /** @type {Flow[]} */
  #flows = [];
  #seconds = 1;
  /** @type {Map<string, HTMLTableRowElement>} */
  #rows = new Map();

  /** Called with the port of a selected client. @type {(player: number) => void} */
  onPicked = () => {};

  /** Shows connections; rows that are there already keep their elements, so that they can be selected while figures change.
   * @param {Flow[]} flows
   * @param {number} seconds
   * @param {string} game only connections of this game; empty for all
   */
  show(flows, seconds, game) {
    this.#flows = flows.filter(flow => !game || flow.game === game);
    this.#seconds = Math.max(seconds, 0.1);
    /** @type {Map<string, HTMLTableRowElement>} */
    const rows = new Map();
    for (const flow of this.#flows) {
      const key = [flow.client, flow.server, flow.from].join(' ');
      rows.set(key, this.#fill(this.#rows.get(key) ?? this.#row(flow), flow));
    }
    const before = [...this.#rows.keys()].join();
    this.#rows = rows;
    if (before !== [...rows.keys()].join() || !rows.size) find('summary').replaceChildren(...rows.values());
    if (!rows.size) {
      const cell = document.createElement('td');
      cell.colSpan = CELLS;
      cell.textContent = game ? 'There is no connection of this game.' : 'There are no connections.';
      find('summary').append(document.createElement('tr'));
      find('summary').lastElementChild?.append(cell);
    }
    this.draw();
  }

  /** @param {Flow} flow */
  #row(flow) {
    const row = document.createElement('tr'), button = document.createElement('button');
    for (let i = 0; i < CELLS; i++) row.append(document.createElement('td'));
    button.type = 'button';
    button.addEventListener('click', () => this.onPicked(flow.player));
    row.cells[0].append(button);
    row.cells[2].className = flow.game;
    row.cells[9].title = 'min / mean / max';
    return row;
  }

  /** @param {HTMLTableRowElement} row @param {Flow} flow */
  #fill(row, flow) {
    const long = Math.max(0.001, flow.to - flow.from);
    const trip = flow.roundTrips ? `${flow.leastMillis.toFixed(1)} / ${(flow.sumMillis / flow.roundTrips).toFixed(1)} / ${flow.mostMillis.toFixed(1)}` : '';
    const cells = [flow.name ? `${flow.name}  ${flow.client}` : flow.client, flow.server, flow.game, `${flow.from.toFixed(1)}–${flow.to.toFixed(1)}`,
      both(flow.c2s.packets, flow.s2c.packets), both(flow.c2s.bytes, flow.s2c.bytes), both(flow.c2s.bytes / long, flow.s2c.bytes / long),
      both(flow.c2s.resent, flow.s2c.resent), flow.c2s.numbered || flow.s2c.numbered ? both(flow.c2s.lost, flow.s2c.lost) : '', trip];
    for (const [i, text] of cells.entries()) {
      const cell = row.cells[i].firstElementChild ?? row.cells[i];
      if (cell.textContent !== text) cell.textContent = text;
    }
    return row;
  }

  draw() {
    const canvas = find('plot', HTMLCanvasElement), { width, height } = canvas.getBoundingClientRect();
    if (width < 10 || height < 10) return;
    const ratio = devicePixelRatio, style = getComputedStyle(document.documentElement);
    /** @param {string} name */
    const colour = name => style.getPropertyValue(name).trim();
    canvas.width = width * ratio;
    canvas.height = height * ratio;
    const pen = penOf(canvas);
    pen.scale(ratio, ratio);
    const columns = Math.max(10, Math.min(200, Math.floor(width / 4))), step = this.#seconds / columns;
    const sums = { c2s: new Float64Array(columns), s2c: new Float64Array(columns) };
    for (const flow of this.#flows) {
      for (const way of WAYS) {
        flow[way].spans.forEach((bytes, i) => {
          if (!bytes) return;
          // A span may cover several columns, and a column several spans.
          const begin = flow.from + i * flow.span, end = begin + flow.span;
          for (let column = Math.floor(begin / step); column < columns && column * step < end; column++) {
            sums[way][column] += bytes * (Math.min(end, (column + 1) * step) - Math.max(begin, column * step)) / flow.span / step;
          }
        });
      }
    }
    const max = roundUp(Math.max(1, ...sums.c2s, ...sums.s2c), 3), left = 46, bottom = 18, top = 16;
    /** @param {number} i */
    const x = i => left + (width - left - 4) * i / (columns - 1);
    /** @param {number} value */
    const y = value => height - bottom - (height - bottom - top) * value / max;
    pen.font = '11px system-ui, sans-serif';
    pen.strokeStyle = colour('--line');
    pen.fillStyle = colour('--dim');
    pen.textAlign = 'right';
    for (const value of ticksOf(max, 3).values) {
      pen.beginPath();
      pen.moveTo(left, y(value));
      pen.lineTo(width, y(value));
      pen.stroke();
      pen.fillText(figure(value), left - 4, y(value) + 4);
    }
    const times = ticksOf(this.#seconds, Math.max(2, Math.min(6, width / 80)));
    for (const value of times.values) {
      const at = left + (width - left - 4) * value / this.#seconds, text = value.toFixed(times.decimals) + ' s';
      pen.textAlign = value === 0 ? 'left' : at + pen.measureText(text).width / 2 > width ? 'right' : 'center';
      pen.fillText(text, at, height - 4);
    }
    pen.textAlign = 'left';
    /** @type {['c2s' | 's2c', string, string, number][]} */
    const plots = [['c2s', '--c2s', '↑ bytes per second', left], ['s2c', '--s2c', '↓ bytes per second', left + 120]];
    for (const [way, name, words, at] of plots) {
      pen.strokeStyle = pen.fillStyle = colour(name);
      pen.lineWidth = 1.5;
      pen.beginPath();
      sums[way].forEach((value, i) => i ? pen.lineTo(x(i), y(value)) : pen.moveTo(x(i), y(value)));
      pen.stroke();
      pen.fillText(words, at, 11);
    }
  }
}
