package dev.wishdir.quake2.movement;

import dev.wishdir.motion.Movement;
import dev.wishdir.quake2.message.Move;
import dev.wishdir.quake2.message.PlayerState;
import dev.wishdir.quake2.message.Stats;
import dev.wishdir.quake2.message.Triple;
import dev.wishdir.quake2.message.UserCmd;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/**
 * A client's body: where it was put, and where its commands have taken it. See
 * docs/protocols/quake2.md, 4.3.
 */
public final class PlayerBody {
    /** How many milliseconds a client's commands may be ahead of the clock. */
    public static final double MAX_AHEAD_MILLIS = 2000;

    private static final int MAX_REPEATED_COMMANDS = 20;
    private static final int GRAVITY = 800;

    /** Eight milliseconds each that a teleporter holds who comes out of it. */
    private static final int HOLD = 20;

    private static final int FOV = 90;
    private static final int HEALTH = 100;

    private final CommandMsecBudget budget = new CommandMsecBudget();
    private PlayerState state = PlayerState.ZERO;
    private UserCmd last = UserCmd.ZERO;
    private boolean placed;
    private boolean teleported;

    /** Where it is, and how. */
    public PlayerState state() {
        return state;
    }

    /** Whether it flies about and is not seen. */
    public boolean watches() {
        return state.pmType() == PlayerState.SPECTATOR;
    }

    /** How far its commands were ahead of the clock, ms; 0 if never more than they may. */
    public double ahead() {
        return budget.ahead();
    }

    /** Its next command is the first: a sign-on begins. */
    public void forget() {
        last = UserCmd.ZERO;
    }

    /** A frame was made, of the game's ten a second. */
    public void frame(int number) {
        budget.frame(number);
    }

    /**
     * Runs a move's newest command, and what was lost before it.
     *
     * @param dropped packets that were missing before that of the move
     * @param triggers what takes it elsewhere, after each command
     * @param near the bodies of others that are at most so far away, eighths of a unit
     * @return how many commands were refused
     */
    public int run(
            long now,
            Move move,
            int dropped,
            PlayerPhysics physics,
            List<Trigger> triggers,
            IntFunction<List<PlayerState>> near) {
        List<UserCmd> commands = commands(move, dropped);
        int time = 0;
        for (UserCmd cmd : commands) {
            time += cmd.msec();
        }
        physics.among(state, near.apply(PlayerHulls.reach(time)));
        int refused = 0;
        for (UserCmd cmd : commands) {
            if (budget.spend(now, cmd.msec())) {
                state = physics.run(state, cmd, placed);
                placed = false;
                if (state.pmType() == PlayerState.NORMAL) {
                    touch(triggers, cmd);
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
                            case Trigger.Push push -> state.thrown(push.velocity());
                            case Trigger.Teleport teleport -> {
                                teleported = true;
                                yield teleported(teleport.exit(), cmd);
                            }
                        };
            }
        }
    }

    /** It stands elsewhere, and is held there for a moment. */
    private PlayerState teleported(Movement exit, UserCmd cmd) {
        PlayerState there = Quake2Motion.toNative(exit);
        return state.teleported(
                there.origin(), HOLD, there.viewAngles(), turned(there.viewAngles(), cmd));
    }

    private static Triple turned(Triple view, UserCmd cmd) {
        return new Triple(
                (short) (view.x() - cmd.angles().x()),
                (short) (view.y() - cmd.angles().y()),
                (short) (view.z() - cmd.angles().z()));
    }

    /** Whether it was somewhere else of a sudden since this was asked last. */
    public boolean takeTeleported() {
        boolean was = teleported;
        teleported = false;
        return was;
    }

    /** What a move makes run, oldest first: its own command, and what was lost before it. */
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

    /** Puts it somewhere, with a new life. */
    public void place(Movement where, boolean watches) {
        PlayerState spawned = Quake2Motion.toNative(where);
        Triple view = spawned.viewAngles();
        state =
                new PlayerState(
                        watches ? PlayerState.SPECTATOR : PlayerState.NORMAL,
                        spawned.origin(),
                        Triple.ZERO,
                        0,
                        0,
                        GRAVITY,
                        turned(view, last),
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
