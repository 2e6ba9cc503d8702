package dev.wishdir.web.map;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.WeaponNames;
import dev.wishdir.record.file.EventCursor;
import dev.wishdir.record.file.Recording;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The events of a whole recording that the page's timeline marks, and the changes of its scores,
 * read once, when they are first asked for. Movements are not decoded, so that seeks meanwhile have
 * the processor. Beyond the maximum, the later events are left out.
 */
final class ReplayMarks {
    /** Maximum number of marks. */
    static final int MAX_MARKS = 20_000;

    private static final Gson GSON =
            new GsonBuilder().serializeSpecialFloatingPointValues().create();

    private final Path file;
    private final WeaponNames weapons;
    private String json = "";

    ReplayMarks(Path file, WeaponNames weapons) {
        this.file = file;
        this.weapons = weapons;
    }

    /**
     * As JSON: {@code {"marks": [[millis since the start, kind, game, name, text], ...], "scores":
     * ...}}, the latter of {@link ReplayScores}.
     *
     * @throws IOException if the file cannot be read
     */
    synchronized String json() throws IOException {
        if (json.isEmpty()) {
            json = GSON.toJson(read());
        }
        return json;
    }

    private Map<String, List<List<Object>>> read() throws IOException {
        List<List<Object>> marks = new ArrayList<>();
        ReplayScores scores = new ReplayScores();
        try (Recording recording = Recording.open(file)) {
            EventCursor events = recording.eventsWithoutMovements();
            while (events.next()) {
                double millis = (events.event().time() - recording.startNanos()) / 1e6;
                scores.add(millis, events.event());
                if (marks.size() < MAX_MARKS) {
                    mark(millis, events.event()).ifPresent(marks::add);
                }
            }
        }
        return Map.of("marks", marks, "scores", scores.changes());
    }

    /** The kinds are those of replay/messages.js. */
    private Optional<List<Object>> mark(double millis, ArenaEvent event) {
        return switch (event) {
            case ArenaEvent.Joined e -> mark(millis, "joined", e.player(), "");
            case ArenaEvent.Left e -> mark(millis, "left", e.player(), e.reason().text());
            case ArenaEvent.Despawned e -> mark(millis, "despawned", e.player(), "");
            case ArenaEvent.Died e -> mark(millis, "died", e.killer(), LiveMatch.text(e, weapons));
            case ArenaEvent.FlagChanged e ->
                    e.player()
                            .map(player -> mark(millis, "flag", player, LiveMatch.text(e)))
                            .orElseGet(() ->
                                    Optional.of(
                                            List.of(millis, "flag", "", "", LiveMatch.text(e))));
            case ArenaEvent.Chat e -> mark(millis, "chat", e.player(), e.text());
            case ArenaEvent.MovementViolation e -> mark(millis, "violation", e.player(), text(e));
            case ArenaEvent.LevelChanged e ->
                    Optional.of(List.of(millis, "level", "", "", e.level().name()));
            case ArenaEvent.Announcement e ->
                    Optional.of(List.of(millis, "announcement", "", "", e.text()));
            default -> Optional.empty();
        };
    }

    private static Optional<List<Object>> mark(
            double millis, String kind, Player player, String text) {
        return Optional.of(List.of(millis, kind, player.game(), player.name(), text));
    }

    private static String text(ArenaEvent.MovementViolation e) {
        return String.format(
                Locale.ROOT, "%s %.2f, allowed %.2f", e.rule(), e.measured(), e.allowed());
    }
}
