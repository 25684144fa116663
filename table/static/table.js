// The table: shows what the server says, and sends back moves that it said are legal. It knows no rule of any game.
//
// A move is told by the parts of the drawing that are clicked for it, and the chips that are picked. It is made at once,
// and can be taken back until it is confirmed, where chance or others come next: then the server says that it is held.

import { Refused, ask } from "./ask.js";
import { labelOf, nameOf, partNamed, partOf, showBoard } from "./board.js";
import { advise, advisedOf, agreed, forget, markAgain } from "./coach.js";
import { NARROW, decimal, element, id, say } from "./dom.js";
import { follow } from "./guide.js";
import { room } from "./room.js";
import { remember, setting } from "./settings.js";

const PAUSE = { slow: 2600, quick: 1100, once: 0 }; // milliseconds before an agent's move

const home = location.pathname;
const TITLE = document.querySelector("h1").textContent;
const board = id("board");
const HEADINGS = [...id("score").tHead.querySelectorAll("th")];
const MOST_COLUMNS = 10; // of a table of points; with more, what counts stands below each other, and seats side by side
const acts = [...id("acts").querySelectorAll("[data-act]")];

let game = null; // the last view from the server
let decided = null; // the last view in which this person had moves
let last = null; // the move that is held
let picked = new Set(); // places of chips
let clicked = new Set(); // names of parts, where a move has several
let asked = null; // moves among which the person has yet to choose, or none
let busy = false;
let timer = 0;
let pointed = null; // the name of the part that is pointed at
let way = null; // in which moves are made that can be made in several at the same place, or none that was chosen
let skipping = false; // whether the agents move at once up to a person's turn
let unanswered = null; // how the game stood when the server did not answer
let owed = false; // the focus, to somebody who had it before others moved

/** Parts one after the other, with "and" or "or" between them. */
const both = (key, parts) => parts.reduce((first, last) => (first === "" ? String(last) : say(key, { first, last })), "");

// --- what goes with what is picked ---

const sorted = (values) => [...values].sort((a, b) => (a < b ? -1 : 1));
const same = (a, b) => a.length === b.length && a.every((value, place) => value === b[place]);
const pickedValues = () => sorted([...picked].map((place) => game.chips[place].value));
const sum = () => game.sums[pickedValues().join("+")]; // undefined where the chips make none
/** The chips of a move that are not picked yet; undefined if others are picked than it takes. */
function missing(move) {
  const rest = [...move.with];
  for (const value of pickedValues()) {
    const place = rest.indexOf(value);
    if (place < 0) return undefined;
    rest.splice(place, 1);
  }
  return rest;
}
/** The legal moves that go with what is picked and clicked, with more of it or as it is. */
const ahead = () => (game.person ? game.legal.filter((move) => missing(move) && [...clicked].every((name) => move.at.includes(name))) : []);
/** Whether nothing more is to be picked or clicked for a move. */
const complete = (move) => same(sorted(move.with), pickedValues()) && (move.at.length < 2 || move.at.length === clicked.size);
const listed = (move) => !move.at.length && !move.act;

/** The moves of a button: those that go with what is picked. */
function movesOf(act) {
  const all = game.legal.filter((move) => move.act === act);
  const exact = all.filter((move) => !move.with.length || same(sorted(move.with), pickedValues()));
  return exact.length ? exact : all.filter((move) => missing(move));
}

/** Places of chips with these values, the picked ones first. */
function placesOf(values) {
  const free = [...game.chips.keys()].sort((a, b) => picked.has(b) - picked.has(a));
  return values.map((value) => free.splice(free.findIndex((place) => game.chips[place].value === value), 1)[0]);
}

// --- talking to the server ---

async function send(path, body, patient = false) {
  busy = true;
  document.body.classList.add("busy");
  try {
    for (let wait = 500; ; wait = Math.min(2 * wait, 5000)) {
      try {
        const answer = await ask(`${home}/${path}`, body);
        id("problem").textContent = "";
        return answer;
      } catch (error) {
        id("problem").textContent = error.message;
        if (!(error instanceof Refused) || error.status !== 0 || !patient) throw error;
        id("problem").textContent += ` ${say("trying")}`;
        await new Promise((resolve) => setTimeout(resolve, wait));
      }
    }
  } finally {
    busy = false;
    document.body.classList.remove("busy");
  }
}

const lines = () => id("log").children.length;

/** Make a move; `instead` of the one that is held. Where nothing is to be confirmed, go on at once. */
async function play(move, instead = false) {
  if (busy) return;
  try {
    if (!instead && (!(await agreed(inquire, move)) || busy)) return;
    const view = await send("move", { move: move.move, at: game.at, after: lines(), instead });
    unanswered = null;
    last = view.held ? move : null;
    show(view, true);
    if (view.held && !setting("confirm")) await confirm();
  } catch (error) {
    await lookAfter(error);
  }
}

async function confirm() {
  if (busy || !game?.held) return;
  try {
    show(await send("done", { at: game.at, after: lines() }), true);
  } catch (error) {
    await lookAfter(error);
  }
}

async function takeBack() {
  if (busy || !game?.back) return;
  try {
    show(await send("back", { at: game.at }), true);
  } catch (error) {
    await lookAfter(error);
  }
}

/** Make, in place of the move that is held, the next one at the same part; before that choose the next way, of those at
    the part that is pointed at or of all. */
function variant(step = 1) {
  const ways = game.held ? variants(last) : turns();
  if (ways.length < 2) return;
  const now = game.held ? last.way : pointed ? meant(turns(false)).way : way ?? 0;
  const place = ways.findIndex((move) => (game.held ? move.move === last.move : move.way === now));
  const next = ways[(Math.max(place, -step) + step + ways.length) % ways.length];
  way = next.way ?? null;
  if (game.held) return play(next, true);
  const part = pointed && partNamed(pointed);
  refresh();
  inspect(part);
}

/** The moves that can be made in several ways, at the part that is pointed at or at any: one for each way, in order. */
function turns(sorted = true) {
  const here = game?.person ? game.legal.filter((move) => move.way !== undefined && (!pointed || move.at.includes(pointed))) : [];
  return sorted ? inOrder([...new Map(here.map((move) => [move.way, move])).values()]) : here;
}

const inOrder = (moves) => [...moves].sort((a, b) => a.way - b.way); // as they come where they have no way

/** The one of some moves at a place that is made there: in the way that was chosen, or in the next one. */
function meant(moves) {
  if (moves[0]?.way === undefined) return moves[0];
  if (way === null) return advisedOf(moves) ?? moves[0];
  const ways = inOrder(moves);
  return ways.find((move) => move.way >= way) ?? ways[0];
}

/** The moves that differ from one only in what is neither clicked nor picked. */
const variants = (move) => (game?.held && move?.at.length
  ? inOrder(decided.legal.filter(({ at, with: chips }) => same(at, move.at) && same(chips, move.with))) : []);

/** Look whether the game stands otherwise than this page believes, or a request without an answer was carried out. */
async function lookAfter(error) {
  if (![409, 0, 500].includes(error.status)) return;
  const before = game.at;
  if (error.status === 0) unanswered = { at: before };
  await look(error.message);
  if (error.status !== 409 && game.at !== before) id("problem").textContent = ""; // the answer is on the board
}

/** Ask how the game stands, at first and after something has gone wrong. */
async function look(problem = "") {
  try {
    const view = await send("view?after=0", undefined, true);
    if (view.at !== game?.at) show(view);
    id("problem").textContent = problem;
  } catch (error) {
    id("problem").textContent = error.message;
    if (!game) id("problem").append(" ", element("button", { onclick: () => look() }, say("again")));
  }
}

/** Let the agents move, one after the other, at the chosen speed, or at once up to a person's turn. */
function letAgentsMove() {
  clearTimeout(timer);
  if (!game || game.over || game.held || game.person) {
    skipping = false;
    return;
  }
  const pace = skipping ? "once" : id("speed").value;
  timer = setTimeout(async () => {
    if (busy) return;
    try {
      show(await send("advance", { moves: game.moves, after: lines(), all: pace === "once" }, true));
    } catch (error) {
      id("problem").replaceChildren(`${error.message} `, element("button", { onclick: letAgentsMove }, say("again")));
    }
  }, PAUSE[pace]);
}

// --- showing ---

/** Show a view. `own` says that it answers a person's move made here. */
function show(view, own = false) {
  const first = game === null;
  const news = view.log.slice(Math.max(0, (view.had ?? lines()) - view.line));
  const fresh = first || news.some((line) => line.chance);
  const kept = keepFocus();
  game = view;
  if (game.person && game.turn !== decided?.turn) way = null;
  if (game.person) decided = game;
  if (!game.held) last = null;
  clear();
  document.body.classList.toggle("over", game.over);
  document.body.classList.toggle("held", game.held);
  document.body.classList.toggle("thinking", !game.over && !game.held && !game.person);
  id("status").textContent = game.status;
  id("status").className = game.seat === null ? "" : `of seat${game.seat}`;
  document.title = `${game.over ? say("game_over") : game.status} – ${TITLE}`;
  forget();
  id("hint").disabled = !game.person;
  id("done").disabled = !game.held;
  if (own) {
    id("told").replaceChildren();
    id("latest").textContent = "";
  }
  tell(news, first);
  id("panels").innerHTML = game.panels; // made by the server, which escapes what is anybody's
  showBoard(board, game.svg, game);
  writeLog(view); // with pictures of what lies on it
  showChips(fresh);
  showEnd();
  showScore();
  id("strip").replaceChildren(...game.strip.map((text, seat) => element("li",
    { className: `of seat${seat}${seat === game.seat ? " now" : ""}` }, text)));
  refresh();
  kept();
  letAgentsMove();
}

function clear() {
  picked = new Set();
  clicked = new Set();
  asked = null;
}

/** Write the log from the view's first line on; what was taken back goes. */
function writeLog(view) {
  while (lines() > view.line) id("log").lastChild.remove();
  for (const line of view.log) {
    const who = line.seat === null ? "" : `of seat${line.seat}`;
    const text = element("span", { className: "notation" }, line.text);
    const words = element("span", { className: "words" }, line.words);
    const entry = element("li", { className: `${line.kind} ${who}`, title: line.words }, text, words);
    if (line.part) entry.dataset.lights = line.part;
    const part = line.part && room.thumbnail && partNamed(line.part);
    if (part) entry.prepend(room.thumbnail(part));
    id("log").append(entry);
  }
  id("log").scrollTop = id("log").scrollHeight;
}

function tell(news, first) {
  for (const line of first ? news.slice(-4) : news) {
    id("told").append(element("li", { className: line.seat === null ? "" : `of seat${line.seat}` }, element("span", {}, line.words)));
  }
  const others = news.filter((line) => line.kind !== "turn" && (line.seat === null || line.seat !== game.seat));
  if (others.length) id("latest").textContent = others.slice(-2).map((line) => line.words).join(" ");
  const told = id("told");
  while (told.children.length > 24) told.firstChild.remove();
  told.scrollTop = told.scrollHeight;
}

function showChips(fresh) {
  id("chips").replaceChildren(...game.chips.map((chip, place) => {
    const button = element("button", { type: "button", className: `${chip.look}${fresh ? " fresh" : ""}`, disabled: !game.person,
      ariaLabel: chip.words, onclick: () => pick(place) });
    button.dataset.chip = place;
    button.innerHTML = chip.html;
    button.append(element("kbd", {}, String(place + 1)));
    return button;
  }));
  if (game.chips.length) id("chips").hidden = false; // where there are some at times, their room stays
}

function showEnd() {
  id("finished").hidden = !game.over;
  if (game.over) id("finished").before(document.querySelector(".score"));
  if (game.over && !id("finished").children.length) {
    id("finished").append(
      element("button", { className: "main", onclick: again }, say("play_again")),
      element("a", { href: `${home}/review` }, say("review")),
      element("a", { href: `${home}/record`, download: "" }, say("download")),
      element("a", { href: `/?game=${game.game}` }, say("set_up")),
    );
    if (game.verdict) id("status").after(element("p", { id: "verdict" }, game.verdict));
    if (game.duplicate) beside();
  }
}

/** Tell how an agent does in the same game, with the same chance, and offer a line to share. */
async function beside() {
  const told = element("p", { id: "beside-agent", role: "status" }, say("plays_again"));
  id("finished").append(told);
  try {
    const { id: other, agent, mine, theirs, parted, line } = await ask(`${home}/duplicate`, {});
    told.replaceChildren(say("beside", { agent, mine: decimal(mine, 0), theirs: decimal(theirs, 0) }), " ", element("a", { href: `/games/${other}/review` }, say("beside_look")));
    if (parted.length) {
      id("finished").append(element("p", {}, say("beside_parted")), element("ol", { id: "parted" }, ...parted.map(([position, words]) => element("li", {},
        element("a", { href: `/games/${other}/review#${position}` }, words)))));
    }
    id("finished").append(element("label", {}, say("share"), " ", element("input", { readOnly: true, value: line, onclick: ({ target }) => target.select() })));
  } catch (error) {
    told.textContent = error.message;
  }
}

async function again({ currentTarget: button }) {
  button.disabled = true; // until the other page comes
  try {
    location.href = `/games/${(await send("again", {})).id}`;
  } catch { // the reason is shown
    button.disabled = false;
  }
}

function showScore() {
  const leads = (number) => game.leading.includes(number) && game.score.length > 1;
  const tall = HEADINGS.length > MOST_COLUMNS;
  const scope = tall ? "col" : "row";
  const seat = (number) => (game.score.length < game.seats.length ? element("th", { scope }) : element("th",
    { scope, className: `of seat${number}`, title: game.seats[number].name },
    element("span", { className: `figure seat${number}`, ariaHidden: "true" }, game.seats[number].letter),
    (game.over && leads(number) ? "★ " : "") + game.seats[number].name)); // the star first, since names are cut
  id("score").caption.textContent = say(game.over ? "final" : "if_now");
  const cell = (points) => element("td", {}, String(points).replace("-", "−"));
  const order = [...game.score.keys()]; // at the end by rank
  const total = (number) => Object.values(game.score[number]).at(-1);
  if (game.over) order.sort((a, b) => leads(b) - leads(a) || total(b) - total(a));
  id("score").classList.toggle("tall", tall);
  if (tall) {
    id("score").tHead.rows[0].replaceChildren(element("td"), ...order.map(seat));
    id("score").tBodies[0].replaceChildren(...HEADINGS.map((heading, place) => element("tr", {},
      element("th", { scope: "row", title: heading.title }, heading.textContent), ...order.map((number) => cell(Object.values(game.score[number])[place])))));
  } else {
    id("score").tBodies[0].replaceChildren(...order.map((number) => element("tr",
      { className: leads(number) ? "best" : "" }, seat(number), ...Object.values(game.score[number]).map(cell))));
  }
  id("middle").textContent = game.middle;
}

/** Everything that depends on what is picked. */
function refresh() {
  const moves = ahead();
  const ready = moves.filter((move) => complete(move));
  const more = new Set(picked.size ? moves.flatMap(missing) : []);
  const free = new Set(game.person ? game.legal.flatMap(({ with: chips }) => chips) : []);
  [...id("chips").children].forEach((button, place) => {
    const { value } = game.chips[place];
    button.classList.toggle("picked", picked.has(place));
    button.classList.toggle("goes", picked.size > 0 && !picked.has(place) && more.has(value));
    button.setAttribute("aria-pressed", picked.has(place));
    button.disabled = !game.person || !free.has(value);
  });
  pointed = null;
  id("variant").hidden = (game.held ? variants(last) : turns()).length < 2;
  lightParts(moves, ready);
  for (const button of acts) {
    const ways = game.person ? movesOf(button.dataset.act) : [];
    button.disabled = !ways.length;
    button.title = ways.length ? ways.map(({ words }) => words).join(" ") : say("act_off");
  }
  id("back").disabled = !game.back;
  id("back").title = say(game.back ? "can_take_back" : "cannot_take_back");
  const kept = keepFocus();
  const offered = asked ?? [...(picked.size || clicked.size ? ready.filter((move) => move.at.length) : []), ...moves.filter(listed)];
  id("options").replaceChildren(...offered.map((move) => element("button", {
    type: "button", className: move.asks ? "asks" : "", onclick: () => play(move),
  }, (asked && move.with.length ? `${move.with.join("+")}: ` : "") + move.words)));
  kept();
  id("choices").hidden = !offered.length && !id("advice").childElementCount;
  id("choices").scrollTop = 0;
  id("skip").disabled = game.person || game.over || game.held;
  id("preview").textContent = game.person ? instruction(moves, ready, more) : "";
  inspect(null);
  follow(game, picked.size + clicked.size);
}

/** Mark the parts that can be clicked: those of moves, and of moves that may take the place of the one that is held. */
function lightParts(moves, ready) {
  for (const old of document.querySelectorAll(".can, .could, .asks-part, .chosen")) {
    old.classList.remove("can", "could", "other-way", "asks-part", "chosen");
    if (!old.dataset.keep) old.removeAttribute("tabindex");
    old.setAttribute("role", "img");
  }
  const open = new Map();
  const others = game.held && last && !last.with.length ? decided.legal.filter(({ with: chips }) => !chips.length) : [];
  for (const move of [...others, ...moves]) for (const name of move.at) open.set(name, [...(open.get(name) ?? []), move]);
  for (const [name, ways] of open) {
    const part = partNamed(name);
    if (!part) continue;
    const fits = picked.size || clicked.size ? ways.filter((move) => ready.includes(move)) : [];
    part.classList.add(fits.length || clicked.has(name) ? "can" : "could");
    part.classList.toggle("other-way", way !== null && !game.held && ways.every((move) => move.way !== way));
    part.classList.toggle("asks-part", ways.some(({ asks }) => asks));
    part.classList.toggle("chosen", clicked.has(name));
    part.setAttribute("tabindex", "0");
    part.setAttribute("role", "button");
  }
}

/** Say what the person may do next, by what is picked. */
function instruction(moves, ready, more) {
  if (asked) return say(asked.length > 1 ? "which_move" : "asks");
  if (clicked.size) return ready.length ? say("ready") : say("click_on");
  if (!picked.size) return game.prompt;
  const told = pickedValues().join(" + ");
  const others = both("or", sorted(more));
  if (ready.length) return (sum() === undefined ? told : `${told} = ${sum()}`) + (others ? say("others_go", { dice: others }) : ".");
  return say(others ? "goes" : "put_back", { sum: told, dice: others });
}

const capital = (text) => text.slice(0, 1).toUpperCase() + text.slice(1);

/** Say what a part is and which moves it is for, unless a question is to be answered. */
function inspect(part) {
  if (asked || clicked.size) part = null; // what is painted has its price in the list
  for (const chip of id("chips").children) chip.classList.remove("reach");
  const name = part && nameOf(part);
  pointed = name;
  const ways = part && game.person ? game.legal.filter(({ at }) => at.includes(name)) : [];
  const move = meant(ways);
  room.aim?.(board, part, move?.way, way);
  if (move) for (const place of placesOf(move.with)) id("chips").children[place]?.classList.add("reach");
  const about = game.about[name] ? `${capital(game.about[name])}.`.replace("..", ".") : "";
  const chips = ways.filter((move) => move.with.length).map((move) => move.with.join("+"));
  const told = move?.at.length === 1 ? `${chips.length ? `${both("or", chips)}: ` : ""}${move.words}` : part && labelOf(part) ? `${capital(labelOf(part))}.` : "";
  const inspected = id("inspected");
  inspected.textContent = part ? `${told} ${about}`.trim() : "";
  inspected.tabIndex = inspected.scrollHeight > inspected.clientHeight ? 0 : -1; // so that keys can scroll it
}

// --- what a person does ---

function pick(place) {
  if (!game?.person || busy || !game.chips[place]) return;
  if (!picked.delete(place)) picked.add(place);
  asked = null;
  refresh();
}

/** Ask which of some moves is meant. */
function askFor(ways) {
  picked = new Set();
  asked = ways;
  refresh();
  id("options").firstChild?.focus();
}

function clickPart(part) {
  if (!game || busy) return;
  const name = nameOf(part);
  if (game.held) return clickHeld(name);
  if (!game.person) return inspect(part);
  const all = game.legal.filter(({ at }) => at.includes(name));
  if (all.some(({ at }) => at.length > 1)) { // painted, part by part
    if (!clicked.delete(name)) clicked.add(name);
    if (!ahead().length) clicked = new Set([name]);
    refresh();
    return;
  }
  const begun = all.filter(missing); // with the chips that are picked
  const ways = begun.length ? begun : all;
  const exact = ways.filter((move) => same(sorted(move.with), pickedValues()));
  const first = meant(exact.length ? exact : ways);
  if (!first) return;
  const alike = (exact.length ? exact : ways).every((move) => same(move.with, first.with));
  if (alike && !(first.asks && !exact.length)) play(first); // the others are its variants
  else askFor(ways);
}

/** Click while a move is held: the same part for the next of its variants, another one for a move there. */
function clickHeld(name) {
  if (!last || last.with.length) return;
  if (last.at.includes(name)) return variant();
  const other = meant(decided.legal.filter(({ at, with: chips }) => at.length === 1 && at[0] === name && !chips.length));
  if (other) play(other, true);
}

// The board is drawn anew after every move, so its listeners sit on what holds it. (Besides, in Chromium the Tab key
// stops at every shape that itself listens for the focus.)
for (const holder of [board, id("panels"), id("log")]) {
  holder.addEventListener("click", (event) => {
    const chip = event.target.closest("[data-die]");
    const part = partOf(event.target);
    if (chip) pick(Number(chip.dataset.die));
    else if (part) clickPart(part);
  });
  holder.addEventListener("keydown", (event) => {
    const part = partOf(event.target);
    if (!part || (event.key !== "Enter" && event.key !== " ") || event.target.tagName === "BUTTON") return;
    if (event.key === "Enter" && game?.held && last?.at.includes(nameOf(part))) return; // it confirms
    event.preventDefault();
    clickPart(part);
  });
  for (const name of ["pointerover", "focusin"]) {
    holder.addEventListener(name, (event) => {
      if (!game) return;
      inspect(partOf(event.target));
      light(event.target.closest("[data-lights]")?.dataset.lights);
    });
  }
  for (const name of ["pointerleave", "focusout"]) holder.addEventListener(name, () => game && (inspect(null), light()));
}

/** Light parts, by their names. */
function light(names = "") {
  for (const old of document.querySelectorAll(".lit")) old.classList.remove("lit");
  for (const name of names.split(" ").filter(Boolean)) partNamed(name)?.classList.add("lit");
}

id("room").addEventListener("pointerdown", () => inspect(null)); // what is told of a part covers it
for (const button of acts) {
  button.addEventListener("click", () => {
    const ways = game?.person ? movesOf(button.dataset.act) : [];
    if (ways.length === 1) play(ways[0]);
    else if (ways.length) askFor(ways);
  });
}

id("back").addEventListener("click", takeBack);
id("done").addEventListener("click", confirm);
id("variant").addEventListener("click", () => variant());
board.addEventListener("variant", ({ detail }) => variant(detail)); // the room's own way to ask for one, like a wheel
id("skip").addEventListener("click", () => {
  skipping = true;
  letAgentsMove();
});

const hooks = { variant, part: partNamed, get view() { return game; } };

addEventListener("keydown", (event) => {
  if (!game || id("rules").open || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
  const [stay] = id("warning").getElementsByTagName("button");
  if (stay) {
    if (event.key === "Escape") stay.click();
    return;
  }
  if (event.target.matches("select, input:not([type=checkbox])")) return; // which have a use of their own for keys
  if (event.key === "Enter") {
    if (game.held && !event.target.closest("button, a, summary")) confirm();
    return;
  }
  if (!setting("keys") && event.key !== "Escape") return;
  const key = event.key.toLowerCase();
  // Where the row of digits has other signs without Shift (French, Czech), or digits of another script (Persian).
  const digit = game.chips[key - 1] ? key : !event.shiftKey && /^Digit(\d)$/.exec(event.code)?.[1];
  const act = acts.find((button) => button.dataset.key === key && !button.disabled);
  if (game.chips[digit - 1]) pick(digit - 1);
  else if (key === "escape") {
    clear();
    refresh();
  } else if (key === "h") id("hint").click();
  else if (key === "z") takeBack();
  else if (key === "r" && (variants(last).length || turns().length) > 1) variant(event.shiftKey ? -1 : 1);
  else if (key === "s" && !game.person) id("skip").click();
  else if (room.keys?.[key]) room.keys[key](hooks);
  else act?.click();
});

const inquire = (path, body = {}) => send(path, { ...body, at: game.at });
id("hint").addEventListener("click", async () => {
  if (busy || !game?.person) return;
  try {
    id("choices").hidden = false;
    await advise(inquire, game.legal);
  } catch (error) {
    if (error.status === 409) await look(error.message);
  }
});

/** Remember where the focus is within what is drawn anew; the function returned puts it back. */
function keepFocus() {
  const at = document.activeElement;
  if (owed && at === document.body) return focusAgain;
  const part = at && partOf(at);
  const within = part || at?.closest?.("#options, #acts, #chips, #skip, #done, #variant");
  const chip = at?.dataset?.chip;
  return () => {
    if (!within) return;
    if (game.held && !part) return id("done").focus({ preventScroll: true });
    const now = part ? partNamed(nameOf(part)) : chip && id("chips").children[chip];
    if (now && (now.hasAttribute("tabindex") || (chip && !now.disabled))) return now.focus({ preventScroll: true });
    if (at.isConnected && !at.disabled && !at.hidden && at !== document.body) return;
    focusAgain();
  };
}

/** Focus what can be done: the first chip, option or part; where others move, the next time that this person does; at
    the end what can be done then. */
function focusAgain() {
  const there = game.over ? id("finished").firstChild : game.held ? id("done")
    : ["#chips button:enabled", "#options button", "#board [tabindex]", "#panels [tabindex]"]
      .map((name) => document.querySelector(name)).find((found) => found);
  owed = !there;
  there?.focus({ preventScroll: true });
}

remember("speed", letAgentsMove);
remember("warn");
remember("confirm");
remember("keys", refresh);
remember("in-words", () => {
  id("log").classList.toggle("in-words", id("in-words").checked);
  id("log").scrollTop = id("log").scrollHeight;
});
NARROW.addEventListener("change", () => {
  if (!game) return;
  showBoard(board, game.svg, game);
  refresh();
  markAgain();
});
id("open-rules").addEventListener("click", () => id("rules").showModal());
id("rules").addEventListener("click", (event) => event.target === id("rules") && id("rules").close());
// Somebody may move in another tab or browser: the server tells of every change. Nothing waits for the answer, so that a
// click that is made meanwhile counts.
const events = new EventSource(`${home}/events`);
events.addEventListener("open", async () => { // the server is there again
  if (!unanswered) return;
  const { at } = unanswered;
  unanswered = null;
  await look();
  if (game.at === at) id("problem").textContent = say("not_made");
});
events.addEventListener("message", async ({ data }) => {
  if (!game || busy || data === game.at) return;
  const before = game.at;
  try {
    const view = await ask(`${home}/view?after=0`);
    if (!busy && before === game.at && view.at !== game.at) show(view);
  } catch { /* the next move will say so */ }
});
if (matchMedia("(max-width: 760px)").matches) id("log-box").open = false;
if (matchMedia("(hover: hover)").matches) look().then(() => game && document.activeElement === document.body && focusAgain());
else look(); // where one taps, a frame around the first part would only be in the way
