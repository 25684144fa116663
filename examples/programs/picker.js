#!/usr/bin/env node
// A player for Node.js that plays every game: it takes one of the moves that it is told, by chance.
//
//     python evaluate.py "program:node examples/programs/picker.js" greedy --no-luck
//     python evaluate.py --game agricola "program:node examples/programs/picker.js" greedy --players 3 --games 60
"use strict";
let legal = [];
const say = (line) => process.stdout.write(line + "\n");
require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const [word, ...rest] = line.trim().split(" ");
  if (word === "hello") say(`hello ${rest[0]} picker`); // 1: villages; 2: the game that newgame names
  else if (word === "isready") say("readyok");
  else if (word === "position") legal = [];
  else if (word === "legal") legal.push(rest.join(" "));
  else if (word === "go") say(`bestmove ${legal[Math.floor(Math.random() * legal.length)]}`);
  else if (word === "quit") process.exit(0);
});
