// What the game of this page does otherwise in its scripts: an object with hooks, all of which may be missing.
//
// Its script imports nothing but dom.js: other scripts wait for it.
//
//   arrange(board, drawing, view)  puts a drawing into the page
//   fitSetup(form), options(form)   the set-up's own part of the form, and what it says, if that is more than switches
//   keys                           functions by key, called with { view, part, variant }

const { room: name, own } = document.body.dataset;

export const room = own ? (await import(`./rooms/${name}.js`)).room : {};
