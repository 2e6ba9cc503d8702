package dev.wishdir.app.event;

import dev.wishdir.arena.event.ArenaEvent;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** The kinds of events that {@code --events} writes; docs/events.md describes their fields. */
public enum EventKind {
    JOIN,
    LEAVE,
    RENAME,
    PROOF,
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
    MAP,
    HIT,
    DEATH,
    SCORE,
    TEAM,
    ITEM_TAKEN,
    ITEM_VANISHED,
    ITEM_RETURNED,
    FLAG,
    ROUND_START,
    ROUND_END,
    RUN_START,
    CHECKPOINT,
    RUN_FINISH,
    NOTICE,
    /** Of no arena's event, but of an operator. */
    OPERATOR_COMMAND;

    /** The value of the field {@code event}: {@code rate-limit}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * Parses a choice of kinds.
     *
     * @param words kinds to write; or kinds to leave out, each after a {@code -}; empty for all
     * @throws IllegalArgumentException if a word is not allowed; the message names it and the
     *     allowed ones
     */
    static Set<EventKind> chosen(List<String> words) {
        boolean excluding = !words.isEmpty() && words.getFirst().startsWith("-");
        Set<EventKind> chosen =
                excluding || words.isEmpty()
                        ? EnumSet.allOf(EventKind.class)
                        : EnumSet.noneOf(EventKind.class);
        for (String word : words) {
            if (word.startsWith("-") != excluding) {
                throw new IllegalArgumentException(
                        "either all kinds of events or none must begin with -, not "
                                + String.join(",", words));
            }
            EventKind kind = of(excluding ? word.substring(1) : word);
            if (excluding) {
                chosen.remove(kind);
            } else {
                chosen.add(kind);
            }
        }
        return chosen;
    }

    /** The kind of an event. */
    public static EventKind of(ArenaEvent event) {
        return switch (event) {
            case ArenaEvent.Joined _ -> JOIN;
            case ArenaEvent.Left _ -> LEAVE;
            case ArenaEvent.Spawned _ -> SPAWN;
            case ArenaEvent.Despawned _ -> DESPAWN;
            case ArenaEvent.Moved _ -> MOVE;
            case ArenaEvent.Teleported _ -> TELEPORT;
            case ArenaEvent.ActionPerformed _ -> ACTION;
            case ArenaEvent.Chat _ -> CHAT;
            case ArenaEvent.Renamed _ -> RENAME;
            case ArenaEvent.Proved _ -> PROOF;
            case ArenaEvent.AppearanceChanged _ -> APPEARANCE;
            case ArenaEvent.MovementViolation _ -> VIOLATION;
            case ArenaEvent.RateLimited _ -> RATE_LIMIT;
            case ArenaEvent.KickRequested _ -> KICK;
            case ArenaEvent.EventsDropped _ -> EVENTS_DROPPED;
            case ArenaEvent.Whisper _ -> WHISPER;
            case ArenaEvent.LevelChanged _ -> MAP;
            case ArenaEvent.Announcement _ -> ANNOUNCE;
            case ArenaEvent.JoinRefused _ -> REFUSAL;
            case ArenaEvent.Hit _ -> HIT;
            case ArenaEvent.Died _ -> DEATH;
            case ArenaEvent.Scored _ -> SCORE;
            case ArenaEvent.TeamChanged _ -> TEAM;
            case ArenaEvent.ItemTaken _ -> ITEM_TAKEN;
            case ArenaEvent.ItemVanished _ -> ITEM_VANISHED;
            case ArenaEvent.ItemReturned _ -> ITEM_RETURNED;
            case ArenaEvent.FlagChanged _ -> FLAG;
            case ArenaEvent.RoundStarted _ -> ROUND_START;
            case ArenaEvent.RoundEnded _ -> ROUND_END;
            case ArenaEvent.RunStarted _ -> RUN_START;
            case ArenaEvent.CheckpointPassed _ -> CHECKPOINT;
            case ArenaEvent.RunFinished _ -> RUN_FINISH;
            case ArenaEvent.Notice _ -> NOTICE;
        };
    }

    private static EventKind of(String word) {
        return Arrays.stream(values())
                .filter(kind -> kind.toString().equalsIgnoreCase(word))
                .findFirst()
                .orElseThrow(() ->
                        new IllegalArgumentException(
                                "'"
                                        + word
                                        + "' is not a kind of event; kinds are "
                                        + Arrays.stream(values())
                                                .map(EventKind::toString)
                                                .collect(Collectors.joining(", "))));
    }
}
