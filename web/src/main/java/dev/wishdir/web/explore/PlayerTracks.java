package dev.wishdir.web.explore;

import com.google.gson.Gson;
import com.google.gson.JsonArray;
import com.google.gson.JsonObject;

import dev.wishdir.inspect.FlowSummary;
import dev.wishdir.inspect.Flows;
import dev.wishdir.inspect.PlayerNameExtractor;
import dev.wishdir.wire.EvictingMap;
import dev.wishdir.wire.dissect.DissectedMessage;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The movements of the players in a capture whose own packets it has. The positions come from the
 * client (Sauerbraten, Bedrock) or the server (the Quakes). Metres, x east, y north, z up; degrees
 * from east and up. Samples of a player are at least {@link #MIN_INTERVAL_SECONDS} apart; the
 * interval doubles each time there are {@link #MAX_SAMPLES}; or, of a session without end, the
 * oldest samples leave.
 */
final class PlayerTracks {
    static final int MAX_SAMPLES = 400_000;
    static final double MIN_INTERVAL_SECONDS = 0.04;

    /** The part of the time that leaves if there are too many samples. */
    private static final int DROPPED_PART = 8;

    private static final float BEDROCK_EYE_METRES = 1.62f;
    private static final double QUAKE_FEET_UNITS = 24;
    private static final double QUAKE_UNITS_PER_METRE = 32;
    private static final double SAUERBRATEN_UNITS_PER_METRE = 8;

    /** The track of a player; a sample is time, x, y, z, yaw, pitch. */
    static final class Track {
        final String file;
        final int player;
        final String game;
        final List<double[]> samples = new ArrayList<>();
        private final transient Map<Long, double[]> states = EvictingMap.leastRecentlyUsed(64);
        private transient long sequence;

        /** Time of its last message, also of one without a position. */
        private transient double changed;

        Track(String file, int player, String game) {
            this.file = file;
            this.player = player;
            this.game = game;
        }
    }

    private final Map<List<Object>, Track> tracks = new LinkedHashMap<>();
    private final int maxSamples;
    private final boolean isEndless;
    private int count;
    private double intervalSeconds = MIN_INTERVAL_SECONDS;

    PlayerTracks() {
        this(MAX_SAMPLES);
    }

    PlayerTracks(int maxSamples) {
        this(maxSamples, false);
    }

    private PlayerTracks(int maxSamples, boolean isEndless) {
        this.maxSamples = maxSamples;
        this.isEndless = isEndless;
    }

    /** The newest movements of a session without end. */
    static PlayerTracks newest(int maxSamples) {
        return new PlayerTracks(maxSamples, true);
    }

    void add(String file, DissectedMessage message) {
        double @Nullable [] at =
                switch (message.name()) {
                    case "N_POS" ->
                            message.direction().label().equals("c2s")
                                    ? sauerbraten(message.fields())
                                    : null;
                    case "frame" ->
                            message.fields().get("ps") instanceof Map<?, ?> ps ? quake2(ps) : null;
                    case "netchan", "snapshot" -> quake3(track(file, message), message);
                    case "move_player", "player_auth_input" ->
                            message.direction().label().equals("c2s")
                                    ? bedrock(message.fields())
                                    : null;
                    default -> null;
                };
        if (at != null) {
            add(track(file, message), message.time(), at);
        }
    }

    private Track track(String file, DissectedMessage message) {
        Track track =
                tracks.computeIfAbsent(
                        List.of(file, message.client()),
                        _ -> new Track(file, message.client(), message.game()));
        track.changed = message.time();
        return track;
    }

    private void add(Track track, double time, double[] at) {
        if (!track.samples.isEmpty() && time - track.samples.getLast()[0] < intervalSeconds) {
            return;
        }
        track.samples.add(
                new double[] {
                    rounded(time),
                    rounded(at[0]),
                    rounded(at[1]),
                    rounded(at[2]),
                    rounded(at[3]),
                    rounded(at[4])
                });
        if (++count < maxSamples) {
            return;
        }
        if (isEndless) {
            double oldest = oldest();
            dropBefore(oldest + Math.max(intervalSeconds, (time - oldest) / DROPPED_PART));
        } else {
            thin();
        }
    }

    private void thin() {
        intervalSeconds *= 2;
        count = 0;
        for (Track each : tracks.values()) {
            List<double[]> kept = new ArrayList<>();
            for (int i = 0; i < each.samples.size(); i += 2) {
                kept.add(each.samples.get(i));
            }
            each.samples.clear();
            each.samples.addAll(kept);
            count += kept.size();
        }
    }

    private double oldest() {
        return tracks.values().stream()
                .filter(track -> !track.samples.isEmpty())
                .mapToDouble(track -> track.samples.getFirst()[0])
                .min()
                .orElse(0);
    }

    /** Removes samples before a time, and players without further samples. */
    void dropBefore(double time) {
        count = 0;
        for (Track track : tracks.values()) {
            int dropped = firstSince(track.samples, time);
            track.samples.subList(0, dropped).clear();
            count += track.samples.size();
        }
        tracks.values().removeIf(track -> track.samples.isEmpty() && track.changed < time);
    }

    /** The index of the first sample at a time or later. */
    private static int firstSince(List<double[]> samples, double time) {
        int index =
                Collections.binarySearch(
                        samples,
                        new double[] {time},
                        Comparator.comparingDouble(sample -> sample[0]));
        return index < 0 ? -index - 1 : index;
    }

    /** Rounds to a thousandth, as the samples are most of what the page downloads. */
    private static double rounded(double value) {
        return Math.rint(value * 1000) / 1000;
    }

    private static double @Nullable [] sauerbraten(Map<String, ?> fields) {
        double[] pos = numbers(fields.get("pos"), 3);
        return pos == null
                ? null
                : new double[] {
                    pos[0] / SAUERBRATEN_UNITS_PER_METRE,
                    -pos[1] / SAUERBRATEN_UNITS_PER_METRE,
                    pos[2] / SAUERBRATEN_UNITS_PER_METRE,
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
                    origin[0] / 8 / QUAKE_UNITS_PER_METRE,
                    origin[1] / 8 / QUAKE_UNITS_PER_METRE,
                    (origin[2] / 8 - QUAKE_FEET_UNITS) / QUAKE_UNITS_PER_METRE,
                    angles[1] * 360 / 65_536,
                    -angles[0] * 360 / 65_536
                };
    }

    /** A state is encoded as a delta from an earlier snapshot of the same client. */
    private static double @Nullable [] quake3(Track track, DissectedMessage message) {
        if (!message.direction().label().equals("s2c") || !message.game().equals("quake3")) {
            return null;
        }
        Map<String, ?> fields = message.fields();
        if (message.name().equals("netchan")) {
            track.sequence = (long) number(fields.get("seq"));
            return null;
        }
        long delta = (long) number(fields.get("deltaNum"));
        double[] base = delta == 0 ? new double[5] : track.states.get(track.sequence - delta);
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
        track.states.put(track.sequence, state);
        return new double[] {
            state[0] / QUAKE_UNITS_PER_METRE,
            state[1] / QUAKE_UNITS_PER_METRE,
            (state[2] - QUAKE_FEET_UNITS) / QUAKE_UNITS_PER_METRE,
            state[3],
            -state[4]
        };
    }

    private static double @Nullable [] bedrock(Map<String, ?> fields) {
        double[] eyes = numbers(fields.get("position"), 3);
        return eyes == null
                ? null
                : new double[] {
                    eyes[0],
                    -eyes[2],
                    eyes[1] - BEDROCK_EYE_METRES,
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

    /** The tracks that have samples. */
    List<Track> tracks() {
        return tracks.values().stream().filter(track -> !track.samples.isEmpty()).toList();
    }

    /** For the page: the time of the oldest sample, and the tracks with samples after a time. */
    JsonObject json(Gson gson, double since) {
        JsonArray ways = new JsonArray();
        for (Track track : tracks()) {
            List<double[]> samples = track.samples;
            int first = since < 0 ? 0 : firstSince(samples, Math.nextUp(since));
            if (first < samples.size()) {
                JsonObject way = new JsonObject();
                way.addProperty("player", track.player);
                way.addProperty("game", track.game);
                way.add("samples", gson.toJsonTree(samples.subList(first, samples.size())));
                ways.add(way);
            }
        }
        JsonObject json = new JsonObject();
        json.addProperty("from", oldest());
        json.add("ways", ways);
        return json;
    }

    /** The last name of the player at each client's port, without colours. */
    static Map<Integer, String> names(Flows flows) {
        Map<Integer, String> names = new TreeMap<>();
        for (FlowSummary flow : flows.all()) {
            if (!flow.name().isEmpty()) {
                names.put(flow.player(), PlayerNameExtractor.plain(flow.name()));
            }
        }
        return names;
    }
}
