// The choice of who sits at a seat.

/** What a choice says, as the server wants it. */
export function seatAsked(seat) {
  const agent = seat.querySelector(".who").value;
  return agent ? { agent } : { name: seat.querySelector(".name").value };
}

/** Ask for a name where a person sits, and show the one that is given where none is said: whoever plays alone is "you". */
export function fit(seats) {
  const people = seats.filter((seat) => !seat.hidden && !seat.querySelector(".who").value);
  for (const seat of seats) {
    const name = seat.querySelector(".name");
    name.hidden = !people.includes(seat);
    name.placeholder = people.length > 1 ? seat.querySelector(".figure").title : name.dataset.alone;
  }
}
