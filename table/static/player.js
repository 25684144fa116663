// A game looked at again: every position, what was played there and what it cost, and better moves to be found.
// It needs nothing but a review (table/review.py); no server, so that it also works in a file.

import { nameOf, partNamed, partOf, showBoard } from "./board.js";
import { drawChart } from "./chart.js";
import { NARROW, element, id, points, say, worth } from "./dom.js";

const MARKS = ["?!", "?", "??"];
const board = id("board");
const slider = id("slider");

let game = null; // the review: all but its positions and drawings
const positions = [];
let at = 0;
let furthest = 0; // the last position that is shown: where a game is watched, those to come are not
let watched = false;
let timer = 0;
let trying = null; // numbers of positions in which better moves are looked for, and how that goes

export const now = () => at;
export const count = () => positions.length;

/** A difference in points, with its sign; an ellipsis while it is not known. */
const signed = (value) => (typeof value !== "number" ? "…" : points(value, 1, { signDisplay: "always" }));
const mark = (cost) => MARKS[game.costly.filter((least) => cost >= least).length - 1] ?? "";
const last = () => (watched ? furthest : positions.length - 1);

// --- what is known ---

/** Take a review, or what follows the positions known already. `unseen`: show only what one has come to. */
export function take(answer, unseen = watched) {
  const first = !positions.length;
  positions.length = answer.after; // fewer than before, where moves were taken back at the table
  answer.positions.forEach((position, place) => {
    const drawing = () => drawn(answer, place);
    positions.push({ ...position, drawing, beside: besideOf(answer, answer.after + place, place) });
  });
  game = answer;
  watched = unseen;
  if (first) {
    choices();
    if (location.hash) at = Number(location.hash.slice(1)) || 0;
    go(at);
  } else {
    go(at);
  }
}

const drawn = ({ drawings, pieces, tags }, place) => drawings[place].map((piece) => pieces[piece].map((tag) => tags[tag]).join("")).join("");

/** The game of people that this one is a duplicate of, as it stood by then, where one can be seen beside the other. */
function besideOf(answer, number, place) {
  const { seat, name, totals, parted } = answer.beside;
  return totals && { agent: answer.names[seat], own: totals[place][0], name, total: totals[place][1], told: parted.filter(([where]) => where === number).map(([, words]) => words),
    drawing: () => drawn(answer, answer.positions.length + place) };
}

/** Go to a position. */
export function go(number) {
  if (!game) return; // it is still on its way
  at = Math.min(Math.max(number, 0), positions.length - 1);
  furthest = Math.min(furthest, positions.length - 1);
  show();
}

// --- showing ---

function show() {
  const position = positions[at];
  const said = !trying || trying.solved;
  furthest = Math.max(furthest, at);
  id("panels").innerHTML = position.panels; // made by table/review.py, which escapes what is anybody's
  beside(position.beside);
  showBoard(board, position.drawing(), position);
  slider.max = last();
  slider.value = at;
  const where = position.seat === null ? say("where_over", { number: at, last: last() })
    : say("where", { number: at, last: last(), turn: position.turn, name: game.names[position.seat], dice: position.seen });
  slider.setAttribute("aria-valuetext", where);
  id("where").textContent = where;
  id("where").className = position.seat === null ? "" : `of seat${position.seat}`;
  id("told-here").setAttribute("aria-live", timer ? "off" : "polite"); // playing, it would never be silent
  id("said").replaceChildren(...rolls(position), ...(said ? verdict(position) : []),
    ...(position.beside?.told ?? []).map((text) => element("p", { className: "parted" }, text)));
  id("best").replaceChildren(...(said ? best(position) : []));
  id("best-box").hidden = !said || !position.moves.length;
  const together = position.standing.length < game.names.length;
  id("standing").replaceChildren(...position.standing.map((value, seat) => element("li", { className: together ? "" : `of seat${seat}` },
    element("span", {}, together ? "" : game.names[seat]), element("b", {}, worth(value)))));
  document.body.classList.toggle("provisional", game.provisional);
  frames(position, said);
  for (const name of ["first", "back"]) id(name).disabled = at === 0;
  for (const name of ["next", "last"]) id(name).disabled = at >= positions.length - 1;
  id("previous-costly").disabled = costlyFrom(-1) === undefined;
  id("next-costly").disabled = costlyFrom(1) === undefined;
  id("begin-trial").disabled = positions.some(({ cost }) => cost === null); // which are costly is not known yet
  chart();
  log();
  skill();
  document.dispatchEvent(new CustomEvent("position", { detail: position }));
}

/** Show the other game as it stood by then. Its parts have no names, since those of the board have them. */
function beside(other) {
  id("beside-board").hidden = !other;
  if (!other) return;
  const [holder, caption] = id("beside-board").children;
  caption.textContent = say("beside_caption", other);
  showBoard(holder, other.drawing(), {});
  for (const part of holder.querySelectorAll("[id]")) part.removeAttribute("id");
}

const rolls = (position) => position.chances.filter((one) => one.words).map((one) => element("p", { className: `of seat${one.seat}` },
  one.luck?.length ? say("rolled", { told: one.words, luck: signed(one.luck[one.seat] ?? one.luck[0]) }) : one.words));

/** What was played in a position, and what it cost. */
function verdict(position) {
  if (position.seat === null) return position.lines.filter((line) => line.kind === "end").map((line) => element("p", {}, line.words));
  if (position.played === null) return [];
  const own = position.moves.find((move) => move.move === position.played);
  const words = positions[at + 1].lines.find((line) => line.kind === "move")?.words ?? (own ? described(own) : position.played);
  const cost = position.choices < 2 ? say("forced") : position.cost === null ? "…"
    : position.cost < 0.0005 ? say("none_better") : say(mark(position.cost) ? "cost_marked" : "cost", { cost: points(position.cost), mark: mark(position.cost) });
  return [element("p", { className: mark(position.cost) ? "costly" : "" },
    element("b", {}, words), ` ${cost}`)];
}

const best = (position) => position.moves
  .filter((move, place) => place < 3 || move.move === position.played)
  .map((move) => element("li", { className: move.move === position.played ? "was" : "" },
    element("b", {}, worth(move.value)), ` ${described(move)}`, move.move === position.played ? ` ${say("as_played")}` : ""));

const described = ({ with: used, words }) => (used.length ? `${used.join("+")}: ` : "") + words.replace(/\.$/, "");
const nodes = (move) => (move?.at ?? []).map(partNamed).filter((part) => part);

/** Frame the parts of the move played and those of the best one. */
function frames(position, said) {
  if (!said) return reachable(position);
  const [top] = position.moves;
  for (const part of nodes(top)) part.classList.add("best");
  if (position.played !== null) for (const part of nodes(position.moves.find((move) => move.move === position.played))) part.classList.add("was");
}

function chart() {
  const known = positions.slice(0, last() + 1);
  drawChart(id("chart"), {
    positions: known, letters: [...game.letters], unit: game.unit, beside: game.beside?.course ?? [], costly: game.costly, at, last: last(), label: say("chart"),
  });
}

function log() {
  const entries = [];
  for (const position of positions.slice(0, last() + 1)) entries.push(...position.lines);
  const list = id("log");
  if (list.childElementCount !== entries.length) {
    list.replaceChildren(...entries.map((line) => {
      const told = [element("span", { className: "notation" }, line.text), element("span", { className: "words" }, line.words)];
      const who = line.seat === null ? "" : `of seat${line.seat}`;
      return element("li", { className: `${line.kind} ${who}` }, element("button", {
        type: "button", title: line.words, onclick: () => go(line.position),
      }, ...told));
    }));
  }
  let current = null;
  entries.forEach((line, place) => {
    const here = line.position === at;
    const item = list.children[place];
    const cost = line.kind === "move" ? positions[line.position].cost : 0;
    item.querySelector(".mark")?.remove(); // they come later
    if (mark(cost)) item.firstChild.append(element("b", { className: "mark", title: say("cost", { cost: points(cost) }) }, mark(cost)));
    item.classList.toggle("now", here);
    if (here) item.firstChild.setAttribute("aria-current", "true");
    else item.firstChild.removeAttribute("aria-current");
    if (here) current = item;
  });
  if (current) list.scrollTop = current.offsetTop - list.offsetTop - list.clientHeight / 2;
}

/** The table of luck and skill. It tells the end of a game, as do the files, which a page to take along has not. */
function skill() {
  const hidden = watched && furthest < positions.length - 1;
  id("skill").hidden = hidden || (watched && !game.over);
  id("files")?.toggleAttribute("hidden", hidden || !game.over);
  id("skill-rows").replaceChildren(...game.seats.map((seat, number) => element("tr", {},
    element("th", { scope: "row" },
      element("span", { className: `figure seat${number}`, ariaHidden: "true" }, game.letters[number]), game.names[number]),
    ...[signed(seat.own), signed(seat.others), String(seat.decisions),
      seat.lost === null ? "…" : seat.decisions ? points(seat.lost / seat.decisions) : "–", ...costs(seat)].map((text) => element("td", {}, text)))));
}

/** How many moves were dubious, how many mistakes, how many blunders: each counts once. */
const costs = ({ costly }) => costly?.map((number, place) => String(number - (costly[place + 1] ?? 0))) ?? game.costly.map(() => "…");

// --- going through the game ---

const costlyFrom = (step) => {
  for (let number = at + step; number >= 0 && number <= last(); number += step) {
    if (positions[number].cost >= game.costly[0]) return number;
  }
  return undefined;
};

function run(on) {
  if (!game) return;
  clearTimeout(timer);
  timer = on ? setTimeout(tick, Number(id("pace").value)) : 0;
  id("run").textContent = say(on ? "pause" : "play");
}

function tick() {
  if (at < positions.length - 1) go(at + 1);
  run(!(game.over && at === positions.length - 1));
}

/** Begin to show the game by itself. */
export const start = () => run(true);

const steps = {
  first: () => go(0), back: () => go(at - 1), next: () => go(at + 1), last: () => go(positions.length - 1),
  "previous-costly": () => go(costlyFrom(-1) ?? at), "next-costly": () => go(costlyFrom(1) ?? at),
};
for (const [name, step] of Object.entries(steps)) id(name).addEventListener("click", () => { run(false); quit(); step(); });
id("run").addEventListener("click", () => { quit(); if (!timer && at === positions.length - 1 && game.over) go(0); run(!timer); });
id("pace").addEventListener("change", () => timer && run(true));
slider.addEventListener("input", () => { run(false); quit(); go(Number(slider.value)); });
id("in-words").addEventListener("change", (event) => id("log").classList.toggle("in-words", event.target.checked));
id("chart").addEventListener("pointerdown", (event) => { run(false); quit(); pull(event); });
id("chart").addEventListener("pointermove", (event) => event.buttons && pull(event));
function pull(event) {
  const { left, width } = id("chart").getBoundingClientRect();
  go(Math.round(((event.clientX - left) / width) * last()));
}
addEventListener("keydown", (event) => {
  if (!game || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest("select, input:not([type=checkbox]), textarea, .scroll")) return; // which have a use of their own for them
  const key = { ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last" }[event.key];
  if (!key) return;
  event.preventDefault();
  run(false);
  quit();
  steps[key]();
});
addEventListener("resize", () => game && chart());
NARROW.addEventListener("change", () => game && show());

// --- better moves ---

/** The numbers of a seat's costly positions. */
const costlyOf = (seat) => [...positions.keys()].filter(
  (number) => number <= last() && positions[number].seat === seat && positions[number].cost >= game.costly[0]);

/** Offer the seats whose moves can be tried again. */
function choices() {
  id("whose").replaceChildren(...game.names.map((name, seat) => element("option", { value: seat, selected: seat === game.you }, name)));
}

function quit() {
  if (!trying) return;
  trying = null;
  id("trial").hidden = true;
  id("begin").hidden = false;
  id("verdict").textContent = "";
  show();
}

/** Ask for better moves in these positions; `null` for the costliest, of any seat. */
export function find(numbers) {
  const decided = [...positions.keys()].filter((number) => positions[number].seat !== null);
  const worst = Math.max(...decided.map((number) => positions[number].cost));
  const least = [game.costly[1], game.costly[0]].find((one) => one <= worst) ?? worst;
  question(0, numbers ?? decided.filter((number) => positions[number].cost && positions[number].cost >= least));
}

function question(place, list = trying?.list ?? costlyOf(Number(id("whose").value))) {
  id("verdict").textContent = "";
  if (!list.length) {
    id("verdict").textContent = say("nothing_costly");
    return;
  }
  trying = { list, place, solved: false };
  id("trial").hidden = false;
  id("begin").hidden = true;
  id("ways").replaceChildren();
  go(list[place]);
  const position = positions[at];
  const was = position.moves.find((move) => move.move === position.played);
  id("question").textContent = say("question", {
    number: place + 1, last: list.length, name: game.names[position.seat], dice: position.seen,
    words: described(was), cost: points(position.cost),
  });
  const listed = [...position.moves].sort((a, b) => a.move.localeCompare(b.move, "en", { numeric: true }));
  id("all-moves").replaceChildren(...listed.map((move) => element("option", { value: move.move }, described(move))));
  id("another").disabled = place + 1 >= list.length;
  id("all-moves").focus({ preventScroll: true });
}

/** Mark the parts that can be clicked. */
function reachable(position) {
  for (const part of position.moves.flatMap(nodes)) {
    part.classList.add("could");
    part.setAttribute("tabindex", "0");
    part.setAttribute("role", "button");
  }
}

function answer(text) {
  const position = positions[at];
  const move = position.moves.find((known) => known.move === text);
  const [top] = position.moves;
  const values = { words: described(move), chance: worth(move.value), less: points(top.value - move.value) };
  if (top.value - move.value <= game.nearly) return reveal(say(move === top ? "found_best" : "found", values), true);
  id("ways").replaceChildren();
  id("verdict").textContent = say("not_yet", values);
  focusOn("all-moves");
}

/** Give the focus to an element if what had it is gone. */
function focusOn(name) {
  if (document.activeElement === document.body) id(name).focus({ preventScroll: true });
}

/** Show the agent's moves. */
function reveal(text, found = false) {
  const position = positions[at];
  trying.solved = true;
  document.dispatchEvent(new CustomEvent("answered", { detail: { position: at, found } }));
  show();
  id("ways").replaceChildren();
  id("verdict").textContent = text === say("found_best", { words: described(position.moves[0]) }) ? text
    : `${text} ${say("best_move", { words: described(position.moves[0]), chance: worth(position.moves[0].value) })}`.trim();
  focusOn(id("another").disabled ? "stop-trial" : "another");
  id("verdict").scrollIntoView({ block: "nearest" });
}

function choose(part) {
  if (!trying || trying.solved || !part?.hasAttribute("tabindex")) return;
  const ways = positions[at].moves.filter((move) => move.at.includes(nameOf(part)));
  if (ways.length === 1) return answer(ways[0].move);
  id("ways").replaceChildren(...ways.map((move) => element("button", {
    type: "button", onclick: () => answer(move.move),
  }, described(move))));
  id("ways").firstChild?.focus();
}

id("begin-trial").addEventListener("click", () => { run(false); question(0); });
id("another").addEventListener("click", () => question(trying.place + 1));
id("answer").addEventListener("click", () => answer(id("all-moves").value));
id("solution").addEventListener("click", () => reveal(""));
id("stop-trial").addEventListener("click", () => { quit(); id("begin-trial").focus(); });
board.addEventListener("click", (event) => choose(partOf(event.target)));
board.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" && event.key !== " ") return;
  event.preventDefault();
  choose(partOf(event.target));
});
