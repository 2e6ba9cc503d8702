package dev.wishdir.sauerbraten.server.match;

import dev.wishdir.arena.match.Match;
import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.game.level.SharedArena;
import dev.wishdir.sauerbraten.combat.GameMode;
import dev.wishdir.sauerbraten.combat.GameTeam;
import dev.wishdir.sauerbraten.message.ItemMessage;
import dev.wishdir.sauerbraten.message.MatchMessage;
import dev.wishdir.sauerbraten.message.SauerbratenMessage;
import dev.wishdir.sauerbraten.server.combat.LifeHandler;
import dev.wishdir.sauerbraten.server.combat.MapItems;
import dev.wishdir.sauerbraten.server.session.Broadcaster;
import dev.wishdir.sauerbraten.server.session.ClientTable;
import dev.wishdir.sauerbraten.server.session.CurrentMatch;
import dev.wishdir.sauerbraten.server.session.SauerbratenSession;
import dev.wishdir.sauerbraten.server.view.PlayerAppearance;
import dev.wishdir.sauerbraten.server.view.SharedStateKey;

import java.util.List;
import java.util.concurrent.TimeUnit;

/** Starts and ends matches, with their map, items, teams and lives. */
public final class SauerbratenMatch {
    /** Longest time that a client may take to start fetching another arena, nanoseconds. */
    private static final long FETCH_TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final ClientTable clients;
    private final Broadcaster broadcaster;
    private final CurrentMatch current;
    private final SauerbratenMaps maps;
    private final MapItems items;
    private final LifeHandler lives;
    private final FlagHandler flags;
    private final SharedArena sharedArena;
    private final Match arenaMatch;
    private final SharedArena.Participant participant = this::prepare;
    private long now;

    /** Time at which the map was last started. */
    private long startedAt = Long.MIN_VALUE;

    /**
     * @param first the map of the current match
     */
    public SauerbratenMatch(
            ClientTable clients,
            Broadcaster broadcaster,
            CurrentMatch current,
            SauerbratenMaps maps,
            MapItems items,
            LifeHandler lives,
            FlagHandler flags,
            EndpointContext context,
            ServedMap first) {
        this.clients = clients;
        this.broadcaster = broadcaster;
        this.current = current;
        this.maps = maps;
        this.items = items;
        this.lives = lives;
        this.flags = flags;
        sharedArena = context.sharedArena();
        arenaMatch = context.arena().match();
        if (first.blocks().isPresent()) {
            sharedArena.enter(participant, time -> begin(time, first));
        }
    }

    private SharedArena.PreparedMap prepare(BlockArena blocks) {
        ServedMap next = ServedMap.of(blocks, GameMode.COOP_EDIT);
        return time -> begin(time, next);
    }

    /** Starts another arena for all games. */
    private void begin(long now, ServedMap next) {
        this.now = now;
        maps.serve(next);
        change(now, next.name(), next.mode());
        awaitFetch(now);
    }

    /** In coop edit, clients fetch the map that the server has. */
    private void awaitFetch(long now) {
        if (current.mode().coopEdit() && maps.playsServed()) {
            clients.joined()
                    .forEach(session -> session.mapCopy.awaitFetch(now + FETCH_TIMEOUT_NANOS));
        }
    }

    /** Whether other games play the same arena, so that players of this game cannot change it. */
    public boolean isShared() {
        return sharedArena.isShared(participant);
    }

    /** Whether the match of the arena decides when maps change. */
    boolean isOfArena() {
        return arenaMatch.isOn();
    }

    /** Whether a map change of an admin changes the arena of all games. */
    boolean controlsShared(String name) {
        return sharedArena.controls(participant, name);
    }

    /**
     * Changes the arena of all games.
     *
     * @return the answer for the admin
     */
    String changeShared(long now, String name) {
        return sharedArena.change(now, name);
    }

    /** Leaves the shared arena. */
    public void close() {
        sharedArena.leave(participant);
    }

    /** Ends matches and brings items back that are due; returns when to call again. */
    public long advance(long now) {
        this.now = now;
        long played = current.played(now);
        long restore = maps.advance(now);
        long next = items.advance(played);
        if (arenaMatch.isOn()) {
            followMatch(now);
        } else if (current.isOver(played) && !current.isIntermission()) {
            current.startIntermission(played);
            broadcaster.publish(SharedStateKey.TIME, new MatchMessage.TimeUp(0));
        } else if (current.isOver(played)) {
            change(now, maps.name(), current.mode());
        }
        return Math.min(restore, current.nextDeadline(next));
    }

    /** Follows what an operator or the rotation changed of the arena's match. */
    private void followMatch(long now) {
        current.setPaused(now, arenaMatch.isPaused(), -1);
        if (current.isIntermission() && arenaMatch.phase() == Match.Phase.WARM_UP) {
            restart(now);
        }
    }

    /** The same map again, as only that ends an intermission. */
    private void restart(long now) {
        change(now, maps.name(), current.mode());
        awaitFetch(now);
    }

    /** A round of the arena's match has started: all players spawn again. */
    public void onRoundStarted(long now) {
        this.now = now;
        if (current.isIntermission()) {
            restart(now);
        } else if (startedAt != now) {
            publishTime();
            if (current.mode().teams()) {
                // Only another map would clear them at clients.
                broadcaster.publish(SharedStateKey.TEAMS, () -> List.of(teamInfo()));
            }
            for (SauerbratenSession session : clients.joined()) {
                session.guns.clear();
                lives.respawn(now, session);
            }
        }
    }

    /** A round of the arena's match has ended: no player moves, and the board is shown. */
    public void onRoundEnded(long now) {
        if (arenaMatch.phase() == Match.Phase.INTERMISSION) {
            current.startIntermission(current.played(now));
            broadcaster.publish(SharedStateKey.TIME, new MatchMessage.TimeUp(0));
        }
    }

    /** The beginning of the welcome: map, mode, time, items. */
    public void addToWelcome(long now, List<SauerbratenMessage> welcome) {
        boolean wanted = !items.known() && current.mode().items();
        welcome.add(new MatchMessage.MapChange(maps.name(), current.mode().number(), wanted));
        if (current.mode().timed() && !maps.name().isEmpty()) {
            welcome.add(new MatchMessage.TimeUp(current.secondsLeft(now)));
        } else if (current.isIntermission()) {
            welcome.add(new MatchMessage.TimeUp(0));
        }
        if (!wanted) {
            welcome.add(new ItemMessage.ItemList(items.present()));
        }
    }

    /** The scores of the teams; without a match of teams none are kept. */
    public MatchMessage.TeamInfo teamInfo() {
        return new MatchMessage.TeamInfo(
                arenaMatch.teamScores().stream()
                        .map(it ->
                                new MatchMessage.TeamScore(
                                        current.board().name(it.team()),
                                        current.board().frags(it.team())))
                        .toList());
    }

    /** Starts another match: all players spawn again. */
    void change(long now, String name, GameMode next) {
        current.start(now, next);
        startedAt = now;
        maps.start(now, name);
        items.clear();
        flags.onMapStarted();
        broadcaster.publish(SharedStateKey.MAP, this::mapChange);
        flags.publish();
        current.setPaused(now, false, -1);
        if (next.teams() && !current.hasArenaTeams()) {
            formTeams();
        }
        publishTime();
        for (SauerbratenSession session : clients.joined()) {
            session.onMapChange();
            lives.respawn(now, session);
        }
    }

    private void publishTime() {
        if (current.mode().timed() && !maps.name().isEmpty()) {
            broadcaster.publish(
                    SharedStateKey.TIME,
                    () -> List.of(new MatchMessage.TimeUp(current.secondsLeft(now))));
        }
    }

    /** The map change as it is when it is sent: a client may have reported the items since. */
    private List<SauerbratenMessage> mapChange() {
        MatchMessage.MapChange change =
                new MatchMessage.MapChange(maps.name(), current.mode().number(), !items.known());
        return items.known()
                ? List.of(change, new ItemMessage.ItemList(items.present()))
                : List.of(change);
    }

    /** Assigns the players alternately to the two teams, in the order in which they joined. */
    private void formTeams() {
        boolean even = true;
        for (SauerbratenSession session : players()) {
            String team = (even ? GameTeam.GOOD : GameTeam.EVIL).toString();
            even = !even;
            if (!team.equals(session.profile.team())) {
                session.profile.setTeam(team, PlayerAppearance.TEAM_REASON_NONE);
                broadcaster.refresh(session.cn);
            }
        }
    }

    /** The team for a new player: the one with fewer players. */
    public String teamOfNewcomer() {
        boolean isGood = !current.mode().teams() || count(GameTeam.GOOD) <= count(GameTeam.EVIL);
        return (isGood ? GameTeam.GOOD : GameTeam.EVIL).toString();
    }

    private long count(GameTeam team) {
        return players().stream()
                .filter(other -> other.profile.team().equals(team.toString()))
                .count();
    }

    /** The clients that have joined and are no spectators. */
    private List<SauerbratenSession> players() {
        return clients.joined().stream().filter(session -> !session.life.isSpectator()).toList();
    }
}
