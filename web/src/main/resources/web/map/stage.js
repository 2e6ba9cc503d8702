// The picture of players in a level, in 3D or from above: views, names, following. The pages of the live map and of recordings have it.

import { readMesh, sightIn } from './mesh.js';
import { Labels, labelsOf } from './labels.js';
import { Top } from './top.js';
import { Camera, around, corners } from './camera.js';
import { controls } from './controls.js';
import { drawingOf } from './acts.js';
import { marksOf } from './flags.js';
import { REST_MILLIS } from './detail.js';
import { nearest, TRAIL } from './track.js';
import { colours, find, theme } from './page.js';

/** @import { Act, Note, Ray } from './acts.js' */
/** @import { Flag } from './flags.js' */
/** @import { Body, Pixel, Sample, Walker } from './track.js' */
/** @import { Label } from './labels.js' */
/** @import { View } from './camera.js' */
/** @import { Space } from './space.js' */
/** @import { Bounds } from './mesh.js' */
/** @typedef {{ name: string, title: string, bounds: Bounds }} Level */
/** A player: its newest state, and its position at a time, which is null without a body.
 * @typedef {Walker & { spawned: boolean, at(time: number): Sample | null }} StagePlayer */
/** Where the players come from, and what they do. It dispatches 'level' and 'players', and 'jump' if all of them are somewhere else at once; it is not ready before that.
 * @typedef {EventTarget & { players: ReadonlyMap<number, StagePlayer>, level: Level | null, acts?: readonly Act[], flags?: readonly Flag[], ready?: boolean, now(): number }} Source */

/** @type {View[]} */
const VIEWS = ['all', 'free', 'follow', 'eyes', 'top'];
const HEAD = 2.15;
/** Minimum height of a drawn body. */
const MIN_BODY_PIXELS = 26;
/** Number of frames of which the durations are kept. */
const FRAMES = 600;

export class Stage {
  /** The drawn time. */
  time = 0;
  /** The number of the followed player. @type {number | null} */
  followed = null;
  /** Durations of the last frames, and of the script in them, milliseconds. @type {number[]} */
  frames = [];
  /** @type {number[]} */
  work = [];
  /** Called before each frame. @type {(seconds: number) => void} */
  onFrame = () => {};
  /** Called after each frame, also one that needed no new picture. */
  onDrawn = () => {};
  /** Called with the number of the player that is followed from now on. @type {(id: number | null) => void} */
  onFollow = () => {};
  #source;
  #scene;
  #camera = new Camera();
  #labels = new Labels(find('labels', HTMLCanvasElement));
  #flat = document.createElement('canvas');
  #top;
  #buttons = [...document.querySelectorAll('[data-view]')].filter(each => each instanceof HTMLButtonElement);
  /** @type {Space | null} */
  #space = null;
  /** Why the arena is not drawn. */
  #arenaError = '';
  #names = true;
  #trails = true;
  #paints = colours();
  /** @type {Body[]} */
  #bodies = [];
  #shownLevel = '';
  #last = performance.now();
  /** Counts changes besides those of time and camera. */
  #changes = 0;
  /** What the picture depends on, as it was drawn last, when that was, and how often. */
  #drawn = '';
  #drawnAt = 0;
  #updates = 0;
  #drawings = 0;
  /** Whether the next picture is the first one after a jump in time. */
  #jumped = false;
  /** What was drawn of shots, hits and items. @type {Ray[]} */
  #rays = [];
  /** @type {Note[]} */
  #notes = [];
  /** The words of the flags that were drawn. @type {Note[]} */
  #flags = [];

  /**
   * @param {Source} source
   * @param {(name: string) => string | null} scene the URL of a level's geometry, null if there is none
   */
  constructor(source, scene) {
    this.#source = source;
    this.#scene = scene;
    this.#flat.hidden = true;
    find('stage').insertBefore(this.#flat, find('labels'));
    this.#top = new Top(this.#flat);
    for (const button of this.#buttons) button.addEventListener('click', () => this.#look(/** @type {View} */ (button.dataset.view)));
    toggle('names', on => {
      this.#names = on;
      this.#changes++;
    });
    toggle('trails', on => {
      this.#trails = on;
      this.#changes++;
    });
    // A hidden page's picture may be gone, and so is one whose graphics driver has restarted.
    document.addEventListener('visibilitychange', () => this.#changes++);
    find('scene').addEventListener('webglcontextrestored', () => this.#changes++);
  }

  /** Starts with the 3D view, or only the top view if there is no WebGL. */
  async begin() {
    try {
      if (new URLSearchParams(location.search).has('flat')) throw new Error('3D is switched off by the URL');
      const { Space } = await import('./space.js');
      this.#space = new Space(find('scene', HTMLCanvasElement));
      this.#space.minBodyPixels = MIN_BODY_PIXELS;
    } catch (failure) {
      console.info(String(failure));
      for (const button of this.#buttons) button.disabled = button.dataset.view !== 'top';
      this.#look('top');
    }
    this.#camera.onMoved = () => this.#look('free');
    this.#top.onMoved = () => this.follow(null);
    controls(find('stage'), this.#camera, this.#top, {
      view: () => { if (this.#space) this.#look(VIEWS[(VIEWS.indexOf(this.#camera.view) + 1) % VIEWS.length]); },
      next: by => this.#followNext(by),
      free: () => this.#look(this.#space ? 'free' : 'top'),
      all: () => this.#look(this.#space ? 'all' : 'top'),
      pick: (x, y) => {
        const id = nearest(this.#bodies, at => this.#screen(at, 1), x, y);
        if (id !== null) this.follow(id);
      },
    });
    new ResizeObserver(() => this.#resize()).observe(find('stage'));
    this.#resize();
    theme(() => {
      this.#paints = colours();
      this.#space?.sky(this.#paints.sky);
      this.#changes++;
    });
    this.#source.addEventListener('level', () => this.#level());
    this.#source.addEventListener('jump', () => {
      this.#camera.jump();
      this.#jumped = true;
    });
    this.#source.addEventListener('players', () => this.#hint());
    if (this.#source.level) this.#level();
    requestAnimationFrame(now => this.#frame(now));
  }

  #resize() {
    const { width, height } = find('stage').getBoundingClientRect();
    const ratio = Math.min(2, devicePixelRatio);
    for (const canvas of [this.#space, this.#top, this.#labels]) canvas?.resize(Math.max(1, width), Math.max(1, height), ratio);
    this.#changes++;
  }

  async #level() {
    if (!this.#source.level) return;
    const { name, title, bounds } = this.#source.level;
    find('level').textContent = title;
    const shown = name + bounds;
    if (shown === this.#shownLevel) return;
    this.#shownLevel = shown;
    this.#arenaError = '';
    this.#hint();
    this.#top.level(bounds);
    this.#camera.sight = () => 1;
    this.#space?.level(bounds, this.#paints.grid);
    this.#changes++;
    const url = name ? this.#scene(name) : null;
    if (url === null) return;
    try {
      const answer = await fetch(url);
      if (answer.status === 404) return;
      if (!answer.ok) throw new Error(answer.statusText);
      const mesh = readMesh(await answer.arrayBuffer());
      if (this.#shownLevel !== shown) return;
      this.#top.mesh(mesh);
      this.#space?.mesh(mesh);
      this.#camera.sight = sightIn(mesh);
      this.#changes++;
      document.documentElement.dataset.scene = name;
    } catch (failed) {
      if (this.#shownLevel !== shown) return;
      this.#arenaError = 'The arena could not be loaded: ' + (failed instanceof Error ? failed.message : failed);
      this.#hint();
    }
  }

  /** Updates the text above the buttons: the followed player, and why the arena is not drawn. */
  #hint() {
    const player = this.followed === null ? undefined : this.#source.players.get(this.followed);
    const following = !player ? '' : player.spawned ? 'following ' + player.name : player.name + ' is not spawned';
    const text = [this.#arenaError, following].filter(each => each).join(' · ');
    if (find('hint').textContent !== text) find('hint').textContent = text;
  }

  /** @param {View} view */
  #look(view) {
    if (view === 'all' || view === 'free') this.follow(null);
    this.#camera.view = view;
    const isGone = this.followed === null || !this.#source.players.get(this.followed)?.spawned;
    if ((view === 'follow' || view === 'eyes') && isGone) this.#followNext(1);
    for (const button of this.#buttons) button.setAttribute('aria-pressed', String(button.dataset.view === view));
    this.#top.middle = null;
    this.#top.zoom = 1;
    find('scene').hidden = view === 'top';
    this.#flat.hidden = view !== 'top';
    this.#changes++;
  }

  /** @param {number | null} id */
  follow(id) {
    this.followed = id;
    this.#changes++;
    this.onFollow(id);
    this.#hint();
    if (id !== null && (this.#camera.view === 'all' || this.#camera.view === 'free')) this.#look('follow');
  }

  /** @param {number} by */
  #followNext(by) {
    const ids = [...this.#source.players.values()].filter(player => player.spawned).map(player => player.id);
    const at = this.followed === null ? (by > 0 ? -1 : 0) : ids.indexOf(this.followed);
    if (ids.length) this.follow(ids[(at + by + ids.length) % ids.length]);
  }

  /** The pixel of a body at a height above its feet. @param {Sample} at @param {number} height @returns {Pixel | null} */
  #screen(at, height) {
    const space = this.#space;
    return this.#camera.view === 'top' || !space ? this.#top.screen(at) : space.screen(at.x, at.y, at.z + height);
  }

  /** @param {number} now */
  #frame(now) {
    // First: a defect in one picture must not be the last one.
    requestAnimationFrame(next => this.#frame(next));
    const space = this.#space, camera = this.#camera;
    if (space && camera.view !== 'top' && !space.isFree()) return;
    const seconds = Math.min(0.1, Math.max(0, now - this.#last) / 1000);
    keep(this.frames, now - this.#last);
    this.#last = now;
    const begun = performance.now();
    this.onFrame(seconds);
    this.time = this.#source.now();
    this.#bodies = [];
    /** @type {Body | null} */
    let target = null;
    for (const player of this.#source.players.values()) {
      const at = player.at(this.time);
      if (!at) continue;
      const followed = player.id === this.followed, body = { player, at, followed, hidden: followed && camera.view === 'eyes' };
      if (followed) target = body;
      this.#bodies.push(body);
    }
    if (this.followed !== null && !this.#source.players.has(this.followed)) this.follow(null);
    const flat = camera.view === 'top' || !space;
    if (flat) this.#top.follow(target?.at ?? null);
    else {
      if (camera.view === 'all') this.#frameAll(space, seconds);
      camera.update(seconds, target, space.camera);
    }
    const { rays, notes } = drawingOf(this.#source.acts ?? [], this.#source.players, this.time, camera.sight);
    const flags = marksOf(this.#source.flags ?? [], this.#source.players, this.time);
    const look = flat ? [this.#top.middle?.x, this.#top.middle?.y, this.#top.zoom] : space.camera.matrixWorld.elements;
    // Time changes neither bodies nor trails where no player has moved lately.
    const moves = this.#bodies.some(({ player: { samples } }) => samples[samples.length - 1].time > this.time - TRAIL);
    const names = this.#bodies.map(({ player }) => [player.id, player.game, player.name, player.stance, player.team, player.health, player.quad]);
    const picture = [this.#changes, moves || rays.length || notes.length ? this.time : '', ...Array.from(look, value => value?.toFixed(4)), ...names,
      ...flags.notes.map(({ text, place }) => text + place)].join();
    // To draw the same picture again would take time from what reads the next one, and the user's battery.
    if (picture !== this.#drawn) {
      this.#drawn = picture;
      this.#drawnAt = now;
      this.#drawings++;
      if (flat) this.#top.draw(this.#bodies, this.time, this.#paints, this.#trails, [...flags.rays, ...rays]);
      else space.draw(this.#bodies, this.time, this.#trails, camera.view !== 'eyes', this.#jumped, [...flags.rays, ...rays]);
      this.#jumped = false;
      this.#rays = rays;
      this.#notes = notes;
      this.#flags = flags.notes;
      this.#labels.draw(this.#names ? [...labelsOf(this.#bodies, at => this.#named(at), this.#paints), ...this.#noted([...flags.notes, ...notes])] : [], this.#paints.back);
    } else if (!flat && space.isCoarse && this.#source.ready !== false && now - this.#drawnAt > REST_MILLIS) {
      space.refine();
    }
    this.#updates++;
    this.onDrawn();
    keep(this.work, performance.now() - begun);
  }

  /** Frames all players, or the whole level if there are none. @param {Space} space @param {number} seconds */
  #frameAll(space, seconds) {
    const { level } = this.#source;
    if (!level) return;
    if (this.#bodies.length) this.#camera.frame(around(this.#bodies), this.#shownLevel + ' bodies', space.camera, seconds);
    else this.#camera.frame(corners(level.bounds), this.#shownLevel, space.camera, seconds);
  }

  /** The labels of words at places. @param {Note[]} notes @returns {Label[]} */
  #noted(notes) {
    const space = this.#camera.view === 'top' ? null : this.#space;
    return notes.flatMap(({ id, place: [x, y, z], text, hue }) => {
      /** @type {Pixel | null} */
      const pixel = space ? space.screen(x, y, z) : this.#top.screen({ x, y });
      return pixel ? [{ id, text, x: pixel.x, y: pixel.y, far: pixel.far ?? 0, colour: this.#paints[hue] ?? this.#paints.text, followed: false }] : [];
    });
  }

  /** The pixel of a body's name. @param {Sample} at */
  #named(at) {
    if (this.#camera.view !== 'top' && this.#space) return this.#screen(at, HEAD * this.#space.size(at));
    const { x, y } = this.#top.screen(at);
    return { x, y: y - 18 };
  }

  /** What is drawn, for tests and debugging. */
  published() {
    const stage = this;
    return {
      get time() { return stage.time; },
      get frames() { return [...stage.frames]; },
      get work() { return [...stage.work]; },
      /** The number of updates of camera and bodies: fewer than frames where the GPU is busy. */
      get updates() { return stage.#updates; },
      /** The number of drawn pictures. */
      get drawings() { return stage.#drawings; },
      /** Whether the last picture has less than full detail. */
      get coarse() { return stage.#space?.isCoarse ?? false; },
      get view() { return stage.#camera.view; },
      get followed() { return stage.followed; },
      get labels() { return stage.#labels.shown; },
      get rays() { return stage.#rays; },
      get notes() { return stage.#notes.map(({ text }) => text); },
      /** Where the flags are drawn. */
      get flags() { return stage.#flags.map(({ hue, text, place }) => ({ team: hue, text, place })); },
      get scene() { return document.documentElement.dataset.scene ?? ''; },
      get camera() { return stage.#space ? stage.#space.camera.position.toArray() : null; },
      get matrix() { return stage.#space ? stage.#space.matrix : null; },
      /** The centre of the top view. */
      get middle() { return stage.#top.middle; },
      /** The share of a line from one place to another up to the first wall. @param {[number, number, number]} from @param {[number, number, number]} to */
      sight(from, to) { return stage.#camera.sight(from, to); },
      get players() {
        const drawn = stage.#camera.view === 'top' || !stage.#space ? stage.#bodies.map(body => body.at) : stage.#space.drawn();
        return stage.#bodies.map(({ player, at }, i) => ({ id: player.id, game: player.game, name: player.name, yaw: at.yaw,
          x: drawn[i].x, y: drawn[i].y, z: drawn[i].z }));
      },
    };
  }
}

/** @param {number[]} values @param {number} value */
function keep(values, value) {
  values.push(value);
  if (values.length > FRAMES) values.shift();
}

/** Sets up a button that switches something on and off. @param {string} id @param {(on: boolean) => void} act */
export function toggle(id, act) {
  find(id).addEventListener('click', () => {
    const on = find(id).getAttribute('aria-pressed') !== 'true';
    find(id).setAttribute('aria-pressed', String(on));
    act(on);
  });
}

/** Sets up the button that opens the list of players on a small screen. */
export function more() {
  toggle('more', on => {
    document.body.classList.toggle('more', on);
    find('more').setAttribute('aria-expanded', String(on));
  });
}

/** Publishes the state of a page as window.wishdir. @param {object[]} parts */
export function publish(...parts) {
  const all = Object.assign({}, ...parts.map(part => Object.getOwnPropertyDescriptors(part)));
  Object.assign(window, { wishdir: Object.freeze(Object.defineProperties({}, all)) });
}
