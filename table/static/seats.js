// The choice of who sits at a seat.

/** What a choice says, as the server wants it. */
export function seatAsked(seat) {
  const agent = seat.querySelector(".who").value;
  return agent ? { agent } : { name: seat.querySelector(".name").value };
}

/** Ask for a name where a person sits. */
export function fit(seat) {
  seat.querySelector(".name").hidden = seat.querySelector(".who").value !== "";
}
