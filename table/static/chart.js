// The course of a game as a chart: each seat's chance of winning as an area, and below what every move cost.

const NS = "http://www.w3.org/2000/svg";
const COSTS = 0.24; // the part of the height for the moves' costs
const GAP = 4; // pixels
const MOST = 0.25; // the cost that fills its height

function shape(name, attributes, text) {
  const made = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

/** Draw `positions` into `holder`, with a line at number `at`; `last` is the number at the right edge. */
export function drawChart(holder, { positions, letters, costly, at, last, label }) {
  const width = holder.clientWidth;
  const x = (number) => (last ? (number / last) * width : 0);
  const foot = holder.clientHeight;
  const high = foot * (1 - COSTS) - GAP;
  const y = (part) => part * high;
  const svg = shape("svg", { width, height: foot, role: "img", "aria-label": label });
  let floor = positions.map(() => 0);
  letters.forEach((letter, seat) => {
    const top = positions.map(({ chances }, number) => floor[number] + chances[seat]);
    const down = top.map((part, number) => `${x(number).toFixed(1)},${y(part).toFixed(1)}`);
    const back = floor.map((part, number) => `${x(number).toFixed(1)},${y(part).toFixed(1)}`).reverse();
    svg.append(shape("polygon", { points: [...down, ...back].join(" "), class: `area seat${seat}` }));
    const room = (number) => (x(number) < 10 || x(number) > width - 10 ? 0 : positions[number].chances[seat]);
    const widest = positions.reduce((best, _, number) => (room(number) > room(best) ? number : best), 0);
    if (room(widest) * high > 16) {
      const middle = (floor[widest] + top[widest]) / 2;
      svg.append(shape("text", { x: x(widest), y: y(middle) + 5, class: "letter" }, letter));
    }
    floor = top;
  });
  svg.append(shape("line", { x1: 0, x2: width, y1: y(0.5), y2: y(0.5), class: "half" }));
  const bar = Math.max(2, Math.min(8, 0.7 * x(1)));
  positions.forEach(({ seat, cost }, number) => {
    if (seat === null || cost < 0.005) return;
    const height = Math.max(2, Math.min(cost / MOST, 1) * COSTS * foot);
    const left = Math.min(Math.max(x(number) - bar / 2, 0), width - bar);
    const marked = cost >= costly[0] ? " marked" : "";
    svg.append(shape("rect", { x: left, y: foot - height, width: bar, height, class: `cost seat${seat}${marked}` }));
  });
  svg.append(shape("line", { x1: x(at), x2: x(at), y1: 0, y2: foot, class: "at" }));
  holder.replaceChildren(svg);
}
