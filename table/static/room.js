// What the game of this page does otherwise in its scripts: an object with hooks, all of which may be missing.
//
// Its own script (rooms/) puts them in. It stands first in the page, and imports nothing but dom.js and this one.
//
//   arrange(board, drawing, view)  puts a drawing into the page
//   fitSetup(form, players), options(form)   the set-up's own part of the form, and what it says, if that is more than switches
//   aim(board, part, shown, chosen)  something is pointed at, or nothing: a move there would be made in the way shown; chosen
//                                  is that which was, by the key or the button that turns
//   thumbnail(part)                a small picture of a part of the drawing, for the log
//   keys                           functions by key, called with { view, part, variant }

export const room = {};
