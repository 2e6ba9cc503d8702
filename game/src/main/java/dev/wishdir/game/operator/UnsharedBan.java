package dev.wishdir.game.operator;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A ban that this server added, changed or removed, and that its cluster has not stored yet. If the
 * server has the ban, all are to have it; if not, it was removed.
 *
 * @param targets of the {@linkplain Ban#targets ban}
 * @param game of the ban; empty for all games
 * @param since when it was changed
 */
public record UnsharedBan(String targets, String game, Instant since) {
    private static final String WORD = "unshared";

    /** Whether a line of the ban file is one of an unshared ban. */
    public static boolean isLine(String line) {
        return line.startsWith(WORD + " ");
    }

    /** As a line of the ban file: {@code unshared SINCE ADDRESSES}, and the game of the ban. */
    public String line() {
        String line = WORD + " " + since + " " + targets;
        return game.isEmpty() ? line : line + " " + game;
    }

    /**
     * Parses a {@link #line}.
     *
     * @throws IllegalArgumentException with the cause
     */
    public static UnsharedBan parse(String line) {
        List<String> words = new CommandReader(line).words();
        if (words.size() < 3 || words.size() > 4) {
            throw new IllegalArgumentException(
                    "an unshared ban is unshared SINCE ADDRESS GAME (3 or 4 words), not "
                            + words.size()
                            + " words");
        }
        String game = words.size() > 3 ? words.get(3) : "";
        try {
            return of(
                    Ban.of(words.get(2), Optional.empty(), "", "", "", game),
                    Instant.parse(words.get(1)));
        } catch (DateTimeException e) {
            throw new IllegalArgumentException(
                    "\"" + words.get(1) + "\" is not a time such as 2030-01-31T12:00:00Z", e);
        }
    }

    static UnsharedBan of(Ban ban, Instant since) {
        return new UnsharedBan(ban.targets(), ban.game(), since);
    }
}
