// The WebSocket of the live map: the players, their positions by the server's clock, and chat. LiveDeltaEncoder.java has the format.

import { sampleAt } from './track.js';

/** @import { Sample } from './track.js' */
/** @import { Level } from './stage.js' */
/** @import { Act } from './acts.js' */
/** @import { Flag } from './flags.js' */
/** @typedef {[number, string, string, string]} News number, game, name, text */
/** The scores, or the best times of a race. A row's id is 0 if the player may have left.
 * @typedef {{ title: string, columns: string[], rows: { id: number, game: string, name: string, values: string[] }[] }} Board */
/** What is played. ends is when the phase ends by the server's clock, left what is left of it while it is paused, both in milliseconds; limit is in units, 0 for none.
 * @typedef {{ mode: string, phase: string, round: number, ends?: number, left?: number, limit: number, unit: string, teams: [string, number][], winner: string }} Match */

const BODY = 1, LEAP = 2, PLACE = 4, LOOK = 8, STANCE = 16;
/** Delay of the drawing behind the server's clock, milliseconds: two messages and their jitter; more for a browser that receives fewer. */
const DRAW_DELAY = 160, MAX_DRAW_DELAY = 2000;
/** The delay follows the longest of this many waits for a message, and shrinks by at most this part of the time. */
const WAITS = 30, SHRINK = 0.1;
/** A player without samples for longer than this, milliseconds, stood still until just before the next one, unless no message came meanwhile. */
const STILL = 150;
const KEPT = 5000;
const RETRY = 2000;
/** The connection is lost after this time without a message, milliseconds. */
const TIMEOUT = 5000;

class Bytes {
  /** @param {ArrayBuffer} buffer */
  constructor(buffer) {
    this.view = new DataView(buffer);
    this.at = 0;
  }
  byte() { return this.view.getUint8(this.at++); }
  signed() { return this.view.getInt8(this.at++); }
  varint() {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const next = this.byte();
      value += (next & 127) * scale;
      if (next < 128) return value;
    }
  }
  zigzag() {
    const value = this.varint();
    return value % 2 ? -(value + 1) / 2 : value / 2;
  }
  /** @param {number} length */
  text(length) {
    const bytes = new Uint8Array(this.view.buffer, this.at, length);
    this.at += length;
    return new TextDecoder().decode(bytes);
  }
}

/** A player: its newest state, and samples of its position. */
export class Player {
  game = ''; name = '';
  /** The node of its server; 0 for this one. */
  node = 0;
  /** Round-trip time in milliseconds; 0 if unknown. */
  ping = 0;
  moves = 0;
  /** Percent. @type {number | undefined} */
  loss;
  /** @type {number[]} */
  rates = [];
  spawned = false;
  stance = 0;
  /** Red or blue, in a match of teams. */
  team = '';
  /** Below 0 without a match, and if it is unknown. */
  health = -1;
  armour = 0;
  quad = false;
  x = 0; y = 0; z = 0; yaw = 0; pitch = 0;
  /** @type {Sample[]} */
  samples = [];

  /** @param {number} id */
  constructor(id) {
    this.id = id;
  }

  /** @param {number} time @param {boolean} leaps @param {number} before the time of the message before */
  addSample(time, leaps, before) {
    const sample = { time, x: this.x / 100, y: this.y / 100, z: this.z / 100, yaw: this.yaw * 360 / 256, pitch: this.pitch, leaps };
    const last = this.samples.at(-1);
    if (last && time <= last.time) {
      this.samples[this.samples.length - 1] = { ...sample, time: last.time, leaps: leaps || last.leaps };
      return;
    }
    const until = Math.min(time - STILL / 2, before);
    if (last && time - last.time > STILL && until - last.time > STILL / 2) this.samples.push({ ...last, time: until, leaps: false });
    this.samples.push(sample);
    while (this.samples[0].time < time - KEPT) this.samples.shift();
  }

  /** The position at a time; null without a body. @param {number} time */
  at(time) {
    return this.spawned && this.samples.length ? sampleAt(this.samples, time) : null;
  }
}

/** The connection, which reconnects automatically. Dispatches 'level', 'boards', 'match', 'players', 'news' and 'state'. */
export class Feed extends EventTarget {
  /** @type {Map<number, Player>} */
  players = new Map();
  /** @type {Level | null} */
  level = null;
  /** None without a match. @type {Board[]} */
  boards = [];
  /** Null without a match. @type {Match | null} */
  match = null;
  /** What happened lately. @type {Act[]} */
  acts = [];
  /** Empty without a match with flags. @type {Flag[]} */
  flags = [];
  /** @type {'connecting' | 'live' | 'lost'} */
  state = 'connecting';
  bytes = 0;
  pictures = 0;
  /** The offset of the server's clock, milliseconds. @type {number | undefined} */
  ahead;
  /** @type {number[]} */
  #ahead = [];
  /** How old the newest state was when each of the last messages came, milliseconds. @type {number[]} */
  #waits = [];
  #delay = DRAW_DELAY;
  /** The server's time of the last message and of the one before, milliseconds. */
  #times = [0, 0];
  #lastMessage = 0;
  /** @type {WebSocket | null} */
  #socket = null;

  constructor() {
    super();
    this.#connect();
    setInterval(() => this.#watch(), 500);
    addEventListener('online', () => this.#socket ?? this.#connect());
    addEventListener('offline', () => this.#drop());
  }

  /** @param {string} what @param {unknown} [detail] */
  #dispatch(what, detail) {
    this.dispatchEvent(new CustomEvent(what, { detail }));
  }

  /** @param {Feed['state']} state */
  #become(state) {
    if (this.state === state) return;
    this.state = state;
    this.#dispatch('state');
  }

  #connect() {
    // Relative to the page, which a proxy may serve under any path.
    const address = new URL('live', document.baseURI);
    address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';
    const socket = new WebSocket(address);
    socket.binaryType = 'arraybuffer';
    this.#socket = socket;
    this.#lastMessage = performance.now();
    socket.onmessage = message => {
      if (socket !== this.#socket) return;
      this.#lastMessage = performance.now();
      this.bytes += message.data.byteLength;
      this.pictures++;
      try {
        this.#read(new Bytes(message.data));
        socket.send('seen');
      } catch (failure) {
// The message does not fit to the state: request a full one.
console.warn(failure);
        socket.send('all');
      }
      this.#become('live');
    };
    socket.onclose = () => {
      if (socket === this.#socket) this.#drop();
    };
  }

  #drop() {
    const socket = this.#socket;
    if (!socket) return;
    this.#socket = null;
    socket.onclose = null;
    socket.close();
    this.#become('lost');
    setTimeout(() => this.#socket ?? this.#connect(), RETRY);
  }

  #watch() {
    if (this.#socket && performance.now() - this.#lastMessage > TIMEOUT) this.#drop();
  }

  /** @param {Bytes} bytes */
  #read(bytes) {
    const all = bytes.byte() & 1;
    const time = bytes.varint();
    if (all) {
      this.players.clear();
      this.#ahead = [];
      this.#waits = [];
      this.#times = [time, time];
    }
    this.#clock(time);
    const length = bytes.varint();
    const words = length ? JSON.parse(bytes.text(length)) : {};
    for (const [id, game, name, node = 0] of words.players ?? []) Object.assign(this.#player(id), { game, name, node });
    for (const id of words.gone ?? []) this.players.delete(id);
    for (const [id, ping, moves, loss, ...rates] of words.links ?? []) Object.assign(this.#player(id), { ping, moves, loss, rates });
    for (const [id, team, health, armour, quad] of words.parts ?? []) Object.assign(this.#player(id), { team, health, armour, quad: quad === 1 });
    this.#bodies(bytes, time);
    this.#acts(words.acts ?? [], time);
    if (all || words.flags) this.#flags(words.flags ?? []);
    if (all || words.match) {
      this.match = words.match ?? null;
      this.#dispatch('match');
    }
    if (words.level) {
      this.level = words.level;
      this.#dispatch('level');
    }
    if (all || words.boards) {
      this.boards = words.boards ?? [];
      this.#dispatch('boards');
    }
    if (all || words.players || words.gone || words.links || words.parts) this.#dispatch('players');
    if (words.news) this.#dispatch('news', { all, lines: words.news });
  }

  /** @param {[number, Act['kind'], number, number, string, number, number, number][]} added @param {number} time */
  #acts(added, time) {
    for (const [at, kind, player, by, text, ...place] of added) this.acts.push({ time: at, kind, player, by, text, place: [place[0] / 100, place[1] / 100, place[2] / 100] });
    this.acts = this.acts.filter(act => act.time > time - KEPT);
  }

  /** @param {[string, Flag['state'], number, number, number, number, number, number, number, number][]} newest */
  #flags(newest) {
    this.flags = newest.map(([team, state, x, y, z, carrier, atX, atY, atZ, until]) => ({ team, state, carrier, until,
      home: [x / 100, y / 100, z / 100], place: [atX / 100, atY / 100, atZ / 100] }));
  }

  /** @param {number} id */
  #player(id) {
    let player = this.players.get(id);
    if (!player) this.players.set(id, player = new Player(id));
    return player;
  }

  /** @param {Bytes} bytes @param {number} time */
  #bodies(bytes, time) {
    let id = 0;
    for (let count = bytes.varint(); count > 0; count--) {
      id += bytes.varint();
      const flags = bytes.byte();
      const player = this.#player(id);
      player.spawned = (flags & BODY) !== 0;
      const moved = flags & (PLACE | LOOK) ? time - bytes.varint() : time;
      if (flags & PLACE) {
        player.x += bytes.zigzag();
        player.y += bytes.zigzag();
        player.z += bytes.zigzag();
      }
      if (flags & LOOK) {
        player.yaw = bytes.byte();
        player.pitch = bytes.signed();
      }
      if (flags & STANCE) player.stance = bytes.byte();
      if (flags & (PLACE | LOOK | LEAP)) player.addSample(moved, (flags & LEAP) !== 0, this.#times[0]);
    }
  }

  /** Estimates the clock's offset from the recent message with the smallest delay, and how far to draw behind it. @param {number} time */
  #clock(time) {
    const now = performance.now();
    this.#ahead.push(time - now);
    if (this.#ahead.length > 100) this.#ahead.shift();
    this.ahead = Math.max(...this.#ahead);
    const before = this.#times[1];
    this.#times = [before, time];
    this.#waits.push(now + this.ahead - before);
    if (this.#waits.length > WAITS) this.#waits.shift();
    // Bodies have waited at their newest places: a longer delay moves none of them back.
    const longest = Math.min(Math.max(DRAW_DELAY, ...this.#waits), MAX_DRAW_DELAY);
    this.#delay = Math.max(longest, this.#delay - SHRINK * (time - before));
  }

  /** Milliseconds until the phase of the match ends; null if it does not end by itself. */
  get left() {
    const { ends, left } = this.match ?? {};
    return ends !== undefined ? Math.max(0, ends - performance.now() - (this.ahead ?? 0)) : left ?? null;
  }

  /** The drawn time, on the server's clock, milliseconds. */
  now() {
    return performance.now() + (this.ahead ?? 0) - this.#delay;
  }
}
