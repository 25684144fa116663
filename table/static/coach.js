// The coach: advice in two steps, and a word before a costly move.

import { decimal, element, id, percent, say } from "./dom.js";
import { setting } from "./settings.js";

const NS = "http://www.w3.org/2000/svg";

let advised = null; // the advice for this position, while it is shown
let steps = 0; // of it that are shown
let best = []; // the moves of it

const points = (cost) => decimal(100 * cost, 0);

/** Whether there is a warning, which has to be answered before anything else of the turn can be used. */
function warn(there) {
  if (!there) id("warning").replaceChildren();
  for (const name of ["acts", "board", "dice", "room"]) id(name).inert = there;
}

/** Forget the advice for the position before. */
export function forget() {
  advised = null;
  steps = 0;
  best = [];
  id("advice").replaceChildren();
  id("choices").removeAttribute("tabindex");
  warn(false);
  for (const button of id("acts").children) button.classList.remove("advised");
}

/** Show the next step of the advice: first where, then with which dice and why. */
export async function advise(ask, board, legal) {
  advised ??= await ask("hint");
  steps = Math.min(steps + 1, 2);
  best = advised.moves.map(({ move, chance }) => ({ ...legal.find((known) => known.move === move), chance }));
  const rows = best.map(({ dice, words, chance }) => element("li", {},
    element("b", {}, percent(chance)), ` ${steps > 1 && dice.length ? `${dice.join("+")}: ` : ""}${words}`));
  const notes = [say(steps > 1 ? "advice_means" : "advice_first", { adviser: advised.agent })];
  if (steps > 1 && advised.why) notes.unshift(say("advice_why", { why: advised.why }));
  id("advice").replaceChildren(element("ol", {}, ...rows), ...notes.map((text) => element("p", { className: "note" }, text)));
  id("inspected").textContent = ""; // it would cover the advice
  id("choices").tabIndex = 0; // it may have to be scrolled
  id("choices").scrollTop = id("advice").offsetTop;
  markAgain(board);
  const building = buildingOf(board, best[0]);
  if (building && board.matches(".parts")) building.ownerSVGElement.scrollIntoView(); // one sees few villages at a time
}

const buildingOf = (board, { act, kind, village }) => act === "place"
  && board.querySelector(`.building[data-kind="${kind}"][data-village="${village}"]`);

/** Frame the buildings of the best moves, with the chance after each, on a board that is drawn anew, and the buttons. */
export function markAgain(board) {
  for (const old of board.querySelectorAll(".advised-chance")) old.remove();
  for (const move of [...best].reverse()) { // so that of two ways to a building the better one stays
    id("acts").querySelector(`[data-act="${move.act}"]`)?.classList.add("advised");
    const node = buildingOf(board, move);
    if (!node) continue;
    node.classList.add("advised");
    node.querySelector(".advised-chance")?.remove();
    const label = document.createElementNS(NS, "text");
    for (const [name, value] of Object.entries({ x: 64, y: 12, class: "advised-chance", "text-anchor": "end" })) {
      label.setAttribute(name, value);
    }
    label.textContent = percent(move.chance);
    node.append(label);
  }
}

/** Whether a move is to be made: at once, or after a word about what it costs. */
export async function agreed(ask, move) {
  if (!setting("warn")) return true;
  const { cost, why } = await ask("weigh", { move: move.move });
  if (!cost) return true;
  const before = document.activeElement;
  return new Promise((resolve) => {
    const answer = (made) => () => {
      warn(false);
      before.focus({ preventScroll: true });
      resolve(made);
    };
    const text = say(why ? "warn_why" : "warn_only", { cost: points(cost), why });
    const stay = element("button", { type: "button", className: "main", onclick: answer(false) }, say("warn_other"));
    id("warning").replaceChildren(element("p", {}, text), stay,
      element("button", { type: "button", onclick: answer(true) }, say("warn_play")));
    warn(true);
    stay.focus({ preventScroll: true });
  });
}
