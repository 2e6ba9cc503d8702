// Draws what ReportData collected from recordings; it inserts this script and what it imports into the page.

import { roundUp, ticksOf } from "../web/map/ticks.js";

/** @typedef {{ name: string, game: string, proof: string, seconds: number, metres: number, jumps: number, air: number, track: number[][], pings: number[][] }} Player */
/** @typedef {{ recording: string, seconds: number, name: string, game: string, rule: string, text: string, points: number[][] }} Violation */
/** @typedef {{ name: string, game: string, team: string, frags: number, deaths: number, given: number, taken: number, weapon: string, runs: number, best: string }} Score */
/** Without from, the recording began within the round. end and winner are empty of a round that did not end; score is that of its teams. @typedef {{ from?: number, seconds?: number, mode: string, end: string, winner: string, score?: string }} Round */
/** A weapon has its name, kills, hits and damage; who touched flags a name, game and team, takes, captures, returns, and seconds with a flag. @typedef {{ rounds: Round[], scores: Score[], weapons: [string, number, number, number][], flags: [string, string, string, number, number, number, number][] }} Fights */
/** @typedef {{ fights: Fights, recordings: string[], arena: string, wishdir: string, seconds: number, movements: number, unlistedMovements: number, bounds: number[], picture: string, cell: number, near: number, heat: number[][], speedStep: number, speeds: Record<string, number[]>, connections: Record<string, number[][]>, players: Player[], pairs: [string, number][], violationCount: number, violations: Violation[] }} Report */
/** @typedef {{ label: string, colour: string, points: number[][] }} Line */

(() => {
  /** @template T @param {T | null} found @returns {T} */
  function there(found) {
    if (found === null) throw new Error("the page lacks an element");
    return found;
  }

  /** @type {Report} */
  const data = JSON.parse(there(document.getElementById("data")).textContent ?? "");
  const main = there(document.querySelector("main"));
  const [west, south, east, north] = data.bounds;
  const games = Object.keys(data.speeds);

  // Text is only set as text, never as markup, as it comes from players.
  /** @param {Element} parent @param {string} tag @param {string} [text] @param {string} [kind] */
  function put(parent, tag, text, kind) {
    const made = document.createElement(tag);
    if (text !== undefined) made.textContent = text;
    if (kind) made.className = kind;
    parent.append(made);
    return made;
  }

  /** @param {Element} parent @param {string} tag @param {Record<string, string | number>} attributes @param {string} [text] */
  function draw(parent, tag, attributes, text) {
    const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
    if (text !== undefined) made.textContent = text;
    parent.append(made);
    return made;
  }

  /** @param {string} game */
  const gameColour = game => "hsl(" + (210 + 97 * Math.max(0, games.indexOf(game))) % 360 + " 70% 55%)";
  /** @param {number} index */
  const playerColour = index => "hsl(" + (index * 137.5) % 360 + " 75% 60%)";
  /** @param {number} value @param {number} digits */
  const fixed = (value, digits) => value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });

  /** @param {number} count @param {string} noun */
  const counted = (count, noun) => fixed(count, 0) + " " + noun + (count === 1 ? "" : "s");

  /** @param {Element} parent @param {string} title @param {string} [note] */
  function section(parent, title, note) {
    const made = put(parent, "section");
    put(made, "h2", title);
    if (note) put(made, "p", note, "faint");
    return made;
  }

  /** @param {Element} place @param {{ label: string, colour: string }[]} entries */
  function legend(place, entries) {
    const list = put(place, "div", undefined, "legend");
    for (const entry of entries) {
      const line = put(list, "span");
      put(line, "span", "■ ").style.color = entry.colour;
      put(line, "span", entry.label);
    }
  }

  /**
   * A map of the arena, with north at the top, on which more is drawn.
   * @param {Element} place @param {HTMLImageElement | null} picture
   * @param {(pen: CanvasRenderingContext2D, x: (metres: number) => number, y: (metres: number) => number) => void} more
   */
  function map(place, picture, more) {
    const canvas = /** @type {HTMLCanvasElement} */ (put(place, "canvas"));
    const scale = Math.min(24, 1600 / Math.max(east - west, north - south));
    canvas.width = Math.max(1, Math.round((east - west) * scale));
    canvas.height = Math.max(1, Math.round((north - south) * scale));
    const pen = there(canvas.getContext("2d"));
    pen.fillStyle = "#1b2028";
    pen.fillRect(0, 0, canvas.width, canvas.height);
    if (picture) {
      pen.imageSmoothingEnabled = false;
      pen.globalAlpha = 0.6;
      pen.drawImage(picture, 0, 0, canvas.width, canvas.height);
      pen.globalAlpha = 1;
    }
    more(pen, metres => (metres - west) * scale, metres => (north - metres) * scale);
  }

  /** @param {Element} place @param {HTMLImageElement | null} picture */
  function heatMap(place, picture) {
    const most = Math.max(1, ...data.heat.map(square => square[2]));
    map(place, picture, (pen, x, y) => {
      for (const [column, row, count] of data.heat) {
        const share = Math.log(1 + count) / Math.log(1 + most);
        pen.fillStyle = "hsl(" + (240 - 240 * share) + " 95% 55% / " + (0.25 + 0.6 * share) + ")";
        const left = x(west + column * data.cell);
        const top = y(south + (row + 1) * data.cell);
        pen.fillRect(left, top, x(west + data.cell) - x(west), y(south) - y(south + data.cell));
      }
    });
  }

  /** @param {Element} place @param {HTMLImageElement | null} picture */
  function tracks(place, picture) {
    map(place, picture, (pen, x, y) => {
      pen.lineWidth = 2;
      pen.globalAlpha = 0.8;
      data.players.forEach((player, index) => {
        pen.strokeStyle = playerColour(index);
        pen.beginPath();
        let down = false;
        for (const point of player.track) {
          if (point.length === 0) down = false;
          else if (down) pen.lineTo(x(point[1]), y(point[2]));
          else { pen.moveTo(x(point[1]), y(point[2])); down = true; }
        }
        pen.stroke();
      });
    });
    legend(place, data.players.slice(0, 40).map((player, index) => ({ label: player.name, colour: playerColour(index) })));
  }

  /**
   * Lines over an axis, from 0 upwards.
   * @param {Element} place @param {Line[]} lines @param {string} across @param {string} up @param {number} [least] the smallest step upwards
   */
  function plot(place, lines, across, up, least = 0) {
    // As wide as its place, so that its text is as large as the page's.
    const width = Math.max(260, Math.min(560, place.clientWidth)), height = 260, left = 48, bottom = 44, top = 26, right = 16;
    const all = lines.flatMap(line => line.points);
    const high = roundUp(Math.max(1e-9, ...all.map(point => point[1])), 5, least);
    const far = Math.max(1e-9, ...all.map(point => point[0]));
    /** @param {number} value */
    const x = value => left + value / far * (width - left - right);
    /** @param {number} value */
    const y = value => height - bottom - value / high * (height - bottom - top);
    const svg = draw(place, "svg", { viewBox: "0 0 " + width + " " + height, role: "img" });
    const rows = ticksOf(high, 5, least), columns = ticksOf(far, width / 70);
    for (const value of rows.values) {
      draw(svg, "line", { x1: left, x2: width - right, y1: y(value), y2: y(value), stroke: "var(--line)" });
      draw(svg, "text", { x: left - 6, y: y(value) + 4, "text-anchor": "end" }, fixed(value, rows.decimals));
    }
    for (const value of columns.values) {
      draw(svg, "text", { x: x(value), y: height - bottom + 20, "text-anchor": "middle" }, fixed(value, columns.decimals));
    }
    draw(svg, "text", { x: (left + width) / 2, y: height - 6, "text-anchor": "middle" }, across);
    draw(svg, "text", { x: 2, y: 12 }, up);
    for (const line of lines) {
      draw(svg, "polyline", { points: line.points.map(point => x(point[0]).toFixed(1) + "," + y(point[1]).toFixed(1)).join(" "),
        fill: "none", stroke: line.colour, "stroke-width": 1.8, "stroke-linejoin": "round" });
    }
    if (lines.length <= 40) legend(place, lines);
  }

  /** A table, which scrolls by itself if the screen is too small for its columns. @param {Element} place @param {string[]} titles @param {(string | number)[][]} rows */
  function table(place, titles, rows) {
    const made = put(put(place, "div", undefined, "scroll"), "table");
    const head = put(put(made, "thead"), "tr");
    titles.forEach(title => put(head, "th", title));
    const body = put(made, "tbody");
    for (const row of rows) {
      const line = put(body, "tr");
      row.forEach((cell, i) => put(line, i === 0 ? "th" : "td", String(cell)));
    }
  }

  /** @param {Element} place @param {Violation} violation */
  function incident(place, violation) {
    const box = put(place, "div");
    put(box, "p", violation.name + " (" + violation.game + "), " + fixed(violation.seconds, 3) + " s: " + violation.rule);
    put(box, "p", violation.text, "faint");
    const points = violation.points;
    const svg = draw(box, "svg", { viewBox: "0 0 240 178", role: "img" });
    draw(svg, "rect", { x: 0.5, y: 0.5, width: 239, height: 159, fill: "none", stroke: "var(--line)" });
    if (points.length === 0) return;
    const xs = points.map(point => point[1]), ys = points.map(point => point[2]);
    const size = Math.max(1, (Math.max(...xs) - Math.min(...xs)) / 1.5, Math.max(...ys) - Math.min(...ys));
    const middle = [(Math.max(...xs) + Math.min(...xs)) / 2, (Math.max(...ys) + Math.min(...ys)) / 2];
    const spots = points.map(point => [120 + (point[1] - middle[0]) / size * 140, 80 - (point[2] - middle[1]) / size * 140]);
    draw(svg, "polyline", { points: spots.map(spot => spot.map(value => value.toFixed(1)).join(",")).join(" "), fill: "none",
      stroke: "var(--faint)" });
    spots.forEach((spot, i) => draw(svg, "circle", { cx: spot[0].toFixed(1), cy: spot[1].toFixed(1), r: 2.5,
      fill: points[i][0] < violation.seconds ? gameColour(violation.game) : "var(--bad)" }));
    draw(svg, "text", { x: 2, y: 173 }, "height of picture " + fixed(size * 160 / 140, 1) + " m");
  }

  /** The tables of rounds, scores, flags, weapons and runs, as far as there are any. @param {Fights} fights */
  function match({ rounds, scores, weapons, flags }) {
    const fought = scores.filter(score => score.given > 0 || score.taken > 0 || score.deaths > 0), raced = scores.filter(score => score.runs > 0);
    if (rounds.length === 0 && scores.length === 0) {
      section(main, "Match", "no round and no score was recorded; captures and demos have none");
      return;
    }
    const teams = scores.some(score => score.team), scored = rounds.some(round => round.score);
    if (rounds.length > 0) {
      table(section(main, "Rounds"), ["round", "mode", "from, s", "length, s", "winner", ...scored ? ["score"] : [], "end"], rounds.map((round, i) => [i + 1, round.mode || "–", round.from === undefined ? "before" : fixed(round.from, 0),
        round.seconds === undefined ? "–" : fixed(round.seconds, 0), round.winner || "–", ...scored ? [round.score ?? "–"] : [], round.end.replace("-", " ") || "not ended"]));
    }
    if (fought.length > 0) {
      table(section(main, "Scores", "of all rounds; damage without what players did to themselves"), ["player", "game", ...teams ? ["team"] : [], flags.length > 0 ? "points" : "frags", "deaths", "damage given", "taken", "most kills by"],
        fought.map(score => [score.name, score.game, ...teams ? [score.team || "–"] : [], score.frags, score.deaths, fixed(score.given, 0), fixed(score.taken, 0), score.weapon || "–"]));
    }
    if (flags.length > 0) {
      table(section(main, "Flags", "of all rounds; held: seconds with the other team's flag"), ["player", "game", "team", "taken", "captured", "returned", "held, s"],
        flags.map(([name, game, team, takes, captures, returns, held]) => [name, game, team || "–", takes, captures, returns, fixed(held, 1)]));
    }
    if (weapons.length > 0) {
      table(section(main, "Weapons"), ["weapon", "kills", "hits", "damage"], weapons.map(([name, kills, hits, damage]) => [name, kills, hits, fixed(damage, 0)]));
    }
    if (raced.length > 0) {
      table(section(main, "Runs"), ["player", "game", "runs", "best time"], raced.map(score => [score.name, score.game, score.runs, score.best]));
    }
  }

  /** @param {HTMLImageElement | null} picture */
  function show(picture) {
    const title = "Recording" + (data.recordings.length > 1 ? "s " : " ") + data.recordings.join(", ");
    document.title = title;
    there(document.querySelector("h1")).textContent = title;
    const header = there(document.querySelector("header"));
    put(header, "p", (data.arena ? "arena " + data.arena + ", " : "") + fixed(data.seconds, 0) + " s, " + counted(data.players.length, "player") + ", "
      + counted(data.movements, "movement") + ", " + counted(data.violationCount, "violation")
      + (data.unlistedMovements > 0 ? "; the lists are full: " + counted(data.unlistedMovements, "movement") + " of further players only in the heat map" : ""));
    put(header, "p", "wishdir " + data.wishdir, "faint");

    match(data.fights);
    const plots = put(main, "section", undefined, "plots");
    heatMap(section(plots, "Where players were", "movements in squares of " + data.cell + " m, red for most (logarithmic)"), picture);
    tracks(section(plots, "Tracks", "a point each half second; a gap is a spawn or a teleport"), picture);
    plot(section(plots, "Speed over the ground", "share of the movements of each game"), games.map(game => {
      const total = data.speeds[game].reduce((sum, count) => sum + count, 0);
      let last = data.speeds[game].length - 1;
      while (last > 0 && data.speeds[game][last] === 0) last--;
      return { label: game, colour: gameColour(game),
        points: data.speeds[game].slice(0, last + 1).map((count, i) => [(i + 0.5) * data.speedStep, 100 * count / total]) };
    }), "m/s", "% of movements");
    plot(section(plots, "Connections", "players of each game; further recordings follow the first"),
      Object.entries(data.connections).map(([game, points]) => ({ label: game, colour: gameColour(game), points })), "s", "players", 1);
    if (data.players.some(player => player.pings.length > 1)) {
      plot(section(plots, "Round trip times", "as the snapshots of the recording have it"), data.players.filter(player => player.pings.length > 1)
        .map((player, index) => ({ label: player.name, colour: playerColour(index), points: player.pings })), "s", "ms");
    }
    table(section(main, "Players"), ["player", "game", "proof", "time, s", "distance, m", "jumps", "jumps a minute", "in the air"],
      data.players.map(player => [player.name, player.game, player.proof || "–", fixed(player.seconds, 0), fixed(player.metres, 0), player.jumps,
        player.seconds > 0 ? fixed(60 * player.jumps / player.seconds, 1) : "–",
        player.seconds > 0 ? fixed(100 * player.air / player.seconds, 1) + "\u00a0%" : "–"]));
    if (data.pairs.length > 0) {
      table(section(main, "Players near each other", "seconds within " + data.near + " m"), ["players", "seconds"], data.pairs);
    }
    const violations = section(main, "Violations", data.violationCount === 0 ? "none"
      : "the player from above, a second before (coloured) and after (red)"
        + (data.violationCount > data.violations.length ? "; the first " + data.violations.length + " of " + data.violationCount : ""));
    const grid = put(violations, "div", undefined, "incidents");
    data.violations.forEach(violation => incident(grid, violation));
  }

  if (data.picture) {
    const image = new Image();
    image.onload = () => show(image);
    image.onerror = () => show(null);
    image.src = data.picture;
  } else {
    show(null);
  }
})();
