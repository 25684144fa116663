// The landscape, in a window that people move over it: drag, pinch, Ctrl and the wheel, + and −; F shows all. Cells have
// their places, so nothing moves by itself but where a new cell would be out of sight.

import { room } from "../room.js";

Object.assign(room, (() => {
  const ROOM = 120; // units around what lies, when the window has to grow
  const CALM = 120; // milliseconds in which a wheel turns once
  const canvases = new WeakMap(); // by the element that a drawing stands in
  let last = null; // the canvas of the keys

  class Canvas {
    pointers = new Map();

    constructor(board) {
      this.board = board;
      for (const [name, act] of Object.entries({ pointerdown: "grip", pointermove: "drag", pointerup: "drop", pointercancel: "drop",
        wheel: "wheel", contextmenu: "turn", keydown: "step" })) {
        board.addEventListener(name, (event) => this[act](event), { passive: false });
      }
      board.addEventListener("click", (event) => this.dragged && event.stopPropagation(), true);
    }

    put(drawing, view) {
      [this.drawing, this.view] = [drawing, view];
      const [x, y, w, h] = drawing.getAttribute("viewBox").split(" ").map(Number);
      this.all = { x, y, w, h };
      const s = this.seen;
      if (!s) this.seen = this.all;
      else if (!this.own && (x < s.x || y < s.y || x + w > s.x + s.w || y + h > s.y + s.h)) {
        const [left, top] = [Math.min(s.x, x - ROOM), Math.min(s.y, y - ROOM)];
        this.seen = { x: left, y: top, w: Math.max(s.x + s.w, x + w + ROOM) - left, h: Math.max(s.y + s.h, y + h + ROOM) - top };
      }
      this.show();
      this.board.replaceChildren(drawing);
    }

    show() { this.drawing.setAttribute("viewBox", Object.values(this.seen).join(" ")); }
    fit() { [this.seen, this.own] = [this.all, false]; this.show(); }

    /** Zoom about a point of the screen, by default the middle. */
    zoom(by, point) {
      const { x, y, w, h } = this.seen;
      const at = point ? new DOMPoint(...point).matrixTransform(this.drawing.getScreenCTM().inverse()) : { x: x + w / 2, y: y + h / 2 };
      const k = Math.min(Math.max(w / by, 250), 4000) / w;
      this.seen = { x: at.x + k * (x - at.x), y: at.y + k * (y - at.y), w: k * w, h: k * h };
      this.own = true;
      this.show();
    }

    grip(event) {
      if (!this.pointers.size) this.dragged = false;
      this.pointers.set(event.pointerId, [event.clientX, event.clientY]);
    }
    drag(event) {
      const from = this.pointers.get(event.pointerId), to = [event.clientX, event.clientY];
      if (!from || (!this.dragged && Math.hypot(to[0] - from[0], to[1] - from[1]) < 6)) return;
      if (!this.dragged) this.board.setPointerCapture(event.pointerId);
      const [other] = [...this.pointers].filter(([id]) => id !== event.pointerId).map(([, at]) => at);
      const unit = this.drawing.getScreenCTM().a;
      if (other) this.zoom(Math.hypot(to[0] - other[0], to[1] - other[1]) / Math.max(Math.hypot(from[0] - other[0], from[1] - other[1]), 1), other);
      else this.seen = { ...this.seen, x: this.seen.x - (to[0] - from[0]) / unit, y: this.seen.y - (to[1] - from[1]) / unit };
      this.dragged = this.own = true;
      this.pointers.set(event.pointerId, to);
      this.show();
    }
    drop(event) { this.pointers.delete(event.pointerId); }

    wheel(event) {
      if (event.ctrlKey || event.metaKey) this.zoom(event.deltaY < 0 ? 1.15 : 1 / 1.15, [event.clientX, event.clientY]);
      else if (!this.turn(event)) return;
      event.preventDefault();
    }
    /** Turn the tile that waits to be confirmed, or is to be laid where one points; return whether there is one. */
    turn(event) {
      if (!this.view?.held && !event.target.closest(".could")) return false;
      event.preventDefault();
      if (event.timeStamp - (this.turned ?? 0) < CALM) return true; // a wheel says more than once that it turns
      this.turned = event.timeStamp;
      this.board.dispatchEvent(new CustomEvent("variant", { detail: event.deltaY < 0 ? -1 : 1 }));
      return true;
    }

    /** With an arrow, focus the next cell that way. */
    step(event) {
      const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
      if (!way) return;
      event.preventDefault();
      const middle = (part) => { const { x, y, width, height } = part.getBoundingClientRect(); return [x + width / 2, y + height / 2]; };
      const [x, y] = middle(event.target);
      const cost = (part) => { const [u, v] = [middle(part)[0] - x, middle(part)[1] - y], on = u * way[0] + v * way[1]; return on > 5 ? Math.hypot(u, v) + Math.abs(u * way[1] + v * way[0]) : Infinity; };
      const next = [...this.board.querySelectorAll("[tabindex]")].sort((a, b) => cost(a) - cost(b))[0];
      if (next && cost(next) < Infinity) next.focus();
    }
  }

  let open = false; // whether the stacks are

  function arrange(board, drawing, view) {
    if (!canvases.has(board)) canvases.set(board, new Canvas(board));
    last = canvases.get(board);
    last.put(drawing, view);
    const stacks = document.getElementById("panel-stacks");
    if (stacks) Object.assign(stacks, { open, ontoggle: () => { open = stacks.open; } });
  }

  /** Show the tile as it would be laid in the cell that is pointed at, and in the hand. */
  function aim(board, part, shown, chosen) {
    board.querySelector(".preview")?.remove();
    const turned = (turn) => document.getElementById(`turned-${turn}`)?.cloneNode(true);
    const hand = turned(shown ?? chosen), tile = part && turned(shown);
    if (hand) document.getElementById("hand")?.replaceChildren(...hand.childNodes);
    if (!tile) return;
    tile.removeAttribute("id");
    tile.setAttribute("class", "preview");
    part.append(tile);
  }

  /** A tile as it lies on the board. */
  function thumbnail(part) {
    const holder = document.createElement("span");
    holder.innerHTML = '<svg viewBox="-45 -51 90 102" aria-hidden="true"></svg>';
    holder.firstChild.setAttribute("class", part.ownerSVGElement.getAttribute("class")); // which has the colours
    holder.firstChild.append(...part.cloneNode(true).querySelectorAll(":scope > :not(g, title)"));
    return holder.firstChild;
  }

  return { arrange, aim, thumbnail, keys: { "+": () => last?.zoom(1.25), "-": () => last?.zoom(0.8), f: () => last?.fit() } };
})());
