package dev.wishdir.record;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;

import dev.wishdir.arena.ArenaEvent;
import dev.wishdir.arena.LeaveReason;
import dev.wishdir.arena.Level;
import dev.wishdir.arena.Player;
import dev.wishdir.arena.PlayerId;
import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.Movement;
import dev.wishdir.record.v1.Event;
import dev.wishdir.record.v1.Move;
import dev.wishdir.record.v1.Moves;
import dev.wishdir.record.v1.Snapshot;

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

    private final PlayerTable table = new PlayerTable();
    private List<String> forms = List.of();
    private boolean started;
    private long skipped;

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
                                    .map(player -> new ArenaEvent.Joined(time, player));
                    case LEVEL ->
                            MessageDecoder.level(event.getLevel())
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
                || snapshot.getFormsCount() > RecordingEncoder.MAX_FORMS) {
            throw new InvalidProtocolBufferException("more players or forms than allowed");
        }
        forms = List.copyOf(snapshot.getFormsList());
        Map<PlayerId, Player> listed = new LinkedHashMap<>();
        for (dev.wishdir.record.v1.Player message : snapshot.getPlayersList()) {
            MessageDecoder.player(message, forms)
                    .ifPresentOrElse(player -> listed.put(player.id(), player), () -> skipped++);
        }
        Consumer<ArenaEvent> missed = started ? events : _ -> {};
        snapshot.getLevelsList().stream()
                .filter(level -> isNew(level))
                .forEach(level ->
                        MessageDecoder.level(level)
                                .ifPresent(it -> emit(changed(time, level, it), missed)));
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
