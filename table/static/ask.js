// Requests to the server: JSON both ways, with the token of this page.

import { say } from "./dom.js";

const token = document.querySelector('meta[name="table-token"]').content;

/** A refusal by the server, in its words; `status` is 0 if there was no answer, or not all of it. */
export class Refused extends Error {
  constructor(status, reason) {
    super(reason);
    this.status = status;
  }
}

/** The answer to a GET, or to a POST of `body` if there is one; `written`: it is JSON already. */
export async function ask(path, body, written = false) {
  const options = body === undefined ? {} : {
    method: "POST",
    headers: { "content-type": "application/json", "x-table-token": token },
    body: written ? body : JSON.stringify(body),
  };
  let response;
  try {
    response = await fetch(path, options);
  } catch {
    throw new Refused(0, say("no_answer"));
  }
  let answer;
  try {
    answer = await response.json();
  } catch { // cut off on its way, or an error without words: what was asked for may be done all the same
    throw response.ok ? new Refused(0, say("no_answer")) : new Refused(response.status, say("broken"));
  }
  if (!response.ok) throw new Refused(response.status, answer.error);
  return answer;
}
