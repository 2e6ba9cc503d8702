package dev.wishdir.interop;

import static java.util.Objects.requireNonNull;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;

import dev.wishdir.motion.Vec3;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;

/** Where the server had each player at which time, and where a live map draws them. */
final class Ways {
    /** Metres by which a body may be drawn off the server's position. */
    private static final double NEAR = 0.3;

    private static final String PAGE =
            "[document.getElementById('state').textContent, document.visibilityState,"
                    + " wishdir.time, performance.now(), wishdir.frames.slice(-3)].join(' ')";

    private static final Duration SOON = Duration.ofMinutes(2);

    private final Map<Integer, NavigableMap<Long, Vec3>> ways = new ConcurrentHashMap<>();

    /** The time of the picture that was looked at last. */
    private long looked = Long.MIN_VALUE;

    /**
     * @param time milliseconds
     */
    void put(int player, long time, Vec3 at) {
        ways.computeIfAbsent(player, _ -> new ConcurrentSkipListMap<>()).put(time, at);
    }

    int players() {
        return ways.size();
    }

    private Vec3 at(int player, long time) {
        NavigableMap<Long, Vec3> way = requireNonNull(ways.get(player));
        Map.Entry<Long, Vec3> before = way.floorEntry(time);
        Map.Entry<Long, Vec3> after = way.ceilingEntry(time);
        if (before == null) {
            return requireNonNull(after).getValue();
        }
        if (after == null) {
            return before.getValue();
        }
        long gap = after.getKey() - before.getKey();
        double part = gap == 0 ? 0 : (time - before.getKey()) / (double) gap;
        return before.getValue().plus(after.getValue().minus(before.getValue()).times(part));
    }

    /**
     * How far each is drawn from where the server had it at the time that is drawn, metres; nobody
     * in a picture that was looked at before.
     *
     * @param clock the page's word for that time on the clock of these ways
     */
    private Map<String, Double> apart(Chromium browser, String clock) {
        JsonObject drawn =
                browser.value("({ time: wishdir." + clock + ", players: wishdir.players })")
                        .getAsJsonObject();
        long time = Math.round(drawn.get("time").getAsDouble());
        if (time == looked) {
            return Map.of();
        }
        looked = time;
        Peer.await(
                "events of the time that is drawn",
                SOON,
                () -> ways.values().stream().allMatch(way -> way.lastKey() > time));
        return apart(drawn.getAsJsonArray("players"), time);
    }

    private static double most(Map<String, Double> apart) {
        return apart.values().stream().mapToDouble(metres -> metres).max().orElse(0);
    }

    private Map<String, Double> apart(JsonArray players, long time) {
        Map<String, Double> apart = new LinkedHashMap<>();
        for (JsonElement each : players) {
            JsonObject player = each.getAsJsonObject();
            Vec3 at =
                    new Vec3(
                            player.get("x").getAsDouble(),
                            player.get("y").getAsDouble(),
                            player.get("z").getAsDouble());
            apart.put(
                    player.get("name").getAsString(),
                    at.distance(at(player.get("id").getAsInt(), time)));
        }
        return apart;
    }

    /** Waits for a picture in which each player is drawn where it is. */
    void awaitAllInPlace(Chromium browser, String clock, int players) {
        Map<String, Double> last = new LinkedHashMap<>();
        Peer.await(
                () ->
                        "all are drawn within %s m of where they are, last: %s; page: %s"
                                .formatted(NEAR, last, browser.value(PAGE)),
                SOON,
                () -> {
                    Map<String, Double> apart = apart(browser, clock);
                    if (!apart.isEmpty()) {
                        last.clear();
                        last.putAll(apart);
                    }
                    return apart.size() == players && most(apart) < NEAR;
                });
        System.out.println("drawn beside the server's own events, metres: " + last);
    }
}
