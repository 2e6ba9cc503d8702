// A recording of which parts are read: its index, then the chunks of a span of time. Times are milliseconds since its start.

import { DamagedError } from './protobuf.js';
import { readEvent, readFlags, readMoves, readSnapshot } from './messages.js';
import { FOOTER_BYTES, isMcap, MAGIC, MAX_SUMMARY_BYTES, readChunk, readFooter, readSummary } from './mcap.js';

/** @import { PartialFile } from './ranges.js' */
/** @import { Inflate, Summary } from './mcap.js' */
/** @import { Move, RecordedEvent, Snapshot } from './messages.js' */
/** @import { Flag } from '../map/flags.js' */
/** @typedef {{ from: number, to: number, offset: number, length: number, bytes: number, snapshot: boolean, events: boolean }} Chunk */
/** What a span of a recording consists of.
 * @typedef {object} Visitor
 * @property {(time: number, move: Move) => void} move
 * @property {(time: number, event: RecordedEvent) => void} event
 * @property {(time: number, snapshot: Snapshot) => void} snapshot
 * @property {(time: number, flags: Flag[]) => void} flags
 * @property {(problem: string) => void} damage
 */

/** The first read of the end of a file: the whole index of a short recording. */
const TAIL_BYTES = 64 << 10;
/** Chunks next to each other are fetched together, up to this length. */
const MAX_RANGE_BYTES = 4 << 20;
/** A snapshot is searched in this number of chunks; recordings have one every 5 s. */
const MAX_CHUNKS_BACK = 128;

export class Recording {
  /** @param {PartialFile} file @param {Summary} summary @param {Inflate} inflate */
  constructor(file, { channels, chunks }, inflate) {
    this.file = file;
    this.inflate = inflate;
    this.channels = channels;
    /** Nanoseconds since 1970. */
    this.start = chunks[0].start;
    const [events, snapshots] = ['events', 'snapshot'].map(topic => new Set([...channels.values()].filter(each => each.topic === topic).map(each => each.id)));
    /** @type {Chunk[]} */
    this.chunks = chunks.map(({ start, end, offset, length, bytes, topics }) => ({ from: this.since(start), to: this.since(end), offset, length, bytes,
      snapshot: topics.some(topic => snapshots.has(topic)), events: topics.some(topic => events.has(topic)) }));
    /** The length, milliseconds. */
    this.duration = this.chunks.reduce((latest, chunk) => Math.max(latest, chunk.to), 1);
  }

  /** Reads the index of a file.
   * @param {PartialFile} file
   * @param {Inflate} inflate
   */
  static async open(file, inflate) {
    const begin = await file.read(0, Math.min(file.size, MAGIC.length));
    if (!isMcap(begin)) throw new Error('this is not a recording: it does not begin as an MCAP file does');
    const tail = await file.read(Math.max(0, file.size - TAIL_BYTES), file.size);
    const footer = readFooter(tail);
    if (!footer || footer.summaryStart === 0) throw new Error('this recording has no index, as its end is missing: make one with wishdir record --repair FILE, or open it with wishdir replay FILE');
    const { summaryStart } = footer, length = file.size - summaryStart;
    if (length < FOOTER_BYTES || length > MAX_SUMMARY_BYTES) throw new DamagedError(`this recording is damaged: its index would have ${length} bytes, at most ${MAX_SUMMARY_BYTES} are read`);
    const rest = length > tail.length ? await file.read(summaryStart, file.size - tail.length) : new Uint8Array();
    const whole = new Uint8Array(length);
    whole.set(rest);
    whole.set(tail.subarray(Math.max(0, tail.length - length)), rest.length);
    const summary = readSummary(whole, footer);
    if (![...summary.channels.values()].some(channel => channel.topic === 'moves' && channel.encoding === 'protobuf')) {
      throw new Error('this MCAP file is not a recording of Wishdir: it has no topic /moves');
    }
    return new Recording(file, summary, inflate);
  }

  /** Milliseconds since the start. @param {bigint} time nanoseconds since 1970 */
  since(time) {
    return Number(time - this.start) / 1e6;
  }

  /** The number of the last chunk that begins at a time or before it; 0 if there is none. @param {number} time */
  chunkAt(time) {
    let low = 0, high = this.chunks.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.chunks[middle].from <= time) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** The number of the last chunk that ends at a time or before it and has a snapshot, among the nearest ones; 0 near the start.
   * @param {number} time
   */
  snapshotBefore(time) {
    const last = this.chunkAt(time), first = Math.max(0, last - MAX_CHUNKS_BACK);
    for (let i = last; i > first; i--) {
      if (this.chunks[i].snapshot && this.chunks[i].to <= time) return i;
    }
    return first;
  }

  /** The bytes of movement in equal parts of the recording. @param {number} parts @returns {Float64Array} */
  density(parts) {
    const found = new Float64Array(parts), width = this.duration / parts;
    for (const { from, to, bytes } of this.chunks) {
      const first = Math.min(parts - 1, Math.floor(from / width)), last = Math.min(parts - 1, Math.floor(to / width));
      for (let i = first; i <= last; i++) {
        const share = to > from ? (Math.min(to, (i + 1) * width) - Math.max(from, i * width)) / (to - from) : 1;
        found[i] += bytes * Math.max(0, share);
      }
    }
    return found;
  }

  /** The number of the first chunk after some that are fetched in one range. @param {number} first @param {number} limit */
  rangeEnd(first, limit) {
    const { offset, length } = this.chunks[first];
    let last = first, end = offset + length;
    while (last + 1 < limit) {
      const next = this.chunks[last + 1];
      if (next.offset < end || next.offset + next.length - offset > MAX_RANGE_BYTES) break;
      last++;
      end = next.offset + next.length;
    }
    return last + 1;
  }

  /** Fetches chunks in one range. Returns what reads each of them, in the order of their messages in the file.
   * @param {number} first
   * @param {number} end exclusive, at most that of rangeEnd
   * @param {AbortSignal} signal
   */
  async fetch(first, end, signal) {
    const begin = this.chunks[first].offset, last = this.chunks[end - 1];
    const bytes = await this.file.read(begin, last.offset + last.length, signal);
    return this.chunks.slice(first, end).map(({ offset, length }) => (/** @type {Visitor} */ visitor) =>
      this.#read(bytes.subarray(offset - begin, offset - begin + length), visitor));
  }

  /** @param {Uint8Array} chunk @param {Visitor} visitor */
  #read(chunk, visitor) {
    try {
      readChunk(chunk, this.channels, this.inflate, (channel, time, data) => this.#message(channel, this.since(time), data, visitor));
    } catch (failure) {
      if (!(failure instanceof DamagedError)) throw failure;
      visitor.damage(failure.message);
    }
  }

  /** @param {number} channel @param {number} time @param {DataView} data @param {Visitor} visitor */
  #message(channel, time, data, visitor) {
    const topic = this.channels.get(channel)?.topic;
    try {
      if (topic === 'moves') readMoves(data, move => visitor.move(time + move.after, move));
      else if (topic === 'snapshot') visitor.snapshot(time, readSnapshot(data));
      else if (topic === 'flags') visitor.flags(time, readFlags(data, time));
      else if (topic === 'events') {
        const event = readEvent(data);
        if (event) visitor.event(time, event);
      }
    } catch (failure) {
      if (!(failure instanceof DamagedError)) throw failure;
      visitor.damage(`a message of topic ${topic} is damaged: ${failure.message}`);
    }
  }
}
