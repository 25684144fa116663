// The guided first game: a sentence at a time, each as soon as the game has come to it.

import { partNamed } from "./board.js";
import { element, id, say } from "./dom.js";

const WANTED = /^#guide(?:-(\d+))?$/; // at the end of the address, with the step that a reload goes on with

/** What the game must have come to so that the next step is shown; without one, a button is pressed. */
const COME = {
  pick: ({ game, picked, moves }) => picked > 1 || game.moves > moves,
  move: ({ game, moves }) => game.moves > moves,
  turn: ({ game, turn }) => game.turn !== turn,
  person: ({ game }) => game.person,
  over: ({ game }) => game.over,
};
/** The steps: a text of the word list, what it waits for, and the parts that it speaks of. */
const STEPS = JSON.parse(id("steps").textContent).map(([text, waits]) => {
  const [wait, ...parts] = waits.split(" ");
  return { text: `guide_${text}`, done: COME[wait], parts };
});

const [wanted, from = 1] = location.hash.match(WANTED) ?? [];
let step = wanted ? Math.min(Math.max(from, 1), STEPS.length) - 1 : STEPS.length;
let begun = { moves: 0, turn: 0 }; // how the game stood when the step was shown
let stands = null;

function show() {
  const box = id("guide");
  box.hidden = step >= STEPS.length;
  history.replaceState(null, "", box.hidden ? location.pathname : `#guide-${step + 1}`);
  mark();
  if (box.hidden) return;
  const { text, done } = STEPS[step];
  const last = step === STEPS.length - 1;
  const away = document.querySelector(".guided")?.closest("#board > [hidden]"); // in a tab that is not open
  if (away) document.querySelector(`#board > .tabs [value="${away.id.replace("tab-", "")}"]`).click();
  box.replaceChildren(
    element("p", { id: "guide-text" }, `${step + 1}/${STEPS.length} ${say(text)}`),
    ...(done || last ? [] : [element("button", { type: "button", className: "main", onclick: next }, say("guide_next"))]),
    element("button", { type: "button", onclick: leave }, say("guide_leave")),
  );
}

/** Frame what the step speaks of, on a board that may be drawn anew. */
function mark() {
  for (const old of document.querySelectorAll(".guided")) old.classList.remove("guided");
  for (const name of STEPS[step]?.parts ?? []) {
    const parts = name.endsWith("*") ? document.querySelectorAll(`#board [data-at^="${name.slice(0, -1)}"]`) : [partNamed(name) ?? id(name)];
    for (const part of parts) part?.classList.add("guided");
  }
}

function next() {
  step += 1;
  begun = { moves: stands.game.moves, turn: stands.game.turn };
  show();
  keepFocus();
}

function leave() {
  step = STEPS.length;
  show();
  keepFocus();
}

/** Give the focus to what comes next, since the button that had it is gone. */
function keepFocus() {
  const next = ["#guide:not([hidden]) button", "#finished button", "#chips button:enabled", "#open-rules"];
  next.map((name) => document.querySelector(name)).find((button) => button).focus();
}

/** Look how the game stands now, and so many chips or parts that are picked. */
export function follow(game, picked) {
  if (step >= STEPS.length) return;
  const first = stands === null;
  stands = { game, picked };
  if (first) begun = { moves: game.moves, turn: game.turn };
  const before = step;
  while (STEPS[step]?.done?.({ game, picked, ...begun })) step += 1; // several, where somebody is ahead of the guide
  if (game.over) step = Math.max(step, STEPS.length - 1); // also for who never pressed a button
  if (step !== before) begun = { moves: game.moves, turn: game.turn };
  if (first || step !== before) show();
  else mark();
}
