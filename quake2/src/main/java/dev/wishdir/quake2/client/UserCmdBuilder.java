package dev.wishdir.quake2.client;

import dev.wishdir.game.BotController;
import dev.wishdir.quake2.message.Move;
import dev.wishdir.quake2.message.PlayerState;
import dev.wishdir.quake2.message.Triple;
import dev.wishdir.quake2.message.UserCmd;
import dev.wishdir.quake2.movement.Quake2Motion;

/** Turns what a pilot wishes into commands, each told three times against loss. */
final class UserCmdBuilder {
    private static final int RUN = 400;
    private static final int LIGHT = 128;

    private final int msec;
    private UserCmd previous = UserCmd.ZERO;
    private UserCmd oldest = UserCmd.ZERO;
    private boolean attacks;

    /**
     * @param msec milliseconds of a command
     */
    UserCmdBuilder(int msec) {
        this.msec = msec;
    }

    /** The commands begin anew. */
    void forget() {
        previous = UserCmd.ZERO;
        oldest = UserCmd.ZERO;
    }

    /** The next command attacks. */
    void attack() {
        attacks = true;
    }

    /**
     * The next command, with the two before it.
     *
     * @param state as the newest frame shows it
     * @param frame the newest that the next one can be a delta of, -1 for none
     */
    Move steer(BotController.PlayerInput wish, PlayerState state, int frame) {
        Triple delta = state.deltaAngles();
        UserCmd cmd =
                new UserCmd(
                        new Triple(
                                (short) (Quake2Motion.angle16(-wish.pitch()) - delta.x()),
                                (short) (Quake2Motion.angle16(wish.yaw()) - delta.y()),
                                (short) -delta.z()),
                        (int) Math.round(wish.forward() * RUN),
                        (int) Math.round(-wish.left() * RUN),
                        wish.jump() ? RUN : wish.crouch() ? -RUN : 0,
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

    /** A dead player comes back when it presses anew. */
    private static boolean isDead(PlayerState state) {
        return state.pmType() == PlayerState.DEAD || state.pmType() == PlayerState.GIB;
    }
}
