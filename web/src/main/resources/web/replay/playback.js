// What a recording has at the drawn time: the players with their positions, as the live map has them of its server, the level, and
// the events as they pass. It reads the recording ahead of that time, and forgets what lies behind.

import { indexAt, sampleAt } from '../map/track.js';
import { Scores } from './scores.js';

/** @import { Sample } from '../map/track.js' */
/** @import { Board, Match, News } from '../map/feed.js' */
/** @import { Level } from '../map/stage.js' */
/** @import { Act } from '../map/acts.js' */
/** @import { Flag } from '../map/flags.js' */
/** @import { Bounds } from '../map/mesh.js' */
/** @import { Recording, Visitor } from './recording.js' */
/** @import { Change } from './scores.js' */
/** @import { Kind, Move, RecordedEvent, RecordedLevel, Snapshot } from './messages.js' */
/** @typedef {Sample & { stance: number }} Step */
/** @typedef {{ time: number, kind: Kind, game: string, name: string, text: string }} Mark */
/** @typedef {{ time: number, event: RecordedEvent | null, snapshot: Snapshot | null, flags?: Flag[] }} Entry */

export const SPEEDS = [1 / 8, 1 / 4, 1 / 2, 1, 2, 4, 8, 16, 32];
/** A player without movements for longer than this was silent: it stays, and is then somewhere else. */
const SILENT_MILLIS = 500;
/** What is known before the drawn time: the trails, and the movement before a snapshot. */
const BEHIND_MILLIS = 2500;
const AHEAD_MILLIS = 10_000;
/** At high speed, what is played in this time is read ahead. */
const AHEAD_PLAYED_MILLIS = 2500;
/** About 100 bytes each. Nothing is read ahead while there are more. */
const MAX_STEPS = 1_000_000;
const MAX_MARKS = 20_000;
const MAX_ENTRIES = 200_000;
/** Lines of the list of events after a seek. */
const LINES = 60;
/** Reading ahead gives way to the picture after this time. */
const SLICE_MILLIS = 6;
/** What happened is drawn for at most this time. */
const ACT_MILLIS = 2000;
/** Space around the movements of a recording without a level, metres. */
const MARGIN = 3;
/** The bounds of what was seen grow by this, metres. */
const STEPS = [16, 16, 4];

class ReplayedPlayer {
  game = ''; name = '';
  ping = 0; moves = 0;
  /** @type {number | undefined} */
  loss;
  /** @type {number[]} */
  rates = [];
  spawned = false;
  stance = 0;
  /** Red or blue, in a match of teams. */
  team = '';
  /** Below 0 until it was hit. */
  health = -1;

  /** @param {number} id @param {Step[]} samples */
  constructor(id, samples) {
    this.id = id;
    this.samples = samples;
  }

  /** The position at a time; null without a body. @param {number} time */
  at(time) {
    if (!this.spawned || !this.samples.length) return null;
    this.stance = this.samples[indexAt(this.samples, time)].stance;
    return sampleAt(this.samples, time);
  }
}

/** Dispatches 'level', 'players', 'boards', 'match', 'news', 'seek', 'jump' when the time of a seek is known, and 'state'. */
export class Playback extends EventTarget {
  /** @type {Map<number, ReplayedPlayer>} */
  players = new Map();
  /** @type {Level | null} */
  level = null;
  /** Empty without a match with flags. @type {Flag[]} */
  flags = [];
  /** None without a match, and if its scores are not known. @type {Board[]} */
  boards = [];
  /** Null if the start of its round is not known. @type {Match | null} */
  match = null;
  /** The time that is left of a round is not recorded. */
  left = null;
  time = 0;
  speed = 1;
  playing = false;
  /** Why the recording cannot be read any more. */
  failure = '';
  /** Number of parts that are damaged, and left out. */
  damaged = 0;
  /** What happened, in the order of time: of the whole recording if the server knows it, else of what was read. @type {Mark[]} */
  marks = [];
  /** Whether the marks are those of the whole recording. */
  complete = false;
  /** The numbers of the chunks whose events are among the marks. @type {Set<number>} */
  seen = new Set();
  /** The name of a game's weapon, by its means. @type {(game: string, means: string) => string} */
  weaponOf = (_, means) => means.replaceAll('-', ' ');
  /** The name of the level that the server can draw. */
  scene = '';
  /** Those of that level. @type {Bounds | null} */
  sceneBounds = null;
  /** @type {Map<number, Step[]>} */
  #tracks = new Map();
  #steps = 0;
  /** @type {Entry[]} */
  #entries = [];
  #applied = 0;
  #scores = new Scores([]);
  /** What the last picture of a known time showed. @type {Act[]} */
  #acts = [];
  /** The chunks that were read: from the first, up to the next one. */
  #first = 0;
  #next = 0;
  #waits = true;
  #shown = 0;
  #reading = new AbortController();
  #filling = false;
  #number = 0;
  /** The bounds of the level that the recording names. @type {Bounds | null} */
  #named = null;
  /** The bounds of all movements that were read. @type {Bounds} */
  #bounds = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];

  /** @param {Recording} recording */
  constructor(recording) {
    super();
    this.recording = recording;
  }

  /** The end of what is known, milliseconds. */
  get known() {
    const { chunks, duration } = this.recording;
    return this.#next < chunks.length ? chunks[this.#next].from : duration;
  }

  /** Whether the drawn time is known. */
  get ready() {
    return !this.#waits;
  }

  /** The number of positions in memory. */
  get steps() {
    return this.#steps;
  }

  /** The time of the picture: during a seek, that of the last one. */
  now() {
    return this.#waits ? this.#shown : this.time;
  }

  /** @param {string} what @param {unknown} [detail] */
  #dispatch(what, detail) {
    this.dispatchEvent(new CustomEvent(what, { detail }));
  }

  /** Goes to a time. The picture stays as it is until that time is known. @param {number} time */
  seek(time) {
    this.#dispatch('seek');
    this.#shown = this.now();
    this.time = Math.min(this.recording.duration, Math.max(0, time));
    const base = this.recording.snapshotBefore(this.time - BEHIND_MILLIS);
    this.#waits = true;
    if (base < this.#first || base > this.#next) {
      this.#reading.abort();
      this.#reading = new AbortController();
      this.#filling = false;
      this.#tracks = new Map();
      this.#steps = 0;
      this.#entries = [];
      this.#applied = 0;
      this.#first = this.#next = base;
    }
    this.#settle();
    this.#fill();
    this.#dispatch('state');
  }

  /** @param {boolean} on */
  play(on) {
    this.playing = on && this.failure === '';
    if (this.playing && this.time >= this.recording.duration) this.seek(0);
    this.#dispatch('state');
  }

  /** Lets time pass. @param {number} seconds */
  advance(seconds) {
    if (this.#waits) return;
    if (this.playing) {
      this.time = Math.min(this.time + seconds * 1000 * this.speed, this.known);
      this.#apply(false);
      if (this.time >= this.recording.duration) this.play(false);
    }
    this.#fill();
  }

  /** Whether what is needed to draw the time was read, with the movements right after it. */
  #isKnown() {
    return this.#next === this.recording.chunks.length || this.known > this.time + SILENT_MILLIS;
  }

  /** Shows the state at the time of a seek when it is known. */
  #settle() {
    if (!this.#waits || !this.#isKnown()) return;
    this.#waits = false;
    this.players = new Map();
    this.flags = [];
    this.#applied = 0;
    this.#apply(true);
    this.#dispatch('jump');
    this.#dispatch('state');
  }

  /** Takes the marks of the whole recording, and the changes of its scores. @param {Mark[]} marks @param {Change[]} changes */
  take(marks, changes) {
    this.marks = marks;
    this.#scores = new Scores(changes);
    this.complete = true;
    if (this.ready) {
      this.#score(true);
      this.#dispatch('news', { all: true, lines: this.#history() });
    }
    this.#dispatch('state');
  }

  async #fill() {
    if (this.#filling || this.failure) return;
    const reading = this.#reading, { signal } = reading;
    this.#filling = true;
    try {
      while (!signal.aborted && this.#wantsMore()) {
        const { chunks } = this.recording, until = this.recording.chunkAt(this.#waits ? this.time + SILENT_MILLIS : this.#goal()) + 1;
        const first = this.#next, end = this.recording.rangeEnd(first, Math.min(chunks.length, Math.max(first + 1, until)));
        const parts = await this.recording.fetch(first, end, signal);
        let began = performance.now();
        for (const [i, part] of parts.entries()) {
          if (!this.#waits && performance.now() - began > SLICE_MILLIS) {
            await new Promise(go => setTimeout(go));
            began = performance.now();
          }
          if (signal.aborted) return;
          part(this.#visitor(first + i));
          this.#next = first + i + 1;
        }
        if (this.#waits) {
          this.#settle();
          // The picture first: what lies ahead is read from the next frame on.
          if (!this.#waits) break;
        }
        this.#forget();
      }
    } catch (failure) {
      if (signal.aborted) return;
      this.failure = failure instanceof Error ? failure.message : String(failure);
      this.playing = false;
      this.#dispatch('state');
    } finally {
      if (reading === this.#reading) this.#filling = false;
    }
  }

  /** The time up to which the recording is read. */
  #goal() {
    return this.time + Math.max(AHEAD_MILLIS, AHEAD_PLAYED_MILLIS * this.speed);
  }

  #wantsMore() {
    if (this.#next === this.recording.chunks.length) return false;
    return this.#waits ? !this.#isKnown() : this.known < this.#goal() && (this.#steps < MAX_STEPS || !this.#isKnown());
  }

  /** Takes what a chunk has. @param {number} chunk its number @returns {Visitor} */
  #visitor(chunk) {
    const isNew = !this.complete && !this.seen.has(chunk) && this.marks.length < MAX_MARKS;
    if (isNew) this.seen.add(chunk);
    return {
      move: (time, move) => this.#add(time, move, false),
      snapshot: (time, snapshot) => {
        this.#enter({ time, event: null, snapshot });
        for (const { id, move } of snapshot.players) {
          if (move && !this.#tracks.get(id)?.length) this.#add(time, { ...move, id }, true);
        }
      },
      event: (time, event) => {
        this.#enter({ time, event, snapshot: null });
        const move = event.move ?? event.player?.move;
        if (move) this.#add(time, { ...move, id: event.id }, true);
        if (isNew && isMark(event)) this.marks.push({ time, kind: event.kind, game: '', name: '', text: event.text });
      },
      flags: (time, flags) => this.#enter({ time, event: null, snapshot: null, flags }),
      damage: problem => {
        this.damaged++;
        console.info(problem);
        this.#dispatch('state');
      },
    };
  }

  /** @param {Entry} entry */
  #enter(entry) {
    if (this.#entries.length < MAX_ENTRIES) this.#entries.push(entry);
    else this.damaged++;
  }

  /** @param {number} time @param {Move} move @param {boolean} leaps */
  #add(time, { id, x, y, z, yaw, pitch, stance }, leaps) {
    let track = this.#tracks.get(id);
    if (!track) this.#tracks.set(id, track = []);
    const last = track[track.length - 1];
    if (last && time <= last.time) {
      track[track.length - 1] = { time: last.time, x, y, z, yaw, pitch, stance, leaps: leaps || last.leaps };
      return;
    }
    if (this.#steps >= 2 * MAX_STEPS) {
      this.damaged++;
      return;
    }
    track.push({ time, x, y, z, yaw, pitch, stance, leaps: leaps || !last || time - last.time > SILENT_MILLIS });
    this.#steps++;
    const b = this.#bounds;
    b[0] = Math.min(b[0], x - MARGIN);
    b[1] = Math.min(b[1], y - MARGIN);
    b[2] = Math.min(b[2], z);
    b[3] = Math.max(b[3], x + MARGIN);
    b[4] = Math.max(b[4], y + MARGIN);
    b[5] = Math.max(b[5], z + MARGIN);
  }

  /** Drops what is before the snapshot from which the drawn time is reached. */
  #forget() {
    if (this.#waits) return;
    const base = this.recording.snapshotBefore(this.time - BEHIND_MILLIS);
    if (base <= this.#first) return;
    this.#first = base;
    const { from } = this.recording.chunks[base];
    for (const [id, track] of this.#tracks) {
      const isOver = !this.players.has(id) && (track.at(-1)?.time ?? 0) < from;
      const old = isOver ? track.length : indexAt(track, from);
      if (old > 0) track.splice(0, old);
      this.#steps -= old;
      if (isOver) this.#tracks.delete(id);
    }
    let old = 0;
    while (old < this.#applied && this.#entries[old].time < from) old++;
    this.#entries.splice(0, old);
    this.#applied -= old;
  }

  /** Applies what happened up to the drawn time. @param {boolean} all whether this is the whole state after a seek */
  #apply(all) {
    /** @type {News[]} */ const lines = [];
    let changed = all;
    while (this.#applied < this.#entries.length && this.#entries[this.#applied].time <= this.time) {
      const { event, snapshot, flags } = this.#entries[this.#applied++];
      if (flags) this.flags = flags;
      if (snapshot) changed = this.#sync(snapshot) || changed;
      if (!event) continue;
      const line = this.#line(event);
      changed = this.#happen(event) || changed;
      if (line) lines.push(line);
    }
    if (this.level?.name !== this.scene || !this.scene) this.#show(this.level?.name ?? '', this.level?.title ?? '', this.#reached());
    this.#score(changed);
    if (changed) this.#dispatch('players');
    if (all || lines.length) this.#dispatch('news', { all, lines: all && this.complete ? this.#history() : lines });
  }

  /** The bounds of a level that the server cannot draw: of the space in which players were seen, as a capture has only the range of its protocol. @returns {Bounds} */
  #reached() {
    const named = this.#named, reached = this.#bounds.map((value, i) => (i < 3 ? Math.floor : Math.ceil)(value / STEPS[i % 3]) * STEPS[i % 3]);
    if (!Number.isFinite(reached[0])) return named ?? [...this.#bounds];
    return /** @type {Bounds} */ (reached.map((value, i) => !named ? value : i < 3 ? Math.max(named[i], value) : Math.min(named[i], value)));
  }

  /** Keeps the boards and teams up to date. @param {boolean} changed whether the players have changed */
  #score(changed) {
    const scores = this.#scores;
    if (!scores.goTo(this.time) && !changed) return;
    for (const player of this.players.values()) player.team = scores.teams.get(player.id) ?? '';
    [this.boards, this.match] = [scores.boards(this.players.values(), this.flags.length > 0), scores.match];
    this.#dispatch('boards');
    this.#dispatch('match');
  }

  /** What happened just before the time of the picture. @returns {Act[]} */
  get acts() {
    if (this.#waits) return this.#acts;
    /** @type {Act[]} */ const found = this.#acts = [];
    for (let i = this.#applied - 1; i >= 0 && this.#entries[i].time > this.time - ACT_MILLIS; i--) {
      const { time, event } = this.#entries[i], act = event && actOf(time, event);
      if (act) found.push(act);
    }
    return found;
  }

  /** The last lines of the list of events before the drawn time. @returns {News[]} */
  #history() {
    let end = this.marks.findIndex(mark => mark.time > this.time);
    if (end < 0) end = this.marks.length;
    return this.marks.slice(0, end).filter(isListed).slice(-LINES).map(({ kind, game, name, text }) => [++this.#number, game, name, wordsOf(kind, text)]);
  }

  /** @param {RecordedEvent} event @returns {News | null} */
  #line(event) {
    if (!isListed(event)) return null;
    const { kind, id, by, text } = event, player = event.player ?? this.players.get(kind === 'died' ? by : id);
    const victim = kind === 'died' && by !== id ? this.players.get(id) : undefined;
    const words = kind === 'died' ? (victim ? 'killed ' + nameOf(victim) : 'died') + (text && text !== 'suicide' ? ` (${this.weaponOf(player?.game ?? '', text)})` : '') : text;
    return [++this.#number, player?.game ?? '', player ? nameOf(player) : '', wordsOf(kind, words)];
  }

  /** @param {Snapshot} snapshot */
  #sync({ players, levels }) {
    let changed = players.length !== this.players.size;
    const ids = new Set(players.map(player => player.id));
    for (const id of this.players.keys()) if (!ids.has(id)) this.players.delete(id);
    for (const recorded of players) {
      const player = this.#player(recorded.id), name = nameOf(recorded);
      changed ||= player.game !== recorded.game || player.name !== name || player.spawned !== recorded.spawned || player.ping !== recorded.ping;
      Object.assign(player, { game: recorded.game, name, spawned: recorded.spawned, ping: recorded.ping });
    }
    if (levels.length) this.#become(levels);
    return changed;
  }

  /** Returns whether it changes the list of players. @param {RecordedEvent} event */
  #happen({ kind, id, text, player, level, health }) {
    if (kind === 'level' && level) this.#become([level]);
    else if (kind === 'left') return this.players.delete(id);
    else if (kind === 'joined' && player) Object.assign(this.#player(id), { game: player.game, name: nameOf({ ...player, id }), ping: player.ping, spawned: player.spawned });
    else if (kind === 'spawned') Object.assign(this.#player(id), { spawned: true, health: -1 });
    else if (kind === 'despawned') this.#player(id).spawned = false;
    else if (kind === 'hit') {
      this.#player(id).health = health > 0 ? health : -1;
      return false;
    }
    else if (kind === 'renamed') this.#player(id).name = text;
    else return false;
    return true;
  }

  /** @param {number} id */
  #player(id) {
    let player = this.players.get(id);
    if (!player) {
      let track = this.#tracks.get(id);
      if (!track) this.#tracks.set(id, track = []);
      this.players.set(id, player = new ReplayedPlayer(id, track));
    }
    return player;
  }

  /** @param {RecordedLevel[]} levels of all games, or the one that has changed */
  #become(levels) {
    const drawn = levels.find(level => level.name === this.scene), best = drawn ?? levels.find(level => level.bounds);
    if (!best) return;
    this.#named = best.bounds ?? this.#named;
    const title = [...new Set(levels.map(level => level.name))].join(', ');
    this.#show(best.name, title, drawn && this.sceneBounds ? this.sceneBounds : this.#reached());
  }

  /** @param {string} name @param {string} title @param {Bounds} bounds */
  #show(name, title, bounds) {
    const { level } = this;
    if (!Number.isFinite(bounds[0]) || level && level.name === name && level.title === title && String(level.bounds) === String(bounds)) return;
    this.level = { name, title, bounds };
    this.#dispatch('level');
  }
}

/** Kinds of events that are not on the timeline. @type {Set<Kind>} */
const UNMARKED = new Set(['spawned', 'teleported', 'renamed', 'action', 'hit', 'took']);

/** @param {{ kind: Kind }} event */
function isMark({ kind }) {
  return !UNMARKED.has(kind);
}

/** What is drawn of an event; null if it is nothing. @param {number} time @param {RecordedEvent} event @returns {Act | null} */
function actOf(time, { kind, id, by, text, place }) {
  if (kind === 'action') return text === 'attack' ? { time, kind: 'shot', player: id, by: id, text: '', place } : null;
  if (kind === 'hit') return text ? { time, kind, player: id, by, text, place } : null;
  return kind === 'took' ? { time, kind, player: id, by: id, text, place } : null;
}

/** Whether the list of events has it. @param {{ kind: Kind }} event */
function isListed({ kind }) {
  return isMark({ kind }) && kind !== 'despawned';
}

/** A player's name, or its game and number in a recording without names. @param {{ id: number, game: string, name: string }} player */
function nameOf({ id, game, name }) {
  return name || `${game} ${id % 0x100000000}`;
}

/** The text of an event in the list. @param {Kind} kind @param {string} text */
export function wordsOf(kind, text) {
  if (kind === 'chat') return ': ' + text;
  if (kind === 'announcement' || kind === 'flag' || kind === 'died') return text;
  if (kind === 'violation') return 'moved impossibly: ' + text;
  if (kind === 'level') return 'level ' + text;
  return text ? `${kind}: ${text}` : kind;
}
