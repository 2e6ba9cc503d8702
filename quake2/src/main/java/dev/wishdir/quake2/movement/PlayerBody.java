package dev.wishdir.quake2.movement;

import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.quake2.message.Move;
import dev.wishdir.quake2.message.PlayerState;
import dev.wishdir.quake2.message.Stats;
import dev.wishdir.quake2.message.Triple;
import dev.wishdir.quake2.message.UserCmd;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/**
 * The body of a client's player: its spawn, and its movement by commands. See
 * docs/protocols/quake2.md, 4.3.
 */
public final class PlayerBody {
    /** Speed check: how far the total time of a client's commands may be ahead of the clock. */
    public static final double MAX_AHEAD_MILLIS = CommandMsecBudget.MAX_AHEAD_MILLIS;

    private static final int MAX_REPEATED_COMMANDS = 20;
    private static final int GRAVITY = 800;

    /** Time for which a teleporter holds a body at its exit, in units of eight milliseconds. */
    private static final int HOLD_TIME = 20;

    private static final int FOV = 90;
    private static final int HEALTH = 100;

    private final CommandMsecBudget budget = new CommandMsecBudget();
    private PlayerState state = PlayerState.ZERO;
    private UserCmd last = UserCmd.ZERO;
    private boolean placed;
    private long ranMillis;
    private boolean teleported;

    /** The current player state. */
    public PlayerState state() {
        return state;
    }

    /** Whether it is a spectator: flies, and is invisible. */
    public boolean isSpectator() {
        return state.pmType() == PlayerState.SPECTATOR;
    }

    /** Lead of its commands over the clock, ms; 0 if never above the limit. */
    public double aheadMillis() {
        return budget.aheadMillis();
    }

    /** Expects its first command, as a sign-on starts. */
    public void expectFirstCommand() {
        last = UserCmd.ZERO;
    }

    /** Advances to a frame of the game's ten a second. */
    public void frame(int number) {
        budget.frame(number);
    }

    /**
     * Runs a move's newest command, and those that were lost before it.
     *
     * @param dropped number of packets missing before the one with the move
     * @param triggers checked after each command
     * @param near supplies the bodies of others within a distance, eighths of a unit
     * @param moved is called with the state of a playing body after each command
     * @return number of refused commands
     */
    public int run(
            long now,
            Move move,
            int dropped,
            Pmove physics,
            List<Trigger> triggers,
            IntFunction<List<PlayerState>> near,
            Consumer<PlayerState> moved) {
        List<UserCmd> commands = commands(move, dropped);
        int time = 0;
        for (UserCmd cmd : commands) {
            time += cmd.msec();
        }
        physics.setObstacles(state, near.apply(PlayerHulls.reach(time)));
        int refused = 0;
        for (UserCmd cmd : commands) {
            if (budget.tryRun(now, cmd.msec())) {
                state = physics.run(state, cmd, placed);
                ranMillis += cmd.msec();
                placed = false;
                if (state.pmType() == PlayerState.NORMAL) {
                    touch(triggers, cmd);
                    moved.accept(state);
                }
            } else {
                refused++;
            }
        }
        last = move.newest().cmd();
        return refused;
    }

    private void touch(List<Trigger> triggers, UserCmd cmd) {
        for (Trigger trigger : triggers) {
            if (trigger.touches(state)) {
                placed = true;
                state =
                        switch (trigger) {
                            case Trigger.Push push -> state.pushed(push.velocity());
                            case Trigger.Teleport teleport -> {
                                teleported = true;
                                yield teleported(teleport.exit(), cmd);
                            }
                        };
            }
        }
    }

    /** The state at a teleporter's exit, where it is held for a moment. */
    private PlayerState teleported(Movement exit, UserCmd cmd) {
        PlayerState there = Quake2Motion.toNative(exit);
        return state.teleported(
                there.origin(),
                HOLD_TIME,
                there.viewAngles(),
                deltaAngles(there.viewAngles(), cmd));
    }

    private static Triple deltaAngles(Triple view, UserCmd cmd) {
        return new Triple(
                (short) (view.x() - cmd.angles().x()),
                (short) (view.y() - cmd.angles().y()),
                (short) (view.z() - cmd.angles().z()));
    }

    /** The time of all commands that it has run, milliseconds. */
    public long ranMillis() {
        return ranMillis;
    }

    /** Whether it has teleported since the last call. */
    public boolean takeTeleported() {
        boolean was = teleported;
        teleported = false;
        return was;
    }

    /** The commands to run, oldest first: those that were lost, and the newest. */
    private List<UserCmd> commands(Move move, int dropped) {
        List<UserCmd> commands = new ArrayList<>();
        if (dropped < MAX_REPEATED_COMMANDS) {
            for (int i = dropped; i > 2; i--) {
                commands.add(last);
            }
            if (dropped > 1) {
                commands.add(move.oldest().cmd());
            }
            if (dropped > 0) {
                commands.add(move.previous().cmd());
            }
        }
        commands.add(move.newest().cmd());
        return commands;
    }

    /** Whether it lies dead on the ground. */
    public boolean isDead() {
        return state.pmType() == PlayerState.DEAD;
    }

    /** Lets it die: it slides on, and falls. */
    public void die() {
        state = state.as(PlayerState.DEAD);
    }

    /** Holds it where it is, until it is placed again. */
    public void freeze() {
        state = state.as(PlayerState.FREEZE).pushed(Triple.ZERO);
    }

    /**
     * Pushes it.
     *
     * @param change of its velocity, metres a second
     */
    public void push(Vec3 change) {
        Triple velocity = state.velocity();
        Triple more = Quake2Motion.velocity(change);
        placed = true;
        state =
                state.pushed(
                        new Triple(
                                limited(velocity.x() + more.x()),
                                limited(velocity.y() + more.y()),
                                limited(velocity.z() + more.z())));
    }

    private static int limited(int eighths) {
        return Math.clamp(eighths, Short.MIN_VALUE, Short.MAX_VALUE);
    }

    /** Spawns it. */
    public void place(Movement spawnPoint, boolean spectator) {
        PlayerState spawned = Quake2Motion.toNative(spawnPoint);
        Triple view = spawned.viewAngles();
        state =
                new PlayerState(
                        spectator ? PlayerState.SPECTATOR : PlayerState.NORMAL,
                        spawned.origin(),
                        Triple.ZERO,
                        0,
                        0,
                        GRAVITY,
                        deltaAngles(view, last),
                        new Triple(0, 0, Quake2Motion.EYE * 4),
                        view,
                        Triple.ZERO,
                        0,
                        0,
                        Triple.ZERO,
                        Triple.ZERO,
                        spawned.blend(),
                        FOV,
                        0,
                        Stats.ZERO.with(Stats.HEALTH, HEALTH));
        placed = true;
    }
}
