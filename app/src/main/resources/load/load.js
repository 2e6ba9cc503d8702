"use strict";
// Draws the figures of a load. LoadPage inserts uPlot and this script into the page.

/* global uPlot */
/** @typedef {{ label: string, colour: string, show?: boolean, fill?: boolean, more?: Partial<import('uplot').Series> }} Line */
/** @typedef {number | ''} Figure a number, or an empty text if it was not measured */
/** @typedef {{ server: string, process: string, held: boolean, complaints: string[], problems: { count: number, reason: string }[], samples: Record<string, any[]>, spread: { beyond: number, step: number, shares: number[] }, shares: ({ relayed: number } & Record<string, number>)[][] }} Side */
/** @typedef {{ game: string, clients: number, seconds: number, turns: number, when: string, wishdir: string, java: string, machine: string, sides: Side[], figures: { title: string, unit: string, values: Figure[] }[] }} Load */
/** @typedef {{ axes: string[], from: number, data: any, series: Line[] }} Plot */
/** @typedef {{ column: string, label: string, colour: string, show?: boolean }} Wanted */

/** @template T @param {T | null} found @returns {T} */
function there(found) {
  if (found === null) throw new Error("the page lacks an element");
  return found;
}

/** @type {Load} */
const data = JSON.parse(there(document.getElementById("data")).textContent ?? "");
const two = data.sides.length === 2;
const letters = ["A", "B"];
const main = there(document.querySelector("main"));

// Text is only set as text, never as markup, as it may come from the server.
/** @param {Element} parent @param {string} tag @param {string} [text] @param {string} [kind] */
function put(parent, tag, text, kind) {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  if (kind) made.className = kind;
  parent.append(made);
  return made;
}

/** @param {any} value */
const known = value => value === "" ? null : value;
/** @param {string} name */
const colour = name => getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();
/** @param {number} index */
const prefix = index => two ? letters[index] + " " : "";
/** @param {number} index @param {number} number */
const hue = (index, number) => (index === 0 ? "a" : "b") + number;
/** @param {number | null | undefined} value */
const digits = value => value === null || value === undefined ? "–"
  : value >= 1000 ? Math.round(value).toLocaleString("en") : value >= 100 ? value.toFixed(1) : value.toFixed(2);

function head() {
  const servers = data.sides.map(side => side.server);
  const title = "Load of " + data.game + " on " + servers.join(" and ");
  document.title = title;
  there(document.querySelector("h1")).textContent = title;
  const header = there(document.querySelector("header"));
  put(header, "p", data.clients + " clients, measured for " + data.seconds + " s"
    + (two ? " in each of " + data.turns + " turns of A and B" : ""));
  put(header, "p", data.when + " · wishdir " + data.wishdir + " · Java " + data.java + " · " + data.machine, "faint");
  data.sides.forEach((side, index) => {
    if (two) put(header, "p", letters[index] + " is " + side.server);
    put(header, "p", prefix(index) + (side.process ? "the server's process on this machine: " + side.process
: "the server's process is not visible on this machine, so its CPU time is unknown"), "faint");
    if (!side.held) put(header, "p", prefix(index)
      + "The generator could not keep its rate: the figures are not those of the server.", "bad");
    side.complaints.forEach(text => put(header, "p", prefix(index) + text, "bad"));
  });
}

function figures() {
  const section = put(main, "section");
  put(section, "h2", "Figures");
  const table = put(section, "table", undefined, "figures");
  const row = put(put(table, "thead"), "tr");
  (two ? ["", "A", "B", "A / B", "turn by turn"] : ["", ""]).forEach(text => put(row, "th", text));
  const body = put(table, "tbody");
  for (const figure of data.figures) {
    const line = put(body, "tr");
    put(line, "th", figure.title);
    const unit = figure.unit ? " " + figure.unit : "";
    const [first, second, ratio, min, max] = figure.values.map(known);
    put(line, "td", digits(first) + (first === null ? "" : unit));
    if (two) {
      put(line, "td", digits(second) + (second === null ? "" : unit));
      put(line, "td", digits(ratio));
      put(line, "td", min === null ? "–" : digits(min) + " to " + digits(max));
    }
  }
  data.sides.forEach((side, index) => {
    if (side.problems.length === 0) return;
    put(section, "p", prefix(index) + "clients that could not join or were disconnected:");
    const list = put(section, "ul");
    side.problems.forEach(problem => put(list, "li", problem.count + " × " + problem.reason));
  });
}

const plots = put(main, "section", undefined, "plots");
/** @type {(() => void)[]} */
const drawn = [];

/** @param {string} title @param {string} note @param {boolean} wide @param {() => Plot} make */
function plot(title, note, wide, make) {
  const place = put(plots, "section", undefined, wide ? "wide" : "");
  put(place, "h2", title);
  if (note) put(place, "p", note, "faint");
  const box = put(place, "div");
  /** @type {import('uplot') | null} */
  let shown = null;
  drawn.push(() => {
    if (shown) shown.destroy();
    const made = make();
    shown = new uPlot({
      width: box.clientWidth, height: wide ? 300 : 260,
      scales: { x: { time: false, range: (_, low, high) => [Math.min(low, made.from), high] }, y: { range: (_, __, high) => [0, high > 0 ? high * 1.05 : 1] } },
      axes: made.axes.map((label, i) => ({
        label, labelSize: 20, labelFont: "12px system-ui", font: "12px system-ui", size: i === 0 ? 28 : 56,
        stroke: colour("faint"), grid: { stroke: colour("line"), width: 1 }, ticks: { stroke: colour("line"), width: 1 },
      })),
      cursor: { drag: { x: true, y: false } },
      padding: [8, 16, 0, 0],
      series: [{ label: made.axes[0], value: (_, value) => digits(value) }, ...made.series.map(each => ({
        label: each.label, stroke: colour(each.colour), width: 1.5, value: (/** @type {import('uplot')} */ _, /** @type {number | null} */ value) => digits(value),
        spanGaps: false, points: { show: false }, show: each.show !== false, ...each.more,
        ...(each.fill ? { fill: colour(each.colour) + "33" } : {}),
      }))],
    }, made.data, box);
  });
}

// One time axis for all turns, with gaps where a side was not measured.
/** @param {{ time: number[], values: any[] }[]} lines */
function overTime(lines) {
  const rows = new Map();
  lines.forEach((line, at) => line.time.forEach((time, i) => {
    const key = Math.round(time * 10);
    if (!rows.has(key)) rows.set(key, lines.map(() => null));
    rows.get(key)[at] = known(line.values[i]);
  }));
  const keys = [...rows.keys()].sort((a, b) => a - b);
  return [keys.map(key => key / 10), ...lines.map((_, at) => keys.map(key => rows.get(key)[at]))];
}

/** @param {string} title @param {string} note @param {string} axis @param {(index: number) => Wanted[]} wanted */
function times(title, note, axis, wanted) {
  /** @type {(Wanted & { time: number[], values: any[] })[]} */
  const lines = data.sides.flatMap((side, index) => wanted(index).map(each => ({
    ...each, time: side.samples.time, values: side.samples[each.column] })));
  plot(title, note, true, () => ({
    axes: ["seconds", axis], from: 0, data: overTime(lines),
    series: lines.map(line => ({ ...line, more: { points: { show: line.time.length < 3 } } })) }));
}

times("Latency over time", "from one client's sending to another's receiving; a point is about a second; click a name below to show or hide its line", "ms", index =>
  (two ? ["p50", "p99", "max"] : ["p50", "p95", "p99", "max"]).map((column, i) => ({
    column, label: prefix(index) + column, colour: column === "max" && !two ? "a4" : hue(index, i + 1), show: column !== "max" })));

plot("Distribution of latency", data.sides.map((side, index) => prefix(index)
    + (100 * side.spread.beyond).toFixed(2) + " % are beyond the last bar").join("; "), false, () => {
  const spreads = data.sides.map(side => side.spread);
  const step = spreads[0].step;
  const x = spreads[0].shares.map((_, i) => i * step);
  return { axes: ["ms", "% of movements"], from: 0,
    data: [[...x, x.length * step], ...spreads.map(spread => [...spread.shares.map(share => 100 * share), 0])],
    series: spreads.map((_, index) => ({ label: prefix(index) + "share", colour: hue(index, 1), fill: true,
      more: { paths: uPlot.paths.stepped?.({ align: 1 }) } })) };
});

plot("Each client", "latency of the movements of others that it received" + (two ? ", in the first turn" : ""), false, () => {
  const shares = data.sides.map(side => side.shares[0]);
  const length = Math.max(...shares.map(each => each.length));
  const x = Array.from({ length }, (_, i) => i + 1);
  const kinds = ["p50", "p99"];
  return { axes: ["client", "ms"], from: 1,
    data: [x, ...shares.flatMap(each => kinds.map(kind => x.map((_, i) => each[i] && each[i].relayed > 0 ? each[i][kind] : null)))],
    series: shares.flatMap((_, index) => kinds.map((kind, i) => ({ label: prefix(index) + kind, colour: hue(index, two ? 1 + i : 1 + 2 * i),
      more: { paths: () => null, points: { show: true, size: 5 } } }))) };
});

times("Movements received", "by all clients together", "per second", index =>
  [{ column: "relayed", label: prefix(index) + "relayed", colour: hue(index, 1) }]);

times("CPU", "100 % is one core", "%", index => [
  ...(data.sides[index].process ? [{ column: "serverCpu", label: prefix(index) + "server", colour: hue(index, 1) }] : []),
  { column: "ownCpu", label: (two ? "generator with " + letters[index] : "generator"), colour: two && index ? "b2" : "own" },
]);

head();
figures();
main.append(plots);
const draw = () => drawn.forEach(each => each());
draw();
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
/** @type {ReturnType<typeof setTimeout> | undefined} */
let asked;
addEventListener("resize", () => { clearTimeout(asked); asked = setTimeout(draw, 100); });
