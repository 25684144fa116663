"""Worked cases of Dorfromantik's rulings, as text: name | game | tiles laid | what is so then.

game: what differs from the whole game for one player; `tasks` alone says that there are none, and where `landscape` is
told, nothing is in the box unless told.
tiles laid: in order, as laid.py says.
what is so then, step by step: `due` what comes, and `unseen` what chance can bring, with its probability; `reveal` a
tile, with the number of its marker; `cells` all where it may be placed, `at` a cell all rotations in which; `place` it,
with all that this brings about; then parts of the `score` and of the position.

Every case is a game that the rules allow, from its beginning. Nothing here is played: test_cases.py does that, with
every implementation of the rules.
"""

from tests.helpers import cases_of

CASES = cases_of("""
D4 a game begins with a task tile | | | due task; unseen W1:1/25 W2:1/25 W3:1/25 W4:1/25 W5:1/25 G1:1/25 G2:1/25
    G3:1/25 G4:1/25 G5:1/25 V1:1/25 V2:1/25 V3:1/25 V4:1/25 V5:1/25 T1:1/25 T2:1/25 T3:1/25 T4:1/25 T5:1/25 S1:1/25
    S2:1/25 S3:1/25 S4:1/25 S5:1/25
D4 the third task tile comes while two lie out | | S2=6 0 0 0, W3=4 1 -1 0 | due task
D4 a landscape tile comes when three task tiles with a marker lie out | | TWO_STUBS | due landscape
D4 D21 a fulfilled task makes room for the next | | FOREST_OF_FOUR | due task
D4 landscape tiles come when the task stack is empty | tasks G1 | G1=4 0 0 0 | due landscape
D5 the marker is known before the tile is placed | | S2=6 0 0 0 | reveal W3=4; tile W3=4; turn 2
D20 the seats move in turn | players 3 | TWO_STUBS | reveal L42; to_move 0; turn 4
D27 the box is among the tiles not seen | landscape L01 L02 L03 L04; tasks; left_in_box 3 | | due landscape; unseen
    L01:1/4 L02:1/4 L03:1/4 L04:1/4
D27 what has been seen comes no more | landscape L01 L02 L03; tasks | L01 0 0 0 | unseen L02:1/2 L03:1/2
D7 the first tile lies in the middle, in rotation 0 | tasks | | reveal L01; cells 0,0; at 0,0 0
D7 also a task tile | | | reveal W1=6; cells 0,0; at 0,0 0
D8 D10 any other touches one that lies, and grain, forest and meadow meet in any way | tasks | L18 0 0 0 | reveal L25;
    cells -1,0 -1,1 0,-1 0,1 1,-1 1,0; at 0,1 all; at -1,0 all; at 1,0 all; at -1,1 all; at 0,-1 all; at 1,-1 all
D9 a track goes on, and may begin elsewhere | tasks | L30 0 0 0 | reveal L40; at -1,0 3 4; at 1,0 2 3 4 5
D9 a stream goes on | tasks | L12 0 0 0 | reveal L41; at -1,0 0 1
D9 a track does not go on as a stream, and may begin elsewhere | tasks | L12 0 0 0 | reveal L40; at -1,0; at 0,1 0 3 4
    5
D9 a tile without track does not lie at the end of one | tasks | L30 0 0 0 | reveal L42; cells -1,1 0,-1 0,1 1,-1 1,0
D11 D18 no more tiles at once than the own marker asks, with a task tile that has none any more | | FOREST_OF_FOUR,
    W5=5 0 -1 0 | reveal W4=5; at 1,-2 0 1 2
D11 exactly as many are allowed | | FOREST_OF_FOUR | reveal W5=5; at 0,-1 all
D11 fewer are allowed in an open territory | | FOREST_OF_FOUR | reveal W5=6; at 0,-1 all
D11 D16 the marker of another tile forbids nothing: it is aborted | | TWO_FORESTS | reveal W5=6; place 0 1 5 aborted
    W3; open T3=6 W5=6; aborted G2=6 W3=4; fulfilled
D11 D16 one is aborted and the own one fulfilled | | TWO_FORESTS | reveal W5=5; place 0 1 5 fulfilled W5 aborted W3;
    score markers 5
D12 worked case: a stream task 4 may not close the cell between two stubs | | TWO_STUBS, L18 1 -2 0, L28 2 -2 0, L35 0
    -1 2 | reveal S4=4; at 1,0
D12 a track task 5 may not close a track of four | | TRACK_OF_THREE | reveal T5=5; at 5,0
D12 D16 a track task 4 may: exactly as many, closed, met by its own tile | | TRACK_OF_THREE | reveal T5=4; at 5,0 0;
    place 5 0 0 fulfilled T5; score markers 8 track 4 stream 1 flags 0 total 13; fulfilled T5=4 W3=4; open G3=6 S1=6
D18 a task tile joins one whose marker lies | | W3=4 0 0 0 | reveal W5=5; at 1,0 all; place 1 0 2; open W3=4 W5=5
D13 D11 the own marker forbids the only cell that is left: tile and marker leave the game | LITTLE | ONE_CELL_LEFT,
    W3=1 gone | due over; score markers 3; left W3=1; open; aborted
D13 D11 with a greater number it lies there | LITTLE | ONE_CELL_LEFT | reveal W3=2; cells 0,-1; place 0 -1 0 fulfilled
    W3; score markers 5
D12 D15 also with too few tiles, since its edges at cells that the window forbids are open | LITTLE | ONE_CELL_LEFT |
    reveal W3=3; cells 0,-1; place 0 -1 0; over True; open W3=3
D14 one territory with all the edges of its type, also when they lie apart | tasks W2 | W2=4 0 0 0, L18 0 1 1, L28 0 -1
    5 | reveal L35; place 0 2 0 fulfilled W2
D14 worked case: grain touches grain, and the 4 is fulfilled | tasks G1 | GRAIN_OF_THREE | reveal L25; place 0 -1 2
    fulfilled G1; score markers 4 total 4
D14 worked case: the meadow edge touches, and it is not | tasks G1 | GRAIN_OF_THREE | reveal L25; place 0 -1 3; open
    G1=4
D15 an edge is open at a cell that no tile can fill | tasks | TWO_TRACKS_AT_A_CELL | reveal L46; place -1 -1 3; score
    flags 0
D15 no tile can fill that cell | tasks | TWO_TRACKS_AT_A_CELL, L46 -1 -1 3 | reveal L01; at -1,0
D15 an edge is open at a cell that the window forbids | landscape L33 L25 L42; tasks; window 2 | L33 0 0 0 | reveal
    L25; place 1 0 0; score flags 0
D26 the window forbids that cell | landscape L33 L25 L42; tasks; window 2 | L33 0 0 0, L25 1 0 0 | reveal L42; cells
    0,-1 0,1 1,-1 1,1; at -1,0
D16 worked case: closed from outside with fewer tiles, aborted | tasks G2 | TWO_GRAIN_EDGES | reveal L42; place 1 0 0
    aborted G2; score markers 0 total 0; open; fulfilled; aborted G2=4
D16 worked case: six tiles fulfil the 6 and abort the 5 | tasks V3 V1 | TWO_VILLAGES | reveal L13; place 1 -1 2
    fulfilled V1 aborted V3; score markers 6
D16 five tiles fulfil both 5 | tasks V3 V1 | V3=5 0 0 0, V1=5 1 0 3, L42 -1 0 0, L47 2 0 0 | reveal L13; place 1 -1 2
    fulfilled V1 V3; score markers 10
D16 one tile closes two streams with fewer tiles, and both are aborted | | TWO_STUBS | reveal L45; place 1 0 1 aborted
    S2 S3; score stream 3 total 3
D16 an open territory with fewer tiles stays | | W3=4 0 0 0, G3=6 -1 0 0, S1=6 -2 0 0, L18 1 0 1 | reveal L28; place 1
    -1 0; open G3=6 S1=6 W3=4
D16 a marker is fulfilled in an open territory | | FOREST_OF_THREE | reveal L35; place 0 1 0 fulfilled W3; score
    markers 4
D16 a marker is met by the placing of its own tile | | FOREST_OF_FOUR | reveal W5=5; place 0 -1 0 fulfilled W5; score
    markers 9
D16 D18 worked case: a task 6 fulfils the 5 of a stream of four, and its own stays | | STREAM_OF_FOUR | reveal S4=6;
    place 0 3 0 fulfilled S1; score markers 9 stream 5 track 1; open S4=6 T3=6; fulfilled S1=5 W3=4; aborted
D17 a task tile whose marker was aborted stays, and its territory grows on | | TWO_STUBS, L45 1 0 1 | reveal S1=4; lies
    S2 0 0 0, W3 1 -1 0, L45 1 0 1, S3 2 -1 5; open W3=4; aborted S2=6 S3=5
D19 worked case: the flag on the tile just placed, its grain edge against forest | tasks | L18 0 0 0 | reveal L33;
    place 1 0 0 flags L33; score flags 1 total 1; flags L33=1
D19 a flag does not count while its territory is open | tasks | L18 0 0 0 | reveal L33; place 1 0 1; score flags 0;
    flags
D19 one point per tile of the territory | tasks | L38 0 0 0 | reveal L20; place -1 0 4 flags L38; score flags 2
D19 a territory closed from outside | tasks | L33 0 0 0 | reveal L42; place -1 0 0 flags L33; score flags 1
D19 two flags at once | tasks | TWO_FLAGS | reveal L18; place -1 0 0 flags L33 L38; score flags 2
D19 a flag counts once | tasks | TWO_FLAGS, L18 -1 0 0 | reveal L42; place 1 0 0; score flags 2
D13 D26 a landscape tile without a legal move leaves the game, and the next seat goes on | landscape L42 L25 L18;
    tasks; window 1; players 2 | L42 0 0 0, L25 gone, L18 gone | due over; left L18 L25; turn 3; over True; stacks 0 0
D13 a task tile leaves the game with its marker, which is neither fulfilled nor aborted | landscape; tasks W3 G1;
    window 1 | W3=4 0 0 0, G1=5 gone | due over; left G1=5; open W3=4; aborted; fulfilled
D21 over with no landscape tile left and three tasks out | landscape L42; tasks G1 W3 V3 W4 | G1=4 0 0 0, W3=6 1 0 0,
    V3=5 2 0 0 | reveal L42; place 3 0 0; score total 0; over True; tile None; to_move None; turn 4; stacks 0 1
D21 over with no tile of either stack, the box left | landscape L42 L25 L18; tasks; left_in_box 2 | | reveal L42; place
    0 0 0; over True; turn 1; stacks 0 0
D21 when the last landscape tile frees a task, task tiles go on | landscape L18 L28 L35; tasks W3 G3 S1 W5 |
    FOREST_OF_FOUR | due task; unseen W5:1; reveal W5=6; place 0 -1 0; score markers 4; over True; stacks 0 0
D21 D30 the end finds a marker out and a flag open, and neither scores | landscape L33; tasks W3 | W3=6 0 0 0 | reveal
    L33; place 1 0 1; score markers 0 flags 0 track 0 stream 0 total 0; over True; open W3=6; aborted; flags
D22 a ring counts each tile once | tasks | L34 0 0 0, L40 1 -1 5 | reveal L46; place 1 0 0; score markers 0 flags 0
    track 3 stream 0 total 3
D22 nothing without tracks and streams | tasks | | reveal L42; place 0 0 0; score markers 0 flags 0 track 0 stream 0
    total 0
D22 the longest track counts alone | tasks | L30 0 0 0, L40 -1 0 3 | reveal L34; place 1 0 0; score track 2 stream 0
    total 2
D25 of rotations that look the same the lowest: all six look the same | | G1=4 0 0 0 | reveal W3=4; at 1,0 0; at 0,1 0
D25 three look different | | G1=4 0 0 0 | reveal W2=4; at 1,0 0 1 2
D25 two look different | | TWO_STUBS | reveal L17; at 0,-1 0 1
D26 a straight line of 23: no further in q, either way | tasks | LINE_OF_22, L34 22 0 2 | reveal L40; at 23,0; at -1,0;
    at -1,1; at 23,-1
D26 a line of 22 may grow at either end | tasks | LINE_OF_22 | reveal L34; at 22,0 0 1 2 5; at -1,0 2 3 4 5
D26 the same in r | landscape L42 L25 L18 L31; tasks; window 3 | L42 0 0 0, L25 0 -1 0, L18 0 1 0 | reveal L31; cells
    -1,-1 -1,0 -1,1 1,-1 1,0 1,1
""")
