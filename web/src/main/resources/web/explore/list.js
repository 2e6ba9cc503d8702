// A list of any length that loads only the visible lines from the server, and caches some. Of a running session, lines are added at its
// end and leave at its beginning. A place is the position of a line among all that passed the filter, also those that have left.

import { closest, find } from '../map/page.js';
import { fieldsText } from './fields.js';

const HEIGHT = 22;
/** Maximum height that browsers support; a taller list is scrolled in larger steps. */
const MAX_HEIGHT = 8_000_000;
const PAGE = 200;
const MAX_CACHED_ROWS = 8000;

/** @typedef {{ row: number, frame: number, time: number, dir: 'c2s' | 's2c', client: number, game: string, layer: string, name: string, text: string }} Row */
/** @typedef {{ base: number, total: number, from: number, rows: Row[], next: number, at?: number }} Part of the list: lines from a place on */
/** @typedef {{ selected(row: Row): void, loaded(count: number, failed: unknown): void, followed(on: boolean): void }} Listener */

export class List {
  /** The first place. */
  base = 0;
  /** The place after the last line. */
  end = 0;
  chosen = -1;
  /** Whether lines are added. */
  live = false;
  /** Whether the end stays visible. */
  follow = false;
  /** Names of players by their port. @type {Record<string, string>} */
  names = {};
  /** The number of the line that the server has next. */
  next = 0;
  /** What is requested from now on, of the lines that are there. */
  query = '';
  #box;
  #window;
  /** Lines by their place. @type {Map<number, Row>} */
  #rows = new Map();
  /** @type {Set<number>} */
  #pending = new Set();
  #turn = 0;
  /** Where the list has scrolled by itself, until the event of it. */
  #scrolledTo = -1;
  #listener;

  /** @param {HTMLElement} box @param {Listener} listener */
  constructor(box, listener) {
    this.#box = box;
    this.#window = find('window');
    this.#listener = listener;
    box.addEventListener('scroll', () => {
      // The event of the list's own scrolling comes later, when a line may have been chosen.
      const own = this.#box.scrollTop === this.#scrolledTo;
      this.#scrolledTo = -1;
      if (this.live && !own && this.#room > 0) this.#follows(this.#box.scrollTop >= this.#room - HEIGHT);
      this.draw();
    });
    box.addEventListener('keydown', event => this.#key(event));
    this.#window.addEventListener('click', event => {
      const row = closest(event, '.row');
      if (row) this.choose(Number(row.dataset.at));
    });
    new ResizeObserver(() => this.draw()).observe(box);
  }

  /** Number of lines. */
  get count() { return this.end - this.base; }

  get #seen() { return Math.max(1, Math.floor(this.#box.clientHeight / HEIGHT)); }

  get #tall() { return Math.max(0, Math.min(this.count * HEIGHT, MAX_HEIGHT)); }

  get #room() { return this.#tall - this.#box.clientHeight; }

  /** The first visible place. */
  get first() {
    const most = Math.max(0, this.count - this.#seen), room = this.#room;
    return this.base + (room <= 0 ? 0 : Math.min(most, Math.round(this.#box.scrollTop / room * most)));
  }

  /** @param {number} top pixels */
  #scroll(top) {
    const before = this.#box.scrollTop;
    this.#box.scrollTop = top;
    if (this.#box.scrollTop !== before) this.#scrolledTo = this.#box.scrollTop;
  }

  /** @param {boolean} on */
  #follows(on) {
    if (this.follow === on) return;
    this.follow = on;
    this.#listener.followed(on);
  }

  /** Shows the lines of a query.
   * @param {string} query
   * @param {number | null} [row] the number of the line to choose
   * @returns {Promise<boolean>} whether the line is among them
   */
  async filter(query, row = null) {
    this.query = query;
    this.#turn++;
    this.#rows.clear();
    this.#pending.clear();
    this.base = this.end = 0;
    this.chosen = -1;
    this.#scroll(0);
    if (row !== null) this.#follows(false);
    const part = await this.#load(row !== null ? `count=1&at=${row}` : this.follow ? `last=${this.#seen + 1}` : `from=0&count=${PAGE}`);
    this.draw();
    if (part?.at === undefined || part.at >= this.end) return false;
    await this.choose(part.at);
    return this.row(part.at)?.row === row;
  }

  /** Loads what was added. */
  async refresh() {
    await this.#load(this.follow ? `last=${this.#seen + 1}` : 'count=0');
    this.draw();
  }

  /** @param {string} part @returns {Promise<Part | null>} null if it failed, or the query has changed */
  async #load(part) {
    const turn = this.#turn;
    try {
      const answer = await fetch(`rows?${part}&${this.query}`);
      if (!answer.ok) throw new Error(await answer.text());
      /** @type {Part} */
      const loaded = await answer.json();
      if (turn !== this.#turn) return null;
      this.#take(loaded);
      this.#listener.loaded(this.count, null);
      return loaded;
    } catch (failed) {
      if (turn === this.#turn) this.#listener.loaded(this.count, failed);
      return null;
    }
  }

  /** @param {Part} part */
  #take({ base, total, from, rows, next }) {
    this.next = next;
    if (base < this.base) {
      // The server has begun to count the lines of this query again.
      this.#rows.clear();
      this.chosen = -1;
    }
    const gone = Math.max(0, base - this.base);
    this.base = base;
    this.end = total;
    rows.forEach((row, i) => this.#rows.set(from + i, row));
    for (const at of this.#rows.keys()) {
      if (at >= base && this.#rows.size <= MAX_CACHED_ROWS) break;
      this.#rows.delete(at);
    }
    if (this.chosen >= 0 && this.chosen < base) this.chosen = -1;
    // What is read stays where it is.
    if (gone && !this.follow && this.#tall < MAX_HEIGHT) this.#scroll(this.#box.scrollTop - gone * HEIGHT);
  }

  /** @param {number} number */
  async #page(number) {
    if (this.#pending.has(number)) return;
    this.#pending.add(number);
    const turn = this.#turn, part = await this.#load(`from=${number * PAGE}&count=${PAGE}`);
    if (turn !== this.#turn) return;
    this.#pending.delete(number);
    if (part) this.draw();
  }

  /** @param {number} at */
  row(at) { return this.#rows.get(at); }

  draw() {
    find('length').style.height = this.#tall + 'px';
    if (this.follow) this.#scroll(this.#box.scrollHeight);
    const first = this.first, made = [];
    for (let at = first; at < Math.min(this.end, first + this.#seen + 1); at++) {
      const row = this.row(at), line = document.createElement('div');
      line.className = 'row';
      line.id = 'row' + at;
      line.dataset.at = String(at);
      line.setAttribute('role', 'option');
      line.setAttribute('aria-posinset', String(at - this.base + 1));
      line.setAttribute('aria-setsize', String(this.count));
      line.setAttribute('aria-selected', String(at === this.chosen));
      if (row) {
        line.classList.add(row.layer);
        line.dataset.row = String(row.row);
        const cells = [[String(row.frame)], [row.time.toFixed(6)], [row.dir === 'c2s' ? '↑' : '↓', '', row.dir === 'c2s' ? 'to the server' : 'to the client'],
          [this.names[row.client] ?? String(row.client || ''), 'client'], [row.game, row.game], [row.name, 'name'], [fieldsText(row.text), 'text']];
        for (const [text, kind, label] of cells) {
          const cell = document.createElement('span');
          cell.textContent = text;
          if (kind) cell.className = kind;
          if (kind === 'client') cell.title = 'port ' + row.client;
          if (label) cell.setAttribute('aria-label', label);
          line.append(cell);
        }
      } else {
        line.textContent = '…';
        this.#page(Math.floor(at / PAGE));
      }
      made.push(line);
    }
    this.#window.replaceChildren(...made);
    if (this.chosen >= 0) this.#box.setAttribute('aria-activedescendant', 'row' + this.chosen);
  }

  /** @param {number} at */
  async choose(at) {
    if (!this.count) return;
    this.#follows(false);
    this.chosen = Math.max(this.base, Math.min(this.end - 1, at));
    const seen = this.#seen, most = this.count - seen, visible = this.first;
    const first = this.chosen < visible ? this.chosen : this.chosen >= visible + seen ? this.chosen - seen + 1 : -1;
    if (first >= 0 && most > 0) this.#scroll((first - this.base) / most * this.#room);
    this.draw();
    const chosen = this.chosen;
    if (!this.row(chosen)) await this.#load(`from=${Math.floor(chosen / PAGE) * PAGE}&count=${PAGE}`);
    const row = this.row(chosen);
    if (row && chosen === this.chosen) {
      this.draw();
      this.#listener.selected(row);
    }
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    /** @type {Record<string, number>} */
    const ways = { ArrowDown: 1, ArrowUp: -1, PageDown: this.#seen, PageUp: -this.#seen, Home: -Infinity, End: Infinity }, by = ways[event.key];
    if (by === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    const from = this.chosen < 0 ? this.first - Math.sign(by) : this.chosen;
    this.choose(by === Infinity ? this.end - 1 : by === -Infinity ? this.base : from + by);
    if (by === Infinity && this.live) this.#follows(true);
  }
}
