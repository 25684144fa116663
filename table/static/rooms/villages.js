// Bohemian Villages: where its texts would be too small, the drawing comes village by village; and the choice of villages.

import { NARROW, element } from "../dom.js";
import { room } from "../room.js";

const NS = "http://www.w3.org/2000/svg";

const WIDE = 3; // buildings side by side in a village that stands alone, all in one size
const CELL = [66, 77]; // units that one takes
const HEAD = 32; // of a village, above its buildings

/** Put the buildings of a village, whatever their number, into rows of one width. */
function narrow(village) {
  const [card, head] = village.children;
  const buildings = [...village.querySelectorAll(".building")];
  buildings.forEach((building, number) => building.setAttribute("transform",
    `translate(${4 + CELL[0] * (number % WIDE)} ${HEAD + CELL[1] * Math.floor(number / WIDE)})`));
  card.setAttribute("width", 8 + CELL[0] * WIDE);
  card.setAttribute("height", HEAD + 4 + CELL[1] * Math.ceil(buildings.length / WIDE));
  head.lastChild.setAttribute("x", CELL[0] * WIDE);
}

/** The groups of a class in a drawing, each as a drawing of its own. */
function part(drawing, name, className) {
  const holder = element("div", { className });
  const groups = [...drawing.querySelectorAll(`g.${name}`)];
  const boxes = groups.map((group) => group.getBBox());
  groups.forEach((group, number) => {
    const { x, y, width, height } = boxes[number];
    const frame = document.createElementNS(NS, "svg");
    frame.setAttribute("viewBox", `${x - 2} ${y - 2} ${width + 4} ${height + 4}`);
    frame.setAttribute("class", `${drawing.getAttribute("class")} part`);
    frame.setAttribute("font-family", drawing.getAttribute("font-family"));
    group.removeAttribute("transform");
    frame.append(group);
    holder.append(frame);
  });
  holder.style.setProperty("--units", Math.min(...boxes.map(({ width }) => width)));
  return holder;
}

const tiles = (form) => form.querySelector("#tiles");
const chosen = (form) => form.querySelector('input[name="villages"]:checked').value === "chosen";
const figureOn = (building) => building.querySelector('[class^="f-seat"]');

Object.assign(room, {
  arrange(board, drawing) {
    for (const group of drawing.querySelectorAll("g.seat, g.special, g.bishop")) { // what a pointer is told
      const title = document.createElementNS(NS, "title");
      title.textContent = group.getAttribute("aria-label");
      group.prepend(title);
    }
    const had = new Map([...board.querySelectorAll(".building")].map((node) => [node.dataset.at, figureOn(node)?.className.baseVal]));
    for (const node of had.size ? drawing.querySelectorAll(".building") : []) {
      const figure = figureOn(node);
      if (figure && figure.className.baseVal !== had.get(node.dataset.at)) figure.parentNode.classList.add("arrives");
    }
    board.replaceChildren(drawing);
    board.classList.toggle("parts", NARROW.matches);
    if (!NARROW.matches) return;
    for (const village of drawing.querySelectorAll("g.village")) narrow(village);
    board.replaceChildren(part(drawing, "village", "villages"), part(drawing, "seat", "seats-drawn"));
  },

  fitSetup(form) {
    tiles(form).hidden = !chosen(form);
  },

  options(form) {
    const names = [...tiles(form).children].filter((tile) => !tile.hidden).map((tile) => tile.querySelector("select").value);
    return { villages: chosen(form) ? names : null };
  },
});
