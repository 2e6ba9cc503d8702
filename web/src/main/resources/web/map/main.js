import { Feed } from './feed.js';
import { readMesh, sightIn } from './mesh.js';
import { Labels, labelsOf } from './labels.js';
import { Top } from './top.js';
import { Camera, around, corners } from './camera.js';
import { controls } from './controls.js';
import { side } from './side.js';
import { nearest } from './track.js';
import { colours, failures, find, help, theme } from './page.js';

/** @import { Body, Pixel, Sample } from './track.js' */
/** @import { View } from './camera.js' */
/** @import { Space } from './space.js' */

/** @type {View[]} */
const VIEWS = ['all', 'free', 'follow', 'eyes', 'top'];
const HEAD = 2.15;
/** Minimum height of a drawn body. */
const MIN_BODY_PIXELS = 26;
const stage = find('stage'), scene = find('scene');
const flat = document.createElement('canvas');
flat.hidden = true;
stage.insertBefore(flat, find('labels'));

const feed = new Feed();
const camera = new Camera();
const labels = new Labels(find('labels', HTMLCanvasElement));
const top = new Top(flat);
const views = [...document.querySelectorAll('[data-view]')].filter(each => each instanceof HTMLButtonElement);
/** @type {Space | null} */
let space = null;
/** The number of the followed player. @type {number | null} */
let followed = null;
/** Why the arena is not drawn. */
let arenaError = '';
let names = true, trails = true, drawnAt = 0, paints = colours();
/** @type {Body[]} */
let bodies = [];
/** @type {number[]} */
const frames = [];
/** @type {number[]} */
const work = [];

failures(text => {
  find('state').textContent = text;
  find('state').classList.add('lost');
});

/** Starts with the 3D view, or only the top view if there is no WebGL. */
async function begin() {
  try {
    if (new URLSearchParams(location.search).has('flat')) throw new Error('3D is switched off by the URL');
    const { Space } = await import('./space.js');
    space = new Space(find('scene', HTMLCanvasElement));
    space.minBodyPixels = MIN_BODY_PIXELS;
  } catch (failure) {
console.info(String(failure));
    for (const button of views) button.disabled = button.dataset.view !== 'top';
    look('top');
  }
  camera.onMoved = () => look('free');
  top.onMoved = () => follow(null);
  controls(stage, camera, top, { view: nextView, next: followNext, free: () => look(space ? 'free' : 'top'), all: () => look(space ? 'all' : 'top'), pick });
  new ResizeObserver(resize).observe(stage);
  resize();
  theme(paint);
  feed.addEventListener('level', level);
  feed.addEventListener('state', state);
  feed.addEventListener('players', hint);
  if (feed.level) level();
  state();
  requestAnimationFrame(frame);
}

function resize() {
  const { width, height } = stage.getBoundingClientRect();
  const ratio = Math.min(2, devicePixelRatio);
  for (const canvas of [space, top, labels]) canvas?.resize(Math.max(1, width), Math.max(1, height), ratio);
}

function paint() {
  paints = colours();
  space?.sky(paints.sky);
}

let shownLevel = '';
async function level() {
  if (!feed.level) return;
  const { name, title, bounds } = feed.level;
  find('level').textContent = title;
  const shown = name + bounds;
  if (shown === shownLevel) return;
  shownLevel = shown;
  arenaError = '';
  hint();
  top.level(bounds);
  camera.sight = () => 1;
  space?.level(bounds, paints.grid);
  if (!name) return;
  try {
    const answer = await fetch('scene/' + encodeURIComponent(name));
    if (answer.status === 404) return;
    if (!answer.ok) throw new Error(answer.statusText);
    const mesh = readMesh(await answer.arrayBuffer());
    if (shownLevel !== shown) return;
    top.mesh(mesh);
    space?.mesh(mesh);
    camera.sight = sightIn(mesh);
    document.documentElement.dataset.scene = name;
  } catch (failed) {
    if (shownLevel !== shown) return;
    arenaError = 'The arena could not be loaded: ' + (failed instanceof Error ? failed.message : failed);
    hint();
  }
}

function state() {
  const words = { connecting: 'connecting …', live: 'live', lost: 'Connection lost, reconnecting …' };
  find('state').textContent = words[feed.state];
  find('state').classList.toggle('lost', feed.state === 'lost');
}

/** Updates the text above the buttons: the followed player, and why the arena is not drawn. */
function hint() {
  const player = followed === null ? undefined : feed.players.get(followed);
  const following = !player ? '' : player.spawned ? 'following ' + player.name : player.name + ' is not spawned';
const text = [arenaError, following].filter(each => each).join(' · ');
  if (find('hint').textContent !== text) find('hint').textContent = text;
}

/** @param {View} view */
function look(view) {
  if (view === 'all' || view === 'free') follow(null);
  camera.view = view;
  if ((view === 'follow' || view === 'eyes') && (followed === null || !feed.players.get(followed)?.spawned)) followNext(1);
  for (const button of views) button.setAttribute('aria-pressed', String(button.dataset.view === view));
  top.middle = null;
  top.zoom = 1;
  scene.hidden = view === 'top';
  flat.hidden = view !== 'top';
}

function nextView() {
  if (space) look(VIEWS[(VIEWS.indexOf(camera.view) + 1) % VIEWS.length]);
}

/** @param {number | null} id */
function follow(id) {
  followed = id;
  table.mark(id);
  hint();
  if (id !== null && (camera.view === 'all' || camera.view === 'free')) look('follow');
}

/** @param {number} by */
function followNext(by) {
  const ids = [...feed.players.values()].filter(player => player.spawned).map(player => player.id);
  const at = followed === null ? (by > 0 ? -1 : 0) : ids.indexOf(followed);
  if (ids.length) follow(ids[(at + by + ids.length) % ids.length]);
}

/** The pixel of a body at a height above its feet. @param {Sample} at @param {number} height @returns {Pixel | null} */
function screen(at, height) {
  return camera.view === 'top' || !space ? top.screen(at) : space.screen(at.x, at.y, at.z + height);
}

/** @param {number} x @param {number} y */
function pick(x, y) {
  const id = nearest(bodies, at => screen(at, 1), x, y);
  if (id !== null) follow(id);
}

let last = performance.now();
/** @param {number} now */
function frame(now) {
  const seconds = Math.min(0.1, Math.max(0, now - last) / 1000);
  frames.push(now - last);
  if (frames.length > 600) frames.shift();
  last = now;
  const begun = performance.now();
  drawnAt = feed.now();
  bodies = [];
  /** @type {Body | null} */
  let target = null;
  for (const player of feed.players.values()) {
    const at = player.at(drawnAt);
    if (!at) continue;
    const body = { player, at, followed: player.id === followed, hidden: player.id === followed && camera.view === 'eyes' };
    if (body.followed) target = body;
    bodies.push(body);
  }
  if (followed !== null && !feed.players.has(followed)) follow(null);
  if (camera.view === 'top' || !space) {
    top.follow(target?.at ?? null);
    top.draw(bodies, drawnAt, paints, trails);
  } else {
    if (camera.view === 'all') frameAll(space, seconds);
    camera.update(seconds, target, space.camera);
    space.draw(bodies, drawnAt, trails, camera.view !== 'eyes');
  }
  labels.draw(names ? labelsOf(bodies, named, paints) : [], paints.back);
  work.push(performance.now() - begun);
  if (work.length > 600) work.shift();
  requestAnimationFrame(frame);
}

/** Frames all players, or the whole level if there are none. @param {Space} space @param {number} seconds */
function frameAll(space, seconds) {
  if (!feed.level) return;
  if (bodies.length) camera.frame(around(bodies), shownLevel + ' bodies', space.camera, seconds);
  else camera.frame(corners(feed.level.bounds), shownLevel, space.camera, seconds);
}

/** The pixel of a body's name. @param {Sample} at */
function named(at) {
  if (camera.view !== 'top' && space) return screen(at, HEAD * space.size(at));
  const { x, y } = top.screen(at);
  return { x, y: y - 18 };
}

const table = side(feed, id => follow(id));
for (const button of views) button.addEventListener('click', () => look(/** @type {View} */ (button.dataset.view)));
/** @param {string} id @param {(on: boolean) => void} act */
function toggle(id, act) {
  find(id).addEventListener('click', () => {
    const on = find(id).getAttribute('aria-pressed') !== 'true';
    find(id).setAttribute('aria-pressed', String(on));
    act(on);
  });
}
toggle('names', on => names = on);
toggle('trails', on => trails = on);
toggle('more', on => {
  document.body.classList.toggle('more', on);
  find('more').setAttribute('aria-expanded', String(on));
});
help();

/** The state of the page, for tests and debugging. */
Object.assign(window, { wishdir: Object.freeze({
  get state() { return feed.state; },
  get time() { return drawnAt; },
  /** The same time on the clock of this machine, in milliseconds since 1970. */
  get wall() { return performance.timeOrigin + drawnAt - (feed.ahead ?? 0); },
  get bytes() { return feed.bytes; },
  get pictures() { return feed.pictures; },
  get frames() { return [...frames]; },
  get work() { return [...work]; },
  get view() { return camera.view; },
  get followed() { return followed; },
  get labels() { return labels.shown; },
  get scene() { return document.documentElement.dataset.scene ?? ''; },
  get camera() { return space ? space.camera.position.toArray() : null; },
  get matrix() { return space ? space.matrix : null; },
  /** The centre of the top view. */
  get middle() { return top.middle; },
  /** The share of a line from one place to another up to the first wall. @param {[number, number, number]} from @param {[number, number, number]} to */
  sight(from, to) { return camera.sight(from, to); },
  get players() {
    const drawn = camera.view === 'top' || !space ? bodies.map(body => body.at) : space.drawn();
    return bodies.map(({ player, at }, i) => ({ id: player.id, game: player.game, name: player.name, yaw: at.yaw,
      x: drawn[i].x, y: drawn[i].y, z: drawn[i].z }));
  },
}) });
begin();
