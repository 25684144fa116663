"""Worked cases of the rulings of Bohemian Villages, as text: name | position | steps | what is so then.

position: what differs from the first turn of two players in Nenbrad with the dice 1 2 3 4, parted by semicolons.
Owners are written `farm@Nenbrad:1`, seat 0 unless told, or by number, `farm 2 1`: two farms for seat 0 and the next one
for seat 1, in the order of `villages`; `full`: all buildings of a village have an owner.
steps: moves, and dice that are rolled, `roll 1 1 3 5`; parted by commas.
what is so then: `legal` all legal moves, `placings`, `bishops`, `specials` and `rerolls` all of this sort, `offered`
some that are legal, `R10` and so on some that are refused by this ruling; `on` buildings with their owners, and a star
on active inns; `score` a column of the scoring by seat; `end` the reason, None while the game goes on; or else what a
game is asked by name.

Where a name ends in "books", all three rulebooks (German, English, Italian) work the case out.
Nothing here is played: test_rulings.py does that.
"""

from tests.helpers import cases_of

TURNS = """
R4 R5 no figure at the start of the turn ends the game, without income or roll: books | each 2; dice 1 2; coins 4 4;
    inn@Nenbrad:1 church@Nenbrad:1; active Nenbrad; bishop 1 | end | end no figures; coins 4 4; bank 300; turn 1;
    legal; dice_to_roll 0
R4 no figure at the end of a turn is not the end | each 2; dice 5 6; farm@Nenbrad | 5+6:church@Nenbrad | figures 0 2;
    end None; turn 2; dice_to_roll 4
R4 R20 a figure may come back before the next turn by an intermediate scoring: books | villages Grundow Itschkau; each
    2; mill@Grundow; dice 5 6 | 5+6:church@Grundow, roll 1 1 2 4, 2+4:mill@Itschkau, end | turn 3; figures 1 2; coins 2
    2
R4 a figure kicked out in time keeps the game going | each 2; turn 2; dice 1 1 3 5; farm@Nenbrad church@Nenbrad |
    3+5:farm@Nenbrad, end | end None; turn 3
R4 and without it the game ends | each 2; turn 2; dice 1 1 3 5; farm@Nenbrad church@Nenbrad | 1+1:bishop, end | end no
    figures; turn 2
R5 every turn | turn 2; dice 1 2; inn@Nenbrad; active Nenbrad | end, roll 1 2 3 4, 1+2:special, end, roll 1 2 3 4,
    1+2:special, end | turn 5; coins 2 0
R5 the bishop at the next turn: books | villages SIX; church 2 1; dice 1 1 2 3 | 1+1:bishop, end, roll 1 1 2 3,
    1+1:special, end | to_move 0; coins 2 0
R5 the bishop lost before it: books | villages SIX; church 2 1; dice 1 1 2 3 | 1+1:bishop, end, roll 1 1 2 3,
    1+1:bishop, end | to_move 0; coins 0 0
R6 place with two, three or four dice | dice 1 1 2 4 | | placings 1+2:butchery@Nenbrad, 1+4:tailor@Nenbrad,
    1+2+4:glass@Nenbrad, 1+1+2+4:farm@Nenbrad
R6 placing uses up the dice | dice 1 1 2 4 | 1+2:butchery@Nenbrad | dice 1 4; moves_made 1; on butchery@Nenbrad
R6 2 3 4 6 as 7 and 8: books | villages Chlumhof Nenbrad; dice 2 3 4 6 | 3+4:glass@Nenbrad, 2+6:farm@Nenbrad | turn 2;
    figures 12 13
R6 2 3 4 6 as 5 and 10: books | villages Chlumhof Nenbrad; dice 2 3 4 6 | 2+3:tailor@Nenbrad, 4+6:town_hall@Chlumhof |
    turn 2; figures 11 13
R6 R14 2 3 4 6 as 12 alone, and the 3 is lost: books | villages Chlumhof Nenbrad; dice 2 3 4 6 | 2+4+6:manor@Chlumhof |
    turn 2; dice_to_roll 4; figures 12 13
R6 the bishop takes two equal dice: none | dice 2 3 4 6 | | bishops
R6 the bishop for one pair | dice 2 2 4 6 | | bishops 2+2:bishop
R6 the bishop for either of two pairs, from another seat | dice 2 2 5 5; bishop 1 | | bishops 2+2:bishop, 5+5:bishop
R6 the bishop for two of four equal dice | dice 5 5 5 5; bishop 1 | | bishops 5+5:bishop
R6 the bishop in a second move | dice 5 5; bishop 1 | | bishops 5+5:bishop
R6 nobody takes the bishop that is his | dice 2 2 5 5; bishop 0 | | bishops; R6 2+2:bishop
R6 the bishop taken | dice 2 2 3 6; bishop 1 | 2+2:bishop | bishop 0; dice 3 6; figures 13 13; moves_made 1
R6 taking the bishop is the one move that is due: books | dice 1 1 3 5 | 1+1:bishop | bishop 0; moves_made 1; offered
    end
R6 a special action tile for any two dice | dice 2 3 4 4 | | specials 2+3:special, 2+4:special, 3+4:special,
    4+4:special
R6 though another seat has one | dice 2 3 4 4; special 1 | | offered 2+3:special
R6 the last tile of the supply | dice 2 3 4 4; special_supply 1 | | offered 2+3:special
R6 no tile is left | dice 2 3 4 4; special_supply 0 | | specials; R6 2+3:special
R6 a tile is held | dice 2 3 4 4; special 0 | | specials; R6 2+3:special
R6 R8 one was spent in this turn | dice 2 3 4 4; spent | | specials; R8 2+3:special, reroll 2
R6 a special action tile taken | dice 2 3 4 6; special 1; special_supply 3 | 2+6:special | special 1 1; special_supply
    2; dice 3 4; figures 13 13
R7 the first move is compulsory | | | R7 end
R7 the second is optional and uses the other two dice | dice 2 3 4 6 | 3+4:glass@Nenbrad | legal 2+6:farm@Nenbrad,
    2+6:special, end
R7 the second move ends the turn | dice 2 3 4 6 | 3+4:glass@Nenbrad, 2+6:farm@Nenbrad | turn 2
R7 and so does stopping | dice 2 3 4 6 | 3+4:glass@Nenbrad, end | turn 2
R7 no second move after three dice | dice 1 2 2 5 | 1+2+5:farm@Nenbrad | turn 2; dice_to_roll 4
R7 no second move after four dice | dice 1 2 2 5 | 1+2+2+5:town_hall@Nenbrad | turn 2; dice_to_roll 4
R8 any non-empty subset of the unused dice | dice 2 2 3 6; special 0 | | rerolls reroll 2, reroll 3, reroll 6, reroll
    2,2, reroll 2,3, reroll 2,6, reroll 3,6, reroll 2,2,3, reroll 2,2,6, reroll 2,3,6, reroll 2,2,3,6
R8 of four equal dice | dice 4 4 4 4; special 0 | | rerolls reroll 4, reroll 4,4, reroll 4,4,4, reroll 4,4,4,4
R8 of the two left | dice 3 6; special 0 | | rerolls reroll 3, reroll 6, reroll 3,6
R8 of the one left | dice 5; special 0 | | rerolls reroll 5
R8 not without a tile | dice 3 6 | | rerolls; R8 reroll 3
R8 not with the tile of another | dice 3 6; special 1 | | rerolls
R8 the chosen dice are rolled | dice 2 3 4 6; special 0 | reroll 2,6 | dice_to_roll 2; dice 3 4; legal
R8 and the others kept | dice 2 3 4 6; special 0 | reroll 2,6, roll 5 1 | dice 1 3 4 5
R8 a reroll is not a move | dice 2 3 4 6; special 0 | reroll 2,6, roll 1 2 | moves_made 0; R7 end
R8 so that the first move is still to come | dice 2 3 4 6; special 0 | reroll 2,6, roll 1 2, 3+4:glass@Nenbrad |
    moves_made 1; dice 1 2; turn 1
R8 a spent tile leaves the game | dice 2 3 4 6; special 0 1; special_supply 4 | reroll 6, roll 6 | special 0 1;
    special_supply 4; rerolls
R8 a tile may be spent in the turn it was taken | dice 2 3 4 6 | 2+6:special, reroll 3,4, roll 5 6 | legal
    5+6:church@Nenbrad, end
R8 no other tile in the turn one was spent | dice 2 3 4 6; special 0 | reroll 6, roll 6 | specials;
    spent_special_this_turn 1
R8 nor in its second move | dice 2 3 4 6; special 0 | reroll 6, roll 6, 3+4:glass@Nenbrad | legal 2+6:farm@Nenbrad, end
R8 but in the next turn | dice 2 3 4 6; special 0 | reroll 6, roll 6, 3+4:glass@Nenbrad, end, roll 1 2 3 4 | offered
    1+2:special; spent_special_this_turn 0
R8 and in that of the seat itself | dice 2 3 4 6; special 0 | reroll 6, roll 6, 3+4:glass@Nenbrad, end, roll 1 2 3 4,
    1+3:special, end, roll 1 2 3 4 | offered 1+2:special
R8 one unused die | dice 1 2 4 5; special 0 | 1+2+5:farm@Nenbrad | legal end, reroll 4
R8 it is rolled within the turn | dice 1 2 4 5; special 0 | 1+2+5:farm@Nenbrad, reroll 4 | dice_to_roll 1; turn 1
R8 and only gets rid of the tile | dice 1 2 4 5; special 0 | 1+2+5:farm@Nenbrad, reroll 4, roll 6 | turn 2; to_move 1;
    special 0 0; special_supply 6
R8 so that another may be taken later | dice 1 2 4 5; special 0 | 1+2+5:farm@Nenbrad, reroll 4, roll 6, roll 1 2 3 4,
    1+2:special, end, roll 1 2 3 4 | offered 1+2:special
R13 four sixes pass: books | SIXES; manor@Chlumhof:1; coins 3 4 | end, roll 6 6 6 6 | turn 3; to_move 0; dice_to_roll
    4; end None; figures 13 12; bishop 1; coins 3 4
R13 also with the manor of one's own | SIXES; manor@Chlumhof:0 | end, roll 6 6 6 6 | turn 3; to_move 0
R13 unless the manor is free | SIXES | end, roll 6 6 6 6 | turn 2; legal 6+6:manor@Chlumhof
R13 or the bishop is with another | SIXES; manor@Chlumhof; bishop 0 | end, roll 6 6 6 6 | turn 2; legal 6+6:bishop
R13 or with nobody | SIXES; manor@Chlumhof; bishop None | end, roll 6 6 6 6 | turn 2; legal 6+6:bishop
R13 or a tile is left | SIXES; manor@Chlumhof; special_supply 1 | end, roll 6 6 6 6 | turn 2; legal 6+6:special
R13 a reroll is forced when it alone is left | SIXES; manor@Chlumhof; special 1 | end, roll 6 6 6 6 | turn 2; legal
    reroll 6, reroll 6,6, reroll 6,6,6, reroll 6,6,6,6
R13 also beside tiles in the supply | SIXES; manor@Chlumhof; special 1; special_supply 3 | end, roll 6 6 6 6 | turn 2;
    legal reroll 6, reroll 6,6, reroll 6,6,6, reroll 6,6,6,6
R13 after the forced reroll a pass | SIXES; manor@Chlumhof; special 1; dice 6 6 6 6; turn 2 | reroll 6,6, roll 6 6 |
    turn 3
R13 or a move | SIXES; manor@Chlumhof; special 1; dice 6 6 6 6; turn 2 | reroll 6,6, roll 1 2 | legal
    1+2+6:inn@Chlumhof, 1+2+6:inn@Nenbrad, 1+2:butchery@Chlumhof, 1+2:butchery@Nenbrad, 1+6:glass@Nenbrad,
    2+6:farm@Chlumhof, 2+6:farm@Nenbrad
R13 only the first move forces a reroll | villages Chlumhof; dice 1 4; special 0 | | legal end, reroll 1, reroll 1,4,
    reroll 4
R13 where a reroll is forced the turn cannot be stopped | villages Itschkau; dice 6 6 6 6; bishop 0; special 0;
    manor@Itschkau:1 | | R13 end
R14 over after two moves | dice 2 3 4 6 | 3+4:special, 2+6:farm@Nenbrad | turn 2; to_move 1; dice_to_roll 4
R14 not after one of them | dice 2 3 4 6 | 3+4:special | turn 1; offered end
R14 over with no die unused | dice 1 1 2 4 | 1+1+2+4:farm@Nenbrad | turn 2; to_move 1; dice_to_roll 4
R14 over when stopped | dice 2 3 4 6 | 3+4:special, end | turn 2; to_move 1; dice_to_roll 4
R14 over with one die left and no tile | dice 1 2 4 5 | 1+2+5:farm@Nenbrad | turn 2; to_move 1; dice_to_roll 4
R14 over with no use for two dice | dice 1 3 5 6; special_supply 0 | 5+6:church@Nenbrad | turn 2; to_move 1;
    dice_to_roll 4
R14 over with no use for dice rolled again | dice 1 2; special 0; special_supply 0 | reroll 1, roll 4 | turn 2; to_move
    1; dice_to_roll 4
R14 R7 no stopping before the first move, with a tile either | dice 2 3 4 6; special 0 | | R7 end
R14 stopping with two dice left | dice 2 6 | | offered end
R14 stopping with one | dice 6; special 0 | | legal end, reroll 6
R15 ways that show the same numbers are one move | dice 3 3 4 4 | | legal 3+3:bishop, 3+3:special, 3+4:glass@Nenbrad,
    3+4:special, 3+3+4:town_hall@Nenbrad, 4+4:bishop, 4+4:farm@Nenbrad, 4+4:special, 3+4+4:church@Nenbrad
R15 which takes one of each | dice 3 3 4 4 | 3+4:glass@Nenbrad | dice 3 4
R15 ways that show other numbers are different moves | | 1+4:tailor@Nenbrad | dice 2 3
R15 and leave other dice | | 2+3:tailor@Nenbrad | dice 1 4
"""

MOVES = """
R6 all moves, with four different dice | dice 2 3 4 6 | | legal 2+3:tailor@Nenbrad, 2+6:farm@Nenbrad,
    3+4:glass@Nenbrad, 3+6:inn@Nenbrad, 4+6:town_hall@Nenbrad, 2+3+4:inn@Nenbrad, 2+3+6:church@Nenbrad, 2+3:special,
    2+4:special, 2+6:special, 3+4:special, 3+6:special, 4+6:special
R6 all moves, with two pairs, a kick and a shop that is shut | players 3; turn 2; villages Fiskowitz Nenbrad; bishop 2;
    special_supply 0; dice 1 1 4 4; butchery@Fiskowitz butchery@Nenbrad:2 tailor@Fiskowitz:1 tailor@Nenbrad
    farm@Nenbrad | | legal 1+1:bakery@Fiskowitz, 4+4:farm@Nenbrad, 1+4+4:inn@Fiskowitz, 1+4+4:inn@Nenbrad,
    1+1+4+4:town_hall@Fiskowitz, 1+1+4+4:town_hall@Nenbrad, 1+1:bishop, 4+4:bishop
R6 all moves, with four equal dice | villages Chlumhof Grundow; dice 3 3 3 3; bishop 1 | | legal 3+3:mill@Grundow,
    3+3+3:inn@Chlumhof, 3+3+3+3:manor@Chlumhof, 3+3+3+3:manor@Grundow, 3+3:bishop, 3+3:special
R6 all moves after a reroll | dice 1 1 6 6; spent; bishop 0 | | legal 1+6:glass@Nenbrad, 1+1+6:farm@Nenbrad
R13 all moves where a reroll is forced | villages Chlumhof; manor@Chlumhof:1; dice 6 6 6 6; bishop 0; special 0 | |
    legal reroll 6, reroll 6,6, reroll 6,6,6, reroll 6,6,6,6
R7 all second moves with a tile | players 3; turn 8; villages Kunzendorf Nenbrad; dice 4 5; special 0 1;
    inn@Kunzendorf:2 inn@Nenbrad:1 | | legal 4+5:inn@Kunzendorf, reroll 4, reroll 5, reroll 4,5, end
R7 all second moves with a pair | dice 4 4; farm@Nenbrad | | legal 4+4:bishop, 4+4:special, end
R8 all that one die and a tile allow | dice 6; special 0 | | legal reroll 6, end
"""

REFUSED = """
R6 dice that are not there, or do not make the move | dice 2 3 4 6 | | R6 1+6:glass@Nenbrad, 3+3:bishop, 3+4:bishop,
    2+2+3:glass@Nenbrad, 5+6:special
R6 two dice of the same number, also where such lie beside the two that are named | dice 3 3 5 6 | | R6 3+5:bishop
R8 rerolls of dice that are not there | dice 2 3 4 6; special 0 | | R8 reroll 2,2, reroll 5
R9 R10 a free building of the kind is left | villages Kunzendorf Nenbrad; dice 2 3 4 6; glass@Nenbrad:1 farm@Nenbrad:1
    | | R10 3+4:glass@Nenbrad, 2+6:farm@Nenbrad
R10 one's own figure | dice 2 3 4 6; farm@Nenbrad | | R10 2+6:farm@Nenbrad
R10 a shop beside one's own | villages Anschow Nenbrad; dice 2 3 4 6; tailor@Anschow tailor@Nenbrad:1 | | R10
    2+3:tailor@Nenbrad
R10 a manor | villages Itschkau; dice 2 3 4 6; manor@Itschkau:1 | | R10 2+4+6:manor@Itschkau
R11 no figure in hand | each 1; inn@Nenbrad; dice 2 6 | | R11 2+6:farm@Nenbrad
R12 a kind that the village has not | dice 2 3 4 6 | | R12 2+4:mill@Nenbrad
"""

PLACING = """
R10 shops of other kinds do not forbid a shop kick | dice 1 2 6 6; butchery@Nenbrad:1 tailor@Nenbrad | | offered
    1+2:butchery@Nenbrad
R10 Klemens has one of the two bakeries and none is free: books | villages Grundow Itschkau; dice 1 1 3 4; bakery 1 1 |
    | R10 1+1:bakery@Grundow, 1+1:bakery@Itschkau
R10 or the other one is free: books | villages Grundow Itschkau; dice 1 1 3 4; bakery 1 0 | | offered
    1+1:bakery@Itschkau; R10 1+1:bakery@Grundow
R10 or he has none: books | villages Grundow Itschkau; dice 1 1 3 4; bakery 0 2 | | offered 1+1:bakery@Grundow,
    1+1:bakery@Itschkau
R10 no kick from a manor | villages Chlumhof Grundow; dice 1 2 6 6; manor 0 2 | | R10 6+6:manor@Chlumhof,
    6+6:manor@Grundow
R10 the kicked figure returns to its owner's hand | dice 1 1 3 5; farm@Nenbrad:1 inn@Nenbrad:1 | 3+5:farm@Nenbrad |
    figures 12 12; on farm@Nenbrad:0
R11 placing needs a figure in hand, bishop and special do not | each 1; dice 4 4; church@Nenbrad inn@Nenbrad:1 | |
    legal 4+4:bishop, 4+4:special, end
R11 a hand emptied by the first move leaves none for the second | each 1; dice 1 2 3 5 | 3+5:farm@Nenbrad | legal
    1+2:special, end
R12 a kind that is not in play cannot be used | dice 2 2 4 4 | | placings 2+2+4:farm@Nenbrad, 2+4+4:town_hall@Nenbrad,
    4+4:farm@Nenbrad
R16 the figure leaves the hand | players 4; turn 3; dice 1 1 5 6 | 5+6:church@Nenbrad | figures 10 10 9 10; on
    church@Nenbrad:2
R16 a kicked inn's tile passes as it is: active | INN; active Nenbrad | 4+5:inn@Nenbrad | on inn@Nenbrad:0*; figures 11
    12
R16 and pays | INN; active Nenbrad | 4+5:inn@Nenbrad, end, roll 1 2 3 4, 1+2:special, end | coins 1 0
R16 or inactive | INN | 4+5:inn@Nenbrad | on inn@Nenbrad:0; figures 11 12
R16 and pays nothing | INN | 4+5:inn@Nenbrad, end, roll 1 2 3 4, 1+2:special, end | coins 0 0
R17 a mill gives a flour tile | villages Grundow Itschkau; dice 1 1 2 4 | 2+4:mill@Itschkau | flour 1 0; glass 0 0
R17 a glass factory a glass tile | villages Grundow Itschkau; dice 1 1 3 4 | 3+4:glass@Itschkau | flour 0 0; glass 1 0
R17 a free inn gives an inactive tile | dice 1 1 4 5 | 4+5:inn@Nenbrad | on inn@Nenbrad:0
R18 an inn taken beside two others is not active | dice 1 1 4 5; butchery@Nenbrad tailor@Nenbrad:1 | 4+5:inn@Nenbrad |
    on inn@Nenbrad:0
R18 beside three it is | dice 1 1 4 5; butchery@Nenbrad tailor@Nenbrad:1 farm@Nenbrad | 4+5:inn@Nenbrad | on
    inn@Nenbrad:0*
R18 and beside four | dice 1 1 4 5; butchery@Nenbrad tailor@Nenbrad:1 farm@Nenbrad church@Nenbrad:1 | 4+5:inn@Nenbrad |
    on inn@Nenbrad:0*
R18 only the village of the placed figure counts | villages Chlumhof Nenbrad; dice 1 1 5 6; inn@Nenbrad farm@Nenbrad
    tailor@Nenbrad farm@Chlumhof dairy@Chlumhof | 5+6:church@Chlumhof | on inn@Nenbrad:0
R18 a free inn is not activated | dice 1 1 5 6; farm@Nenbrad tailor@Nenbrad:1 | 5+6:church@Nenbrad | on
    inn@Nenbrad:None
R18 a kick adds no building | dice 1 1 3 5; inn@Nenbrad:1 farm@Nenbrad:1 tailor@Nenbrad | 3+5:farm@Nenbrad | on
    inn@Nenbrad:1
R18 an active inn stays active below three others | villages Kunzendorf Nenbrad; dice 1 3 4 6; active Nenbrad;
    inn@Nenbrad:1 glass@Nenbrad:1 farm@Nenbrad:1 church@Nenbrad:1 | 3+4:glass@Kunzendorf | on inn@Nenbrad:1*
    glass@Nenbrad:None
R18 R20 and pays: glass 3 each, and the inn | villages Kunzendorf Nenbrad; dice 1 3 4 6; active Nenbrad; inn@Nenbrad:1
    glass@Nenbrad:1 farm@Nenbrad:1 church@Nenbrad:1 | 3+4:glass@Kunzendorf, end | coins 3 4
R18 before R20: a figure that is taken away at once still counts: books | players 3; dice 1 1 3 4; inn@Nenbrad
    town_hall@Nenbrad:1 farm@Nenbrad:2 | 3+4:glass@Nenbrad | on inn@Nenbrad:0* glass@Nenbrad:None; coins 3 0 0; glass 0
    0 0
R18 and one that stays: books | players 3; villages Kunzendorf Nenbrad; dice 1 1 3 4; inn@Nenbrad town_hall@Nenbrad:1
    farm@Nenbrad:2 | 3+4:glass@Nenbrad | on inn@Nenbrad:0* glass@Nenbrad:0; coins 0 0 0; glass 1 0 0
R18 R5 red has a coin on each turn that follows: books | players 3; dice 1 1 3 4; inn@Nenbrad town_hall@Nenbrad:1
    farm@Nenbrad:2 | 3+4:glass@Nenbrad, end, ROUND | coins 4 0 0
R18 R5 also with the glass not scored: books | players 3; villages Kunzendorf Nenbrad; dice 1 1 3 4; inn@Nenbrad
    town_hall@Nenbrad:1 farm@Nenbrad:2 | 3+4:glass@Nenbrad, end, ROUND, roll 1 2 2 6, 2+2:bishop, end, ROUND | coins 2
    0 0
R19 a first farm pays 1 | FARMS; farm 0 1 | 3+5:farm@Nenbrad | coins 5 4; bank 299
R19 a second one 2 | FARMS; farm 1 1 | 3+5:farm@Nenbrad | coins 6 4; bank 298
R19 a third one 3: books | FARMS; farm 2 1 | 3+5:farm@Nenbrad | coins 7 4; bank 297
R19 a farm won by a kick pays and costs its owner nothing | villages Ebersgrun Lobotitz Nenbrad; dice 1 1 3 5; coins 5
    5; farm 1 2 | 3+5:farm@Lobotitz | coins 7 5
R20 the returned figures can be used again at once | villages Grundow; each 1; dice 2 2 4 4 | 2+4:mill@Grundow,
    2+4:mill@Grundow | coins 4 0; figures 1 1
"""

BANK = """
R21 a move that empties the bank ends the game: a farm, to exactly 0 | bank 1; dice 1 1 3 5 | 3+5:farm@Nenbrad | EMPTY;
    coins 1 0; bank 0
R21 it is paid in full: a manor | bank 3; villages Chlumhof; dice 1 1 6 6 | 6+6:manor@Chlumhof | EMPTY; coins 5 0; bank
    -2
R21 flour, every owner | bank 1; villages Grundow Itschkau; mill@Grundow:1; dice 1 1 2 4 | 2+4:mill@Itschkau | EMPTY;
    coins 2 2; bank -3; flour 0 0
R21 glass, every owner | bank 1; villages Grundow Itschkau; glass@Grundow:1; dice 1 1 3 4 | 3+4:glass@Itschkau | EMPTY;
    coins 3 3; bank -5; glass 0 0
R21 a bank above 0 does not end the game | bank 2; dice 1 1 3 5 | 3+5:farm@Nenbrad | end None; bank 1; moves_made 1
R21 the move is carried out in full before the end: inn, figures and tiles | bank 2; dice 1 1 3 4; inn@Nenbrad:1
    farm@Nenbrad:1 church@Nenbrad:1 | 3+4:glass@Nenbrad | EMPTY; on inn@Nenbrad:1* glass@Nenbrad:None; coins 3 0; bank
    -1; figures 13 10
R21 an income that empties the bank, of 1 | INNS; bank 1 | end | end bank empty; turn 2; coins 0 2; bank -1;
    dice_to_roll 0
R21 an income that empties the bank, of 2 | INNS; bank 2 | end | end bank empty; turn 2; coins 0 2; bank 0;
    dice_to_roll 0
R21 an income that does not | INNS; bank 3 | end | end None; turn 2; coins 0 2; bank 1; dice_to_roll 4
R21 the last income is paid though the coins have run out: books | villages SIX; church 0 4; bishop 1; dice 1 2; bank 1
    | end | end bank empty; coins 0 4; bank -3
R21 no income of 0 ends the game | bank 1; dice 1 2 | end | end None
R22 the final scoring is not limited by the bank | villages Chlumhof; full Chlumhof; active Chlumhof; bank 1; CUT | end
    | coins 0 0; bank 1; score total 23 -5
R22 coins missing are made up for, the German book says so | bank 1; church@Nenbrad; CUT | end | score total 5 -5
R24 cut off between two turns, before the next income | inn@Nenbrad:1; active Nenbrad; CUT | end | end truncated; turn
    1; coins 0 0; bank 300; dice_to_roll 0
R24 counts the turns of all seats | players 3; max_turns 4; dice 1 1 2 3 | 1+1:bishop, end, CALL, CALL | end None; turn
    4
R24 and is over after the last one | players 3; max_turns 4; dice 1 1 2 3 | 1+1:bishop, end, CALL, CALL, CALL | end
    truncated; turn 4
R24 no cut-off within a turn | max_turns 1; dice 1 1 3 5 | 3+5:farm@Nenbrad | end None
R24 but after it | max_turns 1; dice 1 1 3 5 | 3+5:farm@Nenbrad, 1+1:special | end truncated
R24 R4 comes first | each 1; farm@Nenbrad:1; CUT | end | end no figures
R24 R21 comes first | max_turns 1; bank 1; dice 3 5 | 3+5:farm@Nenbrad | end bank empty
R24 the limit is a parameter | max_turns 600; turn 600; dice 1 2 | end | end truncated
R24 one turn more | max_turns 601; turn 600; dice 1 2 | end | end None
R24 and may be none | max_turns None; turn 600; dice 1 2 | end | end None
R24 a truncated game is scored as it stands | church@Nenbrad:1; coins 3 4; CUT | end | score total -2 9; winners 1
"""

HALLS = """
R25.1 no town hall | HALLS | end | score town_halls -5 -5
R25.1 a village that is not full | HALLS; town_hall@Chlumhof | end | score town_halls 0 -5
R25.1 one each, not full | HALLS; town_hall 1 1 | end | score town_halls 0 0
R25.1 a village that is full | HALLS; full Chlumhof; active Chlumhof | end | score town_halls 8 -5
R25.1 full with the other's figures | HALLS; full Chlumhof; town_hall@Chlumhof:1; active Chlumhof | end | score
    town_halls -5 8
R25.1 one building is not occupied: books | HALLS; full Chlumhof; dairy@Chlumhof:None; active Chlumhof | end | score
    town_halls 0 -5
R25.1 two villages full | HALLS; full Chlumhof Ebersgrun; active Chlumhof Ebersgrun | end | score town_halls 15 -5
R25.1 only one of the two | HALLS; full Chlumhof; town_hall@Ebersgrun; active Chlumhof | end | score town_halls 8 -5
R25.1 one each, full | HALLS; full Chlumhof Ebersgrun:1; active Chlumhof Ebersgrun | end | score town_halls 8 7
R25 added to the coins | villages Chlumhof Grundow Itschkau; full Chlumhof; mill@Grundow glass@Grundow
    church@Grundow:1; active Chlumhof; coins 21 25; CUT | end | score coins 21 25; score town_halls 8 -5; score shops 5
    0; score churches 6 6; score tiles 2 0; score total 42 26; winners 0
"""

SHOPS = ("bakery", "butchery", "dairy", "tailor")
SHORT = {
    "SIX": "Chlumhof Ebersgrun Grundow Itschkau Kunzendorf Nenbrad",
    "SIXES": "villages Chlumhof Nenbrad; dice 5 6; bishop 1; special_supply 0",
    "INN": "dice 1 1 4 5; inn@Nenbrad:1 farm@Nenbrad:1 church@Nenbrad",
    "FARMS": "villages Chlumhof Ebersgrun Lobotitz Nenbrad; dice 1 1 3 5; coins 4 4",
    "INNS": "villages Chlumhof Nenbrad; dice 1 2; inn@Chlumhof:1 inn@Nenbrad:1; active Chlumhof Nenbrad",
    "HALLS": "villages Chlumhof Ebersgrun; max_turns 1; dice 1 2",
    "CUT": "max_turns 1; dice 1 2",
    "CALL": "roll 1 1 2 3, 1+1:bishop, end",
    "ROUND": "roll 1 2 2 6, 2+2:bishop, end, roll 1 2 2 6, 2+2:bishop, end",
    "EMPTY": "end bank empty; turn 1; legal",
}
"""What stands for more in the cases."""

INCOMES = {
    "an inactive inn": ("inn@Nenbrad:1", 0),
    "an active inn": ("inn@Nenbrad:1; active Nenbrad", 1),
    "two active inns": ("inn@Nenbrad:1 inn@Chlumhof:1; active Nenbrad Chlumhof", 2),
    "one of two": ("inn@Nenbrad:1 inn@Chlumhof:1; active Chlumhof", 1),
    "the inn of another": ("inn@Nenbrad:0; active Nenbrad", 0),
    "churches without the bishop": ("church@Nenbrad:1 church@Chlumhof:1", 0),
    "churches, the bishop with another": ("church@Nenbrad:1 church@Chlumhof:1; bishop 0", 0),
    "churches with the bishop": ("church@Nenbrad:1 church@Chlumhof:1; bishop 1", 2),
    "one church of two": ("church@Nenbrad:1 church@Chlumhof:0; bishop 1", 1),
    "a church and an inn": ("church@Nenbrad:1 inn@Chlumhof:1; active Chlumhof; bishop 1", 2),
}
"""Income of seat 1 before its roll: 1 coin per own active inn tile and, with the bishop, per own church."""
OTHERS = {
    "butchery@Nenbrad:0 tailor@Nenbrad:1": "*", "butchery@Nenbrad:1 tailor@Nenbrad:1": "*", "butchery@Nenbrad:1": "",
    "butchery@Nenbrad:1 tailor@Nenbrad:1 farm@Nenbrad:2; active Nenbrad": "*", "": "",
}  # fmt: skip
"""Other buildings beside an inn, and whether it is active when a church is added; with three it is so before."""
SETS = """0 0 0 0: 0, 1 0 0 0: 1, 0 1 0 1: 5, 1 1 1 0: 12, 1 1 1 1: 20, 2 1 0 0: 6, 3 0 0 0: 3, 1 0 4 0: 8, 2 2 1 0: 17,
2 1 1 1: 21, 3 2 1 1: 26, 2 2 2 1: 32, 2 2 2 2: 40"""
"""Bakeries, butcheries, dairies, tailor shops: each set holds one of every kind there are enough of. The books work out
12 and 6; the overview card of the English one, which reads 10 for three kinds, gives way."""
CHURCHES = """0 0: 0 0, 1 0: 10 0, 0 2: 0 10, 2 1: 10 6, 1 1: 6 6, 3 3: 6 6, 3 2 1: 10 6 0, 1 2 1: 6 10 6, 2 2 1: 6 6 0,
0 1 0: 0 10 0, 2 0 0: 10 0 0, 1 0 1: 6 0 6, 2 2 2: 6 6 6, 0 0 0: 0 0 0, 2 1 1 1: 10 6 6 6, 1 1 1 0: 6 6 6 0,
1 1 1 1 1: 6 6 6 6 6, 0 3 2 1 0: 0 10 6 0 0, 2 1 0 1 0: 10 6 0 6 0"""
"""Most 10 and second most 6 each, if any; 6 each for a shared lead and nothing for second; nobody: nothing."""
TILES = """0 0, 0 0: 0 0; 1 0, 0 1: 1 1; 1 0, 1 0: 2 0; 2 1, 0 2: 2 4; 2 1, 1 1: 3 2; 3 0, 3 0: 7 0; 0 0, 1 2: 1 3"""
"""Mills and glass factories: what is left over is halved and rounded down, for each seat."""


def table(text: str, end: str = ",") -> list[list[str]]:
    """The rows of a table, each of two columns."""
    return [row.strip().split(": ") for row in text.replace("\n", " ").split(end)]


CASES = [
    *(case for text in (TURNS, MOVES, REFUSED, PLACING, BANK, HALLS) for case in cases_of(text)),
    *(
        f"R5 {name} | villages Chlumhof Nenbrad; dice 1 2; coins 7 4; {owners} | end"
        f" | dice_to_roll 4; to_move 1; coins 7 {4 + income}; bank {300 - income}"
        for name, (owners, income) in INCOMES.items()
    ),
    *(
        f"R18 an inn beside {others or 'nothing'}, and a church of seat {turn - 1}"
        f" | players 3; dice 1 1 5 6; turn {turn}; inn@Nenbrad {others} | 5+6:church@Nenbrad | on inn@Nenbrad:0{star}"
        for turn in (1, 2)
        for others, star in OTHERS.items()
    ),
    *(
        f"R25.2 shops {numbers} | villages Anschow Chlumhof Fiskowitz Grundow Itschkau Kunzendorf Mirschau; CUT; "
        + "; ".join(f"{kind} 0 {number}" for kind, number in zip(SHOPS, numbers.split(), strict=True))
        + f" | end | score shops 0 {points}"
        for numbers, points in table(SETS)
    ),
    *(
        f"R25.3 churches {numbers} | players {len(numbers.split())}; CUT; church {numbers};"
        f" villages Chlumhof Fiskowitz Grundow Itschkau Kunzendorf Mirschau | end | score churches {points}"
        for numbers, points in table(CHURCHES)
    ),
    *(
        f"R25.4 mills and glass factories {numbers} | villages Anschow Grundow Itschkau Sonnhofen; CUT;"
        f" mill {numbers.replace(', ', '; glass ')} | end | score tiles {points}"
        for numbers, points in table(TILES, ";")
    ),
]
