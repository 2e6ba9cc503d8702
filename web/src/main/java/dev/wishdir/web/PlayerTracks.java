package dev.wishdir.web;

import dev.wishdir.wire.EvictingMap;
import dev.wishdir.wire.dissect.DissectedMessage;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Where the players of a capture were: those whose own packets it has, by what they said of
 * themselves (Sauerbraten, Bedrock) or were told (the Quakes). Metres, x east, y north, z up;
 * degrees from east and up. Two samples of a player are {@link #STEP} apart at least, and further,
 * all alike, once there are {@link #MAX_SAMPLES} of them.
 */
final class PlayerTracks {
    static final int MAX_SAMPLES = 400_000;
    static final double STEP = 0.04;

    private static final float EYES = 1.62f;
    private static final double FEET = 24;
    private static final double QUAKE = 32;
    private static final double SAUERBRATEN = 8;

    /** {@code samples}: time, x, y, z, yaw, pitch of each. */
    static final class Way {
        final String file;
        final int player;
        final String game;
        final List<double[]> samples = new ArrayList<>();
        private final transient Map<Long, double[]> states = EvictingMap.leastRecentlyUsed(64);
        private transient long sequence;

        Way(String file, int player, String game) {
            this.file = file;
            this.player = player;
            this.game = game;
        }
    }

    private final Map<List<Object>, Way> ways = new LinkedHashMap<>();
    private final int most;
    private int count;
    private double step = STEP;

    PlayerTracks() {
        this(MAX_SAMPLES);
    }

    PlayerTracks(int most) {
        this.most = most;
    }

    void line(String file, DissectedMessage message) {
        double @Nullable [] at =
                switch (message.name()) {
                    case "N_POS" ->
                            message.direction().label().equals("c2s")
                                    ? sauerbraten(message.fields())
                                    : null;
                    case "frame" ->
                            message.fields().get("ps") instanceof Map<?, ?> ps ? quake2(ps) : null;
                    case "netchan", "snapshot" -> quake3(way(file, message), message);
                    case "move_player", "player_auth_input" ->
                            message.direction().label().equals("c2s")
                                    ? bedrock(message.fields())
                                    : null;
                    default -> null;
                };
        if (at != null) {
            add(way(file, message), message.time(), at);
        }
    }

    private Way way(String file, DissectedMessage message) {
        return ways.computeIfAbsent(
                List.of(file, message.client()),
                _ -> new Way(file, message.client(), message.game()));
    }

    private void add(Way way, double time, double[] at) {
        if (!way.samples.isEmpty() && time - way.samples.getLast()[0] < step) {
            return;
        }
        way.samples.add(
                new double[] {
                    rounded(time),
                    rounded(at[0]),
                    rounded(at[1]),
                    rounded(at[2]),
                    rounded(at[3]),
                    rounded(at[4])
                });
        if (++count >= most) {
            step *= 2;
            count = 0;
            for (Way each : ways.values()) {
                List<double[]> kept = new ArrayList<>();
                for (int i = 0; i < each.samples.size(); i += 2) {
                    kept.add(each.samples.get(i));
                }
                each.samples.clear();
                each.samples.addAll(kept);
                count += kept.size();
            }
        }
    }

    /** To a thousandth: the samples are most of what a page has to fetch. */
    private static double rounded(double value) {
        return Math.rint(value * 1000) / 1000;
    }

    private static double @Nullable [] sauerbraten(Map<String, ?> fields) {
        double[] pos = numbers(fields.get("pos"), 3);
        return pos == null
                ? null
                : new double[] {
                    pos[0] / SAUERBRATEN,
                    -pos[1] / SAUERBRATEN,
                    pos[2] / SAUERBRATEN,
                    270 - number(fields.get("yaw")),
                    number(fields.get("pitch"))
                };
    }

    private static double @Nullable [] quake2(Map<?, ?> ps) {
        double[] origin = numbers(ps.get("origin"), 3);
        double[] angles = numbers(ps.get("viewangles"), 3);
        return origin == null || angles == null
                ? null
                : new double[] {
                    origin[0] / 8 / QUAKE,
                    origin[1] / 8 / QUAKE,
                    (origin[2] / 8 - FEET) / QUAKE,
                    angles[1] * 360 / 65_536,
                    -angles[0] * 360 / 65_536
                };
    }

    /** A state is told as what differs from that of an older snapshot of the same client. */
    private static double @Nullable [] quake3(Way way, DissectedMessage message) {
        if (!message.direction().label().equals("s2c") || !message.game().equals("quake3")) {
            return null;
        }
        Map<String, ?> fields = message.fields();
        if (message.name().equals("netchan")) {
            way.sequence = (long) number(fields.get("seq"));
            return null;
        }
        long delta = (long) number(fields.get("deltaNum"));
        double[] base = delta == 0 ? new double[5] : way.states.get(way.sequence - delta);
        if (base == null || !(fields.get("ps") instanceof Map<?, ?> ps)) {
            return null;
        }
        double[] state = base.clone();
        List<String> names =
                List.of("origin[0]", "origin[1]", "origin[2]", "viewangles[1]", "viewangles[0]");
        for (int i = 0; i < names.size(); i++) {
            if (ps.get(names.get(i)) instanceof Number number) {
                state[i] = number.doubleValue();
            }
        }
        way.states.put(way.sequence, state);
        return new double[] {
            state[0] / QUAKE, state[1] / QUAKE, (state[2] - FEET) / QUAKE, state[3], -state[4]
        };
    }

    private static double @Nullable [] bedrock(Map<String, ?> fields) {
        double[] eyes = numbers(fields.get("position"), 3);
        return eyes == null
                ? null
                : new double[] {
                    eyes[0],
                    -eyes[2],
                    eyes[1] - EYES,
                    270 - number(fields.get("yaw")),
                    -number(fields.get("pitch"))
                };
    }

    private static double number(@Nullable Object value) {
        return value instanceof Number number ? number.doubleValue() : 0;
    }

    private static double @Nullable [] numbers(@Nullable Object value, int count) {
        return value instanceof List<?> list
                        && list.size() == count
                        && list.stream()
                                .allMatch(each ->
                                        each instanceof Number n
                                                && Double.isFinite(n.doubleValue()))
                ? list.stream().mapToDouble(each -> ((Number) each).doubleValue()).toArray()
                : null;
    }

    /** Those who were somewhere. */
    List<Way> ways() {
        Predicate<Way> still = way -> way.samples.isEmpty();
        return ways.values().stream().filter(still.negate()).toList();
    }
}
