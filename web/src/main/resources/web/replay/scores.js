// The scores of a recording at a time, made of all their changes up to it.

/** @import { Board, Match } from '../map/feed.js' */
/** A change of the scores: milliseconds, its kind, then of a round: mode, unit, limit and columns; of the end of one: the winner; of a score: player, frags, deaths, and in a match
 * of teams the team and its score; of a run: player, milliseconds, the same as text, game and name. After 'lost' the scores are not known.
 * @typedef {[number, 'round', string, string, number, string[]] | [number, 'end', string] | [number, 'score', number, number, number, string?, number?]
 *   | [number, 'team', number, string] | [number, 'capture', number] | [number, 'run', number, number, string, string, string] | [number, 'lost']} Change */
/** Of a player in a round; undefined is not known. @typedef {{ frags?: number, deaths?: number, captures: number, millis: number, time: string }} Score */
/** @typedef {{ id: number, game: string, name: string, spawned: boolean }} Scorer */

const MAX_ROWS = 16;
const UNKNOWN = '–';
/** Players of this node are ghosts, which have no scores. */
const GHOST_NODE = 1;
const RACE = ['points', 'time'];

export class Scores {
  /** Null if the start of the round is not known. @type {Match | null} */
  match = null;
  /** Of players. @type {Map<number, string>} */
  teams = new Map();
  #changes;
  /** The number of changes that are counted. */
  #counted = 0;
  /** @type {string[] | null} */
  #columns = null;
  #isPlaying = false;
  /** @type {Map<number, Score>} */
  #scores = new Map();
  /** Of the teams. @type {Map<string, number>} */
  #points = new Map();
  /** By game and name. @type {Map<string, { millis: number, time: string, game: string, name: string }>} */
  #best = new Map();

  /** @param {readonly Change[]} changes in the order of time */
  constructor(changes) {
    this.#changes = changes;
    this.#clear();
  }

  #clear() {
    this.match = this.#columns = null;
    this.#counted = 0;
    this.#isPlaying = false;
    for (const each of [this.teams, this.#scores, this.#best]) each.clear();
    this.#points = new Map([['red', 0], ['blue', 0]]);
  }

  /** Goes to a time; a later one needs only the changes since. Returns whether there was any. @param {number} time milliseconds */
  goTo(time) {
    const changes = this.#changes, before = this.#counted;
    if (before > 0 && changes[before - 1][0] > time) this.#clear();
    while (this.#counted < changes.length && changes[this.#counted][0] <= time) this.#count(changes[this.#counted++]);
    return this.#counted !== before;
  }

  /** The score of a player without any. @returns {Score} */
  #none() {
    const known = this.match ? 0 : undefined;
    return { frags: known, deaths: known, captures: 0, millis: Infinity, time: UNKNOWN };
  }

  /** @param {number} id */
  #of(id) {
    let score = this.#scores.get(id);
    if (!score) this.#scores.set(id, score = this.#none());
    return score;
  }

  /** Counts a change. By index, as there may be many: to take an array apart is slow. @param {Change} change */
  #count(change) {
    switch (change[1]) {
      case 'round':
        this.match = { mode: change[2], phase: 'playing', round: 0, limit: change[4], unit: change[3], teams: [], winner: '' };
        this.#columns = change[5];
        this.#isPlaying = true;
        this.#scores.clear();
        for (const team of this.#points.keys()) this.#points.set(team, 0);
        break;
      case 'end':
        if (this.match) [this.match.phase, this.match.winner] = ['the round is over', change[2]];
        this.#isPlaying = false;
        break;
      case 'score': {
        const id = change[2], team = change[5];
        // Before a round starts, all that it has had before is void.
        if (!this.#isPlaying && change[3] === 0 && change[4] === 0) this.#scores.delete(id);
        const score = this.#of(id);
        score.frags = change[3];
        score.deaths = change[4];
        if (team !== undefined) {
          this.teams.set(id, team);
          this.#points.set(team, change[6] ?? 0);
        }
        break;
      }
      case 'team': this.teams.set(change[2], change[3]); break;
      case 'capture': if (this.#isPlaying) this.#of(change[2]).captures++; break;
      case 'run': {
        const [, , id, millis, time, game, name] = change, key = game + ' ' + name;
        this.#columns ??= RACE;
        if (this.#isPlaying && millis < this.#of(id).millis) Object.assign(this.#of(id), { millis, time });
        if (millis < (this.#best.get(key)?.millis ?? Infinity)) this.#best.set(key, { millis, time, game, name });
        break;
      }
      case 'lost': this.match = null;
    }
  }

  /** The boards, for which the match gets the scores of its teams; none without a match, and if its scores are not known.
   * @param {Iterable<Scorer>} players that are there
   * @param {boolean} hasFlags whether it is a match with flags, where its start is not recorded
   * @returns {Board[]}
   */
  boards(players, hasFlags) {
    if (this.#counted === 0 || this.#changes[this.#counted - 1][1] === 'lost') return [];
    if (this.match && this.teams.size > 0) this.match.teams = [...this.#points];
    const columns = this.#columns ?? [hasFlags ? 'points' : 'frags', 'deaths'];
    const listed = [...players].filter(({ id, spawned }) => Math.floor(id / 0x100000000) !== GHOST_NODE && (spawned || this.#scores.has(id)));
    const rows = listed.map(({ id, game, name }) => ({ id, game, name, score: this.#scores.get(id) ?? this.#none() }))
      .sort((a, b) => (b.score.frags ?? -Infinity) - (a.score.frags ?? -Infinity) || (a.score.deaths ?? 0) - (b.score.deaths ?? 0)).slice(0, MAX_ROWS);
    /** @param {Score} score @param {string} column */
    const value = ({ frags, deaths, captures, time }, column) => String((column === 'time' ? time : column === 'captures' ? captures : column === 'deaths' ? deaths : frags) ?? UNKNOWN);
    const boards = [{ title: 'Scores', columns, rows: rows.map(({ id, game, name, score }) => ({ id, game, name, values: columns.map(column => value(score, column)) })) }];
    if (columns.includes('time')) {
      const times = [...this.#best.values()].sort((a, b) => a.millis - b.millis).slice(0, MAX_ROWS);
      boards.push({ title: 'Best times', columns: ['time'], rows: times.map(({ game, name, time }) => ({ id: 0, game, name, values: [time] })) });
    }
    return boards;
  }
}
