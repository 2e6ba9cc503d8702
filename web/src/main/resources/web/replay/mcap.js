// Reads an MCAP file in parts: the index at its end, then single chunks. The format: https://mcap.dev/spec

import { DamagedError } from './protobuf.js';

export const MAGIC = [0x89, 0x4d, 0x43, 0x41, 0x50, 0x30, 0x0d, 0x0a];
const FOOTER = 0x02, CHANNEL = 0x04, MESSAGE = 0x05, CHUNK = 0x06, CHUNK_INDEX = 0x08;
/** Opcode and length of a record. */
const HEAD_BYTES = 9;
/** The footer with the magic bytes behind it. */
export const FOOTER_BYTES = HEAD_BYTES + 20 + MAGIC.length;
export const MAX_SUMMARY_BYTES = 32 << 20;
const MAX_CHUNK_BYTES = 16 << 20;

/** summaryStart is the place of the index, 0 if the file has none. @typedef {{ summaryStart: number, crc: number }} Footer */
/** The topic is without its slash. @typedef {{ id: number, topic: string, encoding: string }} Channel */
/** Times are nanoseconds since 1970; topics are the numbers of the channels with messages in the chunk.
 * @typedef {{ start: bigint, end: bigint, offset: number, length: number, bytes: number, topics: number[] }} ChunkIndex */
/** @typedef {{ channels: Map<number, Channel>, chunks: ChunkIndex[] }} Summary chunks in the order of time, at least one */
/** @typedef {(data: Uint8Array, size: number) => Uint8Array} Inflate decompresses zstd to at most the given size */

const CRC = Uint32Array.from({ length: 256 }, (_, i) => {
  let value = i;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? value >>> 1 ^ 0xedb88320 : value >>> 1;
  return value;
});

/** @param {Uint8Array} bytes */
export function crc32(bytes) {
  let sum = 0xffffffff;
  for (let i = 0; i < bytes.length; i++) sum = CRC[(sum ^ bytes[i]) & 255] ^ sum >>> 8;
  return (sum ^ 0xffffffff) >>> 0;
}

/** A cursor over the fields of a record. */
class Record {
  /** @param {Uint8Array} bytes */
  constructor(bytes) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.at = 0;
  }
  get left() { return this.bytes.length - this.at; }
  /** @param {number} count */
  #take(count) {
    if (count > this.left) throw new DamagedError(`a record ends ${count - this.left} bytes too early`);
    this.at += count;
    return this.at - count;
  }
  byte() { return this.bytes[this.#take(1)]; }
  short() { return this.view.getUint16(this.#take(2), true); }
  int() { return this.view.getUint32(this.#take(4), true); }
  time() { return this.view.getBigUint64(this.#take(8), true); }
  /** A length or a place. Above 2^53, it is beyond the end of any file all the same. */
  long() { return Number(this.time()); }
  /** @param {number} count */
  sub(count) {
    const at = this.#take(count);
    return this.bytes.subarray(at, at + count);
  }
  text() { return new TextDecoder().decode(this.sub(this.int())); }
}

/** Each record: its opcode and content. @param {Uint8Array} bytes */
function* records(bytes) {
  const all = new Record(bytes);
  while (all.left > 0) {
    const opcode = all.byte();
    yield { opcode, record: new Record(all.sub(all.long())) };
  }
}

/** Whether a file begins as MCAP does. @param {Uint8Array} bytes */
export function isMcap(bytes) {
  return MAGIC.every((byte, i) => bytes[i] === byte);
}

/** The end of a file; null if the file does not end as MCAP does, since it grows or was cut. @param {Uint8Array} bytes @returns {Footer | null} */
export function readFooter(bytes) {
  if (bytes.length < FOOTER_BYTES || !isMcap(bytes.subarray(bytes.length - MAGIC.length))) return null;
  const footer = new Record(bytes.subarray(bytes.length - FOOTER_BYTES));
  if (footer.byte() !== FOOTER || footer.long() !== 20) return null;
  const summaryStart = footer.long();
  footer.long();
  return { summaryStart, crc: footer.int() };
}

/** The index of a file.
 * @param {Uint8Array} bytes from the start of the summary to the end of the file
 * @param {Footer} footer
 * @returns {Summary}
 */
export function readSummary(bytes, { summaryStart, crc }) {
  const end = bytes.length - FOOTER_BYTES;
  // The sum includes the footer up to itself.
  if (end < 0 || (crc !== 0 && crc !== crc32(bytes.subarray(0, bytes.length - MAGIC.length - 4)))) throw new DamagedError('the index at its end is damaged');
  /** @type {Map<number, Channel>} */ const channels = new Map();
  /** @type {ChunkIndex[]} */ const chunks = [];
  for (const { opcode, record } of records(bytes.subarray(0, end))) {
    if (opcode === CHANNEL) {
      const channel = readChannel(record);
      channels.set(channel.id, channel);
    } else if (opcode === CHUNK_INDEX) {
      const chunk = readChunkIndex(record, summaryStart);
      if (chunk.topics.length) chunks.push(chunk);
    }
  }
  const places = [...chunks].sort((a, b) => a.offset - b.offset);
  places.forEach(({ offset }, i) => {
    if (i && places[i - 1].offset + places[i - 1].length > offset) throw new DamagedError(`its index names what is at ${offset} twice`);
  });
  chunks.sort((a, b) => a.start < b.start ? -1 : a.start > b.start ? 1 : a.offset - b.offset);
  if (!chunks.length) throw new DamagedError('it has no movements');
  return { channels, chunks };
}

/** @param {Record} record @returns {Channel} */
function readChannel(record) {
  const id = record.short();
  record.short();
  return { id, topic: record.text().replace(/^\//, ''), encoding: record.text() };
}

/** @param {Record} record @param {number} limit the place of the index, before which chunks end @returns {ChunkIndex} */
function readChunkIndex(record, limit) {
  const start = record.time(), end = record.time(), offset = record.long(), length = record.long();
  const map = new Record(record.sub(record.int())), topics = [];
  while (map.left > 0) {
    topics.push(map.short());
    map.long();
  }
  record.long();
  record.text();
  record.long();
  const bytes = record.long();
  if (end < start || offset + length > limit || bytes > MAX_CHUNK_BYTES || length > 2 * MAX_CHUNK_BYTES) throw new DamagedError(`the index names a chunk of ${length} bytes at ${offset}, which it cannot have`);
  return { start, end, offset, length, bytes, topics };
}

/** Each message of a chunk, in the order of the file.
 * @param {Uint8Array} bytes the record of the chunk
 * @param {Map<number, Channel>} channels gets those that the chunk announces
 * @param {Inflate} inflate
 * @param {(channel: number, time: bigint, data: DataView) => void} visit
 */
export function readChunk(bytes, channels, inflate, visit) {
  const head = new Record(bytes);
  if (head.byte() !== CHUNK) throw new DamagedError('the index names a chunk where the file has none');
  const chunk = new Record(head.sub(head.long()));
  chunk.sub(16);
  const size = chunk.long(), sum = chunk.int(), compression = chunk.text();
  if (size > MAX_CHUNK_BYTES) throw new DamagedError(`a chunk of ${size} bytes`);
  const packed = chunk.sub(chunk.long());
  if (compression !== '' && compression !== 'zstd') throw new DamagedError(`a chunk is compressed with ${compression}; zstd can be read`);
  const plain = compression === '' ? packed : inflate(packed, size);
  if (plain.length !== size || (sum !== 0 && sum !== crc32(plain))) throw new DamagedError('a chunk is damaged');
  for (const { opcode, record } of records(plain)) {
    if (opcode === CHANNEL) {
      const channel = readChannel(record);
      channels.set(channel.id, channel);
    } else if (opcode === MESSAGE) {
      const channel = record.short();
      record.int();
      const time = record.time();
      record.time();
      visit(channel, time, new DataView(record.bytes.buffer, record.bytes.byteOffset + record.at, record.left));
    }
  }
}
