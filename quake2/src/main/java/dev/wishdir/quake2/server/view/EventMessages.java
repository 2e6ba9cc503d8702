package dev.wishdir.quake2.server.view;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.Team;
import dev.wishdir.arena.validation.PlayerNotices;
import dev.wishdir.idtech.CenteredText;
import dev.wishdir.quake2.message.ServerMessage.CenterPrint;
import dev.wishdir.quake2.message.ServerMessage.Print;
import dev.wishdir.quake2.protocol.Quake2Text;

import java.util.Locale;
import java.util.Optional;

/** Converts arena events and chat to print messages for clients. */
public final class EventMessages {
    private static final int MAX_CHAT_CHARS = 150;

    /** A packet has room for a line with what ends the session. */
    public static final int MAX_LINE_CHARS = 500;

    /** Prefix of private chat, for which the game has no message of its own. */
    private static final String WHISPER_PREFIX = "(whisper) ";

    private EventMessages() {}

    /**
     * The line of an event; empty for none, as movement and bodies are in the frames. That of a
     * death is of {@code Obituaries}.
     */
    public static Optional<Print> of(ArenaEvent event) {
        return switch (event) {
            // A ghost is not a player.
            case ArenaEvent.Joined e when e.player().isGhost() -> Optional.empty();
            case ArenaEvent.Left e when e.player().isGhost() -> Optional.empty();
            case ArenaEvent.Joined e -> Optional.of(entered(PlayerNumbers.name(e.player())));
            case ArenaEvent.Left e ->
                    Optional.of(line(PlayerNumbers.name(e.player()) + " left the game"));
            case ArenaEvent.Renamed e ->
                    Optional.of(
                            line(
                                    PlayerNumbers.name(e.player(), e.oldName())
                                            + " is now "
                                            + PlayerNumbers.name(e.player(), e.name())));
            case ArenaEvent.Chat e -> chat(PlayerNumbers.name(e.player()), e.text());
            case ArenaEvent.Whisper e ->
                    chat(PlayerNumbers.name(e.from()), WHISPER_PREFIX + e.text());
            case ArenaEvent.Announcement e ->
                    Optional.of(line(Quake2Text.line(e.text(), MAX_CHAT_CHARS)));
            case ArenaEvent.RateLimited e ->
                    Optional.of(line(PlayerNotices.rateLimited(e.action())));
            case ArenaEvent.EventsDropped e ->
                    Optional.of(line(PlayerNotices.eventsDropped(e.count())));
            case ArenaEvent.TeamChanged e ->
                    Optional.of(inTeam(PlayerNumbers.name(e.player()), e.team()));
            case ArenaEvent.FlagChanged e -> Optional.of(flag(e));
            case ArenaEvent.KickRequested _,
                    ArenaEvent.Notice _,
                    ArenaEvent.OfRace _,
                    ArenaEvent.ActionPerformed _,
                    ArenaEvent.Spawned _,
                    ArenaEvent.Despawned _,
                    ArenaEvent.Moved _,
                    ArenaEvent.Teleported _,
                    ArenaEvent.AppearanceChanged _,
                    ArenaEvent.LevelChanged _,
                    ArenaEvent.Hit _,
                    ArenaEvent.Died _,
                    ArenaEvent.Scored _,
                    ArenaEvent.RoundStarted _,
                    ArenaEvent.RoundEnded _,
                    ArenaEvent.ItemTaken _,
                    ArenaEvent.ItemVanished _,
                    ArenaEvent.ItemReturned _,
                    ArenaEvent.MovementViolation _,
                    ArenaEvent.Proved _,
                    ArenaEvent.JoinRefused _ ->
                    Optional.empty();
        };
    }

    /** The notice that a player entered. */
    public static Print entered(String name) {
        return line(Quake2Text.name(name) + " entered the game");
    }

    /** The notice that a player is in a team. */
    public static Print inTeam(String name, Team team) {
        return line(Quake2Text.name(name) + " is in the " + team + " team");
    }

    /** The line about a change of a flag. */
    public static Print flag(ArenaEvent.FlagChanged change) {
        String flag = "the " + change.flag().toString().toUpperCase(Locale.ROOT) + " flag";
        String verb =
                switch (change.change()) {
                    case TAKEN -> "got";
                    case DROPPED -> "lost";
                    case RETURNED -> "returned";
                    case CAPTURED -> "captured";
                    case RESET -> "";
                };
        return line(
                change.player()
                        .filter(_ -> !verb.isEmpty())
                        .map(player -> PlayerNumbers.name(player) + " " + verb + " " + flag + "!")
                        .orElse("T" + flag.substring(1) + " has returned!"));
    }

    /** A chat line; empty if none of it can be displayed. */
    public static Optional<Print> chat(String speaker, String text) {
        String displayed = Quake2Text.line(text, MAX_CHAT_CHARS).strip();
        return displayed.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        new Print(Print.CHAT, Quake2Text.name(speaker) + ": " + displayed + "\n"));
    }

    /** A short text for the centre of the view. */
    public static CenterPrint notice(String text) {
        return new CenterPrint(CenteredText.wrapped(Quake2Text.line(text, MAX_CHAT_CHARS)));
    }

    /** A line of the server, cut to {@value #MAX_LINE_CHARS} characters. */
    public static Print line(String text) {
        return new Print(Print.HIGH, Quake2Text.line(text, MAX_LINE_CHARS) + "\n");
    }
}
