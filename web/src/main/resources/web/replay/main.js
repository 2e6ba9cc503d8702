// The page of a recording: of the server behind it (wishdir replay), or of any server with ?file=URL.

import { ZSTDDecoder } from '../lib/zstddec.module.js';
import { boards } from '../map/board.js';
import { match } from '../map/match.js';
import { side } from '../map/side.js';
import { failures, find, help, weaponName } from '../map/page.js';
import { more, publish, Stage } from '../map/stage.js';
import { Playback, SPEEDS } from './playback.js';
import { openUrl } from './ranges.js';
import { Recording } from './recording.js';
import { clockText, offsetText, Timeline } from './timeline.js';

/** What the server behind the page knows: the name of the file and of the arena that it can draw, the arena's bounds, and what is to be said of the file.
 * @typedef {{ file: string, scene: string, bounds: number[], notice: string }} Info */

const STEP_MILLIS = 50;
const JUMP_MILLIS = 10_000;
/** The length of a clip of which only one end was chosen. */
const CLIP_MILLIS = 10_000;
const FRACTIONS = new Map([[1 / 8, '1/8'], [1 / 4, '1/4'], [1 / 2, '1/2']]);

/** @param {string} text */
function fail(text) {
  find('state').textContent = text;
  find('state').classList.add('lost');
}

/** The file of the page's address, and what is known of it. @returns {Promise<{ url: URL, info: Info, served: boolean }>} */
async function source() {
  const file = new URLSearchParams(location.search).get('file');
  if (file !== null) {
    const url = new URL(file, location.href);
    if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new Error(`${url.protocol} is not allowed in ?file=, only http: and https:`);
    const notice = 'Only the bounds of the level are drawn, and no scores are shown: no wishdir replay is behind this page.';
    return { url, info: { file: decodeURIComponent(url.pathname.split('/').pop() ?? ''), scene: '', bounds: [], notice }, served: false };
  }
  const answer = await fetch('replay/info');
  if (!answer.ok) throw new Error('No recording: open one with wishdir replay FILE, or add ?file=URL to the address of this page.');
  return { url: new URL('replay/recording', document.baseURI), info: await answer.json(), served: true };
}

/** Decompresses one chunk. @returns {Promise<import('./mcap.js').Inflate>} */
async function zstd() {
  const decoder = new ZSTDDecoder();
  await decoder.init();
  return (data, size) => decoder.decode(data, size);
}

async function begin() {
  const { url, info, served } = await source();
  find('file').textContent = info.file || 'Replay';
  document.title = `${info.file}: Wishdir replay`;
  const recording = await Recording.open(await openUrl(url), await zstd());
  const playback = new Playback(recording);
  playback.scene = info.scene;
  if (info.bounds.length) playback.sceneBounds = /** @type {import('../map/mesh.js').Bounds} */ (info.bounds);
  playback.weaponOf = weaponName;
  const stage = new Stage(playback, name => served && name === info.scene ? 'replay/scene' : null);
  const table = side(playback, id => stage.follow(id));
  boards(playback, id => stage.follow(id), false);
  match(playback);
  stage.onFollow = id => table.mark(id);
  const timeline = new Timeline(playback);
  const speed = find('speed', HTMLSelectElement), save = find('save', HTMLButtonElement);
  speed.replaceChildren(...SPEEDS.map(each => new Option(`× ${FRACTIONS.get(each) ?? each}`, String(each), each === 1, each === 1)));
  /** The last seek: when it was asked for, and the milliseconds until it was drawn. */
  let asked = NaN, sought = NaN;

  /** @param {number} time */
  function seek(time) {
    playback.seek(time);
  }

  /** @param {number} by */
  function step(by) {
    playback.play(false);
    seek(playback.time + by);
  }

  /** @param {number} by */
  function faster(by) {
    const at = SPEEDS.indexOf(playback.speed) + by;
    if (at < 0 || at >= SPEEDS.length) return;
    playback.speed = SPEEDS[at];
    speed.value = String(SPEEDS[at]);
    state();
  }

  function state() {
    if (playback.failure) fail(`This recording cannot be played further: ${playback.failure}`);
    else find('state').textContent = !playback.ready ? 'loading …' : playback.playing ? `playing × ${FRACTIONS.get(playback.speed) ?? playback.speed}` : 'paused';
    find('play').textContent = playback.playing ? 'Pause' : 'Play';
    find('play').setAttribute('aria-pressed', String(playback.playing));
    find('note').textContent = [info.notice, playback.damaged ? `${playback.damaged} damaged parts are left out.` : ''].filter(each => each).join(' ');
  }

  /** @param {number | null} from @param {number | null} to */
  function clip(from, to) {
    const last = timeline.clip, end = recording.duration;
    if (from !== null) timeline.clip = { from, to: last && last.to > from ? last.to : Math.min(end, from + CLIP_MILLIS) };
    else if (to !== null) timeline.clip = { from: last && last.from < to ? last.from : Math.max(0, to - CLIP_MILLIS), to };
    const range = timeline.clip;
    find('clip-range').textContent = range ? `${offsetText(range.from)} – ${offsetText(range.to)}` : '';
    save.disabled = !served || !range || range.from >= range.to;
    save.title = served ? 'Save the clip as a recording of its own' : 'Clips need wishdir replay FILE, or wishdir replay FILE --from T --to T --clip OUT.mcap';
  }

  function saveClip() {
    if (!timeline.clip) return;
    const [from, to] = [timeline.clip.from, timeline.clip.to].map(millis => recording.start + BigInt(Math.round(millis * 1e6)));
    const link = document.createElement('a');
    link.href = `replay/clip?from=${from}&to=${to}`;
    link.download = '';
    link.click();
  }

  /** @type {Record<string, () => void>} */
  const keys = { ' ': () => playback.play(!playback.playing), ',': () => step(-STEP_MILLIS), '.': () => step(STEP_MILLIS), '[': () => faster(-1),
    ']': () => faster(1), j: () => seek(playback.time - JUMP_MILLIS), l: () => seek(playback.time + JUMP_MILLIS),
    i: () => clip(playback.time, null), o: () => clip(null, playback.time) };
  addEventListener('keydown', event => {
    const act = keys[event.key.toLowerCase()];
    const isOther = event.ctrlKey || event.altKey || event.metaKey || find('help', HTMLDialogElement).open;
    if (!act || isOther || event.target instanceof HTMLSelectElement || (event.key === ' ' && event.target instanceof HTMLButtonElement)) return;
    event.preventDefault();
    act();
  });
  find('play').addEventListener('click', () => playback.play(!playback.playing));
  find('back').addEventListener('click', () => step(-STEP_MILLIS));
  find('step').addEventListener('click', () => step(STEP_MILLIS));
  speed.addEventListener('change', () => faster(SPEEDS.indexOf(Number(speed.value)) - SPEEDS.indexOf(playback.speed)));
  find('clip-from').addEventListener('click', () => clip(playback.time, null));
  find('clip-to').addEventListener('click', () => clip(null, playback.time));
  save.addEventListener('click', saveClip);
  playback.addEventListener('state', state);
  playback.addEventListener('seek', () => {
    [asked, sought] = [performance.now(), NaN];
  });

  stage.onFrame = seconds => playback.advance(seconds);
  stage.onDrawn = () => {
    if (playback.ready && !Number.isNaN(asked)) [sought, asked] = [performance.now() - asked, NaN];
    timeline.draw();
    const end = offsetText(recording.duration);
    // Of constant width: otherwise the controls would wrap differently, and the picture change its size, after a seek.
    const clock = `${offsetText(playback.time).padStart(end.length, '\u2007')} / ${end}   ${clockText(recording.start, playback.time)}`;
    if (find('clock').textContent !== clock) find('clock').textContent = clock;
  };
  clip(null, null);
  more();
  help();
  publish(stage.published(), {
    get state() { return playback.failure ? 'failed' : !playback.ready ? 'loading' : playback.playing ? 'playing' : 'paused'; },
    get ready() { return playback.ready; },
    get duration() { return recording.duration; },
    get start() { return String(recording.start); },
    get speed() { return playback.speed; },
    get steps() { return playback.steps; },
    get marks() { return playback.marks.length; },
    get complete() { return playback.complete; },
    get clip() { return timeline.clip; },
    /** Milliseconds from the last seek to its picture; NaN until then. */
    get sought() { return sought; },
    seek,
  });
  await stage.begin();
  seek(Number(new URLSearchParams(location.search).get('t') ?? 0) * 1000 || 0);
  if (served) {
    const answer = await fetch('replay/marks');
    if (!answer.ok) return;
    const { marks, scores } = await answer.json();
    playback.take(marks.map((/** @type {[number, import('./messages.js').Kind, string, string, string]} */ [time, kind, game, name, text]) => ({ time, kind, game, name, text })), scores);
  }
}

failures(fail);
begin().catch(failure => fail(failure instanceof Error ? failure.message : String(failure)));
