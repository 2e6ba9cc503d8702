package dev.wishdir.record.recorder;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.combat.ArmourRule;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.ArenaListener;
import dev.wishdir.arena.event.DamageMeans;
import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.MatchMode;
import dev.wishdir.arena.event.NativeMovement;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerAction;
import dev.wishdir.arena.event.Team;
import dev.wishdir.arena.event.ViolationRule;
import dev.wishdir.arena.event.Vitals;
import dev.wishdir.arena.item.ItemPickup;
import dev.wishdir.arena.item.ItemReach;
import dev.wishdir.arena.match.MatchRules;
import dev.wishdir.arena.relay.Viewer;
import dev.wishdir.blocks.arena.ItemKind;
import dev.wishdir.blocks.arena.PlacedItem;
import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Stance;
import dev.wishdir.motion.Vec3;
import dev.wishdir.wire.Bytes;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** An arena in which players of four games come, walk, talk, cheat and go, from a seed. */
public final class ArenaScript {
    static final List<String> GAMES = List.of("sauerbraten", "quake2", "quake3", "bedrock");

    private static final Viewer BLIND =
            new Viewer() {
                @Override
                public void onEvent(ArenaEvent event) {}

                @Override
                public void onMovement(List<Player> movers) {}
            };

    private static final PlacedItem ITEM =
            new PlacedItem(
                    ItemKind.MEGA_HEALTH, new Vec3(1.5, -2.25, 0.5), Duration.ofMillis(1_250), "");

    final Arena arena = new Arena(Level.BOX.withItems(List.of(ITEM)), 64);
    private final Random random;
    private final List<ArenaPlayer> players = new ArrayList<>();
    private long now;
    private int level;
    private boolean cheats = true;
    private boolean fights;

    /**
     * @param start nanoseconds, at which the first step is made
     */
    public ArenaScript(long seed, long start, ArenaListener... listeners) {
        random = new Random(seed);
        now = start;
        for (ArenaListener listener : listeners) {
            arena.addListener(listener);
        }
    }

    long now() {
        return now;
    }

    /** Lets players fight; before the first step. */
    public ArenaScript withFights(MatchMode mode) {
        fights = true;
        arena.setMatchRules(
                MatchRules.of(mode)
                        .withTimes(Duration.ofSeconds(2), Duration.ZERO, Duration.ofMillis(200))
                        .withScoreLimit(5));
        return this;
    }

    private void fight(ArenaPlayer player) {
        if (!player.combatant().isAlive()) {
            player.combatant().beginLife(now, new Vitals(100, 50, 0.5), ArmourRule.EXACT);
            return;
        }
        ArenaPlayer other = players.get(random.nextInt(players.size()));
        player.combatant()
                .hit(
                        now,
                        other.id(),
                        DamageMeans.values()[random.nextInt(DamageMeans.values().length)],
                        random.nextInt(1, 90),
                        new Vec3(random.nextInt(9), 0.25, -3),
                        other.snapshot().movement().position());
        player.combatant()
                .takeItems(
                        now,
                        ITEM.place(),
                        ItemReach.ofBoxes(1, 2, 1, 1),
                        _ -> random.nextBoolean());
        if (random.nextInt(30) == 0) {
            player.combatant().die(now);
        }
        player.combatant().changeTeam(now, random.nextBoolean() ? Team.RED : Team.BLUE);
    }

    /** Lets players move as their games allow from now on. */
    ArenaScript withoutCheats() {
        cheats = false;
        return this;
    }

    /** Lets a player break a rule. */
    void cheat() {
        violate(players.getFirst());
    }

    private void violate(ArenaPlayer player) {
        player.reportViolation(now, ViolationRule.AIR_TIME, 3.25, 2, 0.5);
    }

    /** Makes steps of 8 ms, in each of which about a quarter of the players moves. */
    public void run(int steps) {
        for (int i = 0; i < steps; i++) {
            now += 8_000_000 + random.nextInt(1000);
            step();
            arena.advance(now);
        }
    }

    private void step() {
        if (players.size() < 12 && random.nextInt(20) == 0) {
            String game = GAMES.get(random.nextInt(GAMES.size()));
            ArenaPlayer player = arena.join(now, game, "name" + random.nextInt(8), BLIND);
            player.setPing(1 + random.nextInt(300));
            players.add(player);
        }
        for (ArenaPlayer player : List.copyOf(players)) {
            if (random.nextInt(4) == 0) {
                player.recordActivity(now);
                act(player);
            }
        }
        if (random.nextInt(400) == 0) {
            arena.announce(now, "announcement " + random.nextInt());
            arena.reportRefusal(
                    now, "quake3", "192.0.2.1:5", LeaveReason.of(LeaveReason.Code.SERVER_FULL));
            arena.setLevel(
                    now,
                    GAMES.get(random.nextInt(GAMES.size())),
                    new Level(
                                    "level" + level++,
                                    new Bounds(new Vec3(-200, -200, -50), new Vec3(200, 200, 50)))
                            .withItems(List.of(ITEM)));
            // Another server's player took it, and has left.
            ItemPickup pickup = new ItemPickup(Optional.empty(), 0, ITEM, ITEM.returnTime());
            arena.match().shared().mirror(now, pickup, () -> true);
        }
    }

    private void act(ArenaPlayer player) {
        if (!player.snapshot().spawned()) {
            player.spawn(now, Movement.at(place(), random.nextInt(360)));
            return;
        }
        if (fights) {
            fight(player);
        }
        if (!player.snapshot().spawned()) {
            return;
        }
        switch (random.nextInt(150)) {
            case 0 -> player.despawn(now);
            case 1 -> player.teleport(now, movement());
            case 2 -> player.say(now, "text " + random.nextInt());
            case 3 -> player.rename(now, "other" + random.nextInt(8));
            case 4 -> player.performAction(now, PlayerAction.ATTACK);
            case 5 -> player.reportAppearanceChange(now);
            case 6 -> {
                if (cheats) {
                    violate(player);
                }
            }
            case 7 -> player.whisper(now, players.getFirst().id(), "secret");
            case 8 -> player.kick(now, LeaveReason.of(LeaveReason.Code.RATE_LIMIT));
            case 9 -> {
                player.leave(now, LeaveReason.TIMED_OUT);
                players.remove(player);
            }
            default -> {
                Movement movement = movement();
                player.move(now, movement, nativeForm(player.snapshot().game()));
            }
        }
    }

    private NativeMovement nativeForm(String game) {
        byte[] bytes = new byte[16 + random.nextInt(25)];
        random.nextBytes(bytes);
        return game.equals("bedrock") && random.nextBoolean()
                ? NativeMovement.Stored.NONE
                : new NativeMovement.Stored(game + "/1", Bytes.wrap(bytes));
    }

    private Vec3 place() {
        return new Vec3(
                random.nextDouble(-60, 60), random.nextDouble(-60, 60), random.nextDouble(0, 8));
    }

    private Movement movement() {
        return new Movement(
                place(),
                random.nextDouble(0, 360),
                random.nextDouble(-90, 90),
                new Vec3(random.nextGaussian(), random.nextGaussian(), 0),
                new Stance(random.nextInt(64)));
    }
}
