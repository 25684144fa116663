// The table: shows what the server says, and sends back moves that it said are legal. It knows no rule of the game.

import { Refused, ask } from "./ask.js";
import { NARROW, showBoard } from "./board.js";
import { advise, agreed, forget, markAgain } from "./coach.js";
import { element, id, say } from "./dom.js";
import { follow } from "./guide.js";
import { remember, setting } from "./settings.js";

const PAUSE = { slow: 2600, quick: 1100, once: 0 }; // milliseconds before an agent's move

const home = location.pathname;
const TOUCH = matchMedia("(hover: none)");
const TITLE = document.querySelector("h1").textContent;
const board = id("board");
const dice = [...id("dice").children];
const acts = [...id("acts").querySelectorAll("[data-act]")];

let game = null; // the last view from the server
let picked = new Set(); // places of dice
let asked = null; // moves among which the person has yet to choose, or none
let busy = false;
let timer = 0;
let skipping = false; // whether the agents move at once up to a person's turn
let tapped = null; // the building that was tapped last
let owed = false; // the focus, to somebody who had it before others moved

/** Parts one after the other, with "and" or "or" between them. */
const both = (key, parts) => parts.reduce((first, last) => (first === "" ? String(last) : say(key, { first, last })), "");

// --- what the dice can do ---

const sorted = (numbers) => [...numbers].sort((a, b) => a - b);
const same = (a, b) => a.length === b.length && a.every((number, place) => number === b[place]);
const pickedNumbers = () => sorted([...picked].map((place) => game.dice[place]));
const total = () => game.totals[pickedNumbers().join("+")]; // undefined where the dice make none
const matching = () => game.legal.filter((move) => same(move.dice, pickedNumbers()));
/** The dice of a move that are not picked yet; undefined if others are picked than it takes. */
function missing(move) {
  const rest = [...move.dice];
  for (const number of pickedNumbers()) {
    const place = rest.indexOf(number);
    if (place < 0) return undefined;
    rest.splice(place, 1);
  }
  return rest;
}
const waysTo = (node) => game.legal.filter(
  (move) => move.act === "place" && move.kind === node.dataset.kind && move.village === Number(node.dataset.village),
);

/** The move of one of the buttons below the dice; undefined if it cannot be made with what is picked. */
function moveOf(act) {
  const all = game.legal.filter((move) => move.act === act);
  if (act === "end" || (picked.size === 0 && all.length === 1 && act !== "reroll")) return all[0];
  return all.find((move) => same(move.dice, pickedNumbers()));
}

/** Places of dice that show these numbers, the picked ones first. */
function placesOf(numbers) {
  const free = [...game.dice.keys()].sort((a, b) => picked.has(b) - picked.has(a));
  return numbers.map((number) => free.splice(free.findIndex((place) => game.dice[place] === number), 1)[0]);
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

async function play(move) {
  if (busy) return;
  try {
    if (!(await agreed(inquire, move)) || busy) return;
    show(await send("move", { move: move.move, at: game.at, after: lines() }), true);
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

/** Look whether the game stands otherwise than this page believes, or a request without an answer was carried out. */
async function lookAfter(error) {
  if (![409, 0, 500].includes(error.status)) return;
  const before = game.at;
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
  if (!game || game.over || game.person) {
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
  const rolled = first || news.some((line) => line.rolled);
  const kept = keepFocus();
  game = view;
  picked = new Set();
  asked = null;
  document.body.classList.toggle("over", game.over);
  document.body.classList.toggle("thinking", !game.over && !game.person);
  id("status").textContent = game.status;
  id("status").className = game.seat === null ? "" : `of seat${game.seat}`;
  document.title = `${game.over ? say("game_over") : game.status} – ${TITLE}`;
  forget();
  id("hint").disabled = !game.person;
  if (own) {
    id("told").replaceChildren();
    id("latest").textContent = "";
  }
  writeLog(view);
  tell(news, first);
  showBoard(board, game.svg);
  showDice(rolled);
  showScore();
  showStrip();
  refresh();
  kept();
  letAgentsMove();
}

/** Write the log from the view's first line on; what was taken back goes. */
function writeLog(view) {
  while (lines() > view.line) id("log").lastChild.remove();
  for (const line of view.log) {
    const who = line.seat === null ? "" : `of seat${line.seat}`;
    const text = element("span", { className: "notation" }, line.text);
    const words = element("span", { className: "words" }, line.words);
    id("log").append(element("li", { className: `${line.kind} ${who}`, title: line.words }, text, words));
  }
}

function tell(news, first) {
  for (const line of first ? news.slice(-4) : news) {
    const who = line.seat === null ? "" : `of seat${line.seat}`;
    const [used] = line.kind === "move" ? line.text.match(/^\d(\+\d)+(?=:)/) ?? [] : [];
    const dice = used ? element("span", { className: "with" }, `${used}:`) : "";
    id("told").append(element("li", { className: who }, element("span", {}, dice, used ? " " : "", line.words)));
  }
  const others = news.filter((line) => line.kind !== "turn" && (line.seat === null || line.seat !== game.seat));
  if (others.length) id("latest").textContent = others.slice(-2).map((line) => line.words).join(" ");
  const told = id("told");
  while (told.children.length > 24) told.firstChild.remove();
  for (const list of [told, id("log")]) list.scrollTop = list.scrollHeight;
}

function showDice(rolled) {
  dice.forEach((button, place) => {
    const number = game.dice[place];
    button.hidden = number === undefined;
    if (button.hidden) return;
    button.className = `cube n${number}`;
    button.replaceChildren(...Array.from({ length: number }, () => element("i")), element("kbd", {}, String(place + 1)));
    button.disabled = !game.person;
    if (rolled) {
      void button.offsetWidth; // so that the animation starts again
      button.classList.add("rolled");
    }
  });
  id("finished").hidden = !game.over;
  if (game.over) id("finished").before(document.querySelector(".score"));
  if (game.over && !id("finished").children.length) {
    id("finished").append(
      element("button", { className: "main", onclick: again }, say("play_again")),
      element("a", { href: `${home}/review` }, say("review")),
      element("a", { href: `${home}/record`, download: "" }, say("download")),
      element("a", { href: "/" }, say("set_up")),
    );
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
  const leads = (number) => game.leading.includes(number);
  const seat = (number) => element("th",
    { scope: "row", className: `of seat${number}`, title: game.seats[number].name },
    element("span", { className: `figure seat${number}`, ariaHidden: "true" }, game.seats[number].letter),
    (game.over && leads(number) ? "★ " : "") + game.seats[number].name); // the star first, since names are cut
  id("score").caption.textContent = say(game.over ? "final" : "if_now");
  id("score").tBodies[0].replaceChildren(...game.score.map((row, number) => element("tr",
    { className: leads(number) ? "best" : "" }, seat(number),
    ...Object.values(row).map((coins) => element("td", {}, String(coins).replace("-", "−"))))));
  const holder = game.bishop === null ? say("nobody") : game.bishop === game.you ? say("you") : game.seats[game.bishop].name;
  id("middle").textContent = say("middle", {
    turn: game.turn, bank: game.bank, special: game.special_supply, holder,
  });
}

/** What every seat has, in a line for screens on which the board scrolls away. */
function showStrip() {
  id("strip").replaceChildren(...game.holdings.map(({ coins, figures, income }, seat) => element("li",
    { className: `of seat${seat}${seat === game.seat ? " now" : ""}` },
    say("strip", { letter: game.seats[seat].letter, coins, figures, income }))));
}

/** Everything that depends on what is picked. */
function refresh() {
  const moves = game.person && picked.size ? matching() : [];
  const places = moves.filter((move) => move.act === "place");
  const ahead = game.person ? game.legal.filter((move) => missing(move)) : []; // with these dice, or with more
  const more = new Set(ahead.flatMap(missing));
  dice.forEach((button, place) => {
    button.classList.toggle("picked", picked.has(place));
    button.classList.toggle("goes", picked.size > 0 && !picked.has(place) && more.has(game.dice[place]));
    button.setAttribute("aria-pressed", picked.has(place));
    button.setAttribute("aria-label", say("die", { place: place + 1, number: game.dice[place] }));
  });
  for (const node of board.querySelectorAll(".die")) {
    node.classList.toggle("picked", picked.has(Number(node.dataset.die)));
  }
  for (const node of board.querySelectorAll(".building")) {
    const ways = waysTo(node).filter((move) => ahead.includes(move));
    const fits = ways.filter((move) => places.includes(move));
    const open = fits.length ? fits : ways;
    node.classList.toggle("can", fits.length > 0);
    node.classList.toggle("could", ways.length > 0 && !fits.length);
    node.classList.toggle("kicks", open.some((move) => move.kicked !== null));
    if (open.length) {
      node.setAttribute("tabindex", "0");
      node.setAttribute("role", "button");
    } else {
      node.removeAttribute("tabindex");
      node.setAttribute("role", "img");
    }
  }
  for (const button of acts) {
    const move = game.person ? moveOf(button.dataset.act) : undefined;
    button.disabled = !move;
    button.title = move && move.act !== "end" ? `${move.words} (${both("and", move.dice)})` : "";
  }
  id("back").disabled = !game.back;
  id("back").title = say(game.back ? "can_take_back" : "cannot_take_back");
  const kept = keepFocus();
  id("options").replaceChildren(...(asked ?? places).map((move) => element("button", {
    type: "button", className: move.kicked !== null ? "kicks" : "", onclick: () => play(move),
  }, (asked ? `${move.dice.join("+")}: ` : "") + move.words)));
  kept();
  id("choices").scrollTop = 0;
  id("skip").disabled = game.person || game.over;
  id("preview").textContent = game.person ? instruction(moves, more) : "";
  tapped?.classList.remove("tapped");
  tapped = null;
  inspect(null);
  follow(game, picked.size);
}

/** Say what the person may do next, by what is picked. */
function instruction(moves, more) {
  const sum = pickedNumbers().join(" + ");
  if (asked) return say(asked.length > 1 || asked[0].kicked === null ? "which_dice" : "kick");
  if (!picked.size) {
    return say(game.legal.every((move) => move.act === "reroll") ? "only_reroll" : "pick");
  }
  const others = both("or", sorted(more));
  if (moves.length) return (total() === undefined ? sum : `${sum} = ${total()}`) + (others ? say("others_go", { dice: others }) : ".");
  return say(others ? "goes" : "put_back", { sum, dice: others });
}

/** Say what a building is and which dice reach it, unless a question is to be answered. */
function inspect(node) {
  if (asked) node = null;
  for (const button of dice) button.classList.remove("reach");
  const ways = node && game.person ? waysTo(node) : [];
  for (const move of ways.slice(0, 1)) for (const place of placesOf(move.dice)) dice[place].classList.add("reach");
  id("inspected").textContent = !node ? "" : `${ways.length
    ? `${both("or", ways.map((move) => move.dice.join("+")))}: ${ways[0].words}` : `${label(node)}.`} ${pays(node)}`;
}

/** What a building pays, in a sentence. */
function pays(node) {
  const text = say(`pays.${node.dataset.kind}`);
  return `${text[0].toUpperCase()}${text.slice(1)}.`;
}

function label(node) {
  const text = node.getAttribute("aria-label");
  return text[0].toUpperCase() + text.slice(1);
}

// --- what a person does ---

function pick(place) {
  if (!game?.person || busy || game.dice[place] === undefined) return;
  if (!picked.delete(place)) picked.add(place);
  asked = null;
  refresh();
}

function clickBuilding(node) {
  if (game && TOUCH.matches) inspect(node); // there is no pointer to look with
  if (!game?.person || busy) return;
  const all = waysTo(node);
  const begun = all.filter(missing); // with the dice that are picked
  const ways = begun.length ? begun : all;
  const exact = ways.filter((move) => same(move.dice, pickedNumbers()));
  const only = exact.length === 1 ? exact[0] : begun.length === 1 && begun[0].kicked === null ? begun[0] : undefined;
  if (only && TOUCH.matches && tapped !== node) { // the first tap tells, the second plays
    tapped?.classList.remove("tapped");
    tapped = node;
    node.classList.add("tapped");
  } else if (only) {
    play(only);
  } else if (ways.length) { // several ways, or somebody would be kicked out: ask
    picked = new Set();
    asked = ways;
    refresh();
    id("options").firstChild?.focus();
  }
}

// The board is drawn anew after every move, so its listeners sit on what holds it. (Besides, in Chromium the Tab key
// stops at every shape that itself listens for the focus.)
const building = (event) => event.target.closest(".building");
board.addEventListener("click", (event) => {
  const die = event.target.closest(".die");
  if (die) pick(Number(die.dataset.die));
  else if (building(event)) clickBuilding(building(event));
});
board.addEventListener("keydown", (event) => {
  if (!building(event) || (event.key !== "Enter" && event.key !== " ")) return;
  event.preventDefault();
  clickBuilding(building(event));
});
for (const name of ["pointerover", "focusin"]) board.addEventListener(name, (event) => game && inspect(building(event)));
for (const name of ["pointerleave", "focusout"]) board.addEventListener(name, () => game && inspect(null));

id("room").addEventListener("pointerdown", () => inspect(null)); // what is told of a tapped building covers it
for (const button of dice) button.addEventListener("click", () => pick(Number(button.dataset.die)));
for (const button of acts) {
  button.addEventListener("click", () => {
    const move = game?.person ? moveOf(button.dataset.act) : undefined;
    if (move) play(move);
  });
}

id("back").addEventListener("click", takeBack);
id("skip").addEventListener("click", () => {
  skipping = true;
  letAgentsMove();
});

addEventListener("keydown", (event) => {
  if (!game || id("rules").open || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
  const [stay] = id("warning").getElementsByTagName("button");
  if (stay) {
    if (event.key === "Escape") stay.click();
    return;
  }
  if (event.target.matches("select, input:not([type=checkbox])")) return; // which have a use of their own for keys
  if (!setting("keys") && event.key !== "Escape") return;
  const key = event.key.toLowerCase();
  // Where the row of digits has other signs without Shift (French, Czech), or digits of another script (Persian).
  const digit = dice[key - 1] ? key : !event.shiftKey && /^Digit(\d)$/.exec(event.code)?.[1];
  if (dice[digit - 1]) pick(digit - 1);
  else if (key === "escape") {
    picked = new Set();
    asked = null;
    refresh();
  } else if (key === "h") id("hint").click();
  else if (key === "z") takeBack();
  else if (key === "s" && !game.person) id("skip").click();
  else acts.find((button) => button.dataset.key === key && !button.disabled)?.click();
});

const inquire = (path, body = {}) => send(path, { ...body, at: game.at });
id("hint").addEventListener("click", async () => {
  if (busy || !game?.person) return;
  try {
    await advise(inquire, board, game.legal);
  } catch (error) {
    if (error.status === 409) await look(error.message);
  }
});

/** Remember where the focus is within what is drawn anew; the function returned puts it back. */
function keepFocus() {
  const at = document.activeElement;
  if (owed && at === document.body) return focusAgain;
  const node = at?.closest?.(".building");
  const within = node || at?.closest?.("#options, #acts, #dice, #skip");
  return () => {
    if (!within) return;
    if (node) {
      const { kind, village } = node.dataset;
      const now = board.querySelector(`.building[data-kind="${kind}"][data-village="${village}"][tabindex]`);
      if (now) return now.focus({ preventScroll: true });
    }
    if (at.isConnected && !at.disabled && !at.hidden) return;
    focusAgain();
  };
}

/** Focus the first die; where others move, the next time that this person does; at the end what can be done then. */
function focusAgain() {
  const there = game.over ? id("finished").firstChild : dice.find((die) => !die.hidden && !die.disabled);
  owed = !there;
  there?.focus({ preventScroll: true });
}

remember("speed", letAgentsMove);
remember("warn");
remember("keys", refresh);
id("in-words").addEventListener("change", (event) => {
  id("log").classList.toggle("in-words", event.target.checked);
  id("log").scrollTop = id("log").scrollHeight;
});
NARROW.addEventListener("change", () => {
  if (!game) return;
  showBoard(board, game.svg);
  refresh();
  markAgain(board);
});
id("open-rules").addEventListener("click", () => id("rules").showModal());
id("rules").addEventListener("click", (event) => event.target === id("rules") && id("rules").close());
addEventListener("focus", async () => {
  // Somebody may have moved in another tab. Nothing waits for the answer, so that the click that brought the window to
  // the front counts.
  if (!game?.person || busy) return;
  const after = lines();
  try {
    const view = await ask(`${home}/view?after=0`);
    if (!busy && after === lines() && view.at !== game.at) show(view);
  } catch { /* the next move will say so */ }
});
if (matchMedia("(max-width: 760px)").matches) id("log-box").open = false;
look();
