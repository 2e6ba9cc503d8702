package dev.wishdir.quake3.server.combat;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.event.NativeMovement;
import dev.wishdir.arena.event.PlayerAction;
import dev.wishdir.arena.event.RateLimitedAction;
import dev.wishdir.arena.event.ViolationRule;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.idtech.BrushWorld;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.loop.Counters;
import dev.wishdir.quake3.combat.MeansOfDeath;
import dev.wishdir.quake3.map.Quake3Map;
import dev.wishdir.quake3.message.Usercmd;
import dev.wishdir.quake3.movement.PlayerBody;
import dev.wishdir.quake3.movement.PmoveSettings;
import dev.wishdir.quake3.movement.Quake3Motion;
import dev.wishdir.quake3.movement.Quake3Movement;
import dev.wishdir.quake3.movement.UsercmdFilter;
import dev.wishdir.quake3.server.session.ClientTable;
import dev.wishdir.quake3.server.session.Quake3Session;
import dev.wishdir.quake3.server.view.RunningLevel;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/** Moves the bodies of clients by their usercmds and reports the movements to the arena. */
public final class UsercmdExecutor {
    private static final int MAX_LAG_MILLIS = 1_000;
    private static final int MAX_AHEAD_MILLIS = 200;

    private final Arena arena;
    private final Counters counters;
    private final RunningLevel running;
    private final RandomGenerator random;
    private final PmoveSettings settings;
    private final ShotHandler shots;
    private final LifeHandler lives;
    private final ItemHandler items;
    private final List<PlayerBody> bodies = new ArrayList<>();

    /** Server time up to which the level has advanced, milliseconds. */
    private int advancedTo;

    public UsercmdExecutor(
            EndpointContext context,
            RunningLevel running,
            ShotHandler shots,
            LifeHandler lives,
            ItemHandler items) {
        this.shots = shots;
        this.lives = lives;
        this.items = items;
        arena = context.arena();
        counters = context.counters();
        this.running = running;
        random = context.random();
        settings = running.openArena() ? PmoveSettings.OPENARENA : PmoveSettings.QUAKE3;
    }

    /** Forgets the entities of the previous level: their times are by its clock. */
    public void beginLevel() {
        items.beginLevel();
    }

    /** Executes the new usercmds of a message; the first ones bring the client into the game. */
    public void execute(long now, Quake3Session client, List<Usercmd> commands) {
        Usercmd last = commands.getLast();
        UsercmdFilter usercmdFilter = client.usercmds();
        usercmdFilter.onReceived(now);
        client.body().setLagging(false);
        if (client.isPrimed()) {
            client.activate(now);
            usercmdFilter.begin(last, running.time(now) + MAX_AHEAD_MILLIS);
            spawn(now, client);
            return;
        }
        if (!client.isActive()) {
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
                client.following().next(1, client.visiblePlayers());
            }
            dropFlag(now, client, newButtons);
            if (clamped > client.body().commandTime()) {
                fight(now, client, command.at(clamped));
                moved = true;
            }
            if (kill(now, client)) {
                return;
            }
            if (lives.respawns(now, client, command.buttons())) {
                spawn(now, client);
                return;
            }
        }
        if (moved) {
            report(now, client);
        }
    }

    /** Drops the flag of a player that uses what it holds. */
    private static void dropFlag(long now, Quake3Session client, int newButtons) {
        if ((newButtons & Usercmd.USE_HOLDABLE) != 0 && !client.spectates()) {
            client.player().ifPresent(player -> player.combatant().dropFlag(now));
        }
    }

    /** Executes a usercmd: the gauntlet's blow, the move, the level, the shots, the falls. */
    private void fight(long now, Quake3Session client, Usercmd command) {
        PlayerBody body = client.body();
        int events = body.events();
        int millis = command.serverTime() - body.commandTime();
        Optional<ArenaPlayer> fighter =
                client.player().filter(player -> player.combatant().isAlive());
        body.setGauntletHits(
                fighter.isPresent() && shots.strike(now, fighter.get(), body, command));
        run(client, command);
        if (!client.following().follows() && !body.isDead()) {
            running.entities().touch(body);
        }
        fighter.ifPresent(player -> items.touch(now, client, player));
        performActions(now, client, command);
        if (fighter.isPresent()) {
            ArenaPlayer player = fighter.get();
            for (int i = Math.max(events, body.events() - 2); i < body.events(); i++) {
                if (body.isShot(i)) {
                    shots.fire(now, player, body, command);
                }
            }
            lives.hurtByFalls(now, client, player, events);
            lives.age(client, player, millis);
        }
    }

    /**
     * Ends the life of a body that was hit by something in the level that no player survives.
     *
     * @return whether it has
     */
    private boolean kill(long now, Quake3Session client) {
        if (!client.body().isKilled()) {
            return false;
        }
        if (client.player().isPresent() && client.player().get().combatant().isAlive()) {
            client.body().clearKilled();
            lives.kill(now, client.player().get(), MeansOfDeath.TRIGGER_HURT);
        } else if (lives.isOn()) {
            client.body().clearKilled();
        } else {
            spawn(now, client);
        }
        return true;
    }

    /** A player ends its own life: without a match it spawns at once. */
    public void endLife(long now, Quake3Session client, ArenaPlayer player) {
        if (lives.isOn()) {
            lives.kill(now, player, MeansOfDeath.SUICIDE);
        } else {
            spawn(now, client);
        }
    }

    /** The end of a server frame for a client in the game. */
    public void endFrame(long now, Quake3Session client) {
        if (client.isActive() && !client.spectates()) {
            if (lives.isLate(client) || lives.respawns(now, client, 0)) {
                spawn(now, client);
            } else if (lives.endFrame(now, client)) {
                report(now, client);
            }
        }
    }

    /** Reports the actions of a usercmd to the arena, for players of other games. */
    private static void performActions(long now, Quake3Session client, Usercmd command) {
        int buttons = command.buttons();
        if (client.player().isEmpty() || client.spectates() || (buttons & Usercmd.TALK) != 0) {
            return;
        }
        ArenaPlayer player = client.player().get();
        if ((buttons & Usercmd.ATTACK) != 0) {
            player.performAction(now, PlayerAction.ATTACK);
        }
        if ((buttons & Usercmd.GESTURE) != 0) {
            player.performAction(now, PlayerAction.TAUNT);
        }
    }

    /** Advances the level's entities and reports the players that they have moved. */
    public void advance(long now, ClientTable clients) {
        int time = running.time(now);
        if (time == advancedTo) {
            return;
        }
        advancedTo = time;
        items.advance(time);
        bodies.clear();
        for (Quake3Session client : clients) {
            if (client.isActive() && !client.spectates()) {
                bodies.add(client.body());
            }
        }
        running.entities().advance(time, bodies);
        for (Quake3Session client : clients) {
            PlayerBody body = client.body();
            if (!kill(now, client) && body.isCarried()) {
                report(now, client);
            }
            body.clearCarried();
        }
    }

    private static void reportTooMany(long now, Quake3Session client) {
        double limit = UsercmdFilter.MAX_BURST;
        double count = limit + client.usercmds().dropped();
        client.player()
                .ifPresent(player ->
                        player.reportViolation(
                                now, ViolationRule.MOVEMENT_COUNT, count, limit, limit));
    }

    private void run(Quake3Session client, Usercmd command) {
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

    /** Marks a client that has recently sent no usercmd as lagging, which it and others show. */
    public void markLagging(long now, Quake3Session client) {
        PlayerBody body = client.body();
        if (client.isActive() && client.usercmds().isLagging(now) && !body.isLagging()) {
            body.setLagging(true);
            report(now, client);
        }
    }

    /** Reports a client's movement to the arena, or a change of its state without movement. */
    private static void report(long now, Quake3Session client) {
        if (client.player().isPresent() && !client.spectates()) {
            ArenaPlayer player = client.player().get();
            player.move(
                    now,
                    movement(now, client, player),
                    nativeMovement(client),
                    TimeUnit.MILLISECONDS.toNanos(client.body().commandTime()));
        }
    }

    private static Movement movement(long now, Quake3Session client, ArenaPlayer player) {
        Movement movement = Quake3Motion.movement(client.playerState());
        if (client.body().takeTeleported() && player.allows(now, RateLimitedAction.ACT, 1)) {
            player.teleport(now, movement);
        }
        return movement;
    }

    private static NativeMovement nativeMovement(Quake3Session client) {
        return new Quake3Movement(client.body().entity(client.clientNum()));
    }

    /** Spawns a client at a spawn point of the level. */
    public void spawn(long now, Quake3Session client) {
        List<Quake3Map.Spawn> spawns = running.spawns();
        Quake3Map.Spawn spawn = spawns.get(chooseSpawn(now, client, spawns));
        Usercmd command = client.usercmds().last();
        int time = running.time(now);
        client.body().spawn(spawn.origin(), spawn.yaw(), command, time);
        lives.begin(now, client);
        run(client, command.at(time));
        if (client.player().isPresent() && !client.spectates()) {
            client.player().get().spawn(now, Quake3Motion.movement(client.playerState()));
            report(now, client);
            lives.showSpawn(now, client, client.player().get());
        }
    }

    /** The index of a spawn point, for a spectator without regard to other players. */
    private int chooseSpawn(long now, Quake3Session client, List<Quake3Map.Spawn> spawns) {
        if (client.spectates()) {
            return random.nextInt(spawns.size());
        }
        List<Vec3> places =
                spawns.stream()
                        .map(Quake3Map.Spawn::origin)
                        .map(at -> Quake3Motion.feet(at.x(), at.y(), at.z()))
                        .toList();
        return client.player().isPresent()
                ? client.player().get().chooseSpawnPoint(now, places)
                : arena.chooseSpawnPoint(now, places);
    }

    /** Makes a client spectate or play. Returns whether that is a change. */
    public boolean changeTeam(long now, Quake3Session client, boolean spectate) {
        if (spectate == client.spectates()) {
            return false;
        }
        client.body().setSpectator(spectate);
        client.following().stop();
        client.player().ifPresent(player -> player.combatant().setWatching(now, spectate));
        if (spectate) {
            client.player().ifPresent(player -> player.despawn(now));
        } else {
            spawn(now, client);
        }
        return true;
    }
}
