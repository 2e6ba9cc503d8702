package dev.wishdir.record.message;

import com.google.protobuf.InvalidProtocolBufferException;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.Movement;
import dev.wishdir.record.v1.Event;
import dev.wishdir.record.v1.Flag;
import dev.wishdir.record.v1.Flags;
import dev.wishdir.record.v1.Move;
import dev.wishdir.record.v1.Moves;
import dev.wishdir.record.v1.Snapshot;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Turns the messages of a recording into events. A file may have been written by anybody: what is
 * malformed, or names a player that did not join, is skipped and counted.
 *
 * <p>A snapshot that differs from the state so far (messages are missing) gives the events that
 * lead there, so that a listener's players are always those of the recording.
 */
public final class RecordingDecoder {
    /** Maximum number of players in a snapshot, and of players at once. */
    public static final int MAX_PLAYERS = 1 << 14;

    /** Maximum number of rows in a message; a recorder writes at most 64 KiB of them. */
    static final int MAX_MOVES = 1 << 14;

    /** Maximum number of games whose players and levels are kept. */
    public static final int MAX_GAMES = 64;

    /** Far above the fields that an event has; a repeated one replaces the one before. */
    private static final int MAX_EVENT_FIELDS = 16;

    private static final BoundedParser<Moves> MOVES =
            new BoundedParser<>(Moves.parser(), MAX_MOVES);
    private static final BoundedParser<Event> EVENT =
            new BoundedParser<>(Event.parser(), MAX_EVENT_FIELDS);
    private static final BoundedParser<Flags> FLAGS =
            new BoundedParser<>(Flags.parser(), MAX_EVENT_FIELDS);
    private static final BoundedParser<Snapshot> SNAPSHOT =
            new BoundedParser<>(
                    Snapshot.parser(), MAX_PLAYERS + MAX_GAMES + RecordingEncoder.MAX_FORMS);

    private final PlayerTable table = new PlayerTable();
    private final Set<String> games = new HashSet<>();
    private List<String> forms = List.of();
    private boolean started;
    private long skipped;

    /** Number of rows and events that could not be used. */
    public long skipped() {
        return skipped;
    }

    /** The players, levels and flags after the last message. */
    public RecordedState state() {
        return table.snapshot();
    }

    /**
     * Reads one message.
     *
     * @param events receives what happened, in order
     */
    public void read(
            Topic topic,
            long time,
            byte[] data,
            int offset,
            int length,
            Consumer<ArenaEvent> events) {
        try {
            switch (topic) {
                case MOVES -> moves(time, MOVES.parse(data, offset, length), events);
                case EVENTS -> event(time, EVENT.parse(data, offset, length), events);
                case SNAPSHOT -> snapshot(time, SNAPSHOT.parse(data, offset, length), events);
                case FLAGS -> flags(time, FLAGS.parse(data, offset, length).getFlagsList());
            }
        } catch (InvalidProtocolBufferException e) {
            skipped++;
        }
        started = true;
    }

    /** Begins with a known state: the first snapshot reports what differs from it. */
    public void continueFrom(RecordedState before) {
        table.replace(before);
        started = true;
    }

    private void moves(long time, Moves moves, Consumer<ArenaEvent> events) {
        for (Move move : moves.getMovesList()) {
            Optional<Player> player = table.find(new PlayerId(move.getNode(), move.getPlayer()));
            Optional<Movement> movement = MessageDecoder.movement(move);
            if (player.isEmpty() || movement.isEmpty()) {
                skipped++;
                continue;
            }
            Player moved =
                    MessageDecoder.moved(
                            player.get(),
                            movement.get(),
                            MessageDecoder.nativeMovement(move, forms));
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
                            MessageDecoder.player(event.getJoined().getPlayer(), forms)
                                    .filter(_ -> table.players().size() < MAX_PLAYERS)
                                    .filter(player -> isKept(player.game()))
                                    .map(player -> new ArenaEvent.Joined(time, player));
                    case LEVEL ->
                            level(event.getLevel())
                                    .map(level -> changed(time, event.getLevel(), level));
                    case ANNOUNCEMENT ->
                            Optional.of(
                                    new ArenaEvent.Announcement(
                                            time,
                                            MessageDecoder.text(
                                                    event.getAnnouncement().getText())));
                    case JOIN_REFUSED ->
                            Optional.of(
                                    new ArenaEvent.JoinRefused(
                                            time,
                                            MessageDecoder.text(event.getJoinRefused().getGame()),
                                            "",
                                            MessageDecoder.reason(
                                                    event.getJoinRefused().getReason(),
                                                    event.getJoinRefused().getText())));
                    case HIT ->
                            both(event, event.getHit().getAttacker())
                                    .flatMap(both ->
                                            MessageDecoder.hit(
                                                    time,
                                                    both.player(),
                                                    both.other(),
                                                    event.getHit()));
                    case DIED ->
                            both(event, event.getDied().getKiller())
                                    .flatMap(both ->
                                            MessageDecoder.died(
                                                    time,
                                                    both.player(),
                                                    both.other(),
                                                    event.getDied()));
                    case ITEM_TAKEN ->
                            event.hasId()
                                    ? table.find(MessageDecoder.id(event.getId()))
                                            .flatMap(player ->
                                                    MessageDecoder.itemTaken(
                                                            time,
                                                            player,
                                                            event.getItemTaken().getItem()))
                                    : MessageDecoder.itemVanished(
                                            time, event.getItemTaken().getItem());
                    case ITEM_RETURNED ->
                            MessageDecoder.itemReturned(time, event.getItemReturned().getItem());
                    case FLAG_CHANGED ->
                            MessageDecoder.flagChanged(
                                    time,
                                    event.getFlagChanged(),
                                    event.hasId()
                                            ? table.find(MessageDecoder.id(event.getId()))
                                            : Optional.empty());
                    case ROUND_STARTED ->
                            MessageDecoder.roundStarted(time, event.getRoundStarted());
                    case ROUND_ENDED ->
                            MessageDecoder.roundEnded(
                                    time,
                                    event.getRoundEnded(),
                                    event.getRoundEnded().hasWinner()
                                            ? table.find(
                                                    MessageDecoder.id(
                                                            event.getRoundEnded().getWinner()))
                                            : Optional.empty());
                    default ->
                            table.find(MessageDecoder.id(event.getId()))
                                    .flatMap(player ->
                                            MessageDecoder.event(time, player, event, forms));
                };
        known.ifPresentOrElse(it -> emit(it, events), () -> skipped++);
    }

    /** The player of an event, and another one in it. */
    private record Both(Player player, Player other) {}

    private Optional<Both> both(Event event, dev.wishdir.record.v1.PlayerId other) {
        return table.find(MessageDecoder.id(event.getId()))
                .flatMap(player ->
                        table.find(MessageDecoder.id(other)).map(it -> new Both(player, it)));
    }

    private void snapshot(long time, Snapshot snapshot, Consumer<ArenaEvent> events)
            throws InvalidProtocolBufferException {
        if (snapshot.getPlayersCount() > MAX_PLAYERS
                || snapshot.getLevelsCount() > MAX_GAMES
                || snapshot.getFormsCount() > RecordingEncoder.MAX_FORMS) {
            throw new InvalidProtocolBufferException("more players, levels or forms than allowed");
        }
        forms = List.copyOf(snapshot.getFormsList());
        Map<PlayerId, Player> listed = new LinkedHashMap<>();
        for (dev.wishdir.record.v1.Player message : snapshot.getPlayersList()) {
            MessageDecoder.player(message, forms)
                    .filter(player -> isKept(player.game()))
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
        if (snapshot.getFlagsCount() == 0) {
            table.setFlags(List.of());
        } else {
            flags(time, snapshot.getFlagsList());
        }
    }

    private void flags(long time, List<Flag> messages) {
        MessageDecoder.flags(time, messages).ifPresentOrElse(table::setFlags, () -> skipped++);
    }

    private Optional<Level> level(dev.wishdir.record.v1.Level message) {
        return MessageDecoder.level(message)
                .filter(_ -> isKept(MessageDecoder.text(message.getGame())));
    }

    /** Whether a game is one of the first: lists by game would grow without end otherwise. */
    private boolean isKept(String game) {
        return games.contains(game) || games.size() < MAX_GAMES && games.add(game);
    }

    /** Emits what the table's player misses to be the listed one. */
    private void synchronize(long time, Player listed, Consumer<ArenaEvent> missed) {
        Optional<Player> known = table.find(listed.id());
        Player before =
                known.orElseGet(() -> {
                    emit(
                            new ArenaEvent.Joined(time, MessageDecoder.spawned(listed, false)),
                            missed);
                    return MessageDecoder.spawned(listed, false);
                });
        if (!before.name().equals(listed.name())) {
            emit(
                    new ArenaEvent.Renamed(
                            time,
                            MessageDecoder.named(before, listed.name()),
                            before.name(),
                            listed.name()),
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
        Level known = table.levels().get(MessageDecoder.text(message.getGame()));
        return known == null
                || !known.name().equals(MessageDecoder.text(message.getName()))
                || !known.bounds().min().equals(MessageDecoder.vector(message.getMin()))
                || !known.bounds().max().equals(MessageDecoder.vector(message.getMax()));
    }

    /** A change of a level; a snapshot does not have the bounds of all games. */
    private ArenaEvent.LevelChanged changed(
            long time, dev.wishdir.record.v1.Level message, Level level) {
        Bounds all =
                MessageDecoder.bounds(message.getArenaMin(), message.getArenaMax())
                        .filter(_ -> message.hasArenaMax())
                        .orElse(level.bounds());
        return new ArenaEvent.LevelChanged(
                time, MessageDecoder.text(message.getGame()), level, all);
    }
}
