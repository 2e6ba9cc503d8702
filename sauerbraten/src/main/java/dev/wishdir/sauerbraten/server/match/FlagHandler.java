package dev.wishdir.sauerbraten.server.match;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.ArenaListener;
import dev.wishdir.arena.event.FlagChange;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.event.Team;
import dev.wishdir.arena.flag.Flag;
import dev.wishdir.arena.flag.FlagClaim;
import dev.wishdir.arena.flag.FlagState;
import dev.wishdir.arena.match.Match;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.loop.Counters;
import dev.wishdir.sauerbraten.combat.GameTeam;
import dev.wishdir.sauerbraten.message.FlagMessage;
import dev.wishdir.sauerbraten.message.Point;
import dev.wishdir.sauerbraten.message.SauerbratenMessage;
import dev.wishdir.sauerbraten.movement.SauerbratenMotion;
import dev.wishdir.sauerbraten.server.session.Broadcaster;
import dev.wishdir.sauerbraten.server.session.ClientTable;
import dev.wishdir.sauerbraten.server.session.CurrentMatch;
import dev.wishdir.sauerbraten.server.session.SauerbratenSession;
import dev.wishdir.sauerbraten.server.view.ForeignPlayers;
import dev.wishdir.sauerbraten.server.view.RunningLevel;
import dev.wishdir.sauerbraten.server.view.SharedStateKey;

import org.jspecify.annotations.Nullable;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * The flags of the arena's match. In a mode with flags, clients get the messages of the game about
 * the flags of the map that the server has, and ask for those that they touch; in coop edit they
 * get {@link FlagMarks}.
 */
public final class FlagHandler implements ArenaListener {
    /** A client's greatest distance from its flag, by its last position: 16 units, and its run. */
    private static final double CLAIM_METRES = 20 / SauerbratenMotion.SCALE;

    /** Interval at which clients get what no message of a change has brought them. */
    private static final long UPDATE_INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final long NEVER = Long.MAX_VALUE;

    /** No flag has it. */
    private static final int NO_VERSION = -1;

    /**
     * A capture whose score is not counted yet.
     *
     * @param goalVersion of the flag to which the player has brought the other one
     */
    private record Capture(ArenaEvent.FlagChanged event, int goalVersion) {}

    private final Match match;
    private final CurrentMatch current;
    private final ClientTable clients;
    private final Broadcaster broadcaster;
    private final SauerbratenMaps maps;
    private final RunningLevel geometry;
    private final Counters counters;
    private final FlagMarks marks;

    /** The versions of the flags at the start of the map, which are 0 for clients. */
    private final Map<Team, Integer> firstVersions = new EnumMap<>(Team.class);

    private @Nullable Capture capture;
    private long nextUpdate = Long.MIN_VALUE;

    public FlagHandler(
            Match match,
            CurrentMatch current,
            ClientTable clients,
            Broadcaster broadcaster,
            SauerbratenMaps maps,
            RunningLevel geometry,
            Counters counters) {
        this.match = match;
        this.current = current;
        this.clients = clients;
        this.broadcaster = broadcaster;
        this.maps = maps;
        this.geometry = geometry;
        this.counters = counters;
        marks = new FlagMarks(match, clients, current, geometry);
    }

    /** A map starts, whose flags have not changed. */
    public void onMapStarted() {
        capture = null;
        match.flags().all().forEach(flag -> firstVersions.put(flag.team(), flag.version()));
    }

    /** Sends all clients the flags as they are. */
    void publish() {
        if (current.mode().hasFlags()) {
            clients.joined().forEach(this::publish);
        }
    }

    private void publish(SauerbratenSession to) {
        to.viewer.publish(SharedStateKey.FLAGS, () -> state(to));
    }

    /** The message with the flags as they are, in a mode with flags. */
    public List<SauerbratenMessage> state(SauerbratenSession to) {
        if (!current.mode().hasFlags()) {
            return List.of();
        }
        FlagMessage.InitFlags all = flags(to);
        to.viewer.flags.setSent(all);
        return List.of(all);
    }

    private FlagMessage.InitFlags flags(SauerbratenSession to) {
        int count = match.flags().all().isEmpty() ? 0 : maps.flags().size();
        return new FlagMessage.InitFlags(
                match.frags(GameTeam.GOOD.team),
                match.frags(GameTeam.EVIL.team),
                IntStream.range(0, count)
                        .mapToObj(i ->
                                flag(i).map(flag -> status(to, flag))
                                        .orElseGet(FlagMessage.Status::hidden))
                        .toList());
    }

    private FlagMessage.Status status(SauerbratenSession to, Flag flag) {
        int version = version(flag.team(), flag.version());
        return switch (flag.state()) {
            case FlagState.Home _ -> FlagMessage.Status.atHome(version);
            case FlagState.Dropped(Vec3 at, _) -> FlagMessage.Status.dropped(version, point(at));
            case FlagState.Carried(PlayerId by, _) -> {
                int cn = to.viewer.numberShown(by);
                yield cn >= 0
                        ? FlagMessage.Status.carried(version, cn)
                        : FlagMessage.Status.dropped(version, point(match.flags().place(flag)));
            }
        };
    }

    private Point point(Vec3 place) {
        return Point.of(geometry.motion().toNative(place));
    }

    private int version(Team team, int version) {
        return version - firstVersions.getOrDefault(team, 0);
    }

    /** The flag with a number of the map; empty if the match has no such flag. */
    private Optional<Flag> flag(int number) {
        return match.flags().all().stream()
                .filter(flag -> number >= 0 && number(flag.team()) == number)
                .findFirst();
    }

    /** The number that clients have for a team's flag, by the file of their map; -1 for none. */
    private int number(Team team) {
        List<FlagMessage.Placed> placed = maps.flags();
        return IntStream.range(0, placed.size())
                .filter(i -> placed.get(i).team() == GameTeam.of(team).number)
                .findFirst()
                .orElse(-1);
    }

    public void handle(long now, SauerbratenSession from, FlagMessage message) {
        switch (message) {
            case FlagMessage.TryDropFlag _ -> from.player().combatant().dropFlag(now);
            case FlagMessage.ClientTakeFlag touch when current.mode().hasFlags() ->
                    claim(now, from, touch);
            case FlagMessage.ClientInitFlags list when current.mode().hasFlags() ->
                    maps.compareFlags(now, from, list.flags());
            default -> {
                // Without flags, as in another mode, it has no effect.
            }
        }
    }

    /** A client touches a flag; a refused one gets no answer, as on the original server. */
    private void claim(long now, SauerbratenSession from, FlagMessage.ClientTakeFlag touch) {
        Optional<Team> team = flag(touch.flag()).map(Flag::team);
        int version =
                team.map(it -> touch.version() + firstVersions.getOrDefault(it, 0))
                        .orElse(NO_VERSION);
        FlagClaim claim =
                from.player()
                        .combatant()
                        .claimFlag(
                                now,
                                team.orElse(Team.RED),
                                version,
                                CLAIM_METRES,
                                geometry.level().space());
        if (claim != FlagClaim.ACCEPTED) {
            counters.count("sauerbraten.flag.refused." + claim);
        }
    }

    @Override
    public void onEvent(ArenaEvent event) {
        showCapture();
        switch (event) {
            case ArenaEvent.FlagChanged changed when changed.change() == FlagChange.CAPTURED -> {
                capture =
                        new Capture(
                                changed,
                                match.flags().all().stream()
                                        .filter(flag -> flag.team() != changed.flag())
                                        .mapToInt(Flag::version)
                                        .findFirst()
                                        .orElse(0));
            }
            case ArenaEvent.FlagChanged changed -> show(changed, 0);
            case ArenaEvent.RoundStarted _, ArenaEvent.RoundEnded _ -> {
                update();
                nextUpdate = Long.MIN_VALUE;
            }
            default -> {
                // It is about no flag.
            }
        }
    }

    /** The score of a capture counts right after its event. */
    private void showCapture() {
        Capture shown = capture;
        if (shown != null) {
            capture = null;
            show(shown.event, shown.goalVersion);
        }
    }

    private void show(ArenaEvent.FlagChanged event, int goalVersion) {
        if (current.mode().coopEdit()) {
            marks.show(event);
            return;
        }
        int number = number(event.flag());
        if (!current.mode().hasFlags() || number < 0) {
            return;
        }
        broadcaster.flushRelayed();
        for (SauerbratenSession session : clients.joined()) {
            if (session.viewer.isCongested()) {
                publish(session);
                continue;
            }
            Optional<SauerbratenMessage> message = message(session, number, event, goalVersion);
            if (message.isPresent()) {
                session.connection.send(message.get());
                session.viewer.flags.setSent(flags(session));
            } else {
                state(session).forEach(session.connection::send);
                sendText(session, event);
            }
        }
    }

    /** The message of a change; empty if the client has no number for its player. */
    private Optional<SauerbratenMessage> message(
            SauerbratenSession to, int number, ArenaEvent.FlagChanged event, int goalVersion) {
        GameTeam owner = GameTeam.of(event.flag());
        int version = version(event.flag(), event.version());
        FlagMessage reset =
                new FlagMessage.ResetFlag(
                        number, version, -1, owner.number, match.frags(owner.team));
        int cn = event.player().map(player -> to.viewer.numberShown(player.id())).orElse(-1);
        boolean needsNumber =
                event.change() != FlagChange.RESET && event.change() != FlagChange.RETURNED;
        if (cn < 0 && needsNumber) {
            return Optional.empty();
        }
        return Optional.of(
                switch (event.change()) {
                    case TAKEN -> new FlagMessage.TakeFlag(cn, number, version);
                    case DROPPED ->
                            new FlagMessage.DropFlag(cn, number, version, point(event.place()));
                    case RETURNED ->
                            cn < 0 ? reset : new FlagMessage.ReturnFlag(cn, number, version);
                    case RESET -> reset;
                    case CAPTURED -> {
                        Team scoring = event.flag().other();
                        yield new FlagMessage.ScoreFlag(
                                cn,
                                number,
                                version,
                                number(scoring),
                                version(scoring, goalVersion),
                                -1,
                                GameTeam.of(scoring).number,
                                match.frags(scoring),
                                event.player()
                                        .map(Player::id)
                                        .map(current.board()::captures)
                                        .orElse(0));
                    }
                });
    }

    private static void sendText(SauerbratenSession to, ArenaEvent.FlagChanged event) {
        event.player()
                .ifPresent(player ->
                        to.viewer.sendText(
                                ForeignPlayers.name(player)
                                        + " (not shown in your game) has "
                                        + event.change()
                                        + " the "
                                        + GameTeam.of(event.flag())
                                        + " flag."));
    }

    /**
     * Sends clients what has changed without an event, and moves what other players carry.
     *
     * @return when to call again
     */
    public long advance(long now) {
        showCapture();
        if (current.mode().coopEdit()) {
            return marks.advance(now);
        }
        if (!current.mode().hasFlags()) {
            return NEVER;
        }
        if (now >= nextUpdate || now < nextUpdate - UPDATE_INTERVAL_NANOS) {
            nextUpdate = now + UPDATE_INTERVAL_NANOS;
            update();
        } else {
            for (SauerbratenSession session : clients.sessions()) {
                if (session.isJoined() && session.viewer.flags.isStale()) {
                    publish(session);
                }
            }
        }
        return nextUpdate;
    }

    private void update() {
        if (!current.mode().hasFlags()) {
            return;
        }
        for (SauerbratenSession session : clients.joined()) {
            if (!session.viewer.flags.sent().equals(flags(session))) {
                publish(session);
            }
        }
    }
}
