// The course of a game as a chart: each seat's chance of winning as an area, or what it can expect in the end as a line;
// and below what every move cost.

import { decimal } from "./dom.js";

const NS = "http://www.w3.org/2000/svg";
const COSTS = 0.24; // the part of the height for the moves' costs
const GAP = 4; // pixels
const MOST = 5; // the cost that fills its height, in the least that is marked

function shape(name, attributes, text) {
  const made = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

/** Draw `positions` into `holder`, with a line at number `at`; `last` is the number at the right edge. */
export function drawChart(holder, { positions, letters, unit, beside, costly, at, last, label }) {
  const width = holder.clientWidth;
  const x = (number) => (last ? (number / last) * width : 0);
  const foot = holder.clientHeight;
  const high = foot * (1 - COSTS) - GAP;
  const svg = shape("svg", { width, height: foot, role: "img", "aria-label": label });
  (unit === "chance" ? areas : lines)(svg, positions, letters, x, high, width, beside);
  const bar = Math.max(2, Math.min(8, 0.7 * x(1)));
  positions.forEach(({ seat, cost }, number) => {
    if (seat === null || cost < costly[0] / 10) return;
    const height = Math.max(2, Math.min(cost / (MOST * costly[0]), 1) * COSTS * foot);
    const left = Math.min(Math.max(x(number) - bar / 2, 0), width - bar);
    const marked = cost >= costly[0] ? " marked" : "";
    svg.append(shape("rect", { x: left, y: foot - height, width: bar, height, class: `cost seat${seat}${marked}` }));
  });
  svg.append(shape("line", { x1: x(at), x2: x(at), y1: 0, y2: foot, class: "at" }));
  holder.replaceChildren(svg);
}

/** Chances, which are 1 together. */
function areas(svg, positions, letters, x, high, width) {
  const y = (part) => part * high;
  let floor = positions.map(() => 0);
  letters.forEach((letter, seat) => {
    const top = positions.map(({ standing }, number) => floor[number] + standing[seat]);
    const down = top.map((part, number) => `${x(number).toFixed(1)},${y(part).toFixed(1)}`);
    const back = floor.map((part, number) => `${x(number).toFixed(1)},${y(part).toFixed(1)}`).reverse();
    svg.append(shape("polygon", { points: [...down, ...back].join(" "), class: `area seat${seat}` }));
    const room = (number) => (x(number) < 10 || x(number) > width - 10 ? 0 : positions[number].standing[seat]);
    const widest = positions.reduce((best, _, number) => (room(number) > room(best) ? number : best), 0);
    if (room(widest) * high > 16) {
      const middle = (floor[widest] + top[widest]) / 2;
      svg.append(shape("text", { x: x(widest), y: y(middle) + 5, class: "letter" }, letter));
    }
    floor = top;
  });
  svg.append(shape("line", { x1: 0, x2: width, y1: y(0.5), y2: y(0.5), class: "half" }));
}

/** Totals, on a scale from the lowest to the highest; dashed, those of the same game as a person played it. */
function lines(svg, positions, letters, x, high, width, beside) {
  const all = [...positions.flatMap(({ standing }) => standing), ...beside];
  const [least, most] = [Math.min(...all), Math.max(...all)];
  const y = (value) => 14 + (high - 28) * (1 - (value - least) / Math.max(most - least, 1));
  for (let seat = 0; seat < (positions[0]?.standing.length ?? 0); seat++) {
    const course = positions.map(({ standing }, number) => `${x(number).toFixed(1)},${y(standing[seat]).toFixed(1)}`);
    svg.append(shape("polyline", { points: course.join(" "), class: `course seat${seat}` }));
  }
  const other = beside.slice(0, positions.length).map((value, number) => `${x(number).toFixed(1)},${y(value).toFixed(1)}`);
  svg.append(shape("polyline", { points: other.join(" "), class: "course beside" }));
  for (const [value, place] of [[most, 12], [least, high - 2]]) {
    svg.append(shape("text", { x: width - 2, y: place, class: "scale", "text-anchor": "end" }, decimal(value, 0)));
  }
}
