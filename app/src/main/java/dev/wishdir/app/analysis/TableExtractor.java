package dev.wishdir.app.analysis;

import dev.wishdir.app.event.EventKind;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.event.Proof;
import dev.wishdir.arena.event.Team;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.record.file.EventCursor;
import dev.wishdir.record.file.Recording;
import dev.wishdir.record.file.RecordingInfo;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Turns the events of recordings into rows of tables. What it keeps is bounded. */
final class TableExtractor {
    /** From this number of players on, those that have left get their rows at once. */
    static final int MAX_VISITS = 1 << 16;

    /** Visit of a player until the end of its recording. */
    private static final class Visit {
        private Player last;
        private long gone;
        private String reason = "";
        private int movements;
        private int track;
        private long nextMovement = Long.MIN_VALUE;

        Visit(Player player) {
            last = player;
        }
    }

    private final TableWriter tables;
    private final PlayerFilter filter;
    private final long intervalNanos;
    private String recording = "";
    private long start;
    private Map<PlayerId, Visit> visits = new LinkedHashMap<>();

    /**
     * @param intervalNanos minimum interval between two movements of a player
     */
    TableExtractor(TableWriter tables, PlayerFilter filter, long intervalNanos) {
        this.tables = tables;
        this.filter = filter;
        this.intervalNanos = intervalNanos;
    }

    /** Writes the rows of a recording. */
    void read(String name, Recording source, EventCursor events) throws IOException {
        recording = name;
        start = source.startNanos();
        visits = new LinkedHashMap<>();
        writeRecording(source);
        events.state().players().values().forEach(this::visit);
        while (events.next()) {
            write(events.event());
        }
        for (Visit visit : visits.values()) {
            writePlayer(visit);
        }
    }

    private void writeRecording(Recording source) throws IOException {
        RecordingInfo info = source.info();
        RowWriter row = tables.rows(Table.RECORDINGS);
        row.text(recording);
        orNone(row, info.software());
        orNone(row, info.server());
        orNone(row, info.arena());
        row.time(start);
        elapsed(row, source.endNanos());
        row.endRow();
    }

    private Visit visit(Player player) {
        Visit visit = visits.computeIfAbsent(player.id(), _ -> new Visit(player));
        visit.last = player;
        filter.note(player);
        return visit;
    }

    private void write(ArenaEvent event) throws IOException {
        if (visits.size() > MAX_VISITS) {
            writeGone();
        }
        Player player = event instanceof ArenaEvent.OfPlayer of ? of.player() : null;
        if (player == null) {
            Optional<Player> by = player(event);
            // The end of a round is everybody's, whoever won.
            if (event instanceof ArenaEvent.RoundEnded
                    || by.isEmpty()
                    || filter.includes(by.get())) {
                writeEvent(event, by.orElse(null));
            }
            return;
        }
        Visit visit = visit(player);
        if (event instanceof ArenaEvent.Left left) {
            visit.gone = left.time();
            visit.reason = left.reason().code().toString();
        }
        if (event instanceof ArenaEvent.Hit hit
                && (filter.includes(player) || filter.includes(hit.attacker()))) {
            writeHit(hit);
        }
        if (!filter.includes(player)) {
            return;
        }
        switch (event) {
            case ArenaEvent.Moved moved -> {
                if (event.time() >= visit.nextMovement) {
                    visit.nextMovement = event.time() + intervalNanos;
                    writeMovement(moved, visit);
                }
                return;
            }
            case ArenaEvent.Spawned _, ArenaEvent.Teleported _ -> visit.track++;
            case ArenaEvent.Chat chat -> writeChat(chat);
            case ArenaEvent.MovementViolation violation -> writeViolation(violation);
            default -> {}
        }
        writeEvent(event, player);
    }

    /** Recording, time and offset. */
    private void begin(RowWriter row, long time) throws IOException {
        row.text(recording);
        row.time(time);
        elapsed(row, time);
    }

    private void elapsed(RowWriter row, long time) throws IOException {
        // A whole number of microseconds, as the nearest double.
        long micros = (time - start) / 1000;
        row.number(micros / 1e6);
    }

    private static void id(RowWriter row, PlayerId id) throws IOException {
        row.integer(id.node());
        row.integer(id.number());
    }

    private static void named(RowWriter row, Player player) throws IOException {
        id(row, player.id());
        row.text(player.game());
        row.text(player.name());
    }

    private static void place(RowWriter row, Vec3 at) throws IOException {
        row.number((float) at.x());
        row.number((float) at.y());
        row.number((float) at.z());
    }

    private static void orNone(RowWriter row, String text) throws IOException {
        if (text.isEmpty()) {
            row.none();
        } else {
            row.text(text);
        }
    }

    private void writeMovement(ArenaEvent.Moved moved, Visit visit) throws IOException {
        visit.movements++;
        Movement movement = moved.movement();
        RowWriter row = tables.rows(Table.MOVEMENTS);
        begin(row, moved.time());
        id(row, moved.id());
        row.text(moved.player().game());
        row.integer(visit.track);
        place(row, movement.position());
        row.number((float) movement.yaw());
        row.number((float) movement.pitch());
        place(row, movement.velocity());
        row.integer(movement.stance().bits());
        row.flag(movement.stance().onGround());
        row.endRow();
    }

    private void writeChat(ArenaEvent.Chat chat) throws IOException {
        RowWriter row = tables.rows(Table.CHAT);
        begin(row, chat.time());
        named(row, chat.player());
        row.text(chat.text());
        row.endRow();
    }

    private void writeViolation(ArenaEvent.MovementViolation violation) throws IOException {
        RowWriter row = tables.rows(Table.VIOLATIONS);
        begin(row, violation.time());
        named(row, violation.player());
        row.text(violation.rule().toString());
        orNone(row, violation.rule().unit());
        row.number(violation.measured());
        row.number(violation.allowed());
        row.number(violation.allowance());
        place(row, violation.player().movement().position());
        row.endRow();
    }

    private void writeHit(ArenaEvent.Hit hit) throws IOException {
        RowWriter row = tables.rows(Table.HITS);
        begin(row, hit.time());
        named(row, hit.player());
        named(row, hit.attacker());
        row.text(hit.means().toString());
        row.number((float) hit.damage());
        row.number((float) hit.vitals().health());
        row.number((float) hit.vitals().armour());
        place(row, hit.place());
        place(row, hit.knockback());
        row.endRow();
    }

    private void writeEvent(ArenaEvent event, @Nullable Player player) throws IOException {
        RowWriter row = tables.rows(Table.EVENTS);
        begin(row, event.time());
        row.text(EventKind.of(event).toString());
        if (player != null) {
            named(row, player);
        } else {
            row.none();
            row.none();
            orNone(row, game(event));
            row.none();
        }
        Optional<Vec3> place = place(event);
        if (place.isPresent()) {
            place(row, place.get());
        } else {
            row.none();
            row.none();
            row.none();
        }
        orNone(row, code(event));
        orNone(row, text(event));
        row.endRow();
    }

    /** The player of an event that may have none. */
    private static Optional<Player> player(ArenaEvent event) {
        return switch (event) {
            case ArenaEvent.FlagChanged e -> e.player();
            case ArenaEvent.RoundEnded e -> e.winner();
            default -> Optional.empty();
        };
    }

    private static String game(ArenaEvent event) {
        return switch (event) {
            case ArenaEvent.LevelChanged e -> e.game();
            case ArenaEvent.JoinRefused e -> e.game();
            default -> "";
        };
    }

    private static Optional<Vec3> place(ArenaEvent event) {
        return switch (event) {
            case ArenaEvent.Spawned e -> Optional.of(e.movement().position());
            case ArenaEvent.Teleported e -> Optional.of(e.movement().position());
            case ArenaEvent.ActionPerformed e -> Optional.of(e.player().movement().position());
            case ArenaEvent.Despawned e -> Optional.of(e.player().movement().position());
            case ArenaEvent.MovementViolation e -> Optional.of(e.player().movement().position());
            case ArenaEvent.Hit e -> Optional.of(e.place());
            case ArenaEvent.ItemTaken e -> Optional.of(e.item().place());
            case ArenaEvent.ItemVanished e -> Optional.of(e.item().place());
            case ArenaEvent.ItemReturned e -> Optional.of(e.item().place());
            case ArenaEvent.FlagChanged e -> Optional.of(e.place());
            case ArenaEvent.Died e -> Optional.of(e.player().movement().position());
            default -> Optional.empty();
        };
    }

    /** The kind of a proof; empty if it is unknown. */
    private static String kind(Proof proof) {
        return proof.kind() == Proof.Kind.UNKNOWN ? "" : proof.kind().toString();
    }

    private static String code(ArenaEvent event) {
        return switch (event) {
            case ArenaEvent.Joined e -> kind(e.player().proof());
            case ArenaEvent.Proved e -> kind(e.player().proof());
            case ArenaEvent.Left e -> e.reason().code().toString();
            case ArenaEvent.ActionPerformed e -> e.action().name().toLowerCase(Locale.ROOT);
            case ArenaEvent.MovementViolation e -> e.rule().toString();
            case ArenaEvent.RateLimited e -> e.action().toString();
            case ArenaEvent.KickRequested e -> e.reason().code().toString();
            case ArenaEvent.JoinRefused e -> e.reason().code().toString();
            case ArenaEvent.Hit e -> e.means().toString();
            case ArenaEvent.ItemTaken e -> e.item().kind().toString();
            case ArenaEvent.ItemVanished e -> e.item().kind().toString();
            case ArenaEvent.ItemReturned e -> e.item().kind().toString();
            case ArenaEvent.Died e -> e.means().toString();
            case ArenaEvent.FlagChanged e -> e.flag() + " " + e.change();
            case ArenaEvent.RoundStarted e -> e.mode().toString();
            case ArenaEvent.RoundEnded e -> e.reason().toString();
            case ArenaEvent.Scored e -> e.team().map(it -> it.team().toString()).orElse("");
            case ArenaEvent.TeamChanged e -> e.team().toString();
            default -> "";
        };
    }

    private static String text(ArenaEvent event) {
        return switch (event) {
            case ArenaEvent.Joined e -> e.player().proof().name();
            case ArenaEvent.Proved e -> e.player().proof().name();
            case ArenaEvent.Left e -> e.reason().text();
            case ArenaEvent.KickRequested e -> e.reason().text();
            case ArenaEvent.JoinRefused e -> e.reason().text();
            case ArenaEvent.Chat e -> e.text();
            case ArenaEvent.Announcement e -> e.text();
            case ArenaEvent.Renamed e -> e.oldName();
            case ArenaEvent.LevelChanged e -> e.level().name();
            case ArenaEvent.EventsDropped e -> Integer.toString(e.count());
            case ArenaEvent.Hit e -> e.attacker().name();
            case ArenaEvent.Died e -> e.killer().name();
            case ArenaEvent.FlagChanged e -> e.cause().toString();
            case ArenaEvent.Scored e -> Integer.toString(e.score().frags());
            case ArenaEvent.CheckpointPassed e -> Integer.toString(e.millis());
            case ArenaEvent.RunFinished e -> Integer.toString(e.millis());
            case ArenaEvent.RoundEnded e ->
                    e.winner().map(Player::name).or(() -> e.team().map(Team::toString)).orElse("");
            default -> "";
        };
    }

    /** Writes the rows of players that have left, who are all but the few that are there. */
    private void writeGone() throws IOException {
        for (Visit visit : visits.values()) {
            if (visit.gone != 0) {
                writePlayer(visit);
            }
        }
        visits.values().removeIf(visit -> visit.gone != 0);
    }

    private void writePlayer(Visit visit) throws IOException {
        Player player = visit.last;
        if (!filter.includes(player)) {
            return;
        }
        RowWriter row = tables.rows(Table.PLAYERS);
        row.text(recording);
        named(row, player);
        row.time(player.joined());
        elapsed(row, player.joined());
        if (visit.gone == 0) {
            row.none();
            row.none();
            row.none();
        } else {
            row.time(visit.gone);
            elapsed(row, visit.gone);
            row.text(visit.reason);
        }
        if (player.ping() == 0) {
            row.none();
        } else {
            row.integer(player.ping());
        }
        row.integer(visit.movements);
        orNone(row, kind(player.proof()));
        orNone(row, player.proof().name());
        row.endRow();
    }
}
