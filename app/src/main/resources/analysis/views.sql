-- Views and macros of wishdir query: docs/recordings-analysis.md. Metres, seconds, degrees.

-- From one movement of a player to the next, without spawns and teleports between them.
create view steps as
select * from (
  select recording, time, elapsed, node, player, game, track,
    elapsed - lag(elapsed) over w as seconds,
    sqrt((x - lag(x) over w) ** 2 + (y - lag(y) over w) ** 2) as metres,
    z - lag(z) over w as climb,
    abs((yaw - lag(yaw) over w + 540) % 360 - 180) as turn,
    on_ground
  from movements
  window w as (partition by recording, node, player, track order by elapsed))
where seconds is not null;

-- How fast a player moves over the ground and up, as its movement says.
create view speed as
select recording, time, elapsed, node, player, game,
  sqrt(vx ** 2 + vy ** 2) as speed, vz as climb, on_ground
from movements;

-- How far each player moved over the ground.
create view distance as
select recording, node, player, p.game, p.name,
  coalesce(sum(metres), 0) as metres, coalesce(sum(seconds), 0) as seconds
from players p left join steps s using (recording, node, player)
group by all;

-- Each time in the air: from the first movement off the ground to the first on it again. Without
-- those that end with a death, a teleport or the recording.
create view airtime as
select recording, min(time) as time, min(elapsed) as elapsed, node, player, any_value(game) as game,
  max(landed) - min(elapsed) as seconds, max(z) - arg_min(z, elapsed) as height
from (
  select recording, time, elapsed, node, player, game, track, z, on_ground,
    sum(on_ground::integer) over w as flight,
    lead(elapsed) over w as landed
  from movements
  window w as (partition by recording, node, player, track order by elapsed))
where not on_ground
group by recording, node, player, track, flight
having count(landed) = count(*);

-- Pairs of players within a distance of each other, by whole seconds.
create macro near(limit_metres) as table
with places as (
  select recording, floor(elapsed)::integer as second, node, player,
    arg_max(x, elapsed) as x, arg_max(y, elapsed) as y, arg_max(z, elapsed) as z
  from movements group by all)
select a.recording, a.second, a.node, a.player, b.node as other_node, b.player as other,
  sqrt((a.x - b.x) ** 2 + (a.y - b.y) ** 2 + (a.z - b.z) ** 2) as metres
from places a join places b on a.recording = b.recording and a.second = b.second
  and (a.node < b.node or a.node = b.node and a.player < b.player)
where (a.x - b.x) ** 2 + (a.y - b.y) ** 2 + (a.z - b.z) ** 2 <= limit_metres ** 2;

-- Movements by squares of the ground.
create macro heatmap(size_metres) as table
select recording, floor(x / size_metres) * size_metres as x, floor(y / size_metres) * size_metres as y,
  count(*) as movements
from movements group by all;

-- Where each player was last, at so many seconds after the start.
create macro moment(at_seconds) as table
select recording, node, player, any_value(game) as game, max(elapsed) as elapsed,
  arg_max(x, elapsed) as x, arg_max(y, elapsed) as y, arg_max(z, elapsed) as z,
  arg_max(yaw, elapsed) as yaw
from movements
where elapsed <= at_seconds and elapsed > at_seconds - 5
group by recording, node, player;
