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

/** Moves the bodies of clients as their user commands say, and tells the arena. */
final class UsercmdExecutor {
    private static final int MAX_LAG_MILLIS = 1_000;
    private static final int AHEAD = 200;

    private final Arena arena;
    private final Counters counters;
    private final RunningLevel running;
    private final RandomGenerator random;
    private final PmoveSettings settings;
    private final List<PlayerBody> bodies = new ArrayList<>();

    /** Up to when what is due has happened, milliseconds. */
    private int advanced;

    UsercmdExecutor(EndpointContext context, RunningLevel running) {
        arena = context.arena();
        counters = context.counters();
        this.running = running;
        random = context.random();
        settings = running.openArena() ? PmoveSettings.OPENARENA : PmoveSettings.QUAKE3;
    }

    /** Executes what is new of a message's commands; the first ones bring the client in. */
    void execute(long now, Quake3Player client, List<Usercmd> commands) {
        Usercmd last = commands.getLast();
        UsercmdFilter usercmdFilter = client.usercmds();
        usercmdFilter.came(now);
        client.body().lag(false);
        if (client.state() == State.PRIMED) {
            client.play(now);
            usercmdFilter.begin(last, running.time(now) + AHEAD);
            spawn(now, client);
            return;
        }
        if (!client.plays()) {
            return;
        }
        boolean moved = false;
        int from = running.time(now) - MAX_LAG_MILLIS;
        int to = running.time(now) + AHEAD;
        for (Usercmd command : commands) {
            int time = command.serverTime();
            if (time > last.serverTime() || !usercmdFilter.isNew(command)) {
                continue;
            }
            int clamped = Math.clamp(time, from, to);
            // Who was held up is late, and gets no time for it; early is nobody.
            if (time > to) {
                counters.count("quake3.implausible");
            }
            if (!usercmdFilter.take(now, command, to)) {
                // The next one takes its time.
                counters.count("quake3.drop.usercmd");
                tooMany(now, client);
                continue;
            }
            int pressed = usercmdFilter.execute(command);
            if (client.spectates() && (pressed & Usercmd.ATTACK) != 0) {
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

    /** Tells the players of other games what a command has the body do. */
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

    /** Lets everything in the level happen that is due, and tells whom it has moved. */
    void advance(long now, Clients clients) {
        int time = running.time(now);
        if (time == advanced) {
            return;
        }
        advanced = time;
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
            body.toldCarried();
        }
    }

    private void tooMany(long now, Quake3Player client) {
        PlayerId id = client.id();
        if (id != null) {
            double most = UsercmdFilter.MAX_STEPS_PER_SECOND;
            double came = most + client.usercmds().tooMany();
            arena.reportViolation(now, id, ViolationRule.MOVEMENT_COUNT, came, most, most);
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

    /** Shows a client as lagging, to itself and to others, that has sent no command for a while. */
    void watch(long now, Quake3Player client) {
        PlayerBody body = client.body();
        if (client.plays() && client.usercmds().areQuiet(now) && !body.lags()) {
            body.lag(true);
            carry(now, client);
        }
    }

    /** Tells where a client has moved to. */
    private void report(long now, Quake3Player client) {
        PlayerId id = client.id();
        if (id != null && !client.spectates()) {
            arena.move(now, id, movement(now, client, id), seen(client));
        }
    }

    /** Tells where the level has moved a client to, or how it looks by now. */
    private void carry(long now, Quake3Player client) {
        PlayerId id = client.id();
        if (id != null && !client.spectates()) {
            arena.relocate(now, id, movement(now, client, id), seen(client));
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

    private static NativeMovement seen(Quake3Player client) {
        return new Quake3Movement(client.body().entity(client.clientNum()));
    }

    /** Puts a client to a start of the level, looking as the start does. */
    void spawn(long now, Quake3Player client) {
        Quake3Map map = running.level();
        Quake3Map.Spawn spawn = map.spawns().get(place(now, client, map.spawns()));
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

    /** The index of where a client appears; a spectator takes no place. */
    private int place(long now, Quake3Player client, List<Quake3Map.Spawn> spawns) {
        if (client.spectates()) {
            return random.nextInt(spawns.size());
        }
        List<Vec3> places =
                spawns.stream()
                        .map(Quake3Map.Spawn::origin)
                        .map(at -> Quake3Motion.feet(at.x(), at.y(), at.z()))
                        .toList();
        return arena.choosePlace(now, Optional.ofNullable(client.id()), places);
    }

    /** Lets a client watch, or play again. Returns whether that is new. */
    boolean spectate(long now, Quake3Player client, boolean watch) {
        if (watch == client.spectates()) {
            return false;
        }
        client.body().watch(watch);
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
