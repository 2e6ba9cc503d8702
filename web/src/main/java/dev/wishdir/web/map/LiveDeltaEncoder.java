package dev.wishdir.web.map;

import com.google.gson.Gson;
import com.google.gson.JsonArray;
import com.google.gson.JsonObject;

import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.event.Team;
import dev.wishdir.arena.flag.FlagState;
import dev.wishdir.arena.flag.FlagStatus;
import dev.wishdir.arena.relay.ConnectionStats;
import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;

import org.jspecify.annotations.Nullable;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Encodes the live map for one browser as deltas: players that joined, left and moved since the
 * last message.
 *
 * <pre>
 * byte     1 if all earlier messages are void
 * varint   the arena's clock, milliseconds
 * varint   length of the JSON that follows: players, gone, level, boards, match, flags, parts, acts,
 *          news, links, as far as changed
 * varint   number of changed bodies, then for each, in ascending order:
 *   varint   its number, minus that of the previous one
 *   byte     flags BODY | LEAP | PLACE | LOOK | STANCE: BODY if it is spawned, LEAP if it moved
 *            discontinuously; the others announce the following parts
 *   varint   if PLACE or LOOK: milliseconds since it moved
 *   varint*3 if PLACE: change of its position, centimetres, zigzag
 *   byte*2   if LOOK: yaw, 256 per circle; pitch, degrees
 *   byte     if STANCE: bits of its stance
 * </pre>
 */
final class LiveDeltaEncoder {
    static final int BODY = 1;
    static final int LEAP = 2;
    static final int PLACE = 4;
    static final int LOOK = 8;
    static final int STANCE = 16;

    private static final long STATS_INTERVAL_MILLIS = 2_000;
    private static final long MAX_AGE_MILLIS = 60_000;

    /** Mask that makes times positive, as Java's clock may be negative. */
    private static final long CLOCK_MASK = (1L << 48) - 1;

    private static final int AXES = 3;

    /** Before the first message: what happened before it is not shown. */
    private static final long ALL_SEEN = -1;

    private static final Gson GSON = new Gson();

    /** The quantised state of a body as last sent. */
    private record Body(
            boolean spawned, int leaps, int x, int y, int z, int yaw, int pitch, int stance) {
        static final Body NONE = new Body(false, 0, 0, 0, 0, 0, 0, 0);

        /** The state of a player. One without a body keeps the position that was sent last. */
        static Body of(LivePlayers.Seen seen, Body sent) {
            if (!seen.player().spawned()) {
                return sent.despawned();
            }
            Movement movement = seen.player().movement();
            Vec3 at = movement.position();
            return new Body(
                    true,
                    seen.leaps(),
                    centimetres(at.x()),
                    centimetres(at.y()),
                    centimetres(at.z()),
                    Math.floorMod(Math.round(movement.yaw() * 256 / 360), 256),
                    (int) Math.round(movement.pitch()),
                    movement.stance().bits());
        }

        private Body despawned() {
            return new Body(false, leaps, x, y, z, yaw, pitch, stance);
        }

        private static int centimetres(double metres) {
            return (int) Math.round(metres * 100);
        }

        private int flags(Body sent) {
            return (spawned ? BODY : 0)
                    | (leaps != sent.leaps ? LEAP : 0)
                    | (x != sent.x || y != sent.y || z != sent.z ? PLACE : 0)
                    | (yaw != sent.yaw || pitch != sent.pitch ? LOOK : 0)
                    | (stance != sent.stance ? STANCE : 0);
        }
    }

    private final Map<Integer, Body> bodies = new HashMap<>();
    private final Map<Integer, List<String>> names = new HashMap<>();
    private final Map<Integer, Long> moves = new HashMap<>();
    private final Map<Integer, LivePlayers.Line> lines = new HashMap<>();
    private Optional<JsonObject> level = Optional.empty();
    private List<LivePlayers.Board> boards = List.of();
    private Optional<LiveMatch.Clock> clock = Optional.empty();
    private JsonArray flags = new JsonArray();
    private final Map<Integer, LiveMatch.Part> parts = new HashMap<>();
    private long lastEvent;
    private long lastAct = ALL_SEEN;
    private long linksAt = Long.MIN_VALUE;
    private boolean isFirst = true;

    /** Makes the next message a full one. */
    void reset() {
        bodies.clear();
        names.clear();
        moves.clear();
        lines.clear();
        level = Optional.empty();
        boards = List.of();
        clock = Optional.empty();
        flags = new JsonArray();
        parts.clear();
        lastEvent = 0;
        lastAct = ALL_SEEN;
        linksAt = Long.MIN_VALUE;
        isFirst = true;
    }

    /**
     * The next message.
     *
     * @param now on the arena's clock, in nanoseconds
     * @param played the current level, made by {@link #level}
     */
    byte[] encode(long now, LivePlayers livePlayers, JsonObject played) {
        List<LivePlayers.Seen> seen = livePlayers.seen();
        long millis = millis(now);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(isFirst ? 1 : 0);
        isFirst = false;
        varint(out, millis);
        JsonObject words = words(millis, seen, livePlayers, played);
        byte[] json =
                words.isEmpty() ? new byte[0] : GSON.toJson(words).getBytes(StandardCharsets.UTF_8);
        varint(out, json.length);
        out.writeBytes(json);
        bodies(out, now, seen);
        return out.toByteArray();
    }

    private JsonObject words(
            long millis, List<LivePlayers.Seen> seen, LivePlayers livePlayers, JsonObject played) {
        JsonObject words = new JsonObject();
        if (level.filter(played::equals).isEmpty()) {
            level = Optional.of(played);
            words.add("level", played);
        }
        List<LivePlayers.Board> newest = livePlayers.boards();
        if (!newest.equals(boards)) {
            boards = newest;
            words.add("boards", GSON.toJsonTree(newest));
        }
        livePlayers.match().ifPresent(match -> add(words, match, seen));
        JsonArray players = new JsonArray();
        Set<Integer> here = new HashSet<>();
        for (LivePlayers.Seen each : seen) {
            Player player = each.player();
            int id = each.id();
            here.add(id);
            List<String> name = List.of(player.game(), player.name());
            if (!name.equals(names.put(id, name))) {
                JsonArray entry = array(id, player.game(), player.name());
                if (player.id().isMirrored()) {
                    entry.add(player.id().node());
                }
                players.add(entry);
            }
        }
        add(words, "players", players);
        JsonArray gone = new JsonArray();
        names.keySet().stream().filter(id -> !here.contains(id)).forEach(gone::add);
        names.keySet().retainAll(here);
        bodies.keySet().retainAll(here);
        moves.keySet().retainAll(here);
        lines.keySet().retainAll(here);
        parts.keySet().retainAll(here);
        add(words, "gone", gone);
        JsonArray lines = new JsonArray();
        for (LivePlayers.TextEvent each : livePlayers.since(lastEvent)) {
            lines.add(array(each.number(), each.game(), each.name(), each.text()));
            lastEvent = each.number();
        }
        add(words, "news", lines);
        if (linksAt == Long.MIN_VALUE || millis - linksAt >= STATS_INTERVAL_MILLIS) {
            add(words, "links", links(millis, seen, livePlayers));
        }
        return words;
    }

    /**
     * Adds what has changed of a match: its clock; its flags; of each player its number, team,
     * health, armour and whether it has quad damage; and what happened: the time, the kind, the
     * numbers of the player and the attacker, the text, and the place in centimetres.
     */
    private void add(JsonObject words, LiveMatch match, List<LivePlayers.Seen> seen) {
        Optional<LiveMatch.Clock> newest = match.clock();
        if (!newest.equals(clock)) {
            clock = newest;
            newest.ifPresent(it -> words.add("match", match(it)));
        }
        JsonArray changed = new JsonArray();
        Map<PlayerId, Integer> ids = new HashMap<>();
        for (LivePlayers.Seen each : seen) {
            ids.put(each.player().id(), each.id());
            LiveMatch.Part part = match.part(each.player().id());
            if (!part.equals(parts.getOrDefault(each.id(), LiveMatch.Part.NONE))) {
                parts.put(each.id(), part);
                changed.add(
                        array(
                                each.id(),
                                part.team().map(Team::toString).orElse(""),
                                part.health(),
                                part.armour(),
                                part.quad() ? 1 : 0));
            }
        }
        add(words, "parts", changed);
        JsonArray marks = new JsonArray();
        match.flags().forEach(flag -> marks.add(mark(flag, ids)));
        if (!marks.equals(flags)) {
            flags = marks;
            words.add("flags", marks);
        }
        JsonArray acts = new JsonArray();
        if (lastAct == ALL_SEEN) {
            lastAct = match.lastAct();
        }
        for (LiveMatch.Act act : match.since(lastAct)) {
            lastAct = act.number();
            Integer player = ids.get(act.player());
            if (player != null) {
                acts.add(
                        array(
                                millis(act.time()),
                                act.kind(),
                                player,
                                ids.getOrDefault(act.by(), 0),
                                act.text(),
                                Body.centimetres(act.place().x()),
                                Body.centimetres(act.place().y()),
                                Body.centimetres(act.place().z())));
            }
        }
        add(words, "acts", acts);
    }

    /**
     * A flag: team, state, home in centimetres, the number of its carrier or 0, where it lies, and
     * when it comes home or -1.
     */
    private static JsonArray mark(FlagStatus flag, Map<PlayerId, Integer> ids) {
        JsonArray mark = array(flag.team());
        Vec3 at = flag.home();
        long until = -1;
        int carrier = 0;
        String state = "home";
        switch (flag.state()) {
            case FlagState.Home _ -> {}
            case FlagState.Carried(PlayerId by, _) -> {
                state = "carried";
                carrier = ids.getOrDefault(by, 0);
            }
            case FlagState.Dropped(Vec3 lies, long end) -> {
                state = "dropped";
                at = lies;
                until = end == Long.MAX_VALUE ? -1 : millis(end);
            }
        }
        mark.add(state);
        addPlace(mark, flag.home());
        mark.add(carrier);
        addPlace(mark, at);
        mark.add(until);
        return mark;
    }

    private static void addPlace(JsonArray to, Vec3 place) {
        to.add(Body.centimetres(place.x()));
        to.add(Body.centimetres(place.y()));
        to.add(Body.centimetres(place.z()));
    }

    private static JsonObject match(LiveMatch.Clock clock) {
        JsonObject match = new JsonObject();
        match.addProperty("mode", clock.mode());
        match.addProperty("phase", clock.phase());
        match.addProperty("round", clock.round());
        clock.ends().ifPresent(ends -> match.addProperty("ends", millis(ends)));
        clock.left()
                .ifPresent(left -> match.addProperty("left", TimeUnit.NANOSECONDS.toMillis(left)));
        match.addProperty("limit", clock.scoreLimit());
        match.addProperty("unit", clock.unit());
        JsonArray teams = new JsonArray();
        clock.teams().forEach(team -> teams.add(array(team.team(), team.frags())));
        match.add("teams", teams);
        match.addProperty("winner", clock.winner());
        return match;
    }

    private static long millis(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(nanos) & CLOCK_MASK;
    }

    /**
     * For each player: its number, round-trip time and movements per second since the last call; if
     * its connection is known, also the loss in percent and datagrams in and out, bytes in and out
     * per second.
     */
    private JsonArray links(long millis, List<LivePlayers.Seen> seen, LivePlayers livePlayers) {
        JsonArray links = new JsonArray();
        for (LivePlayers.Seen each : seen) {
            int id = each.id();
            Long before = moves.put(id, each.moves());
            double rate =
                    before == null || linksAt == Long.MIN_VALUE
                            ? 0
                            : (each.moves() - before) * 1000.0 / (millis - linksAt);
            JsonArray link = array(id, each.player().ping(), Math.round(rate));
            livePlayers.line(id).ifPresent(line -> rates(line, lines.put(id, line), link));
            links.add(link);
        }
        linksAt = millis;
        return links;
    }

    private static void rates(
            LivePlayers.Line line, LivePlayers.@Nullable Line before, JsonArray link) {
        if (before == null || line.time() == before.time()) {
            return;
        }
        double seconds = (line.time() - before.time()) / 1e9;
        ConnectionStats since = line.link().since(before.link());
        link.add(Math.round(since.loss() * 1000) / 10.0);
        for (long count :
                new long[] {
                    since.datagramsIn(), since.datagramsOut(), since.bytesIn(), since.bytesOut()
                }) {
            link.add(Math.round(count / seconds));
        }
    }

    private void bodies(ByteArrayOutputStream out, long now, List<LivePlayers.Seen> seen) {
        ByteArrayOutputStream changed = new ByteArrayOutputStream();
        int count = 0;
        int last = 0;
        for (LivePlayers.Seen each : seen) {
            int id = each.id();
            Body sent = bodies.getOrDefault(id, Body.NONE);
            Body body = Body.of(each, sent);
            if (body.equals(sent)) {
                continue;
            }
            bodies.put(id, body);
            count++;
            varint(changed, id - last);
            last = id;
            int flags = body.flags(sent);
            changed.write(flags);
            if ((flags & (PLACE | LOOK)) != 0) {
                long age = TimeUnit.NANOSECONDS.toMillis(now - each.time());
                varint(changed, age < 0 || age > MAX_AGE_MILLIS ? 0 : age);
            }
            if ((flags & PLACE) != 0) {
                int[] from = {sent.x(), sent.y(), sent.z()};
                int[] to = {body.x(), body.y(), body.z()};
                for (int axis = 0; axis < AXES; axis++) {
                    int change = to[axis] - from[axis];
                    varint(changed, (change << 1 ^ change >> 31) & 0xFFFF_FFFFL);
                }
            }
            if ((flags & LOOK) != 0) {
                changed.write(body.yaw());
                changed.write(body.pitch());
            }
            if ((flags & STANCE) != 0) {
                changed.write(body.stance());
            }
        }
        varint(out, count);
        out.writeBytes(changed.toByteArray());
    }

    /**
     * The current level, for a message.
     *
     * @param name empty if there is nothing to draw
     */
    static JsonObject level(String name, String title, Bounds bounds) {
        JsonObject level = new JsonObject();
        level.addProperty("name", name);
        level.addProperty("title", title);
        Vec3 min = bounds.min();
        Vec3 max = bounds.max();
        level.add("bounds", array(min.x(), min.y(), min.z(), max.x(), max.y(), max.z()));
        return level;
    }

    private static void add(JsonObject words, String name, JsonArray some) {
        if (!some.isEmpty()) {
            words.add(name, some);
        }
    }

    private static JsonArray array(Object... values) {
        JsonArray array = new JsonArray();
        for (Object value : values) {
            if (value instanceof Number number) {
                array.add(number);
            } else {
                array.add(value.toString());
            }
        }
        return array;
    }

    private static void varint(ByteArrayOutputStream out, long value) {
        long rest = value;
        while ((rest & ~0x7FL) != 0) {
            out.write((int) (rest & 0x7F | 0x80));
            rest >>>= 7;
        }
        out.write((int) rest);
    }
}
