// The detail view of a line: its bytes, rebuilt from its trace, and its fields, with linked highlighting.

import { closest, find } from '../map/page.js';

const MAX_BYTES = 4096;

/** @import { Row } from './list.js' */
/** @typedef {{ name: string, offset: number, bit?: number, bits: number, raw: string, meaning: string, part?: boolean }} Field */
/** @typedef {{ start: number, end: number, bits: Map<number, number>, fields: { index: number, field: Field, from: number, to: number }[] }} Piece */
/** @typedef {{ name: string, dir: 'c2s' | 's2c', frame: number, time?: number, bytes?: string, fields: Record<string, unknown>, trace?: Field[] }} Line */

/** The bits of a field, lowest first, from hexadecimal bytes or from single bits. Null for a part, which has only a value. @param {Field} field */
function bitsOf(field) {
  if (field.part) return null;
  if (field.raw.length === field.bits) return [...field.raw].map(Number);
  if (field.raw.length * 4 !== field.bits) return null;
  const bits = [];
  for (let i = 0; i < field.raw.length; i += 2) {
    const byte = parseInt(field.raw.slice(i, i + 2), 16);
    for (let bit = 0; bit < 8; bit++) bits.push(byte >> bit & 1);
  }
  return bits;
}

/** Splits a trace into pieces. Decoded data, for example decompressed, has its own offsets and is a separate piece: it begins with a field whose offset is before the end of the last one. @param {Field[]} trace */
export function pieces(trace) {
  /** @type {Piece[]} */
  const found = [];
  let end = Infinity;
  for (const [index, field] of trace.entries()) {
    const from = field.offset * 8 + (field.bit ?? 0);
    if (!field.part && from < end) {
      if (end === Infinity || found.length === 0 || from < end) found.push({ start: field.offset, bits: new Map(), fields: [], end: 0 });
    }
    const piece = found.at(-1);
    if (!piece) continue;
    piece.fields.push({ index, field, from, to: from + field.bits });
    if (field.part) continue;
    end = from + field.bits;
    piece.end = Math.max(piece.end, end);
    bitsOf(field)?.forEach((bit, i) => piece.bits.set(from + i, bit));
  }
  return found;
}

export class Detail {
  /** @type {Line | null} */
  #line = null;
  /** @type {Piece[]} */
  #pieces = [];
  #field = -1;
  #turn = 0;

  constructor() {
    const fields = find('fields'), bytes = find('bytes');
    fields.addEventListener('pointerover', event => this.#over(closest(event, '.field')));
    fields.addEventListener('click', event => this.#over(closest(event, '.field')));
    fields.addEventListener('keydown', event => {
      /** @type {Record<string, number>} */
      const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -1e9, End: 1e9 }, by = steps[event.key];
      if (by === undefined || !this.#line) return;
      event.preventDefault();
      this.light(Math.max(0, Math.min(fields.children.length - 1, this.#field + by)), true);
    });
    bytes.addEventListener('pointerover', event => this.#byte(closest(event, 'b')));
    bytes.addEventListener('click', event => this.#byte(closest(event, 'b')));
  }

  /** @param {Row} row */
  async show(row) {
    const turn = ++this.#turn;
    const answer = await fetch('detail?row=' + row.row);
    if (!answer.ok) throw new Error(await answer.text());
    /** @type {Line} */
    const line = await answer.json();
    if (turn !== this.#turn) return;
    this.#line = line;
    this.#field = -1;
    const trace = line.trace ?? [];
    find('title').textContent = `${line.name}, ${line.dir === 'c2s' ? 'to the server' : 'to the client'}, frame ${line.frame}` + (line.time === undefined ? '' : `, ${line.time.toFixed(6)} s`);
    this.#pieces = pieces(trace);
    find('bytes').replaceChildren(...this.#pieces.flatMap((piece, i) => this.#hex(piece, i)));
    if (!this.#pieces.length) find('bytes').textContent = line.bytes ?? (typeof line.fields.hex === 'string' ? line.fields.hex : null) ?? 'The transport has no bytes of this line.';
    find('lit').textContent = '';
    find('fields').replaceChildren(...trace.map((field, i) => {
      const made = document.createElement('div');
      made.className = field.part ? 'field part' : 'field';
      made.id = 'field' + i;
      made.setAttribute('role', 'option');
      const where = field.offset.toString(16).padStart(4, '0') + (field.bit ? '.' + field.bit : '');
      for (const [kind, text] of [['where', where], ['label', field.name], ['meaning', field.meaning]]) {
        const cell = document.createElement('span');
        cell.className = kind;
        cell.textContent = cell.title = text;
        made.append(cell);
      }
      return made;
    }));
    find('values').hidden = false;
    find('tree').replaceChildren(branch(line.fields));
  }

  /** @param {Piece} piece @param {number} number */
  #hex(piece, number) {
    const rows = [];
    if (this.#pieces.length > 1) {
      const head = document.createElement('h3');
      head.textContent = number === 0 ? 'As received' : 'Decoded from it';
      rows.push(head);
    }
    const end = Math.min(Math.ceil(piece.end / 8), piece.start + MAX_BYTES);
    for (let at = piece.start; at < end; at += 16) {
      const row = document.createElement('div');
      row.className = 'hex';
      const offset = document.createElement('span');
      offset.className = 'offset';
      offset.textContent = at.toString(16).padStart(4, '0');
      const cells = document.createElement('span');
      let text = '';
      for (let byte = at; byte < Math.min(at + 16, end); byte++) {
        const { value, known } = byteAt(piece, byte);
        const cell = document.createElement('b');
        cell.dataset.piece = String(number);
        cell.dataset.byte = String(byte);
        cell.textContent = known ? value.toString(16).padStart(2, '0') : '··';
        cell.classList.toggle('part', known > 0 && known < 8);
        cells.append(cell);
        text += known === 8 && value > 31 && value < 127 ? String.fromCharCode(value) : '·';
      }
      const chars = document.createElement('span');
      chars.className = 'offset';
      chars.textContent = text;
      row.append(offset, cells, chars);
      rows.push(row);
    }
    if (Math.ceil(piece.end / 8) > end) {
      const more = document.createElement('h3');
      more.textContent = `… ${Math.ceil(piece.end / 8) - end} more bytes`;
      rows.push(more);
    }
    return rows;
  }

  /** @param {HTMLElement | null} element */
  #over(element) {
    if (element) this.light(Number(element.id.slice(5)), false);
  }

  /** Highlights the smallest field that contains a byte. @param {HTMLElement | null} cell */
  #byte(cell) {
    if (!cell) return;
    const byte = Number(cell.dataset.byte), piece = this.#pieces[Number(cell.dataset.piece)];
    let best = null;
    for (const each of piece.fields) {
      if (each.to > byte * 8 && each.from < byte * 8 + 8 && !each.field.part && (!best || each.to - each.from < best.to - best.from)) best = each;
    }
    if (best) this.light(best.index, true, byte);
  }

  /** @param {number} index @param {boolean} scrolls @param {number} [byte] */
  light(index, scrolls, byte) {
    for (const lit of document.querySelectorAll('.lit')) lit.classList.remove('lit');
    this.#field = index;
    const number = this.#pieces.findIndex(piece => piece.fields.some(each => each.index === index));
    const piece = this.#pieces[number], found = piece?.fields.find(each => each.index === index);
    if (!found) return;
    const { field, from, to } = found;
    const element = find('field' + index);
    element.classList.add('lit');
    find('fields').setAttribute('aria-activedescendant', element.id);
    const first = Math.floor(from / 8), last = Math.ceil(to / 8);
    for (let at = first; at < Math.min(last, piece.start + MAX_BYTES); at++) {
      const cell = document.querySelector(`b[data-piece="${number}"][data-byte="${at}"]`);
      cell?.classList.add('lit');
      if (at === first && byte === undefined) cell?.scrollIntoView({ block: 'nearest' });
    }
    if (scrolls) element.scrollIntoView({ block: 'nearest' });
    find('lit').replaceChildren(`${field.name} = ${field.meaning} · ${field.bits % 8 ? field.bits + ' bits' : field.bits / 8 + (field.bits === 8 ? ' byte' : ' bytes')} `);
    if (from % 8 || to % 8) this.#bits(piece, first, Math.min(last, first + 4), from, to);
  }

  /** Shows the bits of bytes, highest first. @param {Piece} piece @param {number} first @param {number} last @param {number} from @param {number} to */
  #bits(piece, first, last, from, to) {
    for (let at = first; at < last; at++) {
      for (let bit = 7; bit >= 0; bit--) {
        const place = at * 8 + bit, made = document.createElement('span');
        made.className = place >= from && place < to ? 'bit on' : 'bit';
        made.textContent = String(piece.bits.get(place) ?? '·');
        find('lit').append(made);
      }
      find('lit').append(' ');
    }
  }
}

/** @param {Piece} piece @param {number} byte */
function byteAt(piece, byte) {
  let value = 0, known = 0;
  for (let bit = 0; bit < 8; bit++) {
    const is = piece.bits.get(byte * 8 + bit);
    if (is === undefined) continue;
    known++;
    value |= is << bit;
  }
  return { value, known };
}

/** A tree of nested values. @param {object} value */
function branch(value) {
  const list = document.createElement('ul');
  for (const [name, each] of Object.entries(value)) {
    const item = document.createElement('li'), label = document.createElement('i');
    label.textContent = name + ' ';
    if (each !== null && typeof each === 'object' && Object.keys(each).length) {
      const fold = document.createElement('details'), head = document.createElement('summary');
      head.append(label, Array.isArray(each) ? `${each.length} items` : '');
      fold.append(head);
      fold.addEventListener('toggle', () => { if (fold.children.length === 1) fold.append(branch(each)); });
      item.append(fold);
    } else {
      item.append(label, typeof each === 'string' ? each : JSON.stringify(each));
    }
    list.append(item);
  }
  return list;
}
