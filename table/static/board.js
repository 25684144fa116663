// Puts the drawing of a position into the page, and finds its parts, by which moves are told.

import { room } from "./room.js";

/** The name of a part of the drawing, or of what stands beside it: what it is, for moves. */
export const nameOf = (part) => part.dataset.at ?? part.id;
/** The part within which something is, if any. */
export const partOf = (node) => node.closest?.("#board [data-at], #board g[id], #panels [data-at]") ?? null;
/** The part with a name; null if it is not there. */
export const partNamed = (name) => document.querySelector(
  `#board [data-at="${CSS.escape(name)}"], #board [id="${CSS.escape(name)}"], #panels [data-at="${CSS.escape(name)}"]`);

/** What a part is called. */
export const labelOf = (part) => part.getAttribute("aria-label") ?? part.querySelector(":scope > title")?.textContent ?? "";

export function showBoard(board, svg, view) {
  const parsed = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
  const drawing = document.importNode(parsed, true);
  drawing.removeAttribute("width");
  drawing.removeAttribute("height");
  if (room.arrange) room.arrange(board, drawing, view);
  else board.replaceChildren(drawing);
}
