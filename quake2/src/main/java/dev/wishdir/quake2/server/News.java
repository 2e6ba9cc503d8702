package dev.wishdir.quake2.server;

import dev.wishdir.arena.ArenaEvent;
import dev.wishdir.arena.PlayerNotices;
import dev.wishdir.quake2.message.ServerMessage.Print;
import dev.wishdir.quake2.protocol.Glyphs;

import java.util.Optional;

/** What clients read of what happens in the arena, and of what is said there. */
final class News {
    private static final int MOST_CHAT = 150;

    /** Before what is said to one client alone: the game has no such lines of its own. */
    private static final String TO_YOU = "(whisper) ";

    private News() {}

    /** The line of an event; empty where there is none: what is seen of others is in the frames. */
    static Optional<Print> of(ArenaEvent event) {
        return switch (event) {
            case ArenaEvent.Joined e -> Optional.of(entered(Roster.name(e.player())));
            case ArenaEvent.Left e -> Optional.of(line(Roster.name(e.player()) + " left the game"));
            case ArenaEvent.Renamed e ->
                    Optional.of(
                            line(
                                    Roster.name(e.player(), e.oldName())
                                            + " is now "
                                            + Roster.name(e.player(), e.name())));
            case ArenaEvent.Said e -> chat(Roster.name(e.player()), e.text());
            case ArenaEvent.Told e -> chat(Roster.name(e.from()), TO_YOU + e.text());
            case ArenaEvent.Announced e -> Optional.of(line(Glyphs.line(e.text(), MOST_CHAT)));
            case ArenaEvent.Limited e -> Optional.of(line(PlayerNotices.rateLimited(e.deed())));
            case ArenaEvent.Missed e -> Optional.of(line(PlayerNotices.eventsDropped(e.deeds())));
            case ArenaEvent.Dismissed _,
                    ArenaEvent.Acted _,
                    ArenaEvent.Spawned _,
                    ArenaEvent.Despawned _,
                    ArenaEvent.Moved _,
                    ArenaEvent.Teleported _,
                    ArenaEvent.Restyled _,
                    ArenaEvent.LevelChanged _,
                    ArenaEvent.Verdict _,
                    ArenaEvent.Refused _ ->
                    Optional.empty();
        };
    }

    /** Somebody came into the game. */
    static Print entered(String name) {
        return line(Glyphs.name(name) + " entered the game");
    }

    /** Somebody says something; empty where nothing of it can be shown. */
    static Optional<Print> chat(String speaker, String text) {
        String shown = Glyphs.line(text, MOST_CHAT).strip();
        return shown.isEmpty()
                ? Optional.empty()
                : Optional.of(new Print(Print.CHAT, Glyphs.name(speaker) + ": " + shown + "\n"));
    }

    /** A line of the server. */
    static Print line(String text) {
        return new Print(Print.HIGH, text + "\n");
    }
}
