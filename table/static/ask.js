// Requests to the server: JSON both ways, with the token of this page.

const token = document.querySelector('meta[name="table-token"]').content;

/** A refusal by the server, in its words; `status` is 0 if there was no answer. */
export class Refused extends Error {
  constructor(status, reason) {
    super(reason);
    this.status = status;
  }
}

/** The answer to a GET, or to a POST of `body` if there is one. */
export async function ask(path, body) {
  const options = body === undefined ? {} : {
    method: "POST",
    headers: { "content-type": "application/json", "x-table-token": token },
    body: JSON.stringify(body),
  };
  let response;
  try {
    response = await fetch(path, options);
  } catch {
    throw new Refused(0, "The server does not answer.");
  }
  let answer;
  try {
    answer = await response.json();
  } catch {
    throw new Refused(response.status, "Something went wrong on the server; the game is unchanged.");
  }
  if (!response.ok) throw new Refused(response.status, answer.error);
  return answer;
}

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
