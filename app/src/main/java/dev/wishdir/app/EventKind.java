package dev.wishdir.app;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** The kinds of lines that {@code --events} writes; docs/events.md has their fields. */
enum EventKind {
    JOIN,
    LEAVE,
    RENAME,
    APPEARANCE,
    CHAT,
    WHISPER,
    ANNOUNCE,
    SPAWN,
    DESPAWN,
    MOVE,
    TELEPORT,
    ACTION,
    VIOLATION,
    RATE_LIMIT,
    KICK,
    EVENTS_DROPPED,
    REFUSAL,
    MAP;

    /** The word in the line: {@code rate-limit}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * Reads a choice of kinds.
     *
     * @param words kinds that are written; or, each with {@code -} before it, those that are not;
     *     all where there are none
     * @throws IllegalArgumentException with a sentence that names the word and what is allowed
     */
    static Set<EventKind> chosen(List<String> words) {
        boolean without = !words.isEmpty() && words.getFirst().startsWith("-");
        Set<EventKind> chosen =
                without || words.isEmpty()
                        ? EnumSet.allOf(EventKind.class)
                        : EnumSet.noneOf(EventKind.class);
        for (String word : words) {
            if (word.startsWith("-") != without) {
                throw new IllegalArgumentException(
                        "kinds of events are either all with a - or all without, not "
                                + String.join(",", words));
            }
            EventKind kind = of(without ? word.substring(1) : word);
            if (without) {
                chosen.remove(kind);
            } else {
                chosen.add(kind);
            }
        }
        return chosen;
    }

    private static EventKind of(String word) {
        return Arrays.stream(values())
                .filter(kind -> kind.toString().equalsIgnoreCase(word))
                .findFirst()
                .orElseThrow(() ->
                        new IllegalArgumentException(
                                "'"
                                        + word
                                        + "' is not a kind of events: "
                                        + Arrays.stream(values())
                                                .map(EventKind::toString)
                                                .collect(Collectors.joining(", "))));
    }
}
