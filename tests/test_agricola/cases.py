"""Worked cases of Agricola's rulings, as text: name | position | actions | what is so then.

position: what differs from round 6 of two players, where seat 0 places its first person and farms are as at the
beginning; parted by semicolons, farms by strokes (laid.py says how they are written). `on` says who stands where,
`last`: seat 0 has the last person to place; `free` and `home`: five families of five stand on all other spaces, with
so many people left; `harvest`: seat 0 feeds its family, after round 4 unless told.
actions: parted by commas; `reveal fences` is for chance.
what is so then: `legal` all legal actions, `offered` and `refused` some that are legal and some that are not, `then`
parts of the position and the kind of its decision, `lies` goods on spaces, `score` columns of seat 0, `owned` all
majors that have an owner, or else parts of farms.

Nothing here is played: test_rulings.py does that, with every implementation of the rules.
"""

from tests.helpers import cases_of

ROUNDS = """
A8 a revealed card is open at once | round 2; phase reveal | reveal sheep | offered to sheep, to day-labourer; refused
    to fences, to sow-bake; then round 3 phase work to_move 0
A9 A54 food of the well | phase reveal; majors well; well 2 food 0 / food 0 | reveal growth | food 1 well 1 / food 0
A10 goods are laid on top, on the new space too | phase reveal; lies wood 9 reed 2; round 8 | reveal boar | lies wood
    12 reed 3 clay 1 fishing 1 start-player 1 boar 1 grain 0
A10 solo | players 1; phase reveal; lies wood 2; round 8 | reveal boar | lies wood 4 clay 1 start-player 0 boar 1
A10 A30 storehouse_solo | players 1; phase reveal; lies start-player 4; round 8; storehouse | reveal boar, to
    start-player | lies start-player 0 wood 2; food 5
A11 work begins at the marker | players 3; phase reveal; start_player 1 | reveal growth | then to_move 1
A11 and goes on clockwise | players 3; phase reveal; start_player 1 | reveal growth, to grain, to clay | then to_move
    0
A12 a seat without a legal space is passed over, and people stay at home | players 5; round 1; free rooms-stables
    stable-bake; home 2 2 2 2 2; wood 2 people 5 / people 5 / people 5 / people 5 / people 5 | to stable-bake, stable
    b1 | then phase reveal round 1; wood 1 stables b1 placed 0
A12 the last one itself comes last | players 5; free rooms-stables major renovate-major; home 3 1 1 1 0; majors
    fireplace-2; wood 2 clay 2 reed 1 people 5 / clay 2 people 5 / people 5 / people 5 / people 5 | to rooms-stables,
    stable b1 | legal to major, to renovate-major; then to_move 0
A12 A20 A50 a seat passed over is looked at again: a fireplace comes back, and it buys it unasked | players 5; free
    rooms-stables major renovate-major; home 3 1 1 1 0; majors fireplace-2; wood 2 clay 2 reed 1 people 5 / clay 2
    people 5 / people 5 / people 5 / people 5 | to rooms-stables, stable b1, to renovate-major, buy hearth-5 for
    fireplace-2 | then phase reveal; clay 0 reed 0 material clay / clay 0
A13 one person on a space | on grain:1 | | refused to grain; offered to clay
A14 A15 what is always legal, and nothing else without goods: no passing | players 5; round 4 | | legal to
    start-player, to grain, to plow, to day-labourer, to wood, to clay, to reed, to fishing, to wood-4, to clay-3, to
    reed-stone-wood, to animals, to room-or-travelling, to resources-or-growth, to sheep
A14 the marker is kept, in solo too | players 1 | to start-player | then start_player 0; placed 1 food 0
A15 A57 animals are taken without a place for them | lies sheep 3 | to sheep | lies sheep 0; sheep 1
A16 the marker changes hands at once, and the order goes on | players 3; lies start-player 4 | to grain, to
    start-player | then start_player 1 to_move 2; / food 7
A16 it tells who begins the next round | last | to start-player, reveal growth | then start_player 0 to_move 0
A17 all go home | last; start_player 1 | to grain | then phase reveal to_move None; placed 0 / placed 0
A17 A37 newborns stay at home in their round | round 7; on growth:0 reed:1 fishing:1; people 3 newborns 1 rooms a1 a2
    a3 | to grain | legal eat grain, done; then phase feeding to_move 0
A17 A37 and act in the next | players 1; round 7; phase reveal; people 3 newborns 1 rooms a1 a2 a3 | reveal vegetable,
    to grain, to clay | then to_move 0 phase work; newborns 0 people 3 placed 2
A20 A21 what leaves no choice is carried out: the only grain is baked | majors fireplace-2; grain 1 food 0 | to
    sow-bake | then to_move 1; grain 0 food 2
A21 the wood runs out | wood 4 | to fences, fence e1 | then to_move 1; wood 0 pastures e1
A21 no major can be paid after renovating | clay 2 reed 1 | to renovate-major | then to_move 1; material clay clay 0
"""

GOODS = """
A22 all that lies there | lies clay 5 | to clay | lies clay 0; clay 5
A23 day labourer | | to day-labourer | legal take wood, take clay, take reed, take stone; food 3
A23 one resource | players 3 | to one-resource, take reed | then to_move 1; food 2 reed 1
A24 two different resources | players 3 | to two-resources | legal take wood clay, take wood reed, take wood stone,
    take clay reed, take clay stone, take reed stone
A24 in one action | players 3 | to two-resources, take wood stone | then to_move 1; wood 1 stone 1
A25 reed-stone-food | players 4 | to reed-stone-food | reed 1 stone 1 food 3
A25 all the reed, 1 stone, 1 wood | players 5; lies reed-stone-wood 3 | to reed-stone-wood | reed 3 stone 1 wood 1
A26 a sheep and 1 food | players 5 | to animals, take sheep | sheep 1 food 3
A26 a boar | players 5 | to animals, take boar | boar 1 food 2
A26 cattle for 1 food | players 5 | to animals, take cattle | cattle 1 food 1
A26 no food and nothing to convert | players 5; food 0 sheep 1 | to animals | legal take sheep, take boar
A26 A58 A59 one conversion pays | players 5; majors hearth-5; food 0 grain 1 vegetable 1 sheep 1 | to animals, take
    cattle | legal cook sheep, eat grain, eat vegetable; then kind pay
A26 and what is over is kept | players 5; majors hearth-5; food 0 grain 1 vegetable 1 | to animals, take cattle, eat
    vegetable | then to_move 1; food 2 vegetable 0 cattle 1
A26 A57 then the animals have to fit | players 5; food 0 grain 1 vegetable 1 boar 1 | to animals, take cattle, eat
    grain | legal give boar, give cattle; then kind keep
A27 no room can be built: all the food | players 5; lies room-or-travelling 4 | to room-or-travelling | food 6
A27 a room or the food | players 5; wood 5 reed 2 | to room-or-travelling | legal room a1, room b2, room b3, take food
A27 one room, and the food stays | players 5; lies room-or-travelling 4; wood 10 reed 4 | to room-or-travelling, room
    b3 | lies room-or-travelling 4; then to_move 1; food 2 wood 5 reed 2 rooms a2 a3 b3
A28 A35 growth from round 5 on, with room | players 5; round 5; rooms a1 a2 a3 | to resources-or-growth, grow | people
    3 newborns 1
A28 not before round 5 | players 5; round 4; rooms a1 a2 a3 | to resources-or-growth | refused grow; offered take wood
    clay
A28 not without room | players 5; round 5 | to resources-or-growth | refused grow; offered take reed stone
A29 a vegetable, and no sowing | round 8; fields b1 c1 | to vegetable | vegetable 1 fields b1 c1
A29 a grain, and no sowing | fields b1 c1 | to grain | grain 1 fields b1 c1
"""

FAMILY = """
A31 where rooms stand | kind build; wood 20 reed 4 stables b3 fields b1 pastures d2 | | offered room a1, room b2;
    refused room b1, room b3, room c2, room d2, done
A31 not in a pasture | kind build; wood 9 reed 2 pastures b2 | | offered room a1, room b3; refused room b2
A31 the price of the house's material | kind build; clay 5 reed 2 wood 2 material clay | room a1 | offered stable b1,
    done; clay 0 reed 0 wood 2
A32 any number of rooms and stables in any order | wood 14 reed 4 | to rooms-stables, stable c1, room a1, stable c2,
    room b1 | then to_move 1; wood 0 reed 0 rooms a1 b1 a2 a3 stables c1 c2
A33 three wood rooms to clay | rooms a1 a2 a3 clay 3 reed 1 | to renovate-major | clay 0 reed 0 material clay
A33 four clay rooms to stone | rooms a1 b1 a2 a3 stone 4 reed 1 material clay | to renovate-major | score rooms 8;
    stone 0 reed 0 material stone
A34 renovate, then buy or not | clay 4 reed 1 | to renovate-major | legal buy fireplace-2, done
A34 renovate, then fence or not | round 14; clay 2 reed 1 wood 4 | to renovate-fences | offered fence e1, done; then
    kind fences
A34 A48 no fence is built | round 14; clay 2 reed 1 wood 4 | to renovate-fences, done | then to_move 1; wood 4
    pastures
A35 A37 a newborn counts at once | round 7; rooms a1 a2 a3 | to growth | score people 9; people 3 newborns 1
A37 several in one round | players 1; round 13; rooms a1 a2 a3 | to growth, to growth-no-room | people 4 newborns 2
    placed 0
A37 growth without room, then a room: it belongs to whoever has none | round 7; people 3 wood 5 reed 2 | to
    rooms-stables, room a1, to grain | refused to growth; offered to fishing; then to_move 0
"""

FIELDS = """
A38 the first field | kind plow; stables b1 pastures e3 | | legal plow a1, plow c1, plow d1, plow e1, plow b2, plow
    c2, plow d2, plow e2, plow b3, plow c3, plow d3
A38 beside an own field | kind plow; fields b1 stables c1 pastures b3 | | legal plow a1, plow b2
A39 on the first empty field in cell order | kind sow-bake; grain 1 vegetable 2 fields b1:grain3 c1 d1 | sow
    vegetable, sow grain | then to_move 1; grain 0 vegetable 1 fields b1:grain3 c1:vegetable2 d1:grain3
A39 a field harvested empty is sown again | players 1; phase reveal; round 3; vegetable 1 fields b1:grain1 | reveal
    fences, to grain, to clay, done, reveal stone-a, to sow-bake, sow vegetable | fields b1:vegetable2 grain 2
A39 A60 grain and vegetable in two harvests | players 1; phase reveal; round 3; grain 1 vegetable 1 food 30 fields b1
    c1 | reveal fences, to sow-bake, sow vegetable, sow grain, to clay, reveal stone-a, to clay, to reed, reveal
    renovate-major, to clay, to reed, reveal growth, to clay, to reed | grain 2 vegetable 2 fields b1 c1:grain1
A40 plow at most once | kind plow-sow; round 12; fields b1 c1 grain 2 | plow b2 | legal sow grain, done
A40 and first | kind plow-sow; round 12; fields b1 c1 grain 2 | sow grain | legal sow grain, done
A40 A21 nothing to sow | round 12 | to plow-sow, plow c3 | then to_move 1
A41 sow and bake, mixed | majors hearth-4; fields b1 c1 grain 4 | to sow-bake, bake, sow grain, bake | legal sow
    grain, bake, done; food 8 grain 1
A41 one baking | majors clay-oven; grain 9 fields b1 c1 | to sow-bake, bake | legal sow grain, done
A41 one stable for 1 wood, and baking | majors fireplace-3; grain 2 wood 4 | to stable-bake, bake, stable e1 | legal
    bake, done; wood 3 food 4
"""

FENCES = """
A42 where stables stand | kind build; wood 9 stables b3 fields b1 pastures d2 | | legal stable a1, stable c1, stable
    d1, stable e1, stable b2, stable c2, stable d2, stable e2, stable c3, stable d3, stable e3
A3 A42 four stables | wood 9 stables c1 d1 e1 e2 | | refused to rooms-stables, to stable-bake
A42 A69 a stable in a pasture | kind build; wood 2 pastures d2 | stable d2 | score fenced_stables 1 unused -12
A43 three pastures in a square take 11 fences | wood 11 | to fences, fence d1, fence e1, fence d2 e2 | wood 0 pastures
    d1 e1 d2+e2
A3 A43 fifteen fences | wood 9 pastures d1+e1+d2 b2+c2+b3+c3 | | refused to fences
A43 the board's edge, rooms, fields and stables are no fence | kind fences; wood 4 fields b1 stables c1 rooms a1 a2 a3
    | | offered fence b2, fence c1, fence e1, fence e3; refused fence d1 e1, fence a1, fence b1, done
A44 connected cells, named in cell order | kind fences; wood 15 | | offered fence d1 e1 d2 e2; refused fence b1 d1,
    fence e1 d1
A44 at most 15 sides: a ring round a cell has 16 | kind fences; wood 15 | | offered fence c1 d1 e1 c2 e2; refused
    fence c1 d1 e1 c2 e2 c3 d3 e3
A45 a set outside touches a pasture | kind fences; wood 15 pastures e1 | | offered fence d1, fence e2; refused fence
    d2, fence c1, fence e3
A46 a division is told without the first cell | kind fences; wood 15 pastures d1+e1 | | offered fence e1, fence d2;
    refused fence d1, fence d1 e1, fence e1 e2
A46 but a set that leaves several parts is the only one that puts up these fences | kind fences; wood 2 pastures
    b1+c1+d1+c2 | fence b1 c1 | then to_move 1; wood 0 pastures b1+c1 d1 c2
A46 every other set of these is told without the first cell | kind fences; wood 15 pastures b1+c1+d1+c2 | | offered
    fence c1, fence b1 c1, fence d1, fence c2, fence c1 d1, fence c1 c2, fence c1 d1 c2; refused fence b1, fence b1 c1
    d1, fence b1 c1 c2
A47 any number of closings, at least one | kind fences; wood 8 | fence e1 | offered fence d1, fence e2, done
A48 between closings animals need not fit: two cells with a stable hold 8, divided 2 and 4 | wood 2 sheep 9 stables e1
    pastures d1+e1 | to fences | then to_move 1; sheep 7 pastures d1 e1 wood 1
A48 they are looked at when the fencing ends | wood 9 sheep 9 stables e1 pastures d1+e1 | to fences, fence e1 |
    offered fence d2, done; refused give sheep; then kind fences; sheep 9
A48 more pastures in the same fencing give them room | wood 6 sheep 9 stables e1 pastures d1+e1 | to fences, fence e1,
    fence e2, done | then to_move 1; sheep 9 wood 2
A48 A57 let go | wood 2 sheep 8 boar 1 stables e1 pastures d1+e1 | to fences | legal give sheep, give boar; then kind
    keep
A48 a stable enclosed | wood 4 sheep 1 boar 1 cattle 1 stables d1 e1 | to fences, fence e1 | sheep 1 boar 1 cattle 1
A48 two stables enclosed | wood 6 sheep 1 boar 1 cattle 1 stables d1 e1 | to fences, fence d1 e1 | legal give sheep,
    give boar, give cattle
A49 what a pasture forbids | kind build; wood 9 reed 2 pastures b3 | | refused room b3; offered stable b3
"""

MAJORS = """
A50 for its price | kind major; wood 5 clay 5 reed 5 stone 5 | buy stone-oven | clay 4 stone 2 wood 5 reed 5
A50 that nobody has | kind major; majors well:1 hearth-4:1 pottery; wood 5 clay 5 reed 5 stone 5 | | refused buy well,
    buy hearth-4, buy pottery; offered buy hearth-5, buy joinery
A50 a hearth for a fireplace alone | kind major; majors fireplace-3 hearth-4:1; clay 2 / clay 2 | | legal buy
    fireplace-2, buy hearth-5 for fireplace-3
A50 which lies open again at once | kind major; majors fireplace-3; clay 3 / clay 3 | buy hearth-5 for fireplace-3 |
    owned hearth-5; clay 3
A50 several of a kind | kind major; majors hearth-4; clay 5 | buy hearth-5 | owned hearth-4 hearth-5; score majors 2
A51 only with a major that bakes | majors pottery fireplace-2:1; grain 3 | | refused to sow-bake, to stable-bake
A52 the best rate first: 5, 4, 4, 3, 3 | majors fireplace-2 clay-oven stone-oven hearth-5; grain 6 food 0 | to
    sow-bake | food 5
A52 and the next one after it | majors fireplace-2 clay-oven stone-oven hearth-5; grain 6 food 0 | to sow-bake, bake,
    bake | food 13
A52 and the hearth for all others | majors fireplace-2 clay-oven stone-oven hearth-5; grain 6 food 0 | to sow-bake,
    bake, bake, bake, bake, bake | food 22 grain 0
A52 the limits hold | majors stone-oven; grain 6 | to sow-bake, bake | then to_move 1; grain 4 food 10
A53 a baking after buying an oven, with all majors | kind major; majors hearth-4; grain 3 food 0 clay 3 stone 1 | buy
    clay-oven, bake, bake | legal bake, done; food 8
A53 A20 without grain it is ended unasked | clay 3 stone 1 | to major, buy clay-oven | then to_move 1; clay 0 food 2
A53 optional | grain 3 clay 1 stone 3 | to major | legal bake, done
A53 a fireplace does not bake when bought | grain 3 clay 2 | to major | then to_move 1; grain 3 clay 0
"""

ANIMALS = """
A55 two cells with a stable hold 8 | lies sheep 3; sheep 8 stables e1 pastures d1+e1 | to sheep | sheep 9
A55 with two stables 16 | lies sheep 3; sheep 16 stables d1 e1 pastures d1+e1 | to sheep | sheep 17
A55 without one 4, of one kind | lies sheep 9; sheep 1 boar 1 pastures d1+e1 | to sheep | legal give sheep, give boar;
    sheep 10
A55 an unfenced stable 1, the house 1, of any kind | lies sheep 1; boar 1 stables e1 | to sheep | sheep 1 boar 1
A56 kinds are given to the pastures so that fewest are left over | lies sheep 1; boar 4 cattle 2 pastures c1 d1+e1 |
    to sheep | sheep 1 boar 4 cattle 2
A57 of any kind, one at a time | lies sheep 2; boar 1 cattle 1 stables e1 | to sheep, give boar | legal give sheep,
    give cattle
A57 A59 cooked, not given back, with a cooking major | lies sheep 1; majors fireplace-2; boar 1 | to sheep | legal
    cook sheep, cook boar
A59 the best cooking major counts | lies sheep 1; majors fireplace-2 hearth-5; boar 1 | to sheep, cook boar | food 5
    boar 0 sheep 1
"""

HARVEST = """
A61 2 food a person, 1 for a newborn | majors joinery; harvest; food 9 people 4 newborns 1 wood 1 / food 4 | done |
    food 2 begging 0 / food 0
A61 solo 3, and 1 for a newborn | players 1; majors joinery; harvest; food 9 people 3 newborns 1 wood 1 | done | food
    2
A62 eat while food is missing, cook and craft always | majors pottery basketmaker fireplace-2; harvest; food 3 grain 1
    vegetable 1 sheep 1 clay 1 reed 1 | | legal cook sheep, eat grain, eat vegetable, craft clay, craft reed, done
A62 an animal may be cooked though nobody is hungry | majors fireplace-2; harvest; food 9 sheep 1 grain 1 | | legal cook
    sheep, done
A62 crops keep | majors pottery fireplace-2; harvest; food 3 grain 2 vegetable 1 sheep 1 clay 2 | eat grain | legal
    cook sheep, craft clay, done
A62 each craft once | majors joinery pottery basketmaker; harvest; wood 5 clay 5 reed 5 | craft reed, craft wood |
    legal craft clay, done; food 7 wood 4 reed 4
A62 a craft takes its major | majors joinery:1 pottery; harvest; wood 5 clay 5 food 4 | | legal craft clay, done
A63 begging rather than eating | harvest; food 1 grain 5 / food 4 | done | score begging -9; then phase reveal; food 0
    grain 5 begging 3
A63 food in hand is paid | majors joinery; harvest; food 6 wood 1 / food 4 | done | food 2 begging 0
A64 feeding goes round from the marker | players 3; to_move 2; start_player 2; harvest; food 1 grain 1 / / food 1
    grain 1 | done | then phase feeding to_move 0; food 1
A64 then breeding, from the marker too | players 3; to_move 1; start_player 2; majors joinery:1; harvest; food 9 sheep
    2 boar 1 pastures e1 / food 4 wood 1 / food 4 sheep 2 boar 1 pastures e1 | done | then phase breeding to_move 2
    kind breed; sheep 2 / / sheep 3
A64 a seat finishes before the next | players 3; to_move 1; start_player 2; majors joinery:1; harvest; food 9 sheep 2
    boar 1 pastures e1 / food 4 wood 1 / food 4 sheep 2 boar 1 pastures e1 | done, give boar | then phase breeding
    to_move 0; sheep 3 / / sheep 3 boar 0
A65 one young of each kind with two or more | players 1; majors joinery; harvest; food 9 wood 1 sheep 2 boar 1 cattle
    4 stables b1 b2 b3 pastures c1+d1+e1 | done | sheep 3 boar 1 cattle 5
A66 no cooking now, and any kind goes | players 1; majors joinery hearth-4; harvest; food 9 wood 1 sheep 2 boar 1
    pastures e1 | done | legal give sheep, give boar; then phase breeding
A66 only one kind: it is given back unasked | players 1; majors joinery; harvest; food 9 wood 1 sheep 3 pastures e1 |
    done | then phase reveal; sheep 3
A68 the end | players 1; majors joinery; harvest 14; food 9 wood 1 | done | then phase over to_move None round 14
A69 Ilka | grain 4 vegetable 2 sheep 1 boar 6 cattle 3 people 3 material clay rooms a1 a2 b2 a3 fields b1 c1 d1
    stables e3 pastures c2 d2+e2 d3+e3 | | score fields 2 pastures 3 grain 2 vegetables 2 sheep 1 boar 3 cattle 2
    unused -3 fenced_stables 1 rooms 4 people 9 majors 0 bonus 0 begging 0 total 26
A69 crops on fields count, majors and their bonus, begging | majors joinery pottery basketmaker well:1; wood 7 clay 4
    reed 1 grain 1 fields b1:grain3 c1:vegetable2 begging 2 | | score grain 2 vegetables 2 majors 6 bonus 4 begging -6
A69 the bonus of the basketmaker | majors basketmaker; reed 4 | | score bonus 2 majors 2
A69 a stone house | material stone people 5 | | score rooms 4 people 15
"""


FULL = "stables c1 d1 e1 e2"
SHUT = "fields e1 pastures d1+d2+e2"
NEEDS = [
    ("rooms-stables", "wood for a stable", 6, "wood 2", "wood 1", ""),
    ("rooms-stables", "wood for a room", 6, f"wood 5 reed 2 {FULL}", f"wood 4 reed 2 {FULL}", ""),
    ("rooms-stables", "reed for a room", 6, f"wood 5 reed 2 {FULL}", f"wood 5 reed 1 {FULL}", ""),
    ("stable-bake", "wood for a stable", 6, "wood 1", "", ""),
    ("stable-bake", "grain to bake", 6, "grain 1", "", "fireplace-2"),
    ("plow", "a cell beside a field", 6, "fields b1", SHUT, ""),
    ("sow-bake", "an empty field", 6, "grain 1 fields b1 c1", "grain 1 fields b1:grain3", ""),
    ("sow-bake", "something to sow", 6, "vegetable 1 fields b1 c1", "fields b1 c1", ""),
    ("sow-bake", "grain to bake", 6, "grain 1", "vegetable 1", "hearth-4"),
    ("plow-sow", "something to sow", 12, f"{SHUT} vegetable 1", SHUT, ""),
    ("major", "a price", 6, "clay 2", "clay 1", ""),
    ("fences", "wood for a pasture", 6, "wood 4", "wood 3", ""),
    ("fences", "a pasture to divide", 6, "wood 1 pastures d1+e1", "wood 1 pastures e1", ""),
    ("renovate-major", "reed", 6, "clay 2 reed 1", "clay 2", ""),
    ("renovate-major", "clay for each room", 6, "clay 3 reed 1 rooms a1 a2 a3", "clay 2 reed 1 rooms a1 a2 a3", ""),
    ("renovate-fences", "the next material", 14, "stone 2 reed 1 material clay", "stone 1 reed 1 material clay", ""),
    ("renovate-fences", "a house of clay", 14, "stone 2 reed 1 material clay", "stone 5 reed 5 material stone", ""),
    ("growth", "a room", 7, "rooms a1 a2 a3", "", ""),
    ("growth", "a room for those just born, too", 7, "rooms a1 a2 a3", "rooms a1 a2 a3 people 3 newborns 1", ""),
    ("growth-no-room", "fewer than five people", 13, "people 4", "people 5", ""),
]  # fmt: skip
"""What spaces need (A14): which, for how many cards, a farm with it, one without, and majors."""
LAID = {3: "wood-2 2 clay-1 1", 4: "wood-1 1 wood-2 2 clay-2 2 travelling 1",
        5: "wood-4 4 clay-3 3 reed-stone-wood 1 room-or-travelling 1"}  # fmt: skip
RATES = {"": (1, 1), "fireplace-3": (1, 2, 2, 2, 3), "hearth-4": (1, 3, 2, 3, 4)}
WELLS = {2: 5, 9: 5, 10: 4, 13: 1, 14: 0}
CASES = [
    *(case for text in (ROUNDS, GOODS, FAMILY, FIELDS, FENCES, MAJORS, ANIMALS, HARVEST) for case in cases_of(text)),
    *(
        f"A14 {to} with {what} | round {number}; majors {own}; {rich} | | offered to {to}"
        for to, what, number, rich, _, own in NEEDS
    ),
    *(
        f"A14 {to} without {what} | round {number}; majors {own}; {poor} | | refused to {to}"
        for to, what, number, _, poor, own in NEEDS
    ),
    *(
        f"A10 {players} players | players {players}; phase reveal | reveal growth | lies {laid}"
        for players, laid in LAID.items()
    ),
    *(
        f"A18 A60 round {number} | last; round {number}; fields b1:vegetable2 | to grain"
        f" | then phase {'feeding' if harvest else 'reveal'}; vegetable {harvest:d} grain 1"
        for number in range(1, 15)
        for harvest in [number in (4, 7, 9, 11, 13, 14)]
    ),
    *(
        f"A54 a well of round {number} | round {number}; wood 1 stone 3 | to major | well {left} food 2"
        for number, left in WELLS.items()
    ),
    *(
        f"A7 A59 {text} with {major or 'no cooking major'}"
        f" | harvest; majors joinery {major}; food 0 wood 1 {text.split()[1]} 1 | {text} | food {food}"
        for major, foods in RATES.items()
        for text, food in zip(
            ("eat grain", "eat vegetable", "cook sheep", "cook boar", "cook cattle"), foods, strict=False
        )
    ),
]
