// What all scripts of the pages use: elements, and the words and numbers of the page.

export const id = (name) => document.getElementById(name);

const WORDS = JSON.parse(id("words").textContent);

/** Where there is no room for a drawing with texts of 12 pixels; from 921 to 1000 nothing stands beside it unless the
    screen is low (page.css). */
export const NARROW = matchMedia(
  "(max-width: 920px), (max-width: 1000px) and (max-height: 500px), (min-width: 1001px) and (max-width: 1279px)",
);

/** An element with attributes, classes and listeners given as properties, and children. */
export function element(name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key in made) made[key] = value;
    else made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

// A key that is held presses once: what it did may have moved the focus to something else.
addEventListener("keydown", (event) => {
  if (!event.repeat || !/^(Enter| )$/.test(event.key) || !event.target.closest("button, [role=button]")) return;
  event.stopPropagation();
  if (event.key === "Enter" || event.target.tagName !== "BUTTON") event.preventDefault(); // a button waits for the key to come up
}, true);

/** A text of the word list, with values in the places that it has for them. */
export const say = (key, values = {}) => WORDS[key].replace(/\{(\w+)\}/g, (_, name) => values[name]);

/** A number with so many decimals, as the page's language writes it, without a sign where it is shown as zero; `more` are
 * options of Intl.NumberFormat. */
export function decimal(number, digits, more = {}) {
  const options = { minimumFractionDigits: digits, maximumFractionDigits: digits, ...more };
  const shown = new Intl.NumberFormat(document.documentElement.lang, options).format(number).replace("-", "−");
  return /[1-9]/.test(shown) ? shown : shown.replace(/[+−]/, "");
}

/** A part of 1 in per cent. */
export const percent = (part) => decimal(part, 1, { style: "percent" });

/** What a move is worth, in the unit of the game: a chance in per cent, or points. */
export const worth = (value) => (document.body.dataset.unit === "chance" ? percent(value) : decimal(value, 1));

/** A difference of such worths, in points. */
export const points = (cost, digits = 1, more = {}) => decimal(document.body.dataset.unit === "chance" ? 100 * cost : cost, digits, more);
