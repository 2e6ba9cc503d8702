// The messages of a recording: recording.proto has the field numbers.

import { FIXED32, FIXED64, Fields, LENGTH, VARINT } from './protobuf.js';

/** @import { Bounds } from '../map/mesh.js' */
/** @import { Flag } from '../map/flags.js' */
/** @typedef {{ id: number, after: number, x: number, y: number, z: number, yaw: number, pitch: number, stance: number }} Move after in milliseconds */
/** @typedef {{ id: number, game: string, name: string, spawned: boolean, ping: number, move: Move | null }} RecordedPlayer */
/** @typedef {{ game: string, name: string, bounds: Bounds | null }} RecordedLevel */
/** @typedef {{ players: RecordedPlayer[], levels: RecordedLevel[] }} Snapshot */
/** @typedef {'joined' | 'left' | 'spawned' | 'despawned' | 'teleported' | 'chat' | 'renamed' | 'violation' | 'level' | 'announcement' | 'action' | 'hit' | 'died' | 'took' | 'flag'} Kind */
/** by is the attacker of a hit or the killer, text of a death by what; place and health are those of a hit, place also of an item.
 * @typedef {{ kind: Kind, id: number, text: string, player: RecordedPlayer | null, move: Move | null, level: RecordedLevel | null, by: number, place: [number, number, number], health: number }} RecordedEvent */

const MAX_TEXT_CHARS = 1000;
const MAX_FLAGS = 2;
/** Node numbers from here on would not fit into an id, which is exact as a double. */
const MAX_NODE = 0x1fffff;

/** The number of a player on this page. @param {number} node @param {number} number */
function idOf(node, number) {
  return node > MAX_NODE || number > 0xffffffff ? -1 : node * 0x100000000 + number;
}

/** @param {number} number @param {number} type */
const tag = (number, type) => number * 8 + type;
const MOVE = { player: tag(1, VARINT), node: tag(2, VARINT), after: tag(3, VARINT), position: tag(4, LENGTH), yaw: tag(5, FIXED32),
  pitch: tag(6, FIXED32), stance: tag(8, VARINT) };
const X = tag(1, FIXED32), Y = tag(2, FIXED32), Z = tag(3, FIXED32);
const FIRST = tag(1, LENGTH), SECOND = tag(2, LENGTH), THIRD = tag(3, LENGTH), FOURTH = tag(4, LENGTH);
const PLAYER = { spawned: tag(4, VARINT), ping: tag(5, VARINT), move: tag(7, LENGTH) };
const HIT = { damage: tag(3, FIXED64), place: tag(5, LENGTH), health: tag(6, FIXED64) };
const FLAG = { dropped: tag(5, LENGTH), millis: tag(6, VARINT) };
const VIOLATION = { measured: tag(2, FIXED64), allowed: tag(3, FIXED64) };

/** Kinds of events by the tag of their field. The others change nothing that the page draws. @type {Map<number, Kind>} */
const KINDS = new Map([
  [tag(2, LENGTH), 'joined'], [tag(3, LENGTH), 'left'], [tag(4, LENGTH), 'spawned'], [tag(5, LENGTH), 'despawned'], [tag(6, LENGTH), 'teleported'],
  [tag(8, LENGTH), 'chat'], [tag(9, LENGTH), 'renamed'], [tag(11, LENGTH), 'violation'], [tag(15, LENGTH), 'level'],
  [tag(16, LENGTH), 'announcement'], [tag(7, LENGTH), 'action'], [tag(18, LENGTH), 'hit'], [tag(19, LENGTH), 'died'], [tag(30, LENGTH), 'took'],
  [tag(32, LENGTH), 'flag'],
]);

/** A vector. @param {Fields} fields @returns {[number, number, number]} */
function vector(fields) {
  let x = 0, y = 0, z = 0;
  const outer = fields.open();
  while (fields.next()) {
    if (fields.tag === X) x = fields.float();
    else if (fields.tag === Y) y = fields.float();
    else if (fields.tag === Z) z = fields.float();
    else fields.skip();
  }
  fields.close(outer);
  return [x, y, z];
}

/** A movement; null if it has no valid place or player. @param {Fields} fields @returns {Move | null} */
function move(fields) {
  let player = 0, node = 0, after = 0, x = 0, y = 0, z = 0, yaw = 0, pitch = 0, stance = 0;
  const outer = fields.open();
  while (fields.next()) {
    switch (fields.tag) {
      case MOVE.player: player = fields.varint(); break;
      case MOVE.node: node = fields.varint(); break;
      case MOVE.after: after = fields.varint(); break;
      case MOVE.position: [x, y, z] = vector(fields); break;
      case MOVE.yaw: yaw = fields.float(); break;
      case MOVE.pitch: pitch = fields.float(); break;
      case MOVE.stance: stance = fields.varint(); break;
      default: fields.skip();
    }
  }
  fields.close(outer);
  const id = idOf(node, player);
  return id < 0 || !Number.isFinite(x + y + z + yaw + pitch) ? null : { id, after: after / 1000, x, y, z, yaw, pitch, stance };
}

/** Each movement of a message of /moves. @param {DataView} view @param {(move: Move) => void} visit */
export function readMoves(view, visit) {
  const fields = new Fields(view, 0, view.byteLength);
  while (fields.next()) {
    if (fields.tag === FIRST) {
      const read = move(fields);
      if (read) visit(read);
    } else fields.skip();
  }
}

/** The number of a player. @param {Fields} fields */
function playerId(fields) {
  let node = 0, number = 0;
  const outer = fields.open();
  while (fields.next()) {
    if (fields.tag === tag(1, VARINT)) node = fields.varint();
    else if (fields.tag === tag(2, VARINT)) number = fields.varint();
    else fields.skip();
  }
  fields.close(outer);
  return idOf(node, number);
}

/** @param {Fields} fields @returns {RecordedPlayer} */
function player(fields) {
  /** @type {RecordedPlayer} */
  const read = { id: -1, game: '', name: '', spawned: false, ping: 0, move: null };
  const outer = fields.open();
  while (fields.next()) {
    switch (fields.tag) {
      case FIRST: read.id = playerId(fields); break;
      case SECOND: read.game = fields.text(MAX_TEXT_CHARS); break;
      case THIRD: read.name = fields.text(MAX_TEXT_CHARS); break;
      case PLAYER.spawned: read.spawned = fields.varint() !== 0; break;
      case PLAYER.ping: read.ping = fields.varint(); break;
      case PLAYER.move: read.move = move(fields); break;
      default: fields.skip();
    }
  }
  fields.close(outer);
  return read;
}

/** @param {Fields} fields @returns {RecordedLevel} */
function level(fields) {
  /** @type {[number, number, number] | null} */ let min = null;
  /** @type {[number, number, number] | null} */ let max = null;
  let game = '', name = '';
  const outer = fields.open();
  while (fields.next()) {
    switch (fields.tag) {
      case FIRST: game = fields.text(MAX_TEXT_CHARS); break;
      case SECOND: name = fields.text(MAX_TEXT_CHARS); break;
      case THIRD: min = vector(fields); break;
      case FOURTH: max = vector(fields); break;
      default: fields.skip();
    }
  }
  fields.close(outer);
  const valid = min && max && [0, 1, 2].every(i => Number.isFinite(min[i]) && min[i] < max[i] && max[i] < Infinity);
  return { game, name, bounds: valid ? /** @type {Bounds} */ ([.../** @type {number[]} */ (min), .../** @type {number[]} */ (max)]) : null };
}

/** A message of /snapshot. @param {DataView} view @returns {Snapshot} */
export function readSnapshot(view) {
  /** @type {Snapshot} */
  const read = { players: [], levels: [] };
  const fields = new Fields(view, 0, view.byteLength);
  while (fields.next()) {
    if (fields.tag === FIRST) {
      const each = player(fields);
      if (each.id >= 0) read.players.push(each);
    } else if (fields.tag === SECOND) read.levels.push(level(fields));
    else fields.skip();
  }
  return read;
}

/** An item that was taken. @param {Fields} fields @param {RecordedEvent} read */
function item(fields, read) {
  const outer = fields.open();
  while (fields.next()) {
    if (fields.tag === SECOND) read.text = fields.text(MAX_TEXT_CHARS).replace(/^weapon-/, '').replace(/^ammo-(.*)/, '$1 ammo').replaceAll('-', ' ');
    else if (fields.tag === THIRD) read.place = vector(fields);
    else fields.skip();
  }
  fields.close(outer);
}

/** What a player did to a flag, or what happened to it. @type {Record<string, string>} */
const CHANGES = { taken: 'took', dropped: 'dropped', returned: 'returned', captured: 'captured', reset: 'lost' };

/** A change of a flag. @param {Fields} fields @param {RecordedEvent} read */
function flagChange(fields, read) {
  let flag = '', change = '';
  const outer = fields.open();
  while (fields.next()) {
    if (fields.tag === FIRST) flag = fields.text(MAX_TEXT_CHARS);
    else if (fields.tag === SECOND) change = fields.text(MAX_TEXT_CHARS);
    else fields.skip();
  }
  fields.close(outer);
  read.text = read.id === 0 ? `the ${flag} flag is at home` : `${CHANGES[change] ?? change} the ${flag} flag`;
}

/** A flag; null if its place is not valid. @param {Fields} fields @param {number} time of the message @returns {Flag | null} */
function flag(fields, time) {
  /** @type {Flag} */
  const read = { team: '', state: 'home', home: [0, 0, 0], carrier: 0, place: [0, 0, 0], until: -1 };
  let millis = 0;
  const outer = fields.open();
  while (fields.next()) {
    switch (fields.tag) {
      case FIRST: read.team = fields.text(MAX_TEXT_CHARS); break;
      case SECOND: read.home = vector(fields); break;
      case FOURTH: [read.state, read.carrier] = ['carried', playerId(fields)]; break;
      case FLAG.dropped: [read.state, read.place] = ['dropped', vector(fields)]; break;
      case FLAG.millis: millis = fields.varint(); break;
      default: fields.skip();
    }
  }
  fields.close(outer);
  if (read.state === 'dropped' && millis) read.until = time + millis;
  return [...read.home, ...read.place].every(Number.isFinite) ? read : null;
}

/** A message of /flags. @param {DataView} view @param {number} time its time, milliseconds @returns {Flag[]} */
export function readFlags(view, time) {
  /** @type {Flag[]} */
  const read = [];
  const fields = new Fields(view, 0, view.byteLength);
  while (fields.next()) {
    if (fields.tag === FIRST) {
      const each = flag(fields, time);
      if (each && read.length < MAX_FLAGS) read.push(each);
    } else fields.skip();
  }
  return read;
}

/** What an event has besides its player. @param {Fields} fields @param {RecordedEvent} read */
function detail(fields, read) {
  if (read.kind === 'flag') {
    flagChange(fields, read);
    return;
  }
  if (read.kind === 'level') {
    read.level = level(fields);
    read.text = read.level.name;
    return;
  }
  const outer = fields.open();
  while (fields.next()) {
    if (read.kind === 'joined' && fields.tag === FIRST) read.player = player(fields);
    else if ((read.kind === 'spawned' || read.kind === 'teleported') && fields.tag === FIRST) read.move = move(fields);
    else if ((read.kind === 'chat' || read.kind === 'announcement' || read.kind === 'violation') && fields.tag === FIRST) read.text = fields.text(MAX_TEXT_CHARS);
    else if ((read.kind === 'renamed' || read.kind === 'left') && fields.tag === SECOND) read.text = fields.text(MAX_TEXT_CHARS);
    else if (read.kind === 'action' && fields.tag === FIRST) read.text = fields.text(MAX_TEXT_CHARS);
    else if ((read.kind === 'hit' || read.kind === 'died') && fields.tag === FIRST) read.by = playerId(fields);
    else if (read.kind === 'died' && fields.tag === SECOND) read.text = fields.text(MAX_TEXT_CHARS);
    else if (read.kind === 'hit' && fields.tag === HIT.damage) read.text = String(Math.max(1, Math.round(fields.double())));
    else if (read.kind === 'hit' && fields.tag === HIT.place) read.place = vector(fields);
    else if (read.kind === 'hit' && fields.tag === HIT.health) read.health = Math.ceil(fields.double());
    else if (read.kind === 'took' && fields.tag === FIRST) item(fields, read);
    else if (read.kind === 'violation' && fields.tag === VIOLATION.measured) read.text += ' ' + fields.double().toFixed(2);
    else if (read.kind === 'violation' && fields.tag === VIOLATION.allowed) read.text += ', allowed ' + fields.double().toFixed(2);
    else fields.skip();
  }
  fields.close(outer);
}

/** A message of /events; null if it is of a kind that the page does not show. @param {DataView} view @returns {RecordedEvent | null} */
export function readEvent(view) {
  /** @type {RecordedEvent} */
  const read = { kind: 'announcement', id: 0, text: '', player: null, move: null, level: null, by: 0, place: [0, 0, 0], health: 0 };
  let known = false;
  const fields = new Fields(view, 0, view.byteLength);
  while (fields.next()) {
    const kind = KINDS.get(fields.tag);
    if (fields.tag === FIRST) read.id = playerId(fields);
    else if (kind) {
      known = true;
      read.kind = kind;
      detail(fields, read);
    } else fields.skip();
  }
  return known && read.id >= 0 && [read.health, ...read.place].every(Number.isFinite) ? read : null;
}
