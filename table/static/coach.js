// The coach: advice in two steps, and a word before a costly move.

import { partNamed } from "./board.js";
import { element, id, points, say, worth } from "./dom.js";
import { setting } from "./settings.js";

const NS = "http://www.w3.org/2000/svg";

let advised = null; // the advice for this position, while it is shown
let steps = 0; // of it that are shown
let best = []; // the moves of it

/** Whether there is a warning, which has to be answered before anything else of the turn can be used. */
function warn(there) {
  if (!there) id("warning").replaceChildren();
  for (const name of ["acts", "board", "chips", "room"]) id(name).inert = there;
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

/** The one of some moves that is advised, if any. */
export const advisedOf = (moves) => moves.find(({ move }) => best.some((one) => one.move === move));

/** Show the next step of the advice: first where, then with what and why. */
export async function advise(ask, legal) {
  if (!advised) {
    id("advice").textContent = say("weighing"); // the first one takes seconds
    advised = await ask("hint").finally(() => id("advice").replaceChildren());
  }
  steps = Math.min(steps + 1, 2);
  best = advised.moves.map(({ move, value }) => ({ ...legal.find((known) => known.move === move), value }));
  const rows = best.map((move) => element("li", {},
    element("b", {}, worth(move.value)), ` ${steps > 1 && move.with.length ? `${move.with.join("+")}: ` : ""}${move.words}`));
  const notes = [say(steps > 1 ? "advice_means" : "advice_first", { adviser: advised.agent })];
  if (steps > 1 && advised.why) notes.unshift(say("advice_why", { why: advised.why }));
  id("advice").replaceChildren(element("ol", {}, ...rows), ...notes.map((text) => element("p", { className: "note" }, text)));
  id("inspected").textContent = ""; // it would cover the advice
  id("choices").tabIndex = 0; // it may have to be scrolled
  id("choices").scrollTop = id("advice").offsetTop;
  markAgain();
  const part = best[0].at.map(partNamed).find((there) => there);
  if (part && id("board").matches(".parts")) part.ownerSVGElement?.scrollIntoView(); // one sees few at a time
}

/** Frame the parts of the best moves, with what each is worth, on a board that is drawn anew, and the buttons. */
export function markAgain() {
  for (const old of document.querySelectorAll(".advised-worth")) old.remove();
  for (const move of [...best].reverse()) { // so that of two ways to a part the better one stays
    if (move.act) id("acts").querySelector(`[data-act="${move.act}"]`)?.classList.add("advised");
    for (const name of move.at) {
      const part = partNamed(name);
      if (!part) continue;
      part.classList.add("advised");
      part.querySelector(".advised-worth")?.remove();
      if (!part.getBBox) continue;
      const box = part.getBBox();
      const label = document.createElementNS(NS, "text");
      for (const [key, value] of Object.entries({ x: box.x + box.width, y: box.y + 12, class: "advised-worth", "text-anchor": "end" })) {
        label.setAttribute(key, value);
      }
      label.textContent = worth(move.value);
      part.append(label);
    }
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
    const text = say(why ? "warn_why" : "warn_only", { move: move.words, cost: points(cost, 0), why });
    const stay = element("button", { type: "button", className: "main", onclick: answer(false) }, say("warn_other"));
    id("warning").replaceChildren(element("p", {}, text), stay,
      element("button", { type: "button", onclick: answer(true) }, say("warn_play")));
    warn(true);
    stay.focus({ preventScroll: true });
  });
}
