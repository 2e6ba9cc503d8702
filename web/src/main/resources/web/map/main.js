import { Feed } from './feed.js';
import { readMesh } from './mesh.js';
import { Labels } from './labels.js';
import { Top } from './top.js';
import { Camera } from './camera.js';
import { controls } from './controls.js';
import { side } from './side.js';

const VIEWS = ['free', 'follow', 'eyes', 'top'];
const GAMES = ['sauerbraten', 'quake2', 'quake3', 'bedrock'];
/** Of the bodies, by day and by night. */
const BODIES = { sauerbraten: '#ffa52e', quake2: '#5fc93c', quake3: '#f4505c', bedrock: '#3fa9ff' };
const HEAD = 2.15;
const find = id => document.getElementById(id);
const stage = find('stage');

const feed = new Feed();
const camera = new Camera();
const labels = new Labels(find('labels'));
let space = null, top = null, followed = null, names = true, trails = true, colours = {}, bodies = [], drawnAt = 0;
const frames = [];

/** Three dimensions where there is WebGL, which is loaded then alone; from above where not. */
async function begin() {
  const flat = document.createElement('canvas');
  flat.hidden = true;
  stage.insertBefore(flat, find('labels'));
  top = new Top(flat);
  try {
    if (new URLSearchParams(location.search).has('flat')) throw new Error('no third dimension is wanted');
    const { Space } = await import('./space.js');
    space = new Space(find('scene'));
  } catch (no) {
    console.info(String(no));
    for (const button of document.querySelectorAll('[data-view]')) button.disabled = button.dataset.view !== 'top';
    look('top');
  }
  controls(stage, camera, top, { view: nextView, next: followNext, free: () => { follow(null); look('free'); }, pick });
  new ResizeObserver(resize).observe(stage);
  paint();
  feed.addEventListener('level', level);
  feed.addEventListener('state', state);
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
  const style = getComputedStyle(document.documentElement);
  colours = { bodies: BODIES, back: style.getPropertyValue('--back').trim(), text: style.getPropertyValue('--text').trim(), dim: style.getPropertyValue('--dim').trim() };
  for (const game of GAMES) colours[game] = style.getPropertyValue('--' + game).trim();
  space?.sky(document.documentElement.classList.contains('light') ? '#b9d3ee' : '#26323f');
}

let shownLevel = '';
async function level() {
  const { name, title, bounds } = feed.level;
  find('level').textContent = title;
  if (name + bounds === shownLevel) return;
  shownLevel = name + bounds;
  top.level(bounds);
  camera.frame(bounds, stage.clientWidth / stage.clientHeight);
  space?.level(bounds);
  if (!name) return;
  try {
    const answer = await fetch('scene/' + encodeURIComponent(name));
    if (answer.status === 404) return;
    if (!answer.ok) throw new Error(answer.statusText);
    const mesh = readMesh(await answer.arrayBuffer());
    if (shownLevel !== name + bounds) return;
    top.mesh(mesh);
    space?.mesh(mesh);
    if (mesh.surfaces) camera.frame(mesh.bounds, stage.clientWidth / stage.clientHeight);
    document.documentElement.dataset.scene = name;
  } catch (failed) {
    find('hint').textContent = 'The arena could not be had: ' + failed.message;
  }
}

function state() {
  const words = { connecting: 'connecting …', live: 'live', lost: 'The connection is lost; trying again …' };
  find('state').textContent = words[feed.state];
  find('state').classList.toggle('lost', feed.state === 'lost');
}

function look(view) {
  if ((view === 'follow' || view === 'eyes') && !feed.players.get(followed)?.spawned) followNext(1);
  camera.view = view;
  for (const button of document.querySelectorAll('[data-view]')) button.setAttribute('aria-pressed', button.dataset.view === view);
  top.middle = null;
  find('scene').hidden = view === 'top';
  document.querySelector('#stage canvas:not([id])').hidden = view !== 'top';
}

function nextView() {
  if (space) look(VIEWS[(VIEWS.indexOf(camera.view) + 1) % VIEWS.length]);
}

function follow(id) {
  followed = id;
  table.mark(id);
  const player = feed.players.get(id);
  find('hint').textContent = player ? 'with ' + player.name : '';
  if (player && camera.view === 'free') look('follow');
}

function followNext(by) {
  const ids = [...feed.players.values()].filter(player => player.spawned).map(player => player.id);
  if (ids.length) follow(ids[(ids.indexOf(followed) + by + ids.length) % ids.length]);
}

/** The body that is nearest to a place that was touched. */
function pick(x, y) {
  let best = null, least = 40;
  for (const { player, at } of bodies) {
    const place = camera.view === 'top' ? top.screen(at) : space.screen(at.x, at.y, at.z + 1);
    const far = place ? Math.hypot(place.x - x, place.y - y) : Infinity;
    if (far < least) [best, least] = [player.id, far];
  }
  if (best !== null) follow(best);
}

let last = performance.now();
function frame(now) {
  const seconds = Math.min(0.1, (now - last) / 1000);
  frames.push(now - last);
  if (frames.length > 600) frames.shift();
  last = now;
  const begun = performance.now();
  drawnAt = feed.now();
  bodies = [];
  let target = null;
  for (const player of feed.players.values()) {
    const at = player.at(drawnAt);
    if (!at) continue;
    const body = { player, at, followed: player.id === followed, hidden: player.id === followed && camera.view === 'eyes' };
    if (body.followed) target = body;
    bodies.push(body);
  }
  if (followed !== null && !feed.players.has(followed)) follow(null);
  if (camera.view === 'top') {
    if (target) top.middle = top.zoom > 1 ? target.at : null;
    top.draw(bodies, drawnAt, colours, trails);
  } else {
    camera.update(seconds, target, space.camera);
    space.draw(bodies, drawnAt, colours, trails);
  }
  labels.draw(names ? places() : [], colours.back);
  work.push(performance.now() - begun);
  if (work.length > 600) work.shift();
  requestAnimationFrame(frame);
}
const work = [];

function places() {
  const found = [];
  for (const { player, at, followed: is, hidden } of bodies) {
    const flat = camera.view === 'top';
    const place = hidden ? null : flat ? top.screen(at) : space.screen(at.x, at.y, at.z + HEAD);
    if (!place) continue;
    found.push({ id: player.id, text: player.name, x: place.x, y: flat ? place.y - 18 : place.y, far: place.far ?? 0,
      colour: colours[player.game] ?? colours.text, followed: is });
  }
  return found;
}

const table = side(feed, id => follow(id));
for (const button of document.querySelectorAll('[data-view]')) button.addEventListener('click', () => look(button.dataset.view));
function toggle(id, act) {
  find(id).addEventListener('click', () => {
    const on = find(id).getAttribute('aria-pressed') !== 'true';
    find(id).setAttribute('aria-pressed', on);
    act(on);
  });
}
toggle('names', on => names = on);
toggle('trails', on => trails = on);
toggle('light', light);
toggle('more', on => {
  document.body.classList.toggle('more', on);
  find('more').setAttribute('aria-expanded', on);
});

function light(on) {
  document.documentElement.classList.toggle('light', on);
  document.documentElement.dataset.chosen = on;
  find('light').setAttribute('aria-pressed', on);
  paint();
}

/** To be read by tests and the curious: what is drawn at this moment. */
window.wishdir = Object.freeze({
  get state() { return feed.state; },
  get time() { return drawnAt; },
  /** The same on the clock of this machine, milliseconds since 1970. */
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
  get players() {
    const drawn = camera.view === 'top' || !space ? bodies.map(body => body.at) : space.drawn();
    return bodies.map(({ player, at }, i) => ({ id: player.id, game: player.game, name: player.name, yaw: at.yaw,
      x: drawn[i].x, y: drawn[i].y, z: drawn[i].z }));
  },
});
light(matchMedia('(prefers-color-scheme: light)').matches);
begin();
