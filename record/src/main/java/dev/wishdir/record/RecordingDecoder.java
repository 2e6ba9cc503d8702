package dev.wishdir.record;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;

import dev.wishdir.arena.ArenaEvent;
import dev.wishdir.arena.LeaveReason;
import dev.wishdir.arena.Level;
import dev.wishdir.arena.NativeMovement;
import dev.wishdir.arena.Player;
import dev.wishdir.arena.PlayerAction;
import dev.wishdir.arena.PlayerId;
import dev.wishdir.arena.RateLimitedAction;
import dev.wishdir.arena.ViolationRule;
import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Stance;
import dev.wishdir.motion.Vec3;
import dev.wishdir.record.v1.Event;
import dev.wishdir.record.v1.Move;
import dev.wishdir.record.v1.Moves;
import dev.wishdir.record.v1.Snapshot;
import dev.wishdir.record.v1.Vector;
import dev.wishdir.wire.Bytes;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Turns the messages of a recording into events. A file may have been written by anybody: what is
 * malformed, or names a player that did not join, is skipped and counted.
 *
 * <p>A snapshot that differs from the state so far (messages are missing) gives the events that
 * lead there, so that a listener's players are always those of the recording.
 */
final class RecordingDecoder {
    /** Maximum number of players in a snapshot, and of players at once. */
    static final int MAX_PLAYERS = 1 << 14;

    /** Maximum length of a chat line, a reason or the name of a level. */
    static final int MAX_TEXT_CHARS = 1000;

    private static final int STANCE_MASK = (1 << Stance.Flag.values().length) - 1;

    private static final Map<String, LeaveReason.Code> REASONS = byCode(LeaveReason.Code.values());
    private static final Map<String, ViolationRule> RULES = byCode(ViolationRule.values());
    private static final Map<String, RateLimitedAction> LIMITED =
            byCode(RateLimitedAction.values());

    private final PlayerTable table = new PlayerTable();
    private List<String> forms = List.of();
    private boolean started;
    private long skipped;

    private static <E extends Enum<E>> Map<String, E> byCode(E[] values) {
        Map<String, E> codes = new LinkedHashMap<>();
        for (E value : values) {
            codes.put(value.toString(), value);
        }
        return codes;
    }

    /** Number of rows and events that could not be used. */
    long skipped() {
        return skipped;
    }

    /** The players and levels after the last message. */
    RecordedState state() {
        return table.snapshot();
    }

    /**
     * Reads one message.
     *
     * @param events receives what happened, in order
     */
    void read(
            Topic topic,
            long time,
            byte[] data,
            int offset,
            int length,
            Consumer<ArenaEvent> events) {
        CodedInputStream in = CodedInputStream.newInstance(data, offset, length);
        try {
            switch (topic) {
                case MOVES -> moves(time, Moves.parseFrom(in), events);
                case EVENTS -> event(time, Event.parseFrom(in), events);
                case SNAPSHOT -> snapshot(time, Snapshot.parseFrom(in), events);
            }
            in.checkLastTagWas(0);
        } catch (IOException e) {
            skipped++;
        }
        started = true;
    }

    /** Begins with a known state: the first snapshot reports what differs from it. */
    void continueFrom(RecordedState before) {
        table.replace(before);
        started = true;
    }

    private void moves(long time, Moves moves, Consumer<ArenaEvent> events) {
        for (Move move : moves.getMovesList()) {
            Optional<Player> player = table.find(new PlayerId(move.getNode(), move.getPlayer()));
            Optional<Movement> movement = movement(move);
            if (player.isEmpty() || movement.isEmpty()) {
                skipped++;
                continue;
            }
            Player moved = moved(player.get(), movement.get(), nativeForm(move));
            long at = time + Integer.toUnsignedLong(move.getAfterUs()) * 1000;
            emit(new ArenaEvent.Moved(at, moved, moved.movement()), events);
        }
    }

    private void emit(ArenaEvent event, Consumer<ArenaEvent> events) {
        table.apply(event);
        events.accept(event);
    }

    private void event(long time, Event event, Consumer<ArenaEvent> events) {
        Optional<ArenaEvent> known =
                switch (event.getKindCase()) {
                    case JOINED ->
                            player(event.getJoined().getPlayer())
                                    .filter(_ -> table.players().size() < MAX_PLAYERS)
                                    .map(player -> new ArenaEvent.Joined(time, player));
                    case LEVEL ->
                            level(event.getLevel())
                                    .map(level -> changed(time, event.getLevel(), level));
                    case ANNOUNCEMENT ->
                            Optional.of(
                                    new ArenaEvent.Announcement(
                                            time, text(event.getAnnouncement().getText())));
                    case JOIN_REFUSED ->
                            Optional.of(
                                    new ArenaEvent.JoinRefused(
                                            time,
                                            text(event.getJoinRefused().getGame()),
                                            "",
                                            reason(
                                                    event.getJoinRefused().getReason(),
                                                    event.getJoinRefused().getText())));
                    default ->
                            table.find(id(event.getId()))
                                    .flatMap(player -> ofPlayer(time, player, event));
                };
        known.ifPresentOrElse(it -> emit(it, events), () -> skipped++);
    }

    private Optional<ArenaEvent> ofPlayer(long time, Player player, Event event) {
        return switch (event.getKindCase()) {
            case LEFT ->
                    Optional.of(
                            new ArenaEvent.Left(
                                    time,
                                    player,
                                    reason(
                                            event.getLeft().getReason(),
                                            event.getLeft().getText())));
            case SPAWNED ->
                    moved(player, event.getSpawned().getMove())
                            .map(it -> spawned(it, true))
                            .map(it -> new ArenaEvent.Spawned(time, it, it.movement()));
            case TELEPORTED ->
                    moved(player, event.getTeleported().getMove())
                            .map(it -> new ArenaEvent.Teleported(time, it, it.movement()));
            case DESPAWNED -> Optional.of(new ArenaEvent.Despawned(time, spawned(player, false)));
            case ACTION ->
                    action(event.getAction().getAction())
                            .map(action -> new ArenaEvent.ActionPerformed(time, player, action));
            case CHAT ->
                    Optional.of(new ArenaEvent.Chat(time, player, text(event.getChat().getText())));
            case RENAMED -> {
                Player renamed = named(player, event.getRenamed().getName());
                yield Optional.of(
                        new ArenaEvent.Renamed(
                                time,
                                renamed,
                                name(event.getRenamed().getOldName()),
                                renamed.name()));
            }
            case APPEARANCE -> Optional.of(new ArenaEvent.AppearanceChanged(time, player));
            case VIOLATION ->
                    Optional.ofNullable(RULES.get(event.getViolation().getRule()))
                            .map(rule ->
                                    new ArenaEvent.MovementViolation(
                                            time,
                                            player,
                                            rule,
                                            event.getViolation().getMeasured(),
                                            event.getViolation().getAllowed(),
                                            event.getViolation().getAllowance()));
            case RATE_LIMITED ->
                    Optional.ofNullable(LIMITED.get(event.getRateLimited().getAction()))
                            .map(action -> new ArenaEvent.RateLimited(time, player, action));
            case KICK ->
                    Optional.of(
                            new ArenaEvent.KickRequested(
                                    time,
                                    player,
                                    reason(
                                            event.getKick().getReason(),
                                            event.getKick().getText())));
            case EVENTS_DROPPED ->
                    Optional.of(
                            new ArenaEvent.EventsDropped(
                                    time,
                                    player,
                                    Math.max(0, event.getEventsDropped().getCount())));
            default -> Optional.empty();
        };
    }

    private void snapshot(long time, Snapshot snapshot, Consumer<ArenaEvent> events)
            throws InvalidProtocolBufferException {
        if (snapshot.getPlayersCount() > MAX_PLAYERS
                || snapshot.getFormsCount() > RecordingEncoder.MAX_FORMS) {
            throw new InvalidProtocolBufferException("more players or forms than allowed");
        }
        forms = List.copyOf(snapshot.getFormsList());
        Map<PlayerId, Player> listed = new LinkedHashMap<>();
        for (dev.wishdir.record.v1.Player message : snapshot.getPlayersList()) {
            player(message)
                    .ifPresentOrElse(player -> listed.put(player.id(), player), () -> skipped++);
        }
        Consumer<ArenaEvent> missed = started ? events : _ -> {};
        snapshot.getLevelsList().stream()
                .filter(level -> isNew(level))
                .forEach(level ->
                        level(level).ifPresent(it -> emit(changed(time, level, it), missed)));
        for (Player known : List.copyOf(table.players())) {
            if (!listed.containsKey(known.id())) {
                emit(new ArenaEvent.Left(time, known, LeaveReason.LEFT), missed);
            }
        }
        listed.values().forEach(player -> synchronize(time, player, missed));
    }

    /** Emits what the table's player misses to be the listed one. */
    private void synchronize(long time, Player listed, Consumer<ArenaEvent> missed) {
        Optional<Player> known = table.find(listed.id());
        Player before =
                known.orElseGet(() -> {
                    emit(new ArenaEvent.Joined(time, spawned(listed, false)), missed);
                    return spawned(listed, false);
                });
        if (!before.name().equals(listed.name())) {
            emit(
                    new ArenaEvent.Renamed(
                            time, named(before, listed.name()), before.name(), listed.name()),
                    missed);
        }
        if (listed.spawned() && !before.spawned()) {
            emit(new ArenaEvent.Spawned(time, listed, listed.movement()), missed);
        } else if (before.spawned() && !listed.spawned()) {
            emit(new ArenaEvent.Despawned(time, listed), missed);
        } else if (listed.spawned() && !before.movement().equals(listed.movement())) {
            emit(new ArenaEvent.Moved(time, listed, listed.movement()), missed);
        }
        table.put(listed);
    }

    private boolean isNew(dev.wishdir.record.v1.Level message) {
        Level known = table.levels().get(text(message.getGame()));
        return known == null
                || !known.name().equals(text(message.getName()))
                || !known.bounds().min().equals(vector(message.getMin()))
                || !known.bounds().max().equals(vector(message.getMax()));
    }

    /** A change of a level; a snapshot does not have the bounds of all games. */
    private ArenaEvent.LevelChanged changed(
            long time, dev.wishdir.record.v1.Level message, Level level) {
        Bounds all =
                bounds(message.getArenaMin(), message.getArenaMax())
                        .filter(_ -> message.hasArenaMax())
                        .orElse(level.bounds());
        return new ArenaEvent.LevelChanged(time, text(message.getGame()), level, all);
    }

    private static Optional<Level> level(dev.wishdir.record.v1.Level message) {
        return bounds(message.getMin(), message.getMax())
                .map(bounds -> new Level(text(message.getName()), bounds));
    }

    private static Optional<Bounds> bounds(Vector least, Vector most) {
        Vec3 min = vector(least);
        Vec3 max = vector(most);
        boolean ordered =
                min.isFinite()
                        && max.isFinite()
                        && min.x() <= max.x()
                        && min.y() <= max.y()
                        && min.z() <= max.z();
        return ordered ? Optional.of(new Bounds(min, max)) : Optional.empty();
    }

    private Optional<Player> player(dev.wishdir.record.v1.Player message) {
        return movement(message.getMove())
                .map(movement ->
                        new Player(
                                id(message.getId()),
                                text(message.getGame()),
                                name(message.getName()),
                                message.getJoinedNs(),
                                Math.max(0, message.getPingMs()),
                                message.getSpawned(),
                                movement,
                                nativeForm(message.getMove())));
    }

    private Optional<Player> moved(Player player, Move move) {
        return movement(move).map(movement -> moved(player, movement, nativeForm(move)));
    }

    private static Player moved(Player player, Movement movement, NativeMovement nativeMovement) {
        return new Player(
                player.id(),
                player.game(),
                player.name(),
                player.joined(),
                player.ping(),
                player.spawned(),
                movement,
                nativeMovement);
    }

    private static Player spawned(Player player, boolean spawned) {
        return new Player(
                player.id(),
                player.game(),
                player.name(),
                player.joined(),
                player.ping(),
                spawned,
                player.movement(),
                player.nativeMovement());
    }

    private static Player named(Player player, String name) {
        return new Player(
                player.id(),
                player.game(),
                name(name),
                player.joined(),
                player.ping(),
                player.spawned(),
                player.movement(),
                player.nativeMovement());
    }

    private static Optional<Movement> movement(Move move) {
        Movement movement =
                new Movement(
                        vector(move.getPosition()),
                        move.getYaw(),
                        move.getPitch(),
                        vector(move.getVelocity()),
                        new Stance(move.getStance() & STANCE_MASK));
        return movement.isValid() ? Optional.of(movement) : Optional.empty();
    }

    private NativeMovement nativeForm(Move move) {
        int form = move.getForm();
        int length = move.getNative().size();
        if (form < 1 || form > forms.size() || length == 0 || length > MoveBatch.MAX_NATIVE_BYTES) {
            return NativeMovement.Stored.NONE;
        }
        return new NativeMovement.Stored(
                forms.get(form - 1), Bytes.wrap(move.getNative().toByteArray()));
    }

    private static PlayerId id(dev.wishdir.record.v1.PlayerId id) {
        return new PlayerId(id.getNode(), id.getNumber());
    }

    private static Vec3 vector(Vector v) {
        return new Vec3(v.getX(), v.getY(), v.getZ());
    }

    private static LeaveReason reason(String code, String text) {
        return new LeaveReason(REASONS.getOrDefault(code, LeaveReason.Code.LEFT), text(text));
    }

    private static Optional<PlayerAction> action(String code) {
        return switch (code) {
            case "attack" -> Optional.of(PlayerAction.ATTACK);
            case "taunt" -> Optional.of(PlayerAction.TAUNT);
            default -> Optional.empty();
        };
    }

    private static String name(String name) {
        return cut(name, Player.MAX_NAME_CHARS);
    }

    private static String text(String text) {
        return cut(text, MAX_TEXT_CHARS);
    }

    private static String cut(String text, int maxChars) {
        return text.length() <= maxChars ? text : text.substring(0, maxChars);
    }
}
