// A list of any length that loads only the visible lines from the server, and caches some pages.

import { closest, find } from '../map/page.js';

const HEIGHT = 22;
/** Maximum height that browsers support; a taller list is scrolled in larger steps. */
const MAX_HEIGHT = 8_000_000;
const PAGE = 200;
const MAX_CACHED_PAGES = 40;

/** @typedef {{ row: number, frame: number, time: number, dir: 'c2s' | 's2c', client: number, game: string, layer: string, name: string, text: string }} Row */

export class List {
  total = 0;
  chosen = -1;
  #box;
  #window;
  #query = '';
  /** @type {Map<number, Row[] | null>} */
  #pages = new Map();
  #turn = 0;
  #onSelected;
  #onLoaded;

  /** @param {HTMLElement} box @param {(row: Row) => void} onSelected called with the selected row @param {(total: number, failed: unknown) => void} onLoaded called with the number of lines */
  constructor(box, onSelected, onLoaded) {
    this.#box = box;
    this.#window = find('window');
    this.#onSelected = onSelected;
    this.#onLoaded = onLoaded;
    box.addEventListener('scroll', () => this.draw());
    box.addEventListener('keydown', event => this.#key(event));
    this.#window.addEventListener('click', event => {
      const row = closest(event, '.row');
      if (row) this.choose(Number(row.dataset.at));
    });
    new ResizeObserver(() => this.draw()).observe(box);
  }

  /** @param {string} query */
  async filter(query) {
    this.#query = query;
    this.#turn++;
    this.#pages.clear();
    this.total = 0;
    this.chosen = -1;
    this.#box.scrollTop = 0;
    await this.#page(0);
    this.draw();
  }

  get #seen() { return Math.max(1, Math.floor(this.#box.clientHeight / HEIGHT)); }

  get #tall() { return Math.max(0, Math.min(this.total * HEIGHT, MAX_HEIGHT)); }

  get first() {
    const most = Math.max(0, this.total - this.#seen), room = this.#tall - this.#box.clientHeight;
    return room <= 0 ? 0 : Math.min(most, Math.round(this.#box.scrollTop / room * most));
  }

  /** @param {number} number */
  async #page(number) {
    const turn = this.#turn;
    if (this.#pages.has(number)) return;
    this.#pages.set(number, null);
    try {
      const answer = await fetch(`rows?from=${number * PAGE}&count=${PAGE}&${this.#query}`);
      if (!answer.ok) throw new Error(await answer.text());
      const { total, rows } = await answer.json();
      if (turn !== this.#turn) return;
      this.total = total;
      this.#pages.set(number, rows);
      if (this.#pages.size > MAX_CACHED_PAGES) this.#pages.delete(this.#pages.keys().next().value ?? number);
      this.#onLoaded(total, null);
    } catch (failed) {
      if (turn === this.#turn) {
        this.#pages.delete(number);
        this.#onLoaded(this.total, failed);
      }
    }
    this.draw();
  }

  /** @param {number} at */
  row(at) { return this.#pages.get(Math.floor(at / PAGE))?.[at % PAGE]; }

  draw() {
    find('length').style.height = this.#tall + 'px';
    const first = this.first, made = [];
    for (let at = first; at < Math.min(this.total, first + this.#seen + 1); at++) {
      const row = this.row(at), line = document.createElement('div');
      line.className = 'row';
      line.id = 'row' + at;
      line.dataset.at = String(at);
      line.setAttribute('role', 'option');
      line.setAttribute('aria-posinset', String(at + 1));
      line.setAttribute('aria-setsize', String(this.total));
      line.setAttribute('aria-selected', String(at === this.chosen));
      if (row) {
        line.classList.add(row.layer);
        line.dataset.row = String(row.row);
        const cells = [[String(row.frame)], [row.time.toFixed(6)], [row.dir === 'c2s' ? '↑' : '↓', '', row.dir === 'c2s' ? 'to the server' : 'to the client'],
          [String(row.client || '')], [row.game, row.game], [row.name, 'name'], [row.text.slice(1, -1).replaceAll('"', ''), 'text']];
        for (const [text, kind, label] of cells) {
          const cell = document.createElement('span');
          cell.textContent = text;
          if (kind) cell.className = kind;
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
    if (!this.total) return;
    this.chosen = Math.max(0, Math.min(this.total - 1, at));
    const seen = this.#seen, most = this.total - seen, room = this.#tall - this.#box.clientHeight;
    const first = this.chosen < this.first ? this.chosen : this.chosen >= this.first + seen ? this.chosen - seen + 1 : -1;
    if (first >= 0 && most > 0) this.#box.scrollTop = first / most * room;
    this.draw();
    const chosen = this.chosen;
    await this.#page(Math.floor(chosen / PAGE));
    const row = this.row(chosen);
    if (row && chosen === this.chosen) this.#onSelected(row);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    /** @type {Record<string, number>} */
    const ways = { ArrowDown: 1, ArrowUp: -1, PageDown: this.#seen, PageUp: -this.#seen, Home: -Infinity, End: Infinity }, by = ways[event.key];
    if (by === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    this.choose(by === Infinity ? this.total - 1 : by === -Infinity ? 0 : this.chosen + by);
  }
}
