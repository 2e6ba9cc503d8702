package dev.wishdir.app.record;

import dev.wishdir.app.inspect.DissectorOptions;
import dev.wishdir.arena.event.ArenaListener;
import dev.wishdir.game.Game;
import dev.wishdir.game.capture.CapturedPlayers;
import dev.wishdir.inspect.Inspector;
import dev.wishdir.inspect.capture.CaptureException;
import dev.wishdir.inspect.capture.CaptureReader;
import dev.wishdir.inspect.link.SkipReason;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Quantity;
import dev.wishdir.wire.dissect.DissectedMessage;
import dev.wishdir.wire.dissect.Dissector;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Converts captures and demos to events of an arena. Times are those of the packets, in nanoseconds
 * since 1970. A demo has only the server's time: it starts where the file before it ended, the
 * first at 0.
 *
 * <p>What cannot be decoded is skipped and counted. Not thread-safe.
 */
public final class CaptureConverter {
    private static final long FIRST_DEMO_NANOS = 0;

    private final CapturedPlayers players;
    private final List<Dissector> dissectors = new ArrayList<>();
    private final Map<Integer, Dissector> ports = new HashMap<>();
    private final Map<String, Long> unread = new TreeMap<>();
    private final Map<SkipReason, Long> skipped = new EnumMap<>(SkipReason.class);
    private long packets;
    private long unclaimed;

    /** The capture that was read last, which the next file may continue. */
    private @Nullable CaptureReader capture;

    private @Nullable Inspector inspector;

    /**
     * @param games whose traffic is read; if it is only one, also flows on its usual port whose
     *     beginning is not in the capture
     * @param keys lines of the keys of encrypted sessions
     * @param listener receives the events; their times do not decrease
     */
    public CaptureConverter(List<Game> games, List<String> keys, ArenaListener listener) {
        players = new CapturedPlayers(listener);
        for (Game game : games) {
            dissectors.add(game.movementDissector(players, keys));
        }
        if (games.size() == 1) {
            ports.put(games.getFirst().port(), dissectors.getFirst());
        }
    }

    /**
     * Converts a file. A capture that continues the one before it, as in a ring buffer, keeps its
     * players; otherwise they leave.
     *
     * @return false if it is neither a capture nor a demo
     * @throws IOException if it cannot be read; what was read is converted
     * @throws MalformedPacketException if a demo is malformed; what was read is converted
     */
    public boolean convert(Path file) throws IOException {
        if (CaptureReader.recognises(file)) {
            convertCapture(file);
            return true;
        }
        capture = null;
        players.start(Math.max(FIRST_DEMO_NANOS, players.now()));
        return Inspector.of(dissectors, this::count).recording(file);
    }

    /** Converts a file as far as it can be read; the problem, for an operator, if there is one. */
    Optional<String> convertReadable(Path file) {
        try {
            return convert(file)
                    ? Optional.empty()
                    : Optional.of(file + " is neither a capture nor a demo of a game");
        } catch (CaptureException | MalformedPacketException e) {
            return Optional.of(file + ": " + e.getMessage());
        } catch (IOException e) {
            return Optional.ofNullable(DissectorOptions.unreadable(file, e).getMessage());
        }
    }

    private void convertCapture(Path file) throws IOException {
        CaptureReader before = capture;
        Inspector known = inspector;
        boolean continues = before != null && known != null && before.isContinuedBy(file);
        if (!continues || known == null) {
            players.start(CaptureReader.firstNanos(file).orElse(Math.max(0, players.now())));
            known = Inspector.of(dissectors, ports, this::count);
            inspector = known;
        }
        try (CaptureReader reader =
                continues && before != null
                        ? before.continuedBy(Files.newInputStream(file))
                        : CaptureReader.open(file)) {
            capture = reader;
            long packetsBefore = continues && before != null ? before.frames() : 0;
            Map<SkipReason, Long> skippedBefore =
                    continues && before != null ? before.skipped() : Map.of();
            long unclaimedBefore = known.unclaimed();
            try {
                known.capture(reader);
            } finally {
                packets += reader.frames() - packetsBefore;
                unclaimed += known.unclaimed() - unclaimedBefore;
                reader.skipped()
                        .forEach((why, count) ->
                                skipped.merge(
                                        why,
                                        count - skippedBefore.getOrDefault(why, 0L),
                                        Long::sum));
            }
        }
    }

    private void count(DissectedMessage line) {
        unread.merge(line.game() + " " + line.name(), 1L, Long::sum);
    }

    /** Number of packets of all captures. */
    public long packets() {
        return packets;
    }

    /** Number of datagrams of unknown protocols. */
    public long unclaimed() {
        return unclaimed;
    }

    /**
     * Summary of what was not converted, with counts, for an operator; empty if that is nothing.
     */
    String leftOut() {
        List<String> parts = new ArrayList<>();
        if (unclaimed > 0) {
            parts.add(Quantity.of(unclaimed, "datagram") + " of unknown protocols");
        }
        skipped.forEach(
                (why, count) -> parts.add(Quantity.of(count, "packet") + " " + why.label()));
        unread.forEach((what, count) -> parts.add(Quantity.of(count, "message") + " " + what));
        return parts.isEmpty() ? "" : "; left out: " + String.join(", ", parts);
    }
}
