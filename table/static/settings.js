// What somebody has set, kept by the browser; one that is told to keep nothing keeps it as long as the page is open.

import { id } from "./dom.js";

const here = {};

/** What is kept under a name, after a value was put there, if one is given. */
export function stored(name, value) {
  if (value !== undefined) here[name] = value;
  try {
    if (value !== undefined) localStorage.setItem(name, value);
    return localStorage.getItem(name) ?? here[name];
  } catch {
    return here[name];
  }
}

/** Whether a box is ticked. */
export const setting = (name) => id(name).checked;

/** Let a control begin as it was left, and remember what it is changed to. */
export function remember(name, changed = () => {}) {
  const control = id(name);
  const kept = stored(name);
  if (control.type === "checkbox") control.checked = kept === undefined || kept === null ? control.checked : kept === "yes";
  else if ([...control.options].some((option) => option.value === kept)) control.value = kept;
  control.addEventListener("change", () => {
    stored(name, control.type === "checkbox" ? (control.checked ? "yes" : "no") : control.value);
    changed();
  });
}
