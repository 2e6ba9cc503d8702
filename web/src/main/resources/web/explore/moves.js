// Where the players of the captures went, on a timeline, drawn as the live map draws its players.

import { Camera } from '../map/camera.js';
import { controls } from '../map/controls.js';

const BODIES = { sauerbraten: '#ffa52e', quake2: '#5fc93c', quake3: '#f4505c', bedrock: '#3fa9ff' };
const GROUNDED = 1;
/** Seconds after its last sample that a body stays. */
const STAYS = 2;
/** Metres between two samples that nobody walks. */
const LEAP = 6;
const find = id => document.getElementById(id);

export class Moves {
  time = 0;
  players = [];
  bodies = [];
  playing = false;
  #space = null;
  #camera = new Camera();
  #seconds = 1;
  #begun = false;
  #last = 0;

  /** Has what is shown, once it is wanted. */
  async begin(seconds, called) {
    if (this.#begun) return;
    this.#begun = true;
    this.#seconds = Math.max(0.1, seconds);
    const { ways } = await (await fetch('ways')).json();
    find('time').max = this.#seconds;
    this.players = ways.map(way => ({ ...way, stance: GROUNDED, samples: samples(way.samples) }));
    this.seek(Math.min(this.#seconds, ...this.players.map(player => player.samples[0].time / 1000)));
    find('time').addEventListener('input', () => this.seek(Number(find('time').value)));
    find('play').addEventListener('click', () => this.play(!this.playing));
    find('who').replaceChildren(...this.players.map(player => {
      const made = document.createElement('span');
      made.className = player.game;
      made.textContent = `${player.game} ${called[player.player] ?? ''} ${player.player}`;
      return made;
    }));
    if (!this.players.length) {
      find('who').textContent = 'The captures have nobody’s movements.';
      return;
    }
    try {
      const { Space } = await import('../map/space.js');
      this.#space = new Space(find('scene'));
    } catch (no) {
      find('who').textContent = 'The movements need WebGL: ' + no.message;
      return;
    }
    this.#space.sky('#26323f');
    const bounds = this.#bounds();
    this.#space.level(bounds);
    this.#camera.frame(bounds);
    controls(find('stage'), this.#camera, { drag() {}, zoom: 1 }, { view() {}, next() {}, free() {}, pick() {} });
    new ResizeObserver(() => this.#resize()).observe(find('stage'));
    this.#resize();
    requestAnimationFrame(now => this.#frame(now));
  }

  #bounds() {
    const least = [Infinity, Infinity, Infinity], most = [-Infinity, -Infinity, -Infinity];
    for (const player of this.players) {
      for (const { x, y, z } of player.samples) {
        [x, y, z].forEach((value, i) => {
          least[i] = Math.min(least[i], value);
          most[i] = Math.max(most[i], value);
        });
      }
    }
    return [least[0] - 3, least[1] - 3, least[2], most[0] + 3, most[1] + 3, Math.max(most[2] + 3, least[2] + 4)];
  }

  #resize() {
    const { width, height } = find('stage').getBoundingClientRect();
    if (width && height) this.#space.resize(width, height, Math.min(2, devicePixelRatio));
  }

  seek(time) {
    this.time = Math.max(0, Math.min(this.#seconds, time));
    find('time').value = this.time;
    find('at').textContent = this.time.toFixed(2) + ' s';
  }

  play(on) {
    this.playing = on;
    if (on && this.time >= this.#seconds) this.seek(0);
    find('play').setAttribute('aria-pressed', on);
    find('play').textContent = on ? 'Pause' : 'Play';
  }

  #frame(now) {
    const seconds = Math.min(0.1, (now - this.#last) / 1000);
    this.#last = now;
    requestAnimationFrame(next => this.#frame(next));
    if (find('moves').hidden) return;
    if (this.playing) {
      this.seek(this.time + seconds);
      if (this.time >= this.#seconds) this.play(false);
    }
    const time = this.time * 1000;
    this.bodies = this.players.map(player => ({ player, at: at(player.samples, time), hidden: false })).filter(body => body.at);
    this.#camera.update(seconds, null, this.#space.camera);
    this.#space.draw(this.bodies, time, { bodies: BODIES }, true);
  }

  get drawn() { return this.#space ? this.#space.drawn() : []; }
}

/** As the live map has them: milliseconds, and whether one came there without walking. */
function samples(rows) {
  const made = [];
  for (const [time, x, y, z, yaw, pitch] of rows) {
    const last = made.at(-1);
    made.push({ time: time * 1000, x, y, z, yaw, pitch, leaps: !!last && Math.hypot(x - last.x, y - last.y, z - last.z) > LEAP });
  }
  return made;
}

function at(samples, time) {
  if (time < samples[0].time || time > samples.at(-1).time + STAYS * 1000) return null;
  let low = 0, high = samples.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (samples[middle].time <= time) low = middle;
    else high = middle - 1;
  }
  const before = samples[low], after = samples[low + 1];
  if (!after || after.leaps) return { ...before, time };
  const part = (time - before.time) / (after.time - before.time), mix = (a, b) => a + (b - a) * part;
  const turn = ((after.yaw - before.yaw) % 360 + 540) % 360 - 180;
  return { time, x: mix(before.x, after.x), y: mix(before.y, after.y), z: mix(before.z, after.z), yaw: before.yaw + turn * part, pitch: mix(before.pitch, after.pitch) };
}
