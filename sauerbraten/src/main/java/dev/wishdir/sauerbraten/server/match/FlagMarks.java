package dev.wishdir.sauerbraten.server.match;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.event.Team;
import dev.wishdir.arena.flag.Flag;
import dev.wishdir.arena.flag.FlagState;
import dev.wishdir.arena.match.Match;
import dev.wishdir.motion.Vec3;
import dev.wishdir.sauerbraten.combat.FlagMark;
import dev.wishdir.sauerbraten.message.EditMessage;
import dev.wishdir.sauerbraten.message.SauerbratenMessage;
import dev.wishdir.sauerbraten.server.session.ClientTable;
import dev.wishdir.sauerbraten.server.session.CurrentMatch;
import dev.wishdir.sauerbraten.server.session.SauerbratenSession;
import dev.wishdir.sauerbraten.server.view.ForeignPlayers;
import dev.wishdir.sauerbraten.server.view.PlayerAppearance;
import dev.wishdir.sauerbraten.server.view.RunningLevel;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** The flags in coop edit: marks that the server draws for each client, and texts. */
final class FlagMarks {
    /** Interval at which the marks of carriers move. */
    private static final long MOVE_INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** Interval of all else that marks show. */
    private static final long IDLE_INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    /** Interval at which clients get the state of all flags as text. */
    private static final long TEXT_INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final Match match;
    private final ClientTable clients;
    private final CurrentMatch current;
    private final RunningLevel geometry;
    private long now;
    private long nextMove = Long.MIN_VALUE;
    private long nextText = Long.MAX_VALUE;

    FlagMarks(Match match, ClientTable clients, CurrentMatch current, RunningLevel geometry) {
        this.match = match;
        this.clients = clients;
        this.current = current;
        this.geometry = geometry;
    }

    private List<Flag> flags() {
        return match.flags().all();
    }

    /** Shows a change of a flag. */
    void show(ArenaEvent.FlagChanged event) {
        now = event.time();
        nextMove = now + MOVE_INTERVAL_NANOS;
        update();
        clients.joined().stream()
                .filter(session -> !session.viewer.isCongested())
                .forEach(session -> session.viewer.sendText(text(session, event)));
    }

    private String text(SauerbratenSession to, ArenaEvent.FlagChanged event) {
        boolean isOwn = event.player().filter(it -> isOf(to, it.id())).isPresent();
        String player = isOwn ? "You" : event.player().map(ForeignPlayers::name).orElse("");
        String flag = " the " + event.flag() + " flag";
        return switch (event.change()) {
            case TAKEN ->
                    player
                            + " took"
                            + flag
                            + (isOwn
                                    ? ". Bring it to your own; say "
                                            + FlagMark.DROP_LINE
                                            + " to drop it."
                                    : ".");
            case DROPPED -> player + " dropped" + flag + ".";
            case RETURNED -> player + " returned" + flag + ".";
            case RESET -> "The " + event.flag() + " flag is back.";
            case CAPTURED -> player + " captured" + flag + ": " + scores() + ".";
        };
    }

    private String scores() {
        return match.teamScores().stream()
                .map(it -> it.team() + " " + it.frags())
                .collect(Collectors.joining(", "));
    }

    private boolean isOf(SauerbratenSession session, PlayerId player) {
        return clients.number(player) == session.cn;
    }

    /**
     * Moves the marks, and sends the state of the flags as text.
     *
     * @return when to call again
     */
    long advance(long time) {
        now = time;
        if (flags().isEmpty()) {
            nextText = Long.MAX_VALUE;
            return match.rules().mode().hasFlags() ? time + IDLE_INTERVAL_NANOS : Long.MAX_VALUE;
        }
        if (time >= nextMove || time < nextMove - IDLE_INTERVAL_NANOS) {
            boolean isCarried = flags().stream().anyMatch(flag -> flag.carrier().isPresent());
            nextMove = time + (isCarried ? MOVE_INTERVAL_NANOS : IDLE_INTERVAL_NANOS);
            update();
        }
        if (nextText == Long.MAX_VALUE || time < nextText - TEXT_INTERVAL_NANOS) {
            nextText = time + TEXT_INTERVAL_NANOS;
        } else if (time >= nextText) {
            nextText = time + TEXT_INTERVAL_NANOS;
            sendState();
        }
        return Math.min(nextMove, nextText);
    }

    private void sendState() {
        if (match.phase() != Match.Phase.PLAYING) {
            return;
        }
        String text =
                "Flags: "
                        + flags().stream()
                                .map(flag -> flag.team() + " " + state(flag))
                                .collect(Collectors.joining(", "))
                        + "; captures: "
                        + scores()
                        + ".";
        clients.joined().stream()
                .filter(session -> !session.viewer.isCongested())
                .forEach(session -> session.viewer.sendText(text));
    }

    private String state(Flag flag) {
        return switch (flag.state()) {
            case FlagState.Home _ -> "at home";
            case FlagState.Dropped _ -> "dropped";
            case FlagState.Carried _ ->
                    "carried"
                            + match.flags()
                                    .carrier(flag)
                                    .map(player -> " by " + ForeignPlayers.name(player))
                                    .orElse("");
        };
    }

    private void update() {
        if (!current.mode().coopEdit()) {
            return;
        }
        for (SauerbratenSession session : clients.joined()) {
            if (!session.mapCopy.isFetching() && !session.viewer.isCongested()) {
                List<SauerbratenMessage> missing =
                        session
                                .viewer
                                .flags
                                .missing(session.mapCopy.number(), marks(session))
                                .stream()
                                .<SauerbratenMessage>map(
                                        mark -> PlayerAppearance.from(session.cn, mark))
                                .toList();
                if (!missing.isEmpty()) {
                    session.connection.send(missing, true);
                }
            }
        }
    }

    /** The marks of all flags, for one client. */
    private List<EditMessage.EditEnt> marks(SauerbratenSession to) {
        List<EditMessage.EditEnt> marks = new ArrayList<>();
        for (Flag flag : flags()) {
            Team team = flag.team();
            Vec3 place = geometry.motion().toNative(match.flags().place(flag));
            switch (flag.state()) {
                case FlagState.Home _ -> {
                    marks.add(FlagMark.ball(team, place));
                    marks.add(EditMessage.EditEnt.none(FlagMark.timeNumber(team)));
                }
                case FlagState.Dropped(_, long until) -> {
                    marks.add(FlagMark.ball(team, place));
                    marks.add(FlagMark.time(team, place, percent(until)));
                }
                case FlagState.Carried(PlayerId by, _) -> {
                    marks.add(
                            isOf(to, by)
                                    ? EditMessage.EditEnt.none(FlagMark.number(team))
                                    : FlagMark.carried(team, place));
                    marks.add(EditMessage.EditEnt.none(FlagMark.timeNumber(team)));
                }
            }
        }
        return marks;
    }

    /** The time that a flag still lies, which changes each second. */
    private int percent(long until) {
        long left = TimeUnit.NANOSECONDS.toSeconds(Math.max(0, until - now) + 999_999_999);
        long all = Math.max(1, match.rules().flags().returnTime().toSeconds());
        return (int) Math.min(100, 100 * left / all);
    }
}
