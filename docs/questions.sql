-- Twelve questions for wishdir query; see recordings-analysis.md.

-- How much is there?
select count(*) as movements, min(elapsed) as first, max(elapsed) as last,
  count(distinct (recording, node, player)) as players
from movements;

-- How fast do players move?
select game, floor(speed)::integer as metres_per_second, count(*) as movements
from speed group by all order by all;

-- How far did each go?
select player, metres from distance order by player;

-- Where are they most?
select x, y, movements from heatmap(1) order by movements desc, x, y limit 10;

-- What share of the time are they in the air?
select player, coalesce(sum(seconds) filter (where not on_ground), 0) / sum(seconds) as share
from steps group by player order by player;

-- Which players were within 3 m of each other, and when?
select second, player, other, metres from near(3) order by second, player, other;

-- How often do they jump, each minute?
select d.player, 60 * count(a.elapsed) / any_value(d.seconds) as jumps
from distance d left join airtime a using (recording, node, player)
group by d.player order by d.player;

-- How long does each stand still?
select player, coalesce(sum(seconds) filter (where metres < 0.1 * seconds), 0) as still
from steps group by player order by player;

-- Who turns fastest?
select elapsed, player, turn / seconds as degrees_per_second
from steps where seconds between 0.001 and 0.1
order by degrees_per_second desc, elapsed, player limit 10;

-- Where are the longest gaps in what was received?
select elapsed, player, round(seconds, 6) as gap from steps
order by gap desc, elapsed, player limit 10;

-- Where was each player after ten seconds?
select player, x, y, z from moment(10) order by player;

-- What do the weapons of each game do?
select attacker_game, game, means, count(*) as hits, sum(damage) as damage,
  count(*) filter (where health <= 0) as kills
from hits where (attacker_node, attacker) <> (node, player)
group by all order by all;
