package dev.wishdir.record.message;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.NativeMovement;
import dev.wishdir.arena.flag.FlagStatus;
import dev.wishdir.record.v1.Flag;
import dev.wishdir.record.v1.Flags;
import dev.wishdir.record.v1.Snapshot;
import dev.wishdir.wire.Bytes;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Turns events of an arena into the messages of a recording: movements into batches, everything
 * else into one message each, a snapshot of all players every 5 s, and the flags of a match every
 * second. Times are nanoseconds since 1970 in whole microseconds, and never decrease: an event with
 * an earlier time gets that of the one before.
 */
public final class RecordingEncoder {
    /** Maximum interval between two snapshots, while there are events. */
    static final long SNAPSHOT_INTERVAL_NANOS = 5_000_000_000L;

    /** Maximum interval between two states of the flags, while there are events. */
    static final long FLAGS_INTERVAL_NANOS = 1_000_000_000L;

    /** Maximum number of native forms of a file; movements of further ones are canonical only. */
    static final int MAX_FORMS = 64;

    private final RecordingOptions options;
    private final long clockOffsetNanos;
    private final MessageOutput output;
    private final MessageEncoder messages;
    private final ViewerTopics viewer = new ViewerTopics();
    private final PlayerTable table = new PlayerTable();
    private final MoveBatch batch = new MoveBatch();
    private final Map<String, Integer> forms = new LinkedHashMap<>();
    private boolean snapshotDue = true;
    private long lastSnapshot;
    private Supplier<List<FlagStatus>> flags = table::flags;
    private long lastFlags;
    private long lastTime = Long.MIN_VALUE;

    /**
     * @param clockOffsetNanos what the times of events lack to be nanoseconds since 1970
     */
    public RecordingEncoder(RecordingOptions options, long clockOffsetNanos, MessageOutput output) {
        this.options = options;
        this.clockOffsetNanos = clockOffsetNanos;
        this.output = output;
        messages = new MessageEncoder(options, 0, clockOffsetNanos, this::form);
    }

    /** Sets what knows the flags; without it, they are as the events leave them. */
    public void setFlagSource(Supplier<List<FlagStatus>> source) {
        flags = source;
    }

    /** Sets the state that a recording begins with; the next message is a snapshot of it. */
    public void begin(RecordedState state) {
        table.replace(state);
        snapshotDue = true;
    }

    /**
     * Writes a snapshot: a file begins, or messages were lost.
     *
     * @param now on the clock of the events
     */
    public void restart(long now) {
        batch.clear();
        lastTime = Math.max(recorded(now), lastTime);
        viewer.restart();
        table.setFlags(flags.get());
        snapshot(lastTime);
    }

    /** Applies an event to the state without recording it. */
    public void skip(ArenaEvent event) {
        table.apply(event);
    }

    /** Records an event. */
    public void add(ArenaEvent event) {
        long time = Math.max(recorded(event.time()), lastTime);
        lastTime = time;
        if (snapshotDue || time - lastSnapshot >= SNAPSHOT_INTERVAL_NANOS) {
            snapshot(time);
        }
        if (options.viewerTopics() && viewer.isDue(time)) {
            flush();
            viewer.append(time, table.players(), output);
        }
        if (event instanceof ArenaEvent.Moved moved) {
            addMove(time, moved);
        } else {
            messages.event(event)
                    .ifPresent(message -> {
                        if (snapshotDue) {
                            snapshot(time);
                        }
                        flush();
                        write(Topic.EVENTS, time, message.toByteArray());
                    });
        }
        table.apply(event);
        if (changesFlags(event) || time - lastFlags >= FLAGS_INTERVAL_NANOS) {
            addFlags(time);
        }
    }

    private static boolean changesFlags(ArenaEvent event) {
        return event instanceof ArenaEvent.FlagChanged
                || event instanceof ArenaEvent.RoundStarted
                || event instanceof ArenaEvent.RoundEnded;
    }

    private void addFlags(long time) {
        lastFlags = time;
        table.setFlags(flags.get());
        if (!table.flags().isEmpty()) {
            flush();
            write(
                    Topic.FLAGS,
                    time,
                    Flags.newBuilder().addAllFlags(flagMessages(time)).build().toByteArray());
        }
    }

    private List<Flag> flagMessages(long time) {
        return table.flags().stream()
                .map(it -> messages.flag(time - clockOffsetNanos, it))
                .toList();
    }

    /** A time of the events' clock as it is recorded. */
    private long recorded(long time) {
        long nanos = time + clockOffsetNanos;
        return nanos - Math.floorMod(nanos, 1000L);
    }

    private void addMove(long time, ArenaEvent.Moved moved) {
        NativeMovement nativeMovement = moved.player().nativeMovement();
        Bytes bytes = messages.bytes(nativeMovement);
        int form = bytes.length() == 0 ? 0 : form(nativeMovement.form());
        if (snapshotDue) {
            snapshot(time);
        }
        if (!batch.fits(time)) {
            flush();
        }
        batch.add(time, moved.id(), moved.movement(), form, bytes);
    }

    /** Ends the batch of movements, so that all messages so far are with the output. */
    public void flush() {
        if (!batch.isEmpty()) {
            output.add(Topic.MOVES.channel(), batch.start(), batch.bytes(), 0, batch.length());
            batch.clear();
        }
    }

    private void snapshot(long time) {
        flush();
        Snapshot.Builder snapshot = Snapshot.newBuilder();
        table.players().forEach(player -> snapshot.addPlayers(messages.player(player)));
        table.levels().forEach((game, level) -> snapshot.addLevels(messages.level(game, level)));
        snapshot.addAllForms(forms.keySet());
        snapshot.addAllFlags(flagMessages(time));
        write(Topic.SNAPSHOT, time, snapshot.build().toByteArray());
        lastSnapshot = time;
        snapshotDue = false;
    }

    private void write(Topic topic, long time, byte[] data) {
        output.add(topic.channel(), time, data, 0, data.length);
    }

    /** The number of a form; a new one makes a snapshot due, which lists it. */
    private int form(String form) {
        Integer known = forms.get(form);
        if (known != null) {
            return known;
        }
        if (forms.size() >= MAX_FORMS) {
            return 0;
        }
        forms.put(form, forms.size() + 1);
        snapshotDue = true;
        return forms.size();
    }
}
