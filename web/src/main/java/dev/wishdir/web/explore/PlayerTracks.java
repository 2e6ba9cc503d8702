package dev.wishdir.web.explore;

import com.google.gson.Gson;
import com.google.gson.JsonArray;
import com.google.gson.JsonObject;

import dev.wishdir.inspect.FlowSummary;
import dev.wishdir.inspect.Flows;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.wire.dissect.DissectedMessage;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The movements of the players in a capture whose own packets it has, as their games read them.
 * Metres, x east, y north, z up; degrees from east and up. Samples of a player are at least {@link
 * #MIN_INTERVAL_SECONDS} apart; the interval doubles each time there are {@link #MAX_SAMPLES}; or,
 * of a session without end, the oldest samples leave.
 */
final class PlayerTracks {
    static final int MAX_SAMPLES = 400_000;
    static final double MIN_INTERVAL_SECONDS = 0.04;

    /** The part of the time that leaves if there are too many samples. */
    private static final int DROPPED_PART = 8;

    /** The track of a player; a sample is time, x, y, z, yaw, pitch. */
    static final class Track {
        final String file;
        final int player;
        final String game;
        final List<double[]> samples = new ArrayList<>();
        private final transient MovementSource movements;

        /** Time of its last message, also of one without a position. */
        private transient double changed;

        Track(String file, int player, String game, MovementSource movements) {
            this.file = file;
            this.player = player;
            this.game = game;
            this.movements = movements;
        }
    }

    private final Map<List<Object>, Track> tracks = new LinkedHashMap<>();
    private final MovementSource.Factory sources;
    private final int maxSamples;
    private final boolean isEndless;
    private int count;
    private double intervalSeconds = MIN_INTERVAL_SECONDS;

    PlayerTracks(MovementSource.Factory sources) {
        this(sources, MAX_SAMPLES);
    }

    PlayerTracks(MovementSource.Factory sources, int maxSamples) {
        this(sources, maxSamples, false);
    }

    private PlayerTracks(MovementSource.Factory sources, int maxSamples, boolean isEndless) {
        this.sources = sources;
        this.maxSamples = maxSamples;
        this.isEndless = isEndless;
    }

    /** The newest movements of a session without end. */
    static PlayerTracks newest(MovementSource.Factory sources, int maxSamples) {
        return new PlayerTracks(sources, maxSamples, true);
    }

    void add(String file, DissectedMessage message) {
        Track track = track(file, message);
        track.changed = message.time();
        track.movements.read(message).ifPresent(movement -> add(track, message.time(), movement));
    }

    private Track track(String file, DissectedMessage message) {
        return tracks.computeIfAbsent(
                List.of(file, message.client()),
                _ ->
                        new Track(
                                file,
                                message.client(),
                                message.game(),
                                sources.open(message.game())));
    }

    private void add(Track track, double time, Movement movement) {
        if (!track.samples.isEmpty() && time - track.samples.getLast()[0] < intervalSeconds) {
            return;
        }
        Vec3 at = movement.position();
        track.samples.add(
                new double[] {
                    rounded(time),
                    rounded(at.x()),
                    rounded(at.y()),
                    rounded(at.z()),
                    rounded(movement.yaw()),
                    rounded(movement.pitch())
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
            flow.playerName().ifPresent(name -> names.put(flow.player(), name.plain()));
        }
        return names;
    }
}
