// Puts the drawing of a position into the page; on a narrow screen, one village below the other.

import { element } from "./dom.js";

export const NARROW = matchMedia("(max-width: 760px)");

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
  board.replaceChildren(drawing);
  if (NARROW.matches) board.replaceChildren(part(drawing, "village", "villages"), part(drawing, "seat", "seats-drawn"));
}

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
