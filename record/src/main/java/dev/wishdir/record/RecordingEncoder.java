package dev.wishdir.record;

import com.google.protobuf.ByteString;

import dev.wishdir.arena.ArenaEvent;
import dev.wishdir.arena.LeaveReason;
import dev.wishdir.arena.Level;
import dev.wishdir.arena.NativeMovement;
import dev.wishdir.arena.Player;
import dev.wishdir.arena.PlayerId;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.record.v1.ActionPerformed;
import dev.wishdir.record.v1.Announcement;
import dev.wishdir.record.v1.AppearanceChanged;
import dev.wishdir.record.v1.Chat;
import dev.wishdir.record.v1.Despawned;
import dev.wishdir.record.v1.Event;
import dev.wishdir.record.v1.EventsDropped;
import dev.wishdir.record.v1.JoinRefused;
import dev.wishdir.record.v1.Joined;
import dev.wishdir.record.v1.KickRequested;
import dev.wishdir.record.v1.Left;
import dev.wishdir.record.v1.Move;
import dev.wishdir.record.v1.MovementViolation;
import dev.wishdir.record.v1.RateLimited;
import dev.wishdir.record.v1.Renamed;
import dev.wishdir.record.v1.Snapshot;
import dev.wishdir.record.v1.Spawned;
import dev.wishdir.record.v1.Teleported;
import dev.wishdir.record.v1.Vector;
import dev.wishdir.wire.Bytes;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Turns events of an arena into the messages of a recording: movements into batches, everything
 * else into one message each, and a snapshot of all players every 5 s. Times are nanoseconds since
 * 1970 in whole microseconds, and never decrease: an event with an earlier time gets that of the
 * one before.
 */
final class RecordingEncoder {
    /** Maximum interval between two snapshots, while there are events. */
    static final long SNAPSHOT_INTERVAL_NANOS = 5_000_000_000L;

    /** Maximum number of native forms of a file; movements of further ones are canonical only. */
    static final int MAX_FORMS = 64;

    private final RecordingOptions options;
    private final long clockOffsetNanos;
    private final MessageOutput output;
    private final ViewerTopics viewer = new ViewerTopics();
    private final PlayerTable table = new PlayerTable();
    private final MoveBatch batch = new MoveBatch();
    private final Map<String, Integer> forms = new LinkedHashMap<>();
    private boolean snapshotDue = true;
    private long lastSnapshot;
    private long lastTime = Long.MIN_VALUE;

    /**
     * @param clockOffsetNanos what the times of events lack to be nanoseconds since 1970
     */
    RecordingEncoder(RecordingOptions options, long clockOffsetNanos, MessageOutput output) {
        this.options = options;
        this.clockOffsetNanos = clockOffsetNanos;
        this.output = output;
    }

    /** Sets the state that a recording begins with; the next message is a snapshot of it. */
    void begin(RecordedState state) {
        table.replace(state);
        snapshotDue = true;
    }

    /**
     * Writes a snapshot: a file begins, or messages were lost.
     *
     * @param now on the clock of the events
     */
    void restart(long now) {
        batch.clear();
        lastTime = Math.max(recorded(now), lastTime);
        viewer.restart();
        snapshot(lastTime);
    }

    /** Applies an event to the state without recording it. */
    void skip(ArenaEvent event) {
        table.apply(event);
    }

    /** Records an event. */
    void add(ArenaEvent event) {
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
            message(event, time)
                    .ifPresent(message -> {
                        flush();
                        write(Topic.EVENTS, time, message.toByteArray());
                    });
        }
        table.apply(event);
    }

    /** A time of the events' clock as it is recorded. */
    private long recorded(long time) {
        long nanos = time + clockOffsetNanos;
        return nanos - Math.floorMod(nanos, 1000L);
    }

    private void addMove(long time, ArenaEvent.Moved moved) {
        NativeMovement nativeMovement = moved.player().nativeMovement();
        Bytes bytes = bytes(nativeMovement);
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
    void flush() {
        if (!batch.isEmpty()) {
            output.add(Topic.MOVES.channel(), batch.start(), batch.bytes(), 0, batch.length());
            batch.clear();
        }
    }

    private void snapshot(long time) {
        flush();
        Snapshot.Builder snapshot = Snapshot.newBuilder();
        table.players().forEach(player -> snapshot.addPlayers(message(player)));
        table.levels().forEach((game, level) -> snapshot.addLevels(message(game, level)));
        snapshot.addAllForms(forms.keySet());
        write(Topic.SNAPSHOT, time, snapshot.build().toByteArray());
        lastSnapshot = time;
        snapshotDue = false;
    }

    private void write(Topic topic, long time, byte[] data) {
        output.add(topic.channel(), time, data, 0, data.length);
    }

    private Bytes bytes(NativeMovement nativeMovement) {
        if (!options.nativeBytes() || nativeMovement.form().isEmpty()) {
            return Bytes.EMPTY;
        }
        Bytes bytes = nativeMovement.bytes();
        return bytes.length() > MoveBatch.MAX_NATIVE_BYTES ? Bytes.EMPTY : bytes;
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

    private Optional<Event> message(ArenaEvent event, long time) {
        Event.Builder message = Event.newBuilder();
        switch (event) {
            case ArenaEvent.Joined e ->
                    message.setJoined(Joined.newBuilder().setPlayer(message(e.player())));
            case ArenaEvent.Left e ->
                    message.setLeft(
                            Left.newBuilder()
                                    .setReason(code(e.reason()))
                                    .setText(e.reason().text()));
            case ArenaEvent.Spawned e ->
                    message.setSpawned(Spawned.newBuilder().setMove(message(e.movement(), e)));
            case ArenaEvent.Teleported e ->
                    message.setTeleported(
                            Teleported.newBuilder().setMove(message(e.movement(), e)));
            case ArenaEvent.Despawned _ -> message.setDespawned(Despawned.getDefaultInstance());
            case ArenaEvent.ActionPerformed e ->
                    message.setAction(
                            ActionPerformed.newBuilder()
                                    .setAction(e.action().name().toLowerCase(Locale.ROOT)));
            case ArenaEvent.Chat e -> {
                if (!options.chat()) {
                    return Optional.empty();
                }
                message.setChat(Chat.newBuilder().setText(e.text()));
            }
            case ArenaEvent.Renamed e -> {
                if (!options.names()) {
                    return Optional.empty();
                }
                message.setRenamed(Renamed.newBuilder().setOldName(e.oldName()).setName(e.name()));
            }
            case ArenaEvent.AppearanceChanged _ ->
                    message.setAppearance(AppearanceChanged.getDefaultInstance());
            case ArenaEvent.MovementViolation e ->
                    message.setViolation(
                            MovementViolation.newBuilder()
                                    .setRule(e.rule().toString())
                                    .setMeasured(e.measured())
                                    .setAllowed(e.allowed())
                                    .setAllowance(e.allowance()));
            case ArenaEvent.RateLimited e ->
                    message.setRateLimited(
                            RateLimited.newBuilder().setAction(e.action().toString()));
            case ArenaEvent.KickRequested e ->
                    message.setKick(
                            KickRequested.newBuilder()
                                    .setReason(code(e.reason()))
                                    .setText(e.reason().text()));
            case ArenaEvent.EventsDropped e ->
                    message.setEventsDropped(EventsDropped.newBuilder().setCount(e.count()));
            case ArenaEvent.LevelChanged e ->
                    message.setLevel(
                            message(e.game(), e.level()).toBuilder()
                                    .setArenaMin(vector(e.bounds().min()))
                                    .setArenaMax(vector(e.bounds().max())));
            case ArenaEvent.Announcement e ->
                    message.setAnnouncement(Announcement.newBuilder().setText(e.text()));
            case ArenaEvent.JoinRefused e ->
                    message.setJoinRefused(
                            JoinRefused.newBuilder()
                                    .setGame(e.game())
                                    .setReason(code(e.reason()))
                                    .setText(e.reason().text()));
            case ArenaEvent.Whisper _, ArenaEvent.Moved _ -> {
                return Optional.empty();
            }
        }
        if (event instanceof ArenaEvent.OfPlayer of) {
            message.setId(message(of.id()));
        }
        if (snapshotDue) {
            snapshot(time);
        }
        return Optional.of(message.build());
    }

    private static String code(LeaveReason reason) {
        return reason.code().toString();
    }

    private dev.wishdir.record.v1.Player message(Player player) {
        return dev.wishdir.record.v1.Player.newBuilder()
                .setId(message(player.id()))
                .setGame(player.game())
                .setName(options.names() ? player.name() : "player " + player.id())
                .setSpawned(player.spawned())
                .setPingMs(player.ping())
                .setJoinedNs(player.joined() + clockOffsetNanos)
                .setMove(message(player.movement(), player.nativeMovement()))
                .build();
    }

    /** A movement with its native form, if the player's newest native movement is this one. */
    private Move message(Movement movement, ArenaEvent.OfPlayer event) {
        Player player = event.player();
        return message(
                movement,
                movement.equals(player.movement())
                        ? player.nativeMovement()
                        : NativeMovement.Stored.NONE);
    }

    private Move message(Movement movement, NativeMovement nativeMovement) {
        Move.Builder move =
                Move.newBuilder()
                        .setPosition(
                                vector(
                                        Quantum.position(movement.position().x()),
                                        Quantum.position(movement.position().y()),
                                        Quantum.position(movement.position().z())))
                        .setYaw(Quantum.yaw(movement.yaw()))
                        .setPitch(Quantum.pitch(movement.pitch()))
                        .setVelocity(
                                vector(
                                        Quantum.velocity(movement.velocity().x()),
                                        Quantum.velocity(movement.velocity().y()),
                                        Quantum.velocity(movement.velocity().z())))
                        .setStance(movement.stance().bits());
        Bytes bytes = bytes(nativeMovement);
        int form = bytes.length() == 0 ? 0 : form(nativeMovement.form());
        if (form != 0) {
            move.setForm(form).setNative(ByteString.copyFrom(bytes.toArray()));
        }
        return move.build();
    }

    private static dev.wishdir.record.v1.PlayerId message(PlayerId id) {
        return dev.wishdir.record.v1.PlayerId.newBuilder()
                .setNode(id.node())
                .setNumber(id.number())
                .build();
    }

    private static dev.wishdir.record.v1.Level message(String game, Level level) {
        return dev.wishdir.record.v1.Level.newBuilder()
                .setGame(game)
                .setName(level.name())
                .setMin(vector(level.bounds().min()))
                .setMax(vector(level.bounds().max()))
                .build();
    }

    private static Vector vector(Vec3 v) {
        return vector((float) v.x(), (float) v.y(), (float) v.z());
    }

    private static Vector vector(float x, float y, float z) {
        return Vector.newBuilder().setX(x).setY(y).setZ(z).build();
    }
}
