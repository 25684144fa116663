// What all scripts of the pages use: elements, and the words and numbers of the page.

import { WORDS } from "/words.js";

export const id = (name) => document.getElementById(name);

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

/** A number with so many decimals, as the page's language writes it; `more` are options of Intl.NumberFormat. */
export function decimal(number, digits, more = {}) {
  const options = { minimumFractionDigits: digits, maximumFractionDigits: digits, ...more };
  return new Intl.NumberFormat(document.documentElement.lang, options).format(number).replace("-", "−");
}

/** A part of 1 in per cent. */
export const percent = (part) => decimal(part, 1, { style: "percent" });
