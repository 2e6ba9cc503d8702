// The movements of the players in captures or a running session, on a timeline, drawn as on the live map.

import { Camera, corners } from '../map/camera.js';
import { controls } from '../map/controls.js';
import { Labels, labelsOf } from '../map/labels.js';
import { REST_MILLIS } from '../map/detail.js';
import { nearest, sampleAt } from '../map/track.js';
import { colours, find } from '../map/page.js';

/** @import { Body, Sample, Walker } from '../map/track.js' */
/** @import { Bounds } from '../map/mesh.js' */
/** @import { View } from '../map/camera.js' */
/** @import { Space } from '../map/space.js' */
/** @typedef {{ player: number, game: string, samples: number[][] }} Way as the server has it */

const GROUNDED = 1;
/** A body remains for this time after its last sample. */
const LINGER_SECONDS = 2;
/** A larger distance between two samples is a teleport. */
const MIN_LEAP_METRES = 6;
/** Minimum height of a drawn body. */
const MIN_BODY_PIXELS = 34;
const HEAD = 2.15;
/** At the end of a running session, the drawn time is this much earlier than the newest sample that is known, seconds. */
const DRAW_DELAY = 1;
/** The ways of a running session are drawn again after this time, milliseconds. */
const WAYS_PERIOD = 1000;

export class Moves {
  time = 0;
  /** @type {Walker[]} */
  players = [];
  /** @type {Body[]} */
  bodies = [];
  playing = false;
  /** The number of the followed player. @type {number | null} */
  followed = null;
  /** @type {Space | null} */
  #space = null;
  /** @type {Bounds} */
  #bounds = [0, 0, 0, 1, 1, 1];
  #labels = new Labels(find('labels', HTMLCanvasElement));
  #camera = new Camera();
  #colours = colours();
  #seconds = 1;
  #begun = false;
  #loading = false;
  /** The time of the newest sample, and when it was received. */
  #newest = -1;
  #received = 0;
  #drawn = 0;
  #last = 0;
  /** Counts changes besides those of time and camera. */
  #changes = 0;
  /** What the picture depends on, as it was drawn last, and when that was. */
  #picture = '';
  #pictured = 0;
  /** Whether the drawn time follows a running session. */
  atEnd = false;
  /** Called with the port of a player who was chosen by a button, or null. @type {(player: number | null) => void} */
  onChosen = () => {};

  /** Loads and shows the movements; of a running session, those since the last call.
   * @param {{ seconds: number, called: Record<string, string> }} summary
   * @param {boolean} live
   */
  async load({ seconds, called }, live) {
    if (this.#loading || this.#begun && !live) return;
    this.#loading = true;
    try {
      this.#seconds = Math.max(0.1, seconds, this.#newest);
      /** @type {{ from: number, ways: Way[] }} */
      const { from, ways } = await (await fetch('ways?since=' + this.#newest)).json();
      const added = this.#add(ways, called, live, from * 1000);
      find('clock').hidden = !this.players.length;
      find('time', HTMLInputElement).max = String(this.#seconds);
      if (!this.players.length) {
        find('none').textContent = live ? 'No movements yet: no packet has contained the position of a player.'
          : 'These captures have no movements: no packet contains the position of a player, or the packets are encrypted and there is no key (--key-log).';
        return;
      }
      if (!this.#begun) await this.#begin(live);
      else if (added) this.#change();
    } finally {
      this.#loading = false;
    }
  }

  /** Adds samples, and removes those before a time. @param {Way[]} ways @param {Record<string, string>} called @param {boolean} live @param {number} from milliseconds @returns {boolean} whether there are any */
  #add(ways, called, live, from) {
    for (const way of ways) {
      // In several captures, several players may have the same port.
      let player = this.players.find(each => live && each.id === way.player);
      if (!player) this.players.push(player = { id: way.player, game: way.game, stance: GROUNDED, name: '', samples: [] });
      append(player.samples, way.samples);
      this.#newest = Math.max(this.#newest, ...way.samples.slice(-1).map(([time]) => time));
      this.#received = performance.now();
    }
    for (const player of this.players) {
      player.name = called[player.id] ? called[player.id] : `${player.game} ${player.id}`;
      const old = live ? player.samples.findIndex(sample => sample.time >= from) : 0;
      if (old !== 0) player.samples.splice(0, old < 0 ? player.samples.length : old);
    }
    this.players = this.players.filter(player => player.samples.length);
    return ways.length > 0;
  }

  /** Draws what was added. */
  #change() {
    if (this.#space && performance.now() - this.#drawn >= WAYS_PERIOD) {
      this.#bounds = boundsOf(this.players);
      this.#level(this.#space);
    }
    if (find('who').textContent !== this.players.map(player => player.name).join('') + this.#grid) this.#buttons();
  }

  /** @param {boolean} live */
  async #begin(live) {
    this.#begun = true;
    find('none').textContent = '';
    if (!this.players.some(player => player.id === this.followed)) this.followed = null;
    const slider = find('time', HTMLInputElement);
    this.seek(live ? this.#newest : Math.min(this.#seconds, ...this.players.map(player => player.samples[0].time / 1000)));
    slider.addEventListener('input', () => {
      this.atEnd = false;
      this.seek(Number(slider.value));
    });
    find('play').addEventListener('click', () => this.play(!this.playing));
    for (const view of ['all', 'follow', 'eyes']) find('view-' + view).addEventListener('click', () => this.#look(/** @type {View} */ (view)));
    try {
      const { Space } = await import('../map/space.js');
      this.#space = new Space(find('scene', HTMLCanvasElement));
    } catch (failure) {
      find('none').textContent = 'The movements need WebGL: ' + (failure instanceof Error ? failure.message : failure);
      return;
    }
    this.#space.minBodyPixels = MIN_BODY_PIXELS;
    this.#bounds = boundsOf(this.players);
    // The longer side of the floor is horizontal, as the picture is wide.
    const [x0, y0, , x1, y1] = this.#bounds;
    [this.#camera.yaw, this.#camera.pitch] = x1 - x0 > y1 - y0 ? [78, -36] : [12, -36];
    this.#level(this.#space);
    this.#buttons();
    this.#camera.onMoved = () => this.#look('free');
    controls(find('stage'), this.#camera, null, {
      view: () => this.#look(this.#camera.view === 'follow' ? 'eyes' : this.#camera.view === 'eyes' ? 'all' : 'follow'),
      next: by => this.#next(by),
      free: () => this.#look('free'),
      all: () => this.#look('all'),
      pick: (x, y) => {
        const id = nearest(this.bodies, at => this.#screen(at, 1), x, y);
        if (id !== null) this.follow(id);
      },
    });
    // A hidden page's picture may be gone, and so is one whose graphics driver has restarted.
    document.addEventListener('visibilitychange', () => this.#changes++);
    find('scene').addEventListener('webglcontextrestored', () => this.#changes++);
    new ResizeObserver(() => this.#resize()).observe(find('stage'));
    this.#resize();
    this.#look(this.followed === null ? 'all' : 'follow');
    requestAnimationFrame(now => this.#frame(now));
  }

  /** Draws the floor and the tracks in the colours of the theme. @param {Space} space */
  #level(space) {
    this.#drawn = performance.now();
    space.sky(this.#colours.sky);
    space.level(this.#bounds, this.#colours.grid);
    space.tracks(this.players);
    this.#changes++;
  }

  get #grid() { return `Grid: ${this.#space?.step ?? 1} m`; }

  #buttons() {
    find('who').replaceChildren(...this.players.map(player => this.#button(player)), this.#grid);
    this.#press();
  }

  /** Applies the colours of the theme. */
  paint() {
    this.#colours = colours();
    if (this.#space) this.#level(this.#space);
  }

  /** @param {Walker} player */
  #button(player) {
    const made = document.createElement('button');
    made.type = 'button';
    made.className = player.game;
    made.dataset.player = String(player.id);
    made.textContent = player.name;
    made.title = `Follow ${player.name}, ${player.game}, port ${player.id}, and show only these lines; again: all`;
    made.addEventListener('click', () => {
      const again = this.followed === player.id;
      if (again) this.#look('all');
      else this.follow(player.id);
      this.onChosen(again ? null : player.id);
    });
    return made;
  }

  #resize() {
    const { width, height } = find('stage').getBoundingClientRect();
    if (!width || !height) return;
    const ratio = Math.min(2, devicePixelRatio);
    this.#space?.resize(width, height, ratio);
    this.#labels.resize(width, height, ratio);
    this.#changes++;
  }

  /** @param {View} view */
  #look(view) {
    if (view === 'all' || view === 'free') this.followed = null;
    else if (this.followed === null) this.followed = (this.bodies[0]?.player ?? this.players[0]).id;
    this.#camera.view = view;
    for (const each of ['all', 'follow', 'eyes']) find('view-' + each).setAttribute('aria-pressed', String(each === view));
    this.#press();
  }

  #press() {
    for (const button of find('who').querySelectorAll('button')) {
      button.setAttribute('aria-pressed', String(button.dataset.player === String(this.followed)));
    }
  }

  /** Follows the player of the filter, if there is one. @param {string} port */
  pick(port) {
    if (!this.#begun) this.followed = port ? Number(port) : null;
    else if (this.players.some(player => String(player.id) === port)) this.follow(Number(port));
  }

  /** @param {number} id */
  follow(id) {
    this.followed = id;
    this.#look(this.#camera.view === 'eyes' ? 'eyes' : 'follow');
  }

  /** @param {number} by */
  #next(by) {
    const at = this.players.findIndex(player => player.id === this.followed);
    const count = this.players.length;
    this.follow(this.players[at < 0 ? (by > 0 ? 0 : count - 1) : (at + by + count) % count].id);
  }

  /** @param {number} time seconds */
  seek(time) {
    this.time = Math.max(0, Math.min(this.#seconds, time));
    find('time', HTMLInputElement).value = String(this.time);
    find('at').textContent = this.time.toFixed(2) + ' s';
  }

  /** @param {boolean} on */
  play(on) {
    this.playing = on;
    if (on) this.atEnd = false;
    if (on && this.time >= this.#seconds) this.seek(0);
    find('play').setAttribute('aria-pressed', String(on));
    find('play').textContent = on ? 'Pause' : 'Play';
  }

  /** @param {Sample} at @param {number} height */
  #screen(at, height) {
    return this.#space ? this.#space.screen(at.x, at.y, at.z + height) : null;
  }

  /** @param {number} now */
  #frame(now) {
    requestAnimationFrame(next => this.#frame(next));
    const space = this.#space;
    if (!space || !space.isFree()) return;
    const seconds = Math.min(0.1, Math.max(0, now - this.#last) / 1000);
    this.#last = now;
    if (find('moves').hidden) return;
    if (this.atEnd) {
      const end = Math.min(this.#newest, this.#newest + (now - this.#received) / 1000 - DRAW_DELAY);
      // Samples come in lumps: the time goes on evenly, but for a large gap.
      this.seek(Math.abs(end - this.time) > DRAW_DELAY ? end : Math.min(this.#newest, this.time + seconds + (end - this.time) * seconds));
    } else if (this.playing) {
      this.seek(this.time + seconds);
      if (this.time >= this.#seconds) this.play(false);
    }
    const time = this.time * 1000;
    this.bodies = this.players.filter(({ samples }) => time >= samples[0].time && time <= samples[samples.length - 1].time + LINGER_SECONDS * 1000)
      .map(player => ({ player, at: sampleAt(player.samples, time), followed: player.id === this.followed,
        hidden: player.id === this.followed && this.#camera.view === 'eyes' }));
    if (this.#camera.view === 'all') this.#camera.frame(corners(this.#bounds), 'ways', space.camera, 1);
    this.#camera.update(seconds, this.bodies.find(body => body.followed) ?? null, space.camera);
    const names = this.players.map(player => player.name);
    const picture = [this.#changes, time, this.#newest, this.followed, ...space.camera.matrixWorld.elements.map(value => value.toFixed(4)), ...names].join();
    if (picture === this.#picture) {
      if (space.isCoarse && now - this.#pictured > REST_MILLIS) space.refine();
      return;
    }
    this.#picture = picture;
    this.#pictured = now;
    space.draw(this.bodies, time, true, false, false, []);
    const labels = labelsOf(this.bodies, at => this.#screen(at, HEAD * space.size(at)), this.#colours);
    for (const label of labels) if (label.followed) label.text = '▸ ' + label.text;
    this.#labels.draw(labels, this.#colours.back);
  }

  get view() { return this.#camera.view; }

  get drawn() { return this.#space ? this.#space.drawn() : []; }

  get labels() { return this.#labels.shown; }

  get matrix() { return this.#space ? this.#space.matrix : null; }
}

/** The bounds of all movements, with a margin. @param {Walker[]} players @returns {Bounds} */
function boundsOf(players) {
  const min = [Infinity, Infinity, Infinity], max = [-Infinity, -Infinity, -Infinity];
  for (const player of players) {
    for (const { x, y, z } of player.samples) {
      [x, y, z].forEach((value, i) => {
        min[i] = Math.min(min[i], value);
        max[i] = Math.max(max[i], value);
      });
    }
  }
  return [min[0] - 3, min[1] - 3, min[2], max[0] + 3, max[1] + 3, Math.max(max[2] + 3, min[2] + 4)];
}

/** Appends samples, converted to those of the live map: milliseconds, and whether the player teleported. @param {Sample[]} to @param {number[][]} rows */
function append(to, rows) {
  for (const [time, x, y, z, yaw, pitch] of rows) {
    const last = to.at(-1);
    to.push({ time: time * 1000, x, y, z, yaw, pitch, leaps: !!last && Math.hypot(x - last.x, y - last.y, z - last.z) > MIN_LEAP_METRES });
  }
}
