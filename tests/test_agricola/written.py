"""A game of Agricola that was published, as data."""

from tests.helpers import cases_of

#: A solo game that was published with its 71 points: card, work, harvest. The cells are ours; animals are cooked when
#: they do not fit, the rest in the next feeding (A58).
PUBLISHED = cases_of("""
sheep | to plow, plow c3, to grain |
sow-bake | to plow, plow c2, to grain |
major | to day-labourer, take wood, to sow-bake, sow grain, sow grain, done |
fences | to day-labourer, take stone, to fishing | done
stone-a | to reed, to wood |
growth | to rooms-stables, room a1, room b1, done, to growth |
renovate-major | to growth, to fishing, to start-player | done
boar | to plow, plow c1, to day-labourer, take wood, to clay, to major, buy clay-oven, bake, done |
vegetable | to plow, plow b2, to sow-bake, bake, sow grain, sow grain, done, to day-labourer, take reed,
    to stable-bake, stable e1, done | done
cattle | to day-labourer, take wood, to vegetable, to stable-bake, stable e2, bake, done, to major, buy fireplace-2 |
stone-b | to sow-bake, bake, sow grain, sow vegetable, done, to stable-bake, stable e3, bake, done, to stone-a,
    to major, buy pottery | done
growth-no-room | to growth-no-room, to clay, to renovate-major, buy stone-oven, bake, bake, bake, done, to reed |
plow-sow | to wood, to fences, fence d1 e1, fence d2 e2, fence d3, fence e3, done, to sheep, to boar, to cattle,
    cook sheep, cook sheep | cook sheep, cook sheep, cook sheep, cook sheep, cook sheep, cook boar, done
renovate-fences | to plow-sow, plow b3, sow grain, sow grain, sow vegetable, sow vegetable, done, to stone-a,
    to stone-b, to major, buy well, to renovate-major, buy basketmaker | done
""")
#: Its score, but for begging and total (A69).
PUBLISHED_SCORE = {
    "fields": 4, "pastures": 4, "grain": 4, "vegetables": 4, "sheep": 4, "boar": 4, "cattle": 4, "unused": 0,
    "fenced_stables": 3, "rooms": 8, "people": 15, "majors": 2 + 2 + 1 + 2 + 3 + 4, "bonus": 3,
}  # fmt: skip
