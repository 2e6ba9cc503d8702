package dev.wishdir.quake3.server;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.NativeMovement;
import dev.wishdir.arena.PlayerAction;
import dev.wishdir.arena.PlayerId;
import dev.wishdir.arena.RateLimitedAction;
import dev.wishdir.arena.ViolationRule;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.Counters;
import dev.wishdir.quake3.map.Quake3Map;
import dev.wishdir.quake3.message.Usercmd;
import dev.wishdir.quake3.movement.PlayerBody;
import dev.wishdir.quake3.movement.PmoveSettings;
import dev.wishdir.quake3.movement.Quake3Motion;
import dev.wishdir.quake3.movement.Quake3Movement;
import dev.wishdir.quake3.server.Quake3Player.State;
import dev.wishdir.world.BrushWorld;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** Moves the bodies of clients by their usercmds and reports the movements to the arena. */
final class UsercmdExecutor {
    private static final int MAX_LAG_MILLIS = 1_000;
    private static final int MAX_AHEAD_MILLIS = 200;

    private final Arena arena;
    private final Counters counters;
    private final RunningLevel running;
    private final RandomGenerator random;
    private final PmoveSettings settings;
    private final List<PlayerBody> bodies = new ArrayList<>();

    /** Server time up to which the level has advanced, milliseconds. */
    private int advancedTo;

    UsercmdExecutor(EndpointContext context, RunningLevel running) {
        arena = context.arena();
        counters = context.counters();
        this.running = running;
        random = context.random();
        settings = running.openArena() ? PmoveSettings.OPENARENA : PmoveSettings.QUAKE3;
    }

    /** Executes the new usercmds of a message; the first ones bring the client into the game. */
    void execute(long now, Quake3Player client, List<Usercmd> commands) {
        Usercmd last = commands.getLast();
        UsercmdFilter usercmdFilter = client.usercmds();
        usercmdFilter.came(now);
        client.body().setLagging(false);
        if (client.state() == State.PRIMED) {
            client.play(now);
            usercmdFilter.begin(last, running.time(now) + MAX_AHEAD_MILLIS);
            spawn(now, client);
            return;
        }
        if (!client.plays()) {
            return;
        }
        boolean moved = false;
        int from = running.time(now) - MAX_LAG_MILLIS;
        int to = running.time(now) + MAX_AHEAD_MILLIS;
        for (Usercmd command : commands) {
            int time = command.serverTime();
            if (time > last.serverTime() || !usercmdFilter.isNew(command)) {
                continue;
            }
            int clamped = Math.clamp(time, from, to);
            // Late commands of a stalled connection get no extra time; genuine clients are never
            // early.
            if (time > to) {
                counters.count("quake3.implausible");
            }
            if (!usercmdFilter.take(now, command, to)) {
                // The next command covers its time.
                counters.count("quake3.drop.usercmd");
                reportTooMany(now, client);
                continue;
            }
            int newButtons = usercmdFilter.execute(command);
            if (client.spectates() && (newButtons & Usercmd.ATTACK) != 0) {
                client.following().next(1, client.shown());
            }
            if (clamped > client.body().commandTime()) {
                run(client, command.at(clamped));
                if (!client.following().follows()) {
                    running.entities().touch(client.body());
                }
                act(now, client, command);
                moved = true;
            }
            if (client.body().isKilled()) {
                spawn(now, client);
                return;
            }
        }
        if (moved) {
            report(now, client);
        }
    }

    /** Reports the actions of a usercmd to the arena, for players of other games. */
    private void act(long now, Quake3Player client, Usercmd command) {
        PlayerId id = client.id();
        int buttons = command.buttons();
        if (id == null || client.spectates() || (buttons & Usercmd.TALK) != 0) {
            return;
        }
        if ((buttons & Usercmd.ATTACK) != 0) {
            arena.performAction(now, id, PlayerAction.ATTACK);
        }
        if ((buttons & Usercmd.GESTURE) != 0) {
            arena.performAction(now, id, PlayerAction.TAUNT);
        }
    }

    /** Advances the level's entities and reports the players that they have moved. */
    void advance(long now, Clients clients) {
        int time = running.time(now);
        if (time == advancedTo) {
            return;
        }
        advancedTo = time;
        bodies.clear();
        for (Quake3Player client : clients) {
            if (client.plays() && !client.spectates()) {
                bodies.add(client.body());
            }
        }
        running.entities().advance(time, bodies);
        for (Quake3Player client : clients) {
            PlayerBody body = client.body();
            if (body.isKilled()) {
                spawn(now, client);
            } else if (body.isCarried()) {
                carry(now, client);
            }
            body.clearCarried();
        }
    }

    private void reportTooMany(long now, Quake3Player client) {
        PlayerId id = client.id();
        if (id != null) {
            double limit = UsercmdFilter.MAX_BURST;
            double count = limit + client.usercmds().tooMany();
            arena.reportViolation(now, id, ViolationRule.MOVEMENT_COUNT, count, limit, limit);
        }
    }

    private void run(Quake3Player client, Usercmd command) {
        PlayerBody body = client.body();
        if (client.following().follows() && command.up() > 0) {
            client.following().stop();
        }
        if (client.following().follows()) {
            body.rest(command);
        } else {
            BrushWorld world = running.level().world();
            int millis = command.serverTime() - body.commandTime();
            body.move(
                    command,
                    settings,
                    world.with(client.obstacles(millis), running.entities().placed()));
        }
    }

    /** Marks a client that has sent no usercmd for a while as lagging, which it and others see. */
    void watch(long now, Quake3Player client) {
        PlayerBody body = client.body();
        if (client.plays() && client.usercmds().areQuiet(now) && !body.isLagging()) {
            body.setLagging(true);
            carry(now, client);
        }
    }

    /** Reports a client's own movement to the arena. */
    private void report(long now, Quake3Player client) {
        PlayerId id = client.id();
        if (id != null && !client.spectates()) {
            arena.move(now, id, movement(now, client, id), nativeMovement(client));
        }
    }

    /** Reports a movement by the level, or a change of state without movement. */
    private void carry(long now, Quake3Player client) {
        PlayerId id = client.id();
        if (id != null && !client.spectates()) {
            arena.relocate(now, id, movement(now, client, id), nativeMovement(client));
        }
    }

    private Movement movement(long now, Quake3Player client, PlayerId player) {
        Movement movement = Quake3Motion.movement(client.playerState());
        if (client.body().takeTeleported()) {
            if (arena.allows(now, player, RateLimitedAction.ACT, 1)) {
                arena.teleport(now, player, movement);
            }
        }
        return movement;
    }

    private static NativeMovement nativeMovement(Quake3Player client) {
        return new Quake3Movement(client.body().entity(client.clientNum()));
    }

    /** Spawns a client at a spawn point of the level. */
    void spawn(long now, Quake3Player client) {
        Quake3Map map = running.level();
        Quake3Map.Spawn spawn = map.spawns().get(chooseSpawn(now, client, map.spawns()));
        Usercmd command = client.usercmds().last();
        int time = running.time(now);
        client.body().spawn(spawn.origin(), spawn.yaw(), command, time);
        run(client, command.at(time));
        PlayerId id = client.id();
        if (id != null && !client.spectates()) {
            arena.spawn(now, id, Quake3Motion.movement(client.playerState()));
            carry(now, client);
        }
    }

    /** The index of a spawn point, for a spectator without regard to other players. */
    private int chooseSpawn(long now, Quake3Player client, List<Quake3Map.Spawn> spawns) {
        if (client.spectates()) {
            return random.nextInt(spawns.size());
        }
        List<Vec3> places =
                spawns.stream()
                        .map(Quake3Map.Spawn::origin)
                        .map(at -> Quake3Motion.feet(at.x(), at.y(), at.z()))
                        .toList();
        return arena.chooseSpawnPoint(now, Optional.ofNullable(client.id()), places);
    }

    /** Lets a client spectate or play. Returns whether that is a change. */
    boolean spectate(long now, Quake3Player client, boolean watch) {
        if (watch == client.spectates()) {
            return false;
        }
        client.body().setSpectator(watch);
        client.following().stop();
        if (watch) {
            PlayerId id = client.id();
            if (id != null) {
                arena.despawn(now, id);
            }
        } else {
            spawn(now, client);
        }
        return true;
    }
}
