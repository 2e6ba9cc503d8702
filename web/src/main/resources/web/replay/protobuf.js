// Reads protobuf messages. Every length is checked against the buffer, and unknown fields are skipped.

export const VARINT = 0, FIXED64 = 1, LENGTH = 2, FIXED32 = 5;
const MAX_VARINT_BYTES = 10;

/** Bytes are not what they should be: cut, or with lengths that lie. */
export class DamagedError extends Error {}

/** A cursor over the fields of a message, and of the messages in it. */
export class Fields {
  /** The number and the wire type of the current field, as on the wire: 8 * number + type. */
  tag = 0;

  /** @param {DataView} view @param {number} at @param {number} end */
  constructor(view, at, end) {
    if (at < 0 || at > end || end > view.byteLength) throw new DamagedError(`bytes ${at} to ${end} of ${view.byteLength}`);
    this.view = view;
    this.at = at;
    this.end = end;
  }

  /** Goes on to the next field; its value must be read, or skipped with skip. */
  next() {
    if (this.at === this.end) return false;
    this.tag = this.varint();
    if (this.tag < 8 || this.tag > 0xffffffff) throw new DamagedError(`field ${this.tag}`);
    return true;
  }

  /** Makes sure that the message has further bytes. @param {number} count */
  #need(count) {
    if (count > this.end - this.at) throw new DamagedError(`${count} bytes where ${this.end - this.at} are left`);
  }

  /** A whole number; above 2^53, only nearly. */
  varint() {
    let value = 0, scale = 1;
    for (let i = 0; i < MAX_VARINT_BYTES; i++, scale *= 128) {
      this.#need(1);
      const next = this.view.getUint8(this.at++);
      value += (next & 127) * scale;
      if (next < 128) return value;
    }
    throw new DamagedError('a number of more than 10 bytes');
  }

  float() {
    this.#need(4);
    this.at += 4;
    return this.view.getFloat32(this.at - 4, true);
  }

  double() {
    this.#need(8);
    this.at += 8;
    return this.view.getFloat64(this.at - 8, true);
  }

  /** A text, cut to a number of characters. @param {number} max */
  text(max) {
    const outer = this.open();
    const text = new TextDecoder().decode(new Uint8Array(this.view.buffer, this.view.byteOffset + this.at, this.end - this.at));
    this.close(outer);
    return text.length > max ? text.slice(0, max) : text;
  }

  /** Goes into the message of the current field. Returns what close needs. */
  open() {
    const length = this.varint();
    this.#need(length);
    const outer = this.end;
    this.end = this.at + length;
    return outer;
  }

  /** Goes behind the message that was opened last. @param {number} outer the result of open */
  close(outer) {
    this.at = this.end;
    this.end = outer;
  }

  /** Goes behind the value of the current field. */
  skip() {
    const type = this.tag % 8;
    if (type === VARINT) this.varint();
    else if (type === LENGTH) this.close(this.open());
    else if (type === FIXED32 || type === FIXED64) {
      const count = type === FIXED32 ? 4 : 8;
      this.#need(count);
      this.at += count;
    } else throw new DamagedError(`wire type ${type}`);
  }
}
