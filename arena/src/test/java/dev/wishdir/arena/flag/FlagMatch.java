package dev.wishdir.arena.flag;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.combat.ArmourRule;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.DamageMeans;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.MatchMode;
import dev.wishdir.arena.event.NativeMovement;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.Team;
import dev.wishdir.arena.event.Vitals;
import dev.wishdir.arena.match.MatchRules;
import dev.wishdir.arena.relay.Viewer;
import dev.wishdir.blocks.arena.FlagBases;
import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.CollisionSpace;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A match of capture the flag in a wide room, in virtual time. */
final class FlagMatch {
    static final long SECOND = 1_000_000_000;
    static final Vec3 RED_HOME = new Vec3(-20, 0, 0);
    static final Vec3 BLUE_HOME = new Vec3(20, 0, 0);
    static final Bounds ROOM = new Bounds(new Vec3(-50, -50, 0), new Vec3(50, 50, 30));
    static final FlagBases BASES =
            new FlagBases(
                    new FlagBases.Base(RED_HOME, List.of()),
                    new FlagBases.Base(BLUE_HOME, List.of()));

    private static final Vitals WHOLE = new Vitals(100, 0, 0);

    final Arena arena;

    /** Changes of flags as text: {@code blue taken touch anna}. */
    final List<String> changes = new ArrayList<>();

    final List<ArenaEvent> events = new ArrayList<>();
    private final Map<String, ArenaPlayer> players = new LinkedHashMap<>();
    long now = 5 * SECOND;

    FlagMatch(MatchRules rules, CollisionSpace space) {
        arena = new Arena(level(space), 20);
        arena.setMatchRules(rules);
        arena.addListener(this::onEvent);
    }

    FlagMatch() {
        this(MatchRules.of(MatchMode.CTF), CollisionSpace.within(ROOM));
    }

    static Level level(CollisionSpace space) {
        return new Level("test", ROOM, space, List.of(), List.of()).withBases(Optional.of(BASES));
    }

    private void onEvent(ArenaEvent event) {
        events.add(event);
        if (event instanceof ArenaEvent.FlagChanged e) {
            changes.add(
                    e.flag()
                            + " "
                            + e.change()
                            + " "
                            + e.cause()
                            + e.player().map(player -> " " + player.name()).orElse(""));
        }
    }

    private static final class Eye implements Viewer {
        @Override
        public void onEvent(ArenaEvent event) {}

        @Override
        public void onMovement(List<Player> movers) {}
    }

    /** Adds a living player in the middle: the first is red, the second blue, and so on. */
    ArenaPlayer join(String name) {
        ArenaPlayer player = arena.join(now, "quake3", name, new Eye());
        players.put(name, player);
        live(player);
        return player;
    }

    void live(ArenaPlayer player) {
        player.combatant().beginLife(now, WHOLE, ArmourRule.EXACT);
        player.spawn(now, Movement.at(new Vec3(0, 20, 0), 0));
    }

    void move(ArenaPlayer player, Vec3 to) {
        player.move(now, Movement.at(to, 0), NativeMovement.Stored.NONE);
    }

    /** Moves a player to a flag's place, a second later. */
    void go(ArenaPlayer player, Vec3 to) {
        pass(1);
        move(player, to);
    }

    void kill(ArenaPlayer killer, ArenaPlayer victim) {
        killer.combatant().hit(now, victim.id(), DamageMeans.RIFLE, 1_000, Vec3.ZERO, Vec3.ZERO);
    }

    /** Lets time pass, in which all clients show activity. */
    void pass(double seconds) {
        long until = now + (long) (seconds * SECOND);
        while (now < until) {
            now = Math.min(until, now + SECOND / 4);
            players.values().stream()
                    .filter(ArenaPlayer::isHere)
                    .forEach(it -> it.recordActivity(now));
            arena.advance(now);
        }
    }

    Flag flag(Team team) {
        return arena.match().flags().all().get(team.ordinal());
    }

    int points(ArenaPlayer player) {
        return arena.match().score(player.id()).frags();
    }

    int captures(Team team) {
        return arena.match().frags(team);
    }
}
