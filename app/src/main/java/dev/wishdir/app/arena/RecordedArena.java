package dev.wishdir.app.arena;

import dev.wishdir.app.command.Games;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.blocks.arena.ArenaText;
import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.blocks.arena.MalformedArenaException;
import dev.wishdir.record.file.EventCursor;
import dev.wishdir.record.file.Recording;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The arena of a recording: the attached one, else that of its first level, where this machine has
 * it.
 *
 * @param problem part of a sentence: why there is none; empty if there is one
 */
public record RecordedArena(Optional<BlockArena> arena, String problem) {
    /**
     * Finds the arena.
     *
     * @throws IOException if the recording cannot be read
     */
    public static RecordedArena of(Recording recording) throws IOException {
        Optional<String> text = recording.arenaText();
        try {
            if (text.isPresent()) {
                return new RecordedArena(Optional.of(ArenaText.read(text.get())), "");
            }
        } catch (MalformedArenaException e) {
            return missing("the attached arena is malformed: " + e.getMessage());
        }
        String level = level(recording);
        if (level.isEmpty()) {
            return missing("no arena is attached, and no level is named");
        }
        List<String> problems = new ArrayList<>();
        Optional<BlockArena> known =
                ArenaSource.withDefaults(Games.ALL, problems::add).ofLevel(level);
        if (known.isPresent()) {
            return new RecordedArena(known, "");
        }
        return missing(
                problems.isEmpty()
                        ? "no arena is attached, and this machine has no map '" + level + "'"
                        : problems.getFirst());
    }

    private static RecordedArena missing(String problem) {
        return new RecordedArena(Optional.empty(), problem);
    }

    /** The name of the first level; empty if there is none. */
    private static String level(Recording recording) throws IOException {
        EventCursor events = recording.eventsWithoutMovements();
        while (events.next()) {
            if (events.event() instanceof ArenaEvent.LevelChanged changed) {
                return changed.level().name();
            }
        }
        return "";
    }
}
