// The guided first game: a sentence at a time, each as soon as the game has come to it.

import { element, id, say } from "./dom.js";

const WANTED = /^#guide(?:-(\d+))?$/; // at the end of the address, with the step that a reload goes on with

/** The steps: a text of the word list, and what the game must have come to so that the next one is shown. */
const STEPS = [
  ["guide_dice", ({ game, picked, moves }) => picked > 1 || game.moves > moves],
  ["guide_place", ({ game, moves }) => game.moves > moves],
  ["guide_second", ({ game, turn }) => game.turn !== turn],
  ["guide_others", ({ game }) => game.person],
  ["guide_pays"],
  ["guide_shops"],
  ["guide_bishop"],
  ["guide_kick"],
  ["guide_hint"],
  ["guide_end", ({ game }) => game.over],
  ["guide_review"],
];

const [wanted, from = 1] = location.hash.match(WANTED) ?? [];
let step = wanted ? Math.min(Math.max(from, 1), STEPS.length) - 1 : STEPS.length;
let begun = { moves: 0, turn: 0 }; // how the game stood when the step was shown
let stands = null;

function show() {
  const box = id("guide");
  box.hidden = step >= STEPS.length;
  history.replaceState(null, "", box.hidden ? location.pathname : `#guide-${step + 1}`);
  if (box.hidden) return;
  const [text, done] = STEPS[step];
  box.replaceChildren(
    element("p", { id: "guide-text" }, `${step + 1}/${STEPS.length} ${say(text)}`),
    ...(done ? [] : [element("button", { type: "button", className: "main", onclick: next }, say("guide_next"))]),
    element("button", { type: "button", onclick: leave }, say("guide_leave")),
  );
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
  const next = ["#guide:not([hidden]) button", "#finished button", "#dice button:enabled:not([hidden])", "#open-rules"];
  next.map((name) => document.querySelector(name)).find((button) => button).focus();
}

/** Look how the game stands now, and so many dice that are picked. */
export function follow(game, picked) {
  if (step >= STEPS.length) return;
  const first = stands === null;
  stands = { game, picked };
  if (first) begun = { moves: game.moves, turn: game.turn };
  const before = step;
  while (STEPS[step]?.[1]?.({ game, picked, ...begun })) step += 1; // several, where somebody is ahead of the guide
  if (step !== before) begun = { moves: game.moves, turn: game.turn };
  if (first || step !== before) show();
}
