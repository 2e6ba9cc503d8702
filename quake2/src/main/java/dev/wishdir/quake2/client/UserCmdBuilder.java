package dev.wishdir.quake2.client;

import dev.wishdir.game.BotController;
import dev.wishdir.quake2.message.Move;
import dev.wishdir.quake2.message.PlayerState;
import dev.wishdir.quake2.message.Triple;
import dev.wishdir.quake2.message.UserCmd;
import dev.wishdir.quake2.movement.Quake2Motion;

import java.util.Optional;

/** Converts a controller's input to user commands, each sent three times against loss. */
final class UserCmdBuilder {
    private static final int RUN_SPEED = 400;
    private static final int LIGHT = 128;

    private final int msec;
    private UserCmd previous = UserCmd.ZERO;
    private UserCmd oldest = UserCmd.ZERO;
    private boolean attacks;

    /** View of the next command; empty for that of its input. */
    private Optional<View> aim = Optional.empty();

    /** Canonical degrees. */
    private record View(double yaw, double pitch) {}

    /**
     * @param msec duration of a command, milliseconds
     */
    UserCmdBuilder(int msec) {
        this.msec = msec;
    }

    /** Starts over with the first command. */
    void reset() {
        previous = UserCmd.ZERO;
        oldest = UserCmd.ZERO;
    }

    /** Sets the attack button in the next command. */
    void attack() {
        attacks = true;
    }

    /**
     * Sets the view of the next command, which walks as its input says.
     *
     * @param yaw canonical degrees
     * @param pitch canonical degrees
     */
    void aim(double yaw, double pitch) {
        aim = Optional.of(new View(yaw, pitch));
    }

    /**
     * The next move: a command and the two before it.
     *
     * @param state of the newest frame
     * @param frame newest frame that can be a delta base, -1 for none
     */
    Move steer(BotController.PlayerInput steering, PlayerState state, int frame) {
        Triple delta = state.deltaAngles();
        BotController.PlayerInput input =
                aim.map(view -> steering.looking(view.yaw, view.pitch)).orElse(steering);
        aim = Optional.empty();
        Triple look =
                new Triple(
                        Quake2Motion.angle16(-input.pitch()), Quake2Motion.angle16(input.yaw()), 0);
        UserCmd cmd =
                new UserCmd(
                        new Triple(
                                (short) (look.x() - delta.x()),
                                (short) (look.y() - delta.y()),
                                (short) -delta.z()),
                        (int) Math.round(input.forward() * RUN_SPEED),
                        (int) Math.round(-input.left() * RUN_SPEED),
                        input.jump() ? RUN_SPEED : input.crouch() ? -RUN_SPEED : 0,
                        isDead(state)
                                ? previous.buttons() ^ UserCmd.ATTACK
                                : attacks ? UserCmd.ATTACK : 0,
                        0,
                        msec,
                        LIGHT);
        Move move = Move.of(frame, oldest, previous, cmd);
        attacks = false;
        oldest = previous;
        previous = cmd;
        return move;
    }

    /** A dead player respawns when the attack button is pressed again, so it is toggled. */
    private static boolean isDead(PlayerState state) {
        return state.pmType() == PlayerState.DEAD || state.pmType() == PlayerState.GIB;
    }
}
