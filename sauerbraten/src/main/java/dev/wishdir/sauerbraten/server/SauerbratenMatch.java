package dev.wishdir.sauerbraten.server;

import dev.wishdir.arena.Level;
import dev.wishdir.arena.PlayerId;
import dev.wishdir.arena.RateLimitedAction;
import dev.wishdir.game.SharedArena;
import dev.wishdir.net.TokenBucket;
import dev.wishdir.sauerbraten.message.AdminMessage;
import dev.wishdir.sauerbraten.message.CubeText;
import dev.wishdir.sauerbraten.message.ItemMessage;
import dev.wishdir.sauerbraten.message.LifeMessage;
import dev.wishdir.sauerbraten.message.MatchMessage;
import dev.wishdir.sauerbraten.message.SauerbratenMessage;
import dev.wishdir.sauerbraten.protocol.DisconnectReason;
import dev.wishdir.sauerbraten.protocol.SauerbratenCodec;
import dev.wishdir.sauerbraten.server.SauerbratenSession.Presence;
import dev.wishdir.world.blocks.BlockArena;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** The match: map, mode, votes, time, teams and spawn orders. */
final class SauerbratenMatch {
    private static final long MATCH_NANOS = TimeUnit.MINUTES.toNanos(10);
    private static final long INTERMISSION_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long NEVER = Long.MAX_VALUE;

    /** The side assumed for a map without a file here, units: that of a large map. */
    static final int UNKNOWN_SIDE = 4096;

    /** How long a client may take to start fetching another arena, nanoseconds. */
    private static final long FETCH_TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(5);

    private static final String GOOD = "good";
    private static final String EVIL = "evil";

    /** Names that cannot lead out of the folder of maps. */
    private static final Pattern MAP_NAME = Pattern.compile("[A-Za-z0-9_-][A-Za-z0-9_.-]{0,63}");

    /** The map and mode for which a player votes. */
    record Wish(String map, SauerbratenMode mode) {
        @Override
        public String toString() {
            return mode.title() + " on map " + map;
        }
    }

    private final ClientRegistry registry;
    private final SharedArena sharedArena;
    private final SharedArena.Participant participant = this::prepare;
    private final SauerbratenItems items;
    private final SauerbratenMaps maps;
    private SauerbratenMode mode;

    /** Changes of the map: each makes all clients load it and spawn again. */
    private final TokenBucket changes = new TokenBucket(6, 0.1);

    private final MatchClock clock;
    private long now;

    /** The played time at which the match or the intermission ends, nanoseconds. */
    private long end;

    private boolean intermission;

    SauerbratenMatch(ClientRegistry registry, long now, ServedMap first, SharedArena sharedArena) {
        this.registry = registry;
        this.sharedArena = sharedArena;
        this.mode = first.mode();
        items = new SauerbratenItems(registry);
        maps = new SauerbratenMaps(registry, first);
        this.now = now;
        clock = new MatchClock(now);
        end = mode.timed() ? MATCH_NANOS : NEVER;
        if (first.blocks().isPresent()) {
            sharedArena.enter(participant, time -> begin(time, first));
        }
    }

    private SharedArena.PreparedMap prepare(BlockArena blocks) {
        ServedMap next = ServedMap.of(blocks, SauerbratenMode.COOP_EDIT);
        return time -> begin(time, next);
    }

    /** Starts another arena for all games. */
    private void begin(long now, ServedMap next) {
        this.now = now;
        maps.serve(next);
        registry.setMotion(next.motion());
        change(now, next.name(), next.mode());
        if (next.mode().coopEdit()) {
            registry.joined()
                    .forEach(session -> session.copy.awaitFetch(now + FETCH_TIMEOUT_NANOS));
        }
    }

    /** Whether other games play the same arena, so that players of this game cannot change it. */
    boolean isShared() {
        return sharedArena.isShared(participant);
    }

    /** Leaves the shared arena. */
    void close() {
        sharedArena.leave(participant);
    }

    SauerbratenMode mode() {
        return mode;
    }

    String map() {
        return maps.name();
    }

    /** The file of the map, and the copies of the clients. */
    SauerbratenMaps maps() {
        return maps;
    }

    boolean paused() {
        return clock.paused();
    }

    /** The speed of the match, percent of real time. */
    int speed() {
        return clock.speed();
    }

    /** The seconds left to play; 0 in a mode without time and in the intermission. */
    int secondsLeft(long now) {
        if (end == NEVER || intermission) {
            return 0;
        }
        return (int) Math.max(0, TimeUnit.NANOSECONDS.toSeconds(end - clock.played(now)));
    }

    /** Pauses or continues the match. */
    void pause(long now, boolean stop) {
        clock.setPaused(now, stop);
    }

    void setSpeed(long now, int percent) {
        clock.setSpeed(now, percent);
    }

    /** Sets the level of this game in the arena. */
    void announceLevel(long now) {
        String map = map();
        ServedMap served = maps.served();
        Level level =
                maps.playsServed()
                        ? served.level(registry.motion().bounds(served.side()))
                        : new Level(map, registry.motion().bounds(UNKNOWN_SIDE));
        registry.setMoveTriggers(maps.playsServed() ? served.triggers() : Optional.empty());
        registry.arena().setLevel(now, SauerbratenCodec.GAME, level);
    }

    /** Ends matches and brings items back that are due; returns when to call again. */
    long advance(long now) {
        this.now = now;
        long played = clock.played(now);
        long restore = maps.advance(now);
        long next = items.advance(played);
        if (played >= end && !intermission) {
            intermission = true;
            end = played + INTERMISSION_NANOS;
            registry.publish(SharedStateKey.TIME, new MatchMessage.TimeUp(0));
        } else if (played >= end) {
            change(now, map(), mode);
        }
        return Math.min(restore, clock.timeOf(Math.min(next, end)));
    }

    /** The beginning of the welcome: map, mode, time, items. */
    void addToWelcome(long now, List<SauerbratenMessage> welcome) {
        boolean wanted = !items.known() && mode.items();
        welcome.add(new MatchMessage.MapChange(map(), mode.number(), wanted));
        if (mode.timed() && !map().isEmpty()) {
            welcome.add(new MatchMessage.TimeUp(secondsLeft(now)));
        }
        if (!wanted) {
            welcome.add(new ItemMessage.ItemList(items.present()));
        }
    }

    /**
     * @param forces whether the vote of a client decides
     */
    void received(
            long now,
            SauerbratenSession from,
            MatchMessage message,
            Predicate<SauerbratenSession> forces) {
        switch (message) {
            case MatchMessage.MapVote vote -> vote(now, from, vote, forces);
            case MatchMessage.MapCrc crc -> {
                PlayerId player = from.player();
                if (maps.onMapLoaded(now, from, crc, mode.coopEdit(), isShared())
                        && player != null
                        && registry.arena().allows(now, player, RateLimitedAction.LIFE, 1)) {
                    respawn(now, from);
                }
            }
            case MatchMessage.CheckMaps _ -> maps.compare(from);
            case MatchMessage.ForceIntermission _ -> {}
            default -> registry.disconnect(from, DisconnectReason.MESSAGE_ERROR);
        }
    }

    /** Ends the life of a client's body, and orders the client to spawn. */
    void respawn(long now, SauerbratenSession session) {
        PlayerId player = session.player();
        if (player != null) {
            registry.arena().despawn(now, player);
        }
        if (session.presence() != Presence.SPECTATOR) {
            sendSpawn(now, session);
        }
    }

    /** Orders a client to spawn. */
    void sendSpawn(long now, SauerbratenSession session) {
        session.nextLife(now, mode);
        session.viewer.refresh(session.cn);
        session.viewer.publish(SharedStateKey.SPAWN, () -> spawnOrder(session));
    }

    private static List<SauerbratenMessage> spawnOrder(SauerbratenSession session) {
        return session.presence() == Presence.DEAD
                ? List.of(new LifeMessage.SpawnState(session.cn, session.state()))
                : List.of();
    }

    private void vote(
            long now,
            SauerbratenSession from,
            MatchMessage.MapVote vote,
            Predicate<SauerbratenSession> forces) {
        String name = CubeText.map(vote.map());
        int number = vote.mode();
        SauerbratenMode votedMode = new SauerbratenMode(number);
        if (from.presence() == Presence.SPECTATOR && from.privilege() == 0) {
            return;
        }
        if (from.privilege() >= Privileges.ADMIN && sharedArena.controls(participant, name)) {
            registry.sendText(from, sharedArena.change(now, name));
            return;
        }
        if (isShared()) {
            registry.sendText(from, SharedArena.REFUSAL);
            return;
        }
        if (!votedMode.supported()) {
            registry.sendText(
                    from,
                    votedMode.known()
                            ? "This server does not support flags, bases or tokens. Choose a mode"
                                    + " from 0 to 8."
                            : "There is no mode " + number + ".");
            return;
        }
        if (!name.isEmpty() && !MAP_NAME.matcher(name).matches()) {
            registry.sendText(
                    from,
                    "'" + name + "' is not a map name: use 1 to 64 letters, digits and _ - .");
            return;
        }
        PlayerId player = from.player();
        if (player != null) {
            Wish wish = new Wish(name, votedMode);
            registry.arena()
                    .change(
                            now,
                            player,
                            "vote",
                            time -> count(time, from, wish, forces.test(from)));
        }
    }

    /** Counts a vote; the texts are those of the original server. */
    private void count(long now, SauerbratenSession from, Wish wish, boolean forced) {
        from.vote(wish);
        if (!forced) {
            registry.broadcastText(from.name() + " suggests " + wish + " (select map to vote)");
            List<SauerbratenSession> voters =
                    registry.joined().stream()
                            .filter(voter -> voter.presence() != Presence.SPECTATOR)
                            .toList();
            long votes = voters.stream().filter(voter -> wish.equals(voter.vote())).count();
            if (votes * 2 <= voters.size()) {
                return;
            }
        }
        if (!changes.tryAcquire(now)) {
            registry.sendText(from, "The map changed too often. Vote again in 10 seconds.");
            return;
        }
        registry.broadcastText(
                forced ? from.name() + " forced " + wish : "vote passed by majority");
        change(now, wish.map(), wish.mode());
    }

    /** Starts another match: all players spawn again. */
    private void change(long now, String name, SauerbratenMode next) {
        maps.change(name);
        registry.onMapRestored();
        mode = next;
        announceLevel(now);
        items.clear();
        intermission = false;
        end = next.timed() ? clock.played(now) + MATCH_NANOS : NEVER;
        registry.publish(SharedStateKey.MAP, this::mapChange);
        if (paused()) {
            pause(now, false);
            registry.publish(SharedStateKey.PAUSE, new AdminMessage.PauseGame(false, -1));
        }
        if (next.teams()) {
            formTeams();
        }
        if (next.timed() && !name.isEmpty()) {
            registry.publish(
                    SharedStateKey.TIME,
                    () -> List.of(new MatchMessage.TimeUp(secondsLeft(this.now))));
        }
        for (SauerbratenSession session : registry.joined()) {
            session.newMap();
            respawn(now, session);
        }
    }

    /** The map change as it is when it is sent: a client may have reported the items since. */
    private List<SauerbratenMessage> mapChange() {
        MatchMessage.MapChange change =
                new MatchMessage.MapChange(map(), mode.number(), !items.known());
        return items.known()
                ? List.of(change, new ItemMessage.ItemList(items.present()))
                : List.of(change);
    }

    /** Assigns the players alternately to the two teams, in the order in which they joined. */
    private void formTeams() {
        boolean even = true;
        for (SauerbratenSession session : registry.joined()) {
            if (session.presence() != Presence.SPECTATOR) {
                String team = even ? GOOD : EVIL;
                even = !even;
                if (!team.equals(session.team())) {
                    session.setTeam(team, SauerbratenSession.TEAM_REASON_NONE);
                    registry.refresh(session.cn);
                }
            }
        }
    }

    /** The team for a new player: the one with fewer players. */
    String teamOfNewcomer() {
        if (!mode.teams()) {
            return GOOD;
        }
        List<SauerbratenSession> others =
                registry.joined().stream()
                        .filter(other -> other.presence() != Presence.SPECTATOR)
                        .toList();
        long good = others.stream().filter(other -> other.team().equals(GOOD)).count();
        long evil = others.stream().filter(other -> other.team().equals(EVIL)).count();
        return good <= evil ? GOOD : EVIL;
    }

    void received(long now, SauerbratenSession from, ItemMessage message) {
        switch (message) {
            case ItemMessage.ItemList list -> {
                if (mode.items()) {
                    items.setItems(list);
                }
            }
            case ItemMessage.ItemPickup pickup ->
                    items.pickUp(now, clock.played(now), from, pickup.item());
            default -> registry.disconnect(from, DisconnectReason.MESSAGE_ERROR);
        }
    }
}
