// A record of a game, chosen or dragged into the page: it is sent to the server, which keeps it as a game.

import { ask } from "./ask.js";
import { decimal, id, say } from "./dom.js";

const LARGEST = 1; // megabytes of a record
const LARGEST_FILE = 100; // of a file of many, which stays here: one line is sent
let games = []; // the records in the file chosen last, as texts

function refuse(why) {
  id("load-problem").textContent = why;
  id("file").value = ""; // so that the same file can be chosen again
}

async function open(text) {
  id("open").disabled = true; // until the other page comes
  id("load-problem").textContent = "";
  try {
    location.href = `/games/${(await ask("/records", text, true)).id}/review`;
  } catch (error) {
    id("open").disabled = false;
    refuse(`${error.message[0].toUpperCase()}${error.message.slice(1)}.`.replace("..", "."));
  }
}

/** Read a file: one record, or one in every line (`evaluate.py --records`). */
async function read(file) {
  games = [];
  id("which").hidden = true;
  id("load-problem").textContent = "";
  if (!file) return;
  const large = (largest) => refuse(say("too_large", { name: file.name, size: decimal(file.size / 1e6, 1), largest }));
  if (file.size > 1e6 * LARGEST_FILE) return large(LARGEST_FILE);
  const text = await file.text().catch(() => null); // of a folder, or of a file that may not be read
  if (text === null) return refuse(say("unreadable", { name: file.name }));
  games = text.split("\n").filter((line) => /^\{.*\}\s*$/.test(line));
  if (games.length < 2) return file.size > 1e6 * LARGEST ? large(LARGEST) : open(games[0] ?? text);
  id("how-many").textContent = say("which", { number: games.length });
  id("number").value = 1;
  id("number").max = games.length;
  id("which").hidden = false;
  id("number").focus();
}

id("file").addEventListener("change", () => read(id("file").files[0]));
id("open").addEventListener("click", () => {
  const number = Number(id("number").value);
  if (games[number - 1]) open(games[number - 1]);
  else id("load-problem").textContent = say("no_such", { number: games.length });
});
id("number").addEventListener("keydown", (event) => event.key === "Enter" && id("open").click());
addEventListener("pageshow", () => {
  id("open").disabled = false; // back from a game
});
addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", (event) => {
  event.preventDefault();
  const [file] = event.dataTransfer.files;
  if (file) read(file); // otherwise it was a text or a link
});
