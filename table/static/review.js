// The review at the server: asks for the analysis, has agents play on where they are watched, begins a game from a
// position.

import { Refused, ask } from "./ask.js";
import { element, id, say } from "./dom.js";
import { count, find, go, now, start, take } from "./player.js";
import { fit, seatAsked } from "./seats.js";

const home = location.pathname.replace(/\/review$/, "");
const FEW = 4; // positions ahead of the one shown: with fewer, the agents are asked for one move,
const MANY = 40; // with fewer than these for as many as they make in a moment
const watched = document.body.dataset.watched === "yes";
const seats = [...id("seats").children];
const asked = location.hash; // the position that the address names; later it is that which is shown
const wanted = new URLSearchParams(location.search).get("find"); // a position in which a better move is to be found
let beginning = false; // a game from a position

/** Ask for what is not known yet: positions first, the luck of all rolls and what moves cost last. */
async function more() {
  const answer = await ask(`${home}/analysis?quick=yes&after=${Math.max(count() - 1, 0)}`);
  take(answer, watched && (count() > 0 || !answer.over));
  return answer;
}

/** Have the agents play on while few positions lie ahead. */
async function watch(answer) {
  while (!answer.over) {
    const ahead = count() - 1 - now();
    if (ahead < MANY) {
      await ask(`${home}/advance`, { moves: count() - 1 - answer.begun, after: 0, all: ahead >= FEW });
      answer = await more();
    } else {
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
  }
}

/** Everything, and meanwhile how far it has come. */
async function whole() {
  id("waiting").hidden = false;
  const looking = setInterval(async () => {
    const { done } = await ask(`${home}/progress`).catch(() => ({}));
    if (done) id("waiting").textContent = say("thought_of", { number: done });
  }, 1000);
  try {
    return await ask(`${home}/analysis?after=0`);
  } finally {
    clearInterval(looking);
    id("waiting").hidden = true;
  }
}

async function begin() {
  try {
    if (wanted !== null) { // nothing is shown before it is asked, since it would tell the answer
      take(await whole());
      find(/^\d+$/.test(wanted) ? [Number(wanted)] : null);
      return;
    }
    const answer = await more();
    id("waiting").hidden = true;
    if (watched && !answer.over) {
      if (!asked) go(count() - 1);
      start();
      await watch(answer);
    }
    take(await whole());
  } catch (error) {
    id("waiting").hidden = true;
    id("problem").textContent = error.message;
    if (error instanceof Refused && (error.status === 0 || error.status === 503)) {
      id("problem").append(" ", element("button", { onclick: () => location.reload() }, say("again")));
    }
  }
}

document.addEventListener("position", ({ detail }) => {
  history.replaceState(null, "", `${location.search}#${now()}`);
  id("play-on").disabled = beginning || detail.seat === null;
});
document.addEventListener("answered", ({ detail }) => {
  if (wanted !== null) ask(`${home}/found`, detail).catch(() => {}); // it is met again in any case
});
id("seats").addEventListener("change", () => fit(seats));
id("go-on").addEventListener("submit", async (event) => {
  event.preventDefault();
  beginning = id("play-on").disabled = true;
  id("problem").textContent = "";
  try {
    location.href = `/games/${(await ask(`${home}/play_on`, { moves: now(), seats: seats.map(seatAsked) })).id}`;
  } catch (error) {
    id("problem").textContent = error.message;
    beginning = id("play-on").disabled = false;
  }
});
fit(seats);
begin();
