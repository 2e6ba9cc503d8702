// The movements of the players in the captures, on a timeline, drawn as on the live map.

import { Camera, corners } from '../map/camera.js';
import { controls } from '../map/controls.js';
import { Labels, labelsOf } from '../map/labels.js';
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
  #last = 0;

  /** Loads and shows the movements when the tab is opened first.
   * @param {number} seconds
   * @param {Record<string, string>} called
   */
  async begin(seconds, called) {
    if (this.#begun) return;
    this.#begun = true;
    this.#seconds = Math.max(0.1, seconds);
    /** @type {{ ways: Way[] }} */
    const { ways } = await (await fetch('ways')).json();
    this.players = ways.filter(way => way.samples.length).map(way => ({ id: way.player, game: way.game, stance: GROUNDED,
      name: called[way.player] ? called[way.player] : `${way.game} ${way.player}`, samples: samples(way.samples) }));
    if (!this.players.length) {
      find('none').textContent = 'These captures have no movements: no packet contains the position of a player, or the packets are encrypted'
+ ' and there is no key (--key-log).';
      find('clock').hidden = true;
      return;
    }
    const slider = find('time', HTMLInputElement);
    slider.max = String(this.#seconds);
    this.seek(Math.min(this.#seconds, ...this.players.map(player => player.samples[0].time / 1000)));
    slider.addEventListener('input', () => this.seek(Number(slider.value)));
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
    find('who').replaceChildren(...this.players.map(player => this.#button(player)), `Grid: ${this.#level(this.#space)} m`);
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
    new ResizeObserver(() => this.#resize()).observe(find('stage'));
    this.#resize();
    this.#look('all');
    requestAnimationFrame(now => this.#frame(now));
  }

  /** Draws the floor and the tracks in the colours of the theme; returns the step of the grid. @param {Space} space */
  #level(space) {
    space.sky(this.#colours.sky);
    space.level(this.#bounds, this.#colours.grid);
    space.tracks(this.players);
    return space.step;
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
    made.title = `Follow ${player.name}, ${player.game}, port ${player.id}`;
    made.addEventListener('click', () => this.follow(player.id));
    return made;
  }

  #resize() {
    const { width, height } = find('stage').getBoundingClientRect();
    if (!width || !height) return;
    const ratio = Math.min(2, devicePixelRatio);
    this.#space?.resize(width, height, ratio);
    this.#labels.resize(width, height, ratio);
  }

  /** @param {View} view */
  #look(view) {
    if (view === 'all' || view === 'free') this.followed = null;
    else if (this.followed === null) this.followed = (this.bodies[0]?.player ?? this.players[0]).id;
    this.#camera.view = view;
    for (const each of ['all', 'follow', 'eyes']) find('view-' + each).setAttribute('aria-pressed', String(each === view));
    for (const button of find('who').querySelectorAll('button')) {
      button.setAttribute('aria-pressed', String(button.dataset.player === String(this.followed)));
    }
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
    const seconds = Math.min(0.1, Math.max(0, now - this.#last) / 1000), space = this.#space;
    this.#last = now;
    requestAnimationFrame(next => this.#frame(next));
    if (find('moves').hidden || !space) return;
    if (this.playing) {
      this.seek(this.time + seconds);
      if (this.time >= this.#seconds) this.play(false);
    }
    const time = this.time * 1000;
    this.bodies = this.players.filter(({ samples }) => time >= samples[0].time && time <= samples[samples.length - 1].time + LINGER_SECONDS * 1000)
      .map(player => ({ player, at: sampleAt(player.samples, time), followed: player.id === this.followed,
        hidden: player.id === this.followed && this.#camera.view === 'eyes' }));
    if (this.#camera.view === 'all') this.#camera.frame(corners(this.#bounds), 'ways', space.camera, 1);
    this.#camera.update(seconds, this.bodies.find(body => body.followed) ?? null, space.camera);
    space.draw(this.bodies, time, true, false);
    this.#labels.draw(labelsOf(this.bodies, at => this.#screen(at, HEAD * space.size(at)), this.#colours), this.#colours.back);
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

/** Converts samples to those of the live map: milliseconds, and whether the player teleported. @param {number[][]} rows */
function samples(rows) {
  /** @type {Sample[]} */
  const made = [];
  for (const [time, x, y, z, yaw, pitch] of rows) {
    const last = made.at(-1);
    made.push({ time: time * 1000, x, y, z, yaw, pitch, leaps: !!last && Math.hypot(x - last.x, y - last.y, z - last.z) > MIN_LEAP_METRES });
  }
  return made;
}
