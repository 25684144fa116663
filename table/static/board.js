// Puts the drawing of a position into the page; where its texts would be too small, village by village.

import { element } from "./dom.js";

/** Where there is no room for a drawing with texts of 12 pixels; from 921 to 1000 nothing stands beside it unless the
    screen is low (page.css). */
export const NARROW = matchMedia(
  "(max-width: 920px), (max-width: 1000px) and (max-height: 500px), (min-width: 1001px) and (max-width: 1279px)",
);

export function showBoard(board, svg) {
  const parsed = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
  const drawing = document.importNode(parsed, true);
  drawing.removeAttribute("width");
  drawing.removeAttribute("height");
  for (const group of drawing.querySelectorAll("g.seat, g.special, g.bishop")) { // what a pointer is told
    const title = document.createElementNS("http://www.w3.org/2000/svg", "title");
    title.textContent = group.getAttribute("aria-label");
    group.prepend(title);
  }
  const had = new Map([...board.querySelectorAll(".building")].map((node) => [placeOf(node), figureOn(node)?.className.baseVal]));
  for (const node of had.size ? drawing.querySelectorAll(".building") : []) {
    const figure = figureOn(node);
    if (figure && figure.className.baseVal !== had.get(placeOf(node))) figure.parentNode.classList.add("arrives");
  }
  board.replaceChildren(drawing);
  board.classList.toggle("parts", NARROW.matches);
  if (NARROW.matches) board.replaceChildren(part(drawing, "village", "villages"), part(drawing, "seat", "seats-drawn"));
}

const placeOf = ({ dataset }) => `${dataset.kind}@${dataset.village}`;
const figureOn = (building) => building.querySelector('[class^="f-seat"]');

/** The groups of a class in a drawing, each as a drawing of its own. */
function part(drawing, name, className) {
  const holder = element("div", { className });
  const groups = [...drawing.querySelectorAll(`g.${name}`)];
  const boxes = groups.map((group) => group.getBBox());
  const least = Math.min(...boxes.map((box) => box.width));
  groups.forEach((group, number) => {
    const { x, y, width, height } = boxes[number];
    const frame = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    frame.setAttribute("viewBox", `${x - 2} ${y - 2} ${width + 4} ${height + 4}`);
    frame.setAttribute("class", `${drawing.getAttribute("class")} part${width > 1.25 * least ? " wide" : ""}`);
    frame.setAttribute("font-family", drawing.getAttribute("font-family"));
    group.removeAttribute("transform");
    frame.append(group);
    holder.append(frame);
  });
  holder.style.setProperty("--units", least);
  return holder;
}
