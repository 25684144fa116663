// Agricola: one farm is large, the person's at first, and a click on another one puts that in its place. Where there is
// no room for the whole board it comes in tabs, with its cards one by one.

import { NARROW, element, say } from "../dom.js";
import { room } from "../room.js";

const TABS = ["spaces", "own", "others"];
// The seat whose farm is large, the open tab, and the drawing in the page, with where its farms stand.
let front = null, tab = "spaces", shown = null;
const order = (farms) => [...new Set([front, ...farms.keys()])]; // the seats, that of the large farm first

/** Put the farms where they stand, the one in front first. */
function stand() {
  order(shown.farms).forEach((seat, place, all) => {
    shown.farms[seat].setAttribute("transform", shown.places[place]);
    shown.farms[seat].classList.toggle("thumb", place > 0 && all.length > 3);
  });
}

/** Put another farm in front: that of a seat, or the next one. */
function bring(seat) {
  front = seat % shown.farms.length;
  (shown.tabs ?? stand)();
}

/** A farm as it is on a phone, its people and its goods above and below its cells; the style sheet moves the others. */
function upright(farm) {
  [farm.dataset.size, farm.classList.value] = ["352 366", "part upright"];
  [...farm.querySelector(".stock").children].forEach((good, number) =>
    good.setAttribute("transform", `translate(${22 + 67 * (number % 5)} ${306 + 38 * Math.floor(number / 5)}) scale(1.1)`));
}

/** Parts of a drawing, each as a drawing of its own. */
function alone(drawing, parts, className) {
  return element("div", { className }, ...parts.map((part) => {
    const [width, height] = part.dataset.size.split(" ").map(Number);
    const frame = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    frame.setAttribute("viewBox", `-1.5 -1.5 ${width + 3} ${height + 3}`);
    for (const name of ["class", "font-family"]) frame.setAttribute(name, drawing.getAttribute(name));
    part.removeAttribute("transform");
    frame.append(part);
    return frame;
  }));
}

/** The board in tabs; the one that is wanted is the one where something can be done. */
function inTabs(board, drawing, legal) {
  const cards = (part) => [...drawing.querySelectorAll(`[data-part="${part}"] .card`)];
  if (legal.length) tab = /^(space|major)-/.test(legal.flatMap(({ at }) => at)[0]) ? "spaces" : "own";
  if (innerWidth <= 560) shown.farms.forEach(upright);
  const spaces = element("div", { id: "tab-spaces" }, alone(drawing, cards("spaces"), "cards"), alone(drawing, cards("majors"), "cards majors"));
  const frames = [...alone(drawing, shown.farms, "").children];
  const holders = { spaces, own: element("div", { id: "tab-own" }), others: element("div", { id: "tab-others" }) };
  const buttons = TABS.map((name) => element("button", { type: "button", value: name, onclick: () => { tab = name; shown.tabs(); } }, say(`tab_${name}`)));
  shown.tabs = () => {
    const [first, ...others] = order(frames).map((seat) => frames[seat]);
    holders.own.replaceChildren(first);
    holders.others.replaceChildren(...others);
    TABS.forEach((name, place) => {
      holders[name].hidden = name !== tab;
      buttons[place].setAttribute("aria-pressed", name === tab);
      buttons[place].hidden = name === "others" && !others.length;
    });
  };
  shown.tabs();
  board.replaceChildren(element("div", { className: "tabs" }, ...buttons), ...Object.values(holders));
}

Object.assign(room, {
  arrange(board, drawing, view) {
    const farms = [...drawing.querySelectorAll('[data-part^="farm-"]')];
    front ??= view?.you ?? 0;
    shown = { farms, places: farms.map((farm) => farm.getAttribute("transform")), tabs: null };
    for (const [seat, farm] of farms.entries()) farm.addEventListener("click", () => seat !== front && bring(seat));
    if (board.classList.toggle("parts", NARROW.matches)) return inTabs(board, drawing, view?.legal ?? []);
    stand();
    board.replaceChildren(drawing);
  },
  keys: { f: () => bring(front + 1) },
});
