package dev.wishdir.web;

import com.google.gson.Gson;
import com.google.gson.JsonArray;
import com.google.gson.JsonObject;

import dev.wishdir.arena.ConnectionStats;
import dev.wishdir.arena.Player;
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
 * What one browser has been told, and so what a picture for it has to say: who came, went and moved
 * since the last one.
 *
 * <pre>
 * byte     1 where all that was told before is void
 * varint   the arena's clock, milliseconds
 * varint   bytes of JSON, and these: players, gone, level, news, links, as far as new
 * varint   how many bodies changed, and of each, ascending:
 *   varint   its number, less that of the one before
 *   byte     BODY | LEAP | PLACE | LOOK | STANCE: what it has, and what follows
 *   varint   milliseconds since it moved, where there is a place or a look
 *   varint*3 how far it is from where it was told to be, centimetres, zigzag
 *   byte*2   yaw, 256 to the circle; pitch, degrees
 *   byte     the bits of its stance
 * </pre>
 */
final class LiveDeltaEncoder {
    static final int BODY = 1;
    static final int LEAP = 2;
    static final int PLACE = 4;
    static final int LOOK = 8;
    static final int STANCE = 16;

    private static final long LINKS_INTERVAL_MILLIS = 2_000;
    private static final long MAX_AGE_MILLIS = 60_000;

    /** A clock of Java may have begun below zero. */
    private static final long CLOCK = (1L << 48) - 1;

    private static final int AXES = 3;
    private static final Gson GSON = new Gson();

    /** A body as it was told, quantised. */
    private record Body(
            boolean spawned, int leaps, int x, int y, int z, int yaw, int pitch, int stance) {
        static final Body NONE = new Body(false, 0, 0, 0, 0, 0, 0, 0);

        /** Who has none stays where it was told to be: where it looks from is its own affair. */
        static Body of(LivePlayers.Seen seen, Body told) {
            if (!seen.player().spawned()) {
                return told.gone();
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

        private Body gone() {
            return new Body(false, leaps, x, y, z, yaw, pitch, stance);
        }

        private static int centimetres(double metres) {
            return (int) Math.round(metres * 100);
        }

        private int flags(Body told) {
            return (spawned ? BODY : 0)
                    | (leaps != told.leaps ? LEAP : 0)
                    | (x != told.x || y != told.y || z != told.z ? PLACE : 0)
                    | (yaw != told.yaw || pitch != told.pitch ? LOOK : 0)
                    | (stance != told.stance ? STANCE : 0);
        }
    }

    private final Map<Integer, Body> bodies = new HashMap<>();
    private final Map<Integer, List<String>> names = new HashMap<>();
    private final Map<Integer, Long> moves = new HashMap<>();
    private final Map<Integer, LivePlayers.Line> lines = new HashMap<>();
    private Optional<JsonObject> level = Optional.empty();
    private long news;
    private long linksAt = Long.MIN_VALUE;
    private boolean all = true;

    /** All that was told is void: the next picture says everything. */
    void forget() {
        bodies.clear();
        names.clear();
        moves.clear();
        lines.clear();
        level = Optional.empty();
        news = 0;
        linksAt = Long.MIN_VALUE;
        all = true;
    }

    /**
     * The next picture.
     *
     * @param now on the arena's clock, nanoseconds
     * @param played what is played, as {@link #level} makes it
     */
    byte[] picture(long now, LivePlayers livePlayers, JsonObject played) {
        List<LivePlayers.Seen> seen = livePlayers.seen();
        long millis = TimeUnit.NANOSECONDS.toMillis(now) & CLOCK;
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(all ? 1 : 0);
        all = false;
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
        JsonArray players = new JsonArray();
        Set<Integer> here = new HashSet<>();
        for (LivePlayers.Seen each : seen) {
            Player player = each.player();
            int id = player.id().number();
            here.add(id);
            List<String> name = List.of(player.game(), player.name());
            if (!name.equals(names.put(id, name))) {
                players.add(array(id, player.game(), player.name()));
            }
        }
        add(words, "players", players);
        JsonArray gone = new JsonArray();
        names.keySet().stream().filter(id -> !here.contains(id)).forEach(gone::add);
        names.keySet().retainAll(here);
        bodies.keySet().retainAll(here);
        moves.keySet().retainAll(here);
        lines.keySet().retainAll(here);
        add(words, "gone", gone);
        JsonArray lines = new JsonArray();
        for (LivePlayers.News each : livePlayers.since(news)) {
            lines.add(array(each.number(), each.game(), each.name(), each.text()));
            news = each.number();
        }
        add(words, "news", lines);
        if (linksAt == Long.MIN_VALUE || millis - linksAt >= LINKS_INTERVAL_MILLIS) {
            add(words, "links", links(millis, seen, livePlayers));
        }
        return words;
    }

    /**
     * Of each player: its number, the round trip, movements a second since the last time; and where
     * its line is known the loss in percent and a second's datagrams in and out, bytes in and out.
     */
    private JsonArray links(long millis, List<LivePlayers.Seen> seen, LivePlayers livePlayers) {
        JsonArray links = new JsonArray();
        for (LivePlayers.Seen each : seen) {
            int id = each.player().id().number();
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
            int id = each.player().id().number();
            Body told = bodies.getOrDefault(id, Body.NONE);
            Body body = Body.of(each, told);
            if (body.equals(told)) {
                continue;
            }
            bodies.put(id, body);
            count++;
            varint(changed, id - last);
            last = id;
            int flags = body.flags(told);
            changed.write(flags);
            if ((flags & (PLACE | LOOK)) != 0) {
                long age = TimeUnit.NANOSECONDS.toMillis(now - each.time());
                varint(changed, age < 0 || age > MAX_AGE_MILLIS ? 0 : age);
            }
            if ((flags & PLACE) != 0) {
                int[] from = {told.x(), told.y(), told.z()};
                int[] to = {body.x(), body.y(), body.z()};
                for (int axis = 0; axis < AXES; axis++) {
                    int way = to[axis] - from[axis];
                    varint(changed, (way << 1 ^ way >> 31) & 0xFFFF_FFFFL);
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
     * What is played, for a picture.
     *
     * @param name empty where there are no blocks to draw
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
