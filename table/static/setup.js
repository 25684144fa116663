// The page on which a game is set up.

import { ask } from "./ask.js";
import { element, say } from "./dom.js";
import { room } from "./room.js";
import { fit, seatAsked } from "./seats.js";
import { stored } from "./settings.js";

const form = document.getElementById("setup");
const problem = document.getElementById("problem");
const seats = [...form.querySelectorAll(".seats > li")];
const own = [...form.querySelectorAll("[data-players]")]; // parts of the room's set-up, for some sizes of table
const beginners = ["play", "learn", "daily"].map((name) => document.getElementById(name));

const chosen = (name) => form.querySelector(`input[name="${name}"]:checked`).value;

/** Show what fits the choices made so far. */
function refresh() {
  const players = chosen("players");
  seats.forEach((seat, number) => {
    seat.hidden = number >= players;
    const option = seat.querySelector(".who").selectedOptions[0];
    const { line = "" } = option.dataset;
    const measured = option.getAttribute(`data-strength-${players}`) ?? "";
    seat.querySelector(".line").textContent = `${line} ${measured}`.trim();
  });
  fit(seats);
  for (const part of own) part.hidden = !part.dataset.players.split(" ").includes(players);
  room.fitSetup?.(form);
}

function shuffle(list) {
  for (let last = list.length - 1; last > 0; last--) {
    const other = Math.floor(Math.random() * (last + 1));
    [list[last], list[other]] = [list[other], list[last]];
  }
}

/** Seat everybody as in the game that was begun last, as far as they are still there. */
function asBefore() {
  const [players, ...who] = (stored(`seats-${document.body.dataset.room}`) ?? "").split("\n");
  const size = [...form.elements.players].find((choice) => choice.value === players);
  if (!size) return;
  size.checked = true;
  seats.forEach((seat, number) => {
    const select = seat.querySelector(".who");
    if ([...select.options].some((option) => option.value === who[number])) select.value = who[number];
  });
}

/** The room's options, where each is on or off: the name of a switch in sight, and whether it is on. */
const switches = () => Object.fromEntries([...form.querySelectorAll("details [type=checkbox]")]
  .filter((box) => !box.closest("[hidden]")).map((box) => [box.name, box.checked]));

/** What the form says, as the server wants it. The seed is sent as text, since a number would lose digits. */
function asked() {
  const taken = seats.filter((seat) => !seat.hidden).map(seatAsked);
  if (document.getElementById("shuffled").checked) shuffle(taken);
  const seed = document.getElementById("seed").value.trim() || null;
  return { game: document.body.dataset.room, seats: taken, options: room.options?.(form) ?? switches(), seed };
}

for (const time of document.querySelectorAll("time")) {
  const style = { dateStyle: "medium", timeStyle: "short" };
  time.textContent = new Date(time.dateTime).toLocaleString(document.documentElement.lang, style);
}

/** Begin a game and go to its page, or say why not. Meanwhile no other can be begun. */
async function begin(game, place = "", path = "/games") {
  for (const button of beginners) button.disabled = true;
  problem.textContent = "";
  const waiting = setTimeout(() => {
    problem.textContent = say("preparing");
  }, 1500);
  try {
    location.href = `/games/${(await ask(path, game)).id}${place}`;
  } catch (error) {
    problem.textContent = error.message;
    for (const button of beginners) button.disabled = false;
  } finally {
    clearTimeout(waiting);
  }
}

form.addEventListener("change", refresh);
form.addEventListener("invalid", (event) => { // no browser can point at what is folded away
  event.target.closest("details")?.setAttribute("open", "");
}, true);
form.addEventListener("submit", (event) => {
  event.preventDefault();
  stored(`seats-${document.body.dataset.room}`, [chosen("players"), ...seats.map((seat) => seat.querySelector(".who").value)].join("\n"));
  begin(asked());
});

document.getElementById("learn").addEventListener("click", () => {
  const agents = document.getElementById("learn").dataset.with.split(" ").filter(Boolean);
  const seats = [{ name: "" }, ...agents.map((agent) => ({ agent }))];
  begin({ game: document.body.dataset.room, seats, options: {}, seed: null }, "#guide");
});

const daily = document.getElementById("daily");
daily.addEventListener("click", () => begin({ game: document.body.dataset.room, date: today() }, "", "/daily"));
if (daily.dataset.over.split(" ").includes(today())) daily.querySelector("small").textContent = say("daily_over");

/** The day of whoever plays. */
function today() {
  const now = new Date();
  return [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, "0")).join("-");
}

for (const button of document.querySelectorAll("[data-delete]")) {
  const { textContent: text, ariaLabel: label } = button;
  const doubt = (sure) => {
    button.dataset.sure = sure ? "yes" : "";
    button.textContent = sure ? say("sure") : text;
    button.ariaLabel = sure ? `${say("sure")} ${label}` : label;
  };
  button.addEventListener("blur", () => doubt(false));
  button.addEventListener("click", async (event) => {
    if (event.detail > 1) return; // the second of a double click answers no question
    if (button.dataset.sure) {
      const row = button.closest("li");
      try {
        await ask(`/games/${button.dataset.delete}/delete`, {});
      } catch (error) {
        if (error.status !== 404) { // not found: it was deleted in another tab
          doubt(false);
          row.querySelector("[role=alert]")?.remove();
          row.append(element("span", { role: "alert" }, error.message));
          return;
        }
      }
      const next = row.nextElementSibling ?? row.previousElementSibling;
      (next?.querySelector("[data-delete]") ?? beginners[0]).focus();
      (next ? row : row.closest("section")).remove();
    } else {
      doubt(true);
    }
  });
}

document.getElementById("language").addEventListener("change", (event) => {
  document.cookie = `language=${event.target.value}; path=/; max-age=31536000; samesite=strict`;
  location.reload();
});
addEventListener("pageshow", (event) => {
  if (event.persisted) { // back from a game
    for (const button of beginners) button.disabled = false;
    problem.textContent = "";
  }
  refresh();
});
asBefore();
refresh();
for (const button of beginners) button.disabled = false;
