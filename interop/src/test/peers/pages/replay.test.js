// The reader of the page of a recording, against bytes made here by hand: what is whole is read, what lies is refused.

import assert from 'node:assert/strict';
import test from 'node:test';
import { DamagedError, Fields } from './pages/web/replay/protobuf.js';
import { readEvent, readMoves, readSnapshot } from './pages/web/replay/messages.js';
import { crc32 } from './pages/web/replay/mcap.js';
import { Recording } from './pages/web/replay/recording.js';
import { Playback } from './pages/web/replay/playback.js';
import { openUrl } from './pages/web/replay/ranges.js';
import { Scores } from './pages/web/replay/scores.js';
import { fieldsText } from './pages/web/explore/fields.js';
import { drawingOf } from './pages/web/map/acts.js';
import { marksOf } from './pages/web/map/flags.js';
import { clockText, matchText } from './pages/web/map/match.js';
import { roundUp, ticksOf } from './pages/web/map/ticks.js';

// Protobuf: a field is [number, type, value].
const varint = value => {
  const bytes = [];
  for (; value > 127; value = Math.floor(value / 128)) bytes.push(value % 128 | 128);
  return [...bytes, value];
};
const bytesOf = view => [...new Uint8Array(view.buffer)];
const float = value => { const view = new DataView(new ArrayBuffer(4)); view.setFloat32(0, value, true); return bytesOf(view); };
const double = value => { const view = new DataView(new ArrayBuffer(8)); view.setFloat64(0, value, true); return bytesOf(view); };
const number = (field, value) => [...varint(field * 8), ...varint(value)];
const real = (field, value) => [...varint(field * 8 + 5), ...float(value)];
const part = (field, bytes) => [...varint(field * 8 + 2), ...varint(bytes.length), ...bytes];
const text = (field, value) => part(field, [...new TextEncoder().encode(value)]);
const vector = (x, y, z) => [...real(1, x), ...real(2, y), ...real(3, z)];
const view = bytes => new DataView(Uint8Array.from(bytes).buffer);

const move = (player, after, x, y, z, yaw = 0, stance = 1) => [...number(1, player), ...number(3, after), ...part(4, vector(x, y, z)), ...real(5, yaw),
  ...real(6, -5), ...part(7, vector(1, 2, 3)), ...number(8, stance), ...number(9, 1), ...part(10, [1, 2, 3, 4])];
const moves = (...rows) => rows.flatMap(row => part(1, row));
const player = (id, name, spawned, at) => [...part(1, number(2, id)), ...text(2, 'quake3'), ...text(3, name), ...number(4, spawned ? 1 : 0),
  ...number(5, 30), ...part(7, at)];
const LEVEL = [...text(1, 'quake3'), ...text(2, 'hall'), ...part(3, vector(-20, -20, 0)), ...part(4, vector(20, 20, 10))];
const snapshot = (...players) => [...players.flatMap(each => part(1, each)), ...part(2, LEVEL), ...text(3, 'quake3/71')];
const event = (id, kind, content) => [...part(1, number(2, id)), ...part(kind, content)];

// MCAP.
const MAGIC = [0x89, 0x4d, 0x43, 0x41, 0x50, 0x30, 0x0d, 0x0a];
const short = value => [value & 255, value >> 8];
const int = value => { const made = new DataView(new ArrayBuffer(4)); made.setUint32(0, value, true); return bytesOf(made); };
const long = value => { const made = new DataView(new ArrayBuffer(8)); made.setBigUint64(0, BigInt(value), true); return bytesOf(made); };
const string = value => [...int(value.length), ...new TextEncoder().encode(value)];
const record = (opcode, content) => [opcode, ...long(content.length), ...content];
const TOPICS = ['/moves', '/events', '/snapshot'];
const START = 1_700_000_000_000_000_000n;
const nanos = millis => START + BigInt(Math.round(millis * 1e6));

/** A file of chunks, each a list of [topic, milliseconds, message]. */
function file(chunks, { crc = true, topics = TOPICS } = {}) {
  const out = [...MAGIC, ...record(1, [...string(''), ...string('test')])], index = [];
  const channels = topics.flatMap((topic, i) => record(4, [...short(i + 1), ...short(0), ...string(topic), ...string('protobuf'), ...int(0)]));
  for (const messages of chunks) {
    const plain = messages.flatMap(([topic, millis, data]) =>
      record(5, [...short(topics.indexOf(topic) + 1), ...int(0), ...long(nanos(millis)), ...long(nanos(millis)), ...data]));
    const times = messages.map(([, millis]) => millis), from = nanos(Math.min(...times)), to = nanos(Math.max(...times));
    const chunk = record(6, [...long(from), ...long(to), ...long(plain.length), ...int(crc ? crc32(Uint8Array.from(plain)) : 0), ...string(''),
      ...long(plain.length), ...plain]);
    const used = [...new Set(messages.map(([topic]) => topics.indexOf(topic) + 1))].flatMap(id => [...short(id), ...long(0)]);
    index.push(...record(8, [...long(from), ...long(to), ...long(out.length), ...long(chunk.length), ...int(used.length), ...used, ...long(0), ...string(''),
      ...long(plain.length), ...long(plain.length)]));
    for (const byte of chunk) out.push(byte);
  }
  out.push(...record(15, int(0)));
  const summaryStart = out.length, summary = [...channels, ...index];
  const footer = [2, ...long(20), ...long(summaryStart), ...long(0)];
  return Uint8Array.from([...out, ...summary, ...footer, ...int(crc ? crc32(Uint8Array.from([...summary, ...footer])) : 0), ...MAGIC]);
}

/** A file of which each read is counted. */
function counted(bytes) {
  return { size: bytes.length, reads: [], async read(from, to) {
    assert.ok(from >= 0 && from <= to && to <= bytes.length, `${from} to ${to} of ${bytes.length}`);
    this.reads.push(to - from);
    return bytes.slice(from, to);
  } };
}

const noInflate = () => { throw new Error('nothing is compressed here'); };
const open = bytes => Recording.open(counted(bytes), noInflate);

/** Player 1 walks along x at 10 m/s, a movement each 40 ms; player 2 is silent from 10 s to 20 s. A chunk a second, a snapshot each 5 s. */
function walk(seconds) {
  const chunks = [];
  const isSilent = millis => millis > 10_000 && millis < 20_000;
  for (let second = 0; second < seconds; second++) {
    const messages = [];
    if (second % 5 === 0) {
      const here = second * 10 - 0.4;
      messages.push(['/snapshot', second * 1000, snapshot(player(1, 'ann', true, move(0, 0, here, 0, 0)), player(2, 'bob', true, move(0, 0, 0, 0, 0)))]);
    }
    if (second === 7) messages.push(['/events', 7000, event(1, 8, text(1, 'hello'))]);
    if (second === 8) messages.push(['/events', 8000, event(2, 5, [])]);
    if (second === 9) messages.push(['/events', 9000, event(2, 4, part(1, move(2, 0, 50, 50, 5)))]);
    for (let millis = second * 1000; millis < second * 1000 + 1000; millis += 40) {
      const rows = [move(1, 0, millis / 100, 0, 0, 350)];
      if (!isSilent(millis) && second !== 8) rows.push(move(2, 10_000, 0, millis / 100, 0));
      messages.push(['/moves', millis, moves(...rows)]);
    }
    chunks.push(messages);
  }
  return file(chunks);
}

/** Lets a playback read what it wants. */
async function settled(playback) {
  for (let i = 0; i < 1000; i++) {
    if (playback.ready || playback.failure) return;
    await new Promise(go => setTimeout(go));
  }
  assert.fail('the playback is not ready');
}

/** Lets a playback read ahead to a time, from its next frame on. */
async function readAhead(playback, time) {
  playback.advance(0);
  for (let i = 0; i < 1000 && playback.known < time; i++) await new Promise(go => setTimeout(go));
  assert.ok(playback.known >= time, `${playback.known} is before ${time}`);
}

async function seek(playback, time) {
  playback.seek(time);
  await settled(playback);
}

const place = (playback, id) => { const at = playback.players.get(id)?.at(playback.now()); return at ? [at.x, at.y, at.z] : null; };
const isNear = (actual, expected) => assert.ok(actual && actual.every((value, i) => Math.abs(value - expected[i]) < 0.01), `${actual} is not ${expected}`);

test('reads rows with all of their fields', () => {
  const found = [];
  readMoves(view(moves(move(3, 1500, 1, -2.5, 3.25, 90, 3), move(4, 0, 0, 0, 0))), row => found.push(row));
  assert.deepEqual(found[0], { id: 3, after: 1.5, x: 1, y: -2.5, z: 3.25, yaw: 90, pitch: -5, stance: 3 });
  assert.equal(found.length, 2);
});

test('skips unknown fields of every wire type', () => {
  const unknown = [...number(100, 7), ...part(101, [1, 2, 3]), ...real(102, 1), ...varint(103 * 8 + 1), ...double(5), ...number(4, 9)];
  const found = [];
  readMoves(view([...part(9, unknown), ...moves([...unknown.slice(0, -2), ...move(3, 0, 1, 2, 3), ...part(100, unknown)])]), row => found.push(row));
  assert.deepEqual(found.map(({ id, x, y, z }) => [id, x, y, z]), [[3, 1, 2, 3]]);
  assert.equal(readEvent(view(event(1, 99, [1, 2, 3]))), null);
});

test('refuses rows that are cut, at every byte', () => {
  const whole = moves(move(1, 0, 1, 2, 3), move(2, 10, 4, 5, 6));
  const first = part(1, move(1, 0, 1, 2, 3)).length;
  for (let length = 0; length < whole.length; length++) {
    const found = [];
    const read = () => readMoves(view(whole.slice(0, length)), row => found.push(row));
    if (length === 0 || length === first) read();
    else assert.throws(read, DamagedError, `${length} bytes`);
    assert.equal(found.length, length >= first ? 1 : 0);
  }
});

test('refuses lengths beyond the message around them', () => {
  const inner = move(1, 0, 1, 2, 3);
  for (const length of [inner.length + 1, 1000, 2 ** 31, 2 ** 40, 2 ** 62]) {
    assert.throws(() => readMoves(view([10, ...varint(length), ...inner]), () => {}), DamagedError);
  }
  // A vector that would reach into the next row.
  const vectors = [...number(1, 1), ...varint(4 * 8 + 2), ...varint(100), ...vector(1, 2, 3)];
  assert.throws(() => readMoves(view(moves(vectors, move(2, 0, 4, 5, 6), move(3, 0, 4, 5, 6), move(4, 0, 7, 8, 9))), () => {}), DamagedError);
});

test('refuses endless numbers, groups and field 0', () => {
  for (const bytes of [Array(11).fill(255), [11], [3], [0, 0], [7]]) assert.throws(() => readMoves(view(bytes), () => {}), DamagedError);
  const fields = new Fields(view([1]), 0, 1);
  assert.throws(() => fields.float(), DamagedError);
  assert.throws(() => new Fields(view([1]), 0, 2), DamagedError);
});

test('leaves out rows without a valid place', () => {
  const found = [];
  readMoves(view(moves(move(1, 0, NaN, 0, 0), move(2, 0, 0, Infinity, 0), [...number(1, 1), ...number(2, 2 ** 31)], move(3, 0, 1, 1, 1))), row => found.push(row.id));
  assert.deepEqual(found, [3]);
});

test('throws nothing else for random bytes', () => {
  let seed = 1;
  const random = limit => (seed = seed * 48271 % 2147483647) % limit;
  const whole = [moves(move(1, 0, 1, 2, 3), move(2, 10, 4, 5, 6)), snapshot(player(1, 'ann', true, move(0, 0, 1, 2, 3))), event(2, 8, text(1, 'hello'))];
  for (let i = 0; i < 20_000; i++) {
    const bytes = [...whole[i % 3]];
    for (let k = random(4); k >= 0; k--) bytes[random(bytes.length)] = random(256);
    for (const read of [readSnapshot, readEvent, data => readMoves(data, () => {})]) {
      try {
        read(view(bytes));
      } catch (failure) {
        assert.ok(failure instanceof DamagedError, String(failure));
      }
    }
  }
});

test('reads events', () => {
  assert.deepEqual([readEvent(view(event(5, 8, text(1, 'hi')))), readEvent(view(event(5, 9, [...text(1, 'old'), ...text(2, 'new')])))].map(({ kind, id, text }) => [kind, id, text]),
    [['chat', 5, 'hi'], ['renamed', 5, 'new']]);
  const violation = readEvent(view(event(5, 11, [...text(1, 'distance'), ...varint(2 * 8 + 1), ...double(3), ...varint(3 * 8 + 1), ...double(1.5)])));
  assert.equal(violation.text, 'distance 3.00, allowed 1.50');
  const level = readEvent(view(part(15, LEVEL)));
  assert.deepEqual(level.level, { game: 'quake3', name: 'hall', bounds: [-20, -20, 0, 20, 20, 10] });
});

test('opens by index, and seeks with few bytes', async () => {
  const bytes = walk(600), source = counted(bytes), recording = await Recording.open(source, noInflate);
  assert.equal(recording.chunks.length, 600);
  assert.equal(Math.round(recording.duration), 599_960);
  assert.ok(source.reads.length <= 3, `${source.reads}`);
  const playback = new Playback(recording);
  for (const time of [300_017, 12.5, 599_000, 123_456.5]) {
    source.reads.length = 0;
    await seek(playback, time);
    isNear(place(playback, 1), [time / 100, 0, 0]);
    assert.ok(source.reads[0] < bytes.length / 50, `${source.reads[0]} of ${bytes.length} bytes`);
  }
});

test('reads on after a connection failed', async context => {
  const bytes = walk(20), fails = ['HEAD', '', '', 'bytes=0-7', 'bytes=0-7 cut'];
  context.mock.timers.enable({ apis: ['setTimeout'] });
  context.mock.method(globalThis, 'fetch', async (url, { method, headers }) => {
    const what = method ?? headers.Range;
    if (fails[0] === '' || fails[0] === what) {
      fails.shift();
      throw new TypeError('Failed to fetch');
    }
    const isCut = fails[0] === what + ' cut';
    if (isCut) fails.shift();
    if (method) return new Response(null, { headers: { 'Content-Length': String(bytes.length) } });
    const [from, to] = headers.Range.slice(6).split('-').map(Number);
    const body = new ReadableStream({ start: made => isCut ? made.error(new TypeError('network error')) : (made.enqueue(bytes.slice(from, to + 1)), made.close()) });
    return new Response(body, { status: 206, headers: { 'Content-Range': `bytes ${from}-${to}/${bytes.length}` } });
  });
  let isOpen = false;
  const opened = openUrl('http://localhost/recording').then(source => Recording.open(source, noInflate)).finally(() => isOpen = true);
  while (!isOpen) {
    await new Promise(go => setImmediate(go));
    context.mock.timers.tick(5000);
  }
  assert.equal((await opened).chunks.length, 20);
  assert.deepEqual(fails, []);
});

test('interpolates between movements, but invents none where a player was silent', async () => {
  const playback = new Playback(await open(walk(60)));
  await seek(playback, 20_030);
  isNear(place(playback, 1), [200.3, 0, 0]);
  isNear(place(playback, 2), [0, 200.2, 0]);
  for (const time of [10_050, 15_000, 20_009]) {
    await seek(playback, time);
    isNear(place(playback, 2), [0, 100, 0]);
  }
});

test('plays events as they happened, forwards and after a seek back', async () => {
  const playback = new Playback(await open(walk(60)));
  const lines = [];
  playback.addEventListener('news', ({ detail }) => lines.push(...detail.lines.map(line => line.slice(1))));
  await seek(playback, 6500);
  assert.equal(playback.level.name, 'hall');
  assert.deepEqual([...playback.players.values()].map(each => each.name), ['ann', 'bob']);
  await readAhead(playback, 10_000);
  playback.play(true);
  playback.advance(0.6);
  assert.deepEqual(lines, [['quake3', 'ann', ': hello']]);
  playback.advance(1);
  assert.equal(place(playback, 2), null);
  playback.advance(1);
  assert.equal(playback.time, 9100);
  isNear(place(playback, 2), [0, 90.9, 0]);
  await seek(playback, 9000);
  isNear(place(playback, 2), [50, 50, 5]);
  await seek(playback, 6500);
  assert.ok(place(playback, 2));
  assert.deepEqual(playback.marks.map(mark => mark.kind), ['chat', 'despawned']);
});

test('draws shots, hits and items of a recording for a moment, and lists deaths', async () => {
  const hit = [...part(1, number(2, 1)), ...text(2, 'rocket'), ...varint(3 * 8 + 1), ...double(24.6), ...part(5, vector(5, 6, 7)), ...varint(6 * 8 + 1), ...double(75.2)];
  const playback = new Playback(await open(file([[
    ['/snapshot', 0, snapshot(player(1, 'ann', true, move(1, 0, 0, 0, 0)), player(2, 'bob', true, move(2, 0, 5, 6, 6)))],
    ['/moves', 0, moves(move(1, 0, 0, 0, 0), move(2, 0, 5, 6, 6))],
    ['/events', 1000, event(1, 7, text(1, 'attack'))], ['/events', 1010, event(1, 7, text(1, 'taunt'))], ['/events', 1020, event(2, 18, hit)],
    ['/events', 1030, event(1, 30, part(1, [...text(2, 'mega-health'), ...part(3, vector(1, 1, 1))]))], ['/events', 3000, event(2, 19, [...part(1, number(2, 1)), ...text(2, 'machine-gun')])],
    ['/events', 3500, event(1, 19, [...part(1, number(2, 1)), ...text(2, 'suicide')])],
    ['/moves', 9000, moves(move(1, 0, 0, 0, 0))],
  ]])));
  playback.weaponOf = (game, means) => `${means} of ${game}`;
  const lines = [];
  playback.addEventListener('news', ({ detail }) => lines.push(...detail.lines.map(line => line.slice(1))));
  await seek(playback, 1100);
  assert.equal(playback.players.get(2).health, 76);
  const { rays, notes } = drawingOf(playback.acts, playback.players, playback.now(), () => 0.5);
  assert.deepEqual(notes.map(each => each.text).sort(), ['+ mega health', '−25']);
  assert.deepEqual(rays.map(({ from, to, hue }) => [from, to.map(Math.round), hue]).sort(), [[[0, 0, 1.45], [30, 0, -1], 'quake3'], [[0, 0, 1.45], [5, 6, 7], 'hurt']].sort());
  await seek(playback, 5000);
  assert.deepEqual(playback.acts.map(act => act.kind), []);
  assert.deepEqual(lines, [['quake3', 'ann', 'killed bob (machine-gun of quake3)'], ['quake3', 'ann', 'died']]);
});

test('frames a level that it cannot draw by what was seen, and its own arena by its bounds', async () => {
  const wide = [...text(1, 'quake3'), ...text(2, 'q3dm17'), ...part(3, vector(-2000, -2000, -2000)), ...part(4, vector(2000, 2000, 2000))];
  const seen = [...part(1, player(1, 'ann', true, move(1, 0, 1, 2, 3))), ...part(2, wide)];
  const open2 = async () => new Playback(await open(file([[['/snapshot', 0, seen], ['/moves', 0, moves(move(1, 0, 1, 2, 3))], ['/moves', 5000, moves(move(1, 0, 30, 2, 9))]]])));
  const unknown = await open2();
  await seek(unknown, 5000);
  assert.deepEqual(unknown.level, { name: 'q3dm17', title: 'q3dm17', bounds: [-16, -16, 0, 48, 16, 12] });
  const known = await open2();
  Object.assign(known, { scene: 'q3dm17', sceneBounds: [-50, -40, -8, 50, 40, 20] });
  await seek(known, 5000);
  assert.deepEqual(known.level, { name: 'q3dm17', title: 'q3dm17', bounds: [-50, -40, -8, 50, 40, 20] });
});

test('shows the flags of a recording, their carriers and what happens to them', async () => {
  const flag = (team, x, ...state) => part(1, [...text(1, team), ...part(2, vector(x, 0, 0)), ...number(3, 1), ...state]);
  const red = flag('red', -20), blue = (...state) => flag('blue', 20, ...state);
  const changed = (id, change) => [...(id ? part(1, number(2, id)) : []), ...part(32, [...text(1, 'blue'), ...text(2, change), ...text(3, 'touch')])];
  const bytes = file([[
    ['/snapshot', 0, snapshot(player(1, 'ann', true, move(1, 0, 3, 4, 0)))], ['/moves', 0, moves(move(1, 0, 3, 4, 0))], ['/flags', 0, [...red, ...blue()]],
    ['/events', 1000, changed(1, 'taken')], ['/flags', 1000, [...red, ...blue(...part(4, number(2, 1)))]],
    ['/events', 2000, changed(1, 'dropped')], ['/flags', 2000, [...red, ...blue(...part(5, vector(7, 8, 0)), ...number(6, 5000))]],
    ['/flags', 2500, [...red, ...blue(...part(5, vector(NaN, 8, 0)))]],
    ['/events', 7000, changed(0, 'reset')], ['/flags', 7000, [...red, ...blue()]], ['/moves', 9000, moves(move(1, 0, 3, 4, 0))],
  ]], { topics: [...TOPICS, '/flags'] });
  const playback = new Playback(await open(bytes));
  const lines = [];
  playback.addEventListener('news', ({ detail }) => lines.push(...detail.lines.map(line => line.slice(1).join(' ').trim())));
  const noted = () => marksOf(playback.flags, playback.players, playback.now()).notes.map(({ hue, text, place: [x, y] }) => [hue, text, x, y]);
  await seek(playback, 500);
  assert.deepEqual(noted(), [['red', '⚑', -20, 0], ['blue', '⚑', 20, 0]]);
  await seek(playback, 1500);
  assert.deepEqual(noted(), [['red', '⚑', -20, 0], ['blue', '⚑', 3, 4]]);
  await seek(playback, 2400);
  assert.deepEqual(noted(), [['red', '⚑', -20, 0], ['blue', '⚑ 5 s', 7, 8]]);
  const { rays } = marksOf(playback.flags, playback.players, playback.now());
  assert.ok(rays.length < 64 && rays.every(({ from, to }) => [...from, ...to].every(Number.isFinite)));
  lines.length = 0;
  await seek(playback, 8000);
  assert.deepEqual(noted(), [['red', '⚑', -20, 0], ['blue', '⚑', 20, 0]]);
  assert.deepEqual(lines, ['quake3 ann took the blue flag', 'quake3 ann dropped the blue flag', 'the blue flag is at home']);
});

test('shows the scores of a match at each time, also after a seek back', async () => {
  const present = snapshot(player(1, 'ann', true, move(1, 0, 0, 0, 0)), player(2, 'bob', true, move(2, 0, 5, 6, 6)));
  const chunks = [0, 1, 2, 3, 4, 5, 6].map(second => [['/snapshot', second * 10_000, present], ['/moves', second * 10_000, moves(move(1, 0, 0, 0, 0))]]);
  const playback = new Playback(await open(file(chunks)));
  await seek(playback, 35_000);
  assert.deepEqual([playback.boards, playback.match], [[], null]);
  playback.take([], [[0, 'team', 1, 'red'], [0, 'team', 2, 'blue'], [5000, 'score', 2, 9, 1, 'blue', 1],
    [10_000, 'round', 'capture the flag', 'captures', 8, ['points', 'captures', 'deaths']], [20_000, 'capture', 1], [20_000, 'score', 1, 5, 0, 'red', 1], [21_000, 'score', 2, 0, 1, 'blue', 0],
    [30_000, 'end', 'red'], [31_000, 'capture', 2], [40_000, 'score', 1, 0, 0, 'red', 0], [40_000, 'score', 2, 0, 0, 'blue', 0]]);
  const shown = () => [playback.match && matchText(playback.match, playback.left), playback.match?.teams, ...playback.boards.flatMap(({ columns, rows }) => [columns, ...rows.map(row => [row.name, ...row.values])])];
  const columns = ['points', 'captures', 'deaths'], before = [null, undefined, ['frags', 'deaths'], ['bob', '9', '1'], ['ann', '–', '–']];
  const at25 = ['capture the flag · to 8 captures', [['red', 1], ['blue', 0]], columns, ['ann', '5', '1', '0'], ['bob', '0', '0', '1']];
  const at35 = ['capture the flag · red won · to 8 captures', ...at25.slice(1)], at15 = [at25[0], [['red', 0], ['blue', 0]], columns, ['ann', '0', '0', '0'], ['bob', '0', '0', '0']];
  assert.deepEqual(shown(), at35);
  for (const [time, expected] of [[25_000, at25], [15_000, at15], [6000, before], [25_000, at25], [45_000, [at35[0], ...at15.slice(1)]]]) {
    await seek(playback, time);
    assert.deepEqual(shown(), expected, String(time));
  }
  await seek(playback, 19_000);
  assert.deepEqual(shown(), at15);
  playback.play(true);
  await readAhead(playback, 26_000);
  playback.advance(1.5);
  assert.equal(playback.boards[0].rows[0].values[1], '1');
  assert.equal(playback.players.get(1).team, 'red');
});

test('shows the times of a race, and no scores that it does not know', () => {
  const players = [{ id: 1, game: 'quake3', name: 'ann', spawned: true }, { id: 2, game: 'quake2', name: 'bob', spawned: false }, { id: 0x100000001, game: 'quake3', name: '~ann', spawned: true }];
  const changes = [[0, 'round', 'race', 'frags', 0, ['points', 'time']], [1000, 'run', 1, 35_123, '35.123', 'quake3', 'ann'], [1000, 'score', 1, 10, 0], [2000, 'run', 1, 40_000, '40.000', 'quake3', 'ann'],
    [3000, 'end', ''], [3500, 'run', 2, 30_000, '30.000', 'quake2', 'bob'], [4000, 'lost']];
  const scores = new Scores(changes);
  const boardsAt = time => {
    scores.goTo(time);
    return scores.boards(players, false);
  };
  assert.deepEqual(boardsAt(500).map(({ rows }) => rows.length), [1, 0]);
  assert.deepEqual(boardsAt(4000), []);
  assert.deepEqual(boardsAt(3600).map(({ rows }) => rows.map(row => [row.id, row.name, ...row.values])), [[[1, 'ann', '10', '35.123']], [[0, 'bob', '30.000'], [0, 'ann', '35.123']]]);
  assert.deepEqual(new Scores([]).boards(players, false), []);
});

test('keeps the picture of what happened until the time of a seek is known', async () => {
  const chunks = [[['/snapshot', 0, snapshot(player(1, 'ann', true, move(1, 0, 0, 0, 0)))], ['/events', 900, event(1, 7, text(1, 'attack'))]]];
  for (let second = 1; second < 600; second++) chunks.push([['/snapshot', second * 1000, snapshot(player(1, 'ann', true, move(1, 0, second, 0, 0)))]]);
  const playback = new Playback(await open(file(chunks)));
  await seek(playback, 1000);
  const { length } = playback.acts;
  assert.ok(length > 0);
  playback.seek(500_000);
  assert.equal(playback.ready, false);
  assert.equal(playback.acts.length, length);
  await settled(playback);
  assert.equal(playback.acts.length, 0);
});

test('marks axes at round numbers', () => {
  assert.deepEqual(ticksOf(roundUp(101.3)).values, [0, 20, 40, 60, 80, 100, 120]);
  assert.deepEqual(ticksOf(10).values, [0, 2, 4, 6, 8, 10]);
  assert.deepEqual(ticksOf(roundUp(2.1, 5, 1), 5, 1).values, [0, 1, 2, 3]);
  assert.deepEqual(ticksOf(3.2), { step: 0.5, decimals: 1, values: [0, 0.5, 1, 1.5, 2, 2.5, 3] });
  assert.deepEqual(ticksOf(0.07).values, [0, 0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.07]);
  for (const max of [1e-9, 0.3, 1, 7, 1049, 6e7]) {
    const end = roundUp(max), { values } = ticksOf(end);
    assert.ok(end >= max && end < 1.5 * max + 1e-12, `${end} for ${max}`);
    assert.equal(values.at(-1), end);
    assert.ok(values.length >= 4 && values.length <= 9, `${values}`);
  }
});

test('says in one line what is played', () => {
  assert.equal(clockText(245_000), '4:05');
  assert.equal(clockText(1), '0:01');
  const match = { mode: 'free for all', phase: 'playing', round: 3, ends: 1, limit: 20, unit: 'frags', teams: [], winner: '' };
  assert.equal(matchText(match, 61_000), 'free for all · round 3 · 1:01 · to 20 frags');
  assert.equal(matchText({ ...match, phase: 'intermission', winner: 'anna', limit: 0 }, 9000), 'free for all · round 3 · anna won · 0:09');
  assert.equal(matchText({ ...match, phase: 'warm-up', ends: undefined }, 5000), 'free for all · round 3 · warm-up · paused · 0:05 · to 20 frags');
});

test('keeps little in memory, however long it plays', async () => {
  const playback = new Playback(await open(walk(600)));
  await seek(playback, 0);
  playback.play(true);
  playback.speed = 8;
  let most = 0;
  while (playback.playing) {
    playback.advance(0.05);
    most = Math.max(most, playback.steps);
    await new Promise(go => setTimeout(go));
  }
  assert.equal(playback.failure, '');
  assert.equal(Math.round(playback.time), 599_960);
  assert.ok(most < 50 * 40, `${most} positions`);
});

test('takes the newest of several seeks', async () => {
  const playback = new Playback(await open(walk(200)));
  for (const time of [150_000, 20_000, 199_000, 77_700]) playback.seek(time);
  await settled(playback);
  isNear(place(playback, 1), [777, 0, 0]);
});

test('leaves out a damaged chunk, and plays the rest', async () => {
  const bytes = walk(30), chunk = (await open(bytes)).chunks[12];
  bytes[chunk.offset + 200] ^= 1;
  const playback = new Playback(await open(bytes));
  await seek(playback, 13_500);
  assert.equal(playback.damaged, 1);
  isNear(place(playback, 1), [135, 0, 0]);
});

test('says what is wrong with a file', async () => {
  const whole = walk(3);
  await assert.rejects(open(new Uint8Array()), /not a recording/);
  await assert.rejects(open(new TextEncoder().encode('wishdir-arena 1\nname shed\n')), /not a recording/);
  await assert.rejects(open(whole.slice(0, whole.length - 100)), /record --repair FILE/);
  await assert.rejects(open(file([[['/tf', 0, []]]], { topics: ['/tf'] })), /no topic \/moves/);
  const index = whole.slice();
  index[whole.length - 60] ^= 4;
  await assert.rejects(open(index), /damaged/);
});

test('refuses an index that lies', async () => {
  const whole = file([[['/snapshot', 0, snapshot()]]], { crc: false });
  const recording = await open(whole), { offset, length } = recording.chunks[0];
  const entry = whole.findLastIndex((_, i) => i < whole.length - 16 && [...long(offset), ...long(length)].every((byte, k) => whole[i + k] === byte));
  assert.ok(entry > 0);
  for (const [at, value] of [[0, 2n ** 63n], [8, 2n ** 40n], [8, BigInt(whole.length)]]) {
    const lying = whole.slice();
    lying.set(long(value), entry + at);
    await assert.rejects(open(lying), DamagedError);
  }
  // Two chunks at one place: a small file could be read for ever.
  const twice = file([[['/snapshot', 0, snapshot()]], [['/snapshot', 1000, snapshot()]]], { crc: false });
  const [first, second] = (await open(twice)).chunks;
  const other = twice.findLastIndex((_, i) => i < twice.length - 16 && [...long(second.offset), ...long(second.length)].every((byte, k) => twice[i + k] === byte));
  twice.set(long(first.offset), other);
  await assert.rejects(open(twice), DamagedError);
  const footer = whole.slice();
  footer.set(long(whole.length * 2), whole.length - 8 - 20);
  await assert.rejects(open(footer), DamagedError);
  // A chunk that is none, or that would be larger than it is.
  for (const [at, value] of [[0, [5]], [1, long(2n ** 60n)], [25, long(2n ** 33n)], [9 + 16 + 8 + 4 + 4, long(2n ** 50n)]]) {
    const lying = whole.slice();
    lying.set(value, offset + at);
    const playback = new Playback(await open(lying));
    await seek(playback, 0);
    assert.equal(playback.damaged, 1);
    assert.equal(playback.players.size, 0);
  }
});

test('decompresses with the zstd of the build, and refuses what is not zstd', async () => {
  const { ZSTDDecoder } = await import(`${process.env.WISHDIR_PAGE_LIB}/zstddec.module.js`);
  const decoder = new ZSTDDecoder();
  await decoder.init();
  // "wishdir" 1,000 times, as the command zstd compresses it.
  const packed = Uint8Array.from(Buffer.from('KLUv/QRYfQAAOHdpc2hkaXIBAE6rvhgBUsC1cA==', 'base64'));
  assert.equal(new TextDecoder().decode(decoder.decode(packed, 7000)), 'wishdir'.repeat(1000));
  for (const [bytes, size] of [[packed, 6999], [packed.slice(0, 10), 7000], [packed.map(byte => byte ^ 85), 7000]]) {
    assert.notEqual(decoder.decode(bytes, size).length, size);
  }
});

test('shows the texts of fields as they are', () => {
  const fields = { id: 2, text: 'connect "\\challenge\\7"\n', 'pos.base[0]': [1.5, null], on: true };
  assert.equal(fieldsText(JSON.stringify(fields)), 'id:2,text:connect "\\challenge\\7"\n,pos.base[0]:[1.5,null],on:true');
  const escaped = '{"text":"a\\\\\\u003d\\"b"}';
  for (let length = 2; length < escaped.length; length++) assert.ok('text:a\\="b'.startsWith(fieldsText(escaped.slice(0, length))), String(length));
});
