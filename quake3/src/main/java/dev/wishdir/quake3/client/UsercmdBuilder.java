package dev.wishdir.quake3.client;

import dev.wishdir.game.BotController;
import dev.wishdir.game.BotController.PlayerInput;
import dev.wishdir.motion.Movement;
import dev.wishdir.quake3.message.PlayerField;
import dev.wishdir.quake3.message.PlayerState;
import dev.wishdir.quake3.message.Usercmd;
import dev.wishdir.quake3.movement.Quake3Motion;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** The usercmds that a client sends: where its pilot steers, by the server's clock. */
final class UsercmdBuilder {
    /** How many a message repeats, the new one among them. */
    private static final int REPEATED = 3;

    private static final int HEALTH = 0;

    private final BotController controller;
    private final ServerClock clock = new ServerClock();
    private final Deque<Usercmd> recent = new ArrayDeque<>();
    private int lastTime;
    private boolean fire;
    private int pressed;

    UsercmdBuilder(BotController controller) {
        this.controller = controller;
    }

    /** A level begins, and its clock. */
    void begin() {
        restart();
        lastTime = 0;
    }

    /** The level begins again. */
    void restart() {
        recent.clear();
        clock.reset();
    }

    /** A snapshot came; milliseconds of the client's clock and of the server's. */
    void snapshot(int millis, int serverTime) {
        clock.snapshot(millis, serverTime);
    }

    /** The next one has this button down. */
    void press(int button) {
        pressed |= button;
    }

    /**
     * The next one with those before it that are repeated, oldest first.
     *
     * @param millis the client's clock
     * @param player what the newest snapshot says of the client
     * @param joined whether it has ever lived
     */
    List<Usercmd> next(
            long now, int millis, PlayerState player, Movement movement, boolean joined) {
        lastTime = Math.max(lastTime + 1, clock.at(millis));
        recent.addLast(steered(lastTime, controller.steer(now, movement), player, joined));
        while (recent.size() > REPEATED) {
            recent.removeFirst();
        }
        return List.copyOf(recent);
    }

    private Usercmd steered(int time, PlayerInput input, PlayerState player, boolean joined) {
        int buttons = pressed;
        pressed = 0;
        if (player.get(PlayerState.Slots.STATS, HEALTH) <= 0 && joined) {
            // A dead player comes back when it presses anew.
            fire = !fire;
            buttons = fire ? Usercmd.ATTACK : 0;
        }
        return new Usercmd(
                time,
                angle(-input.pitch(), player.get(PlayerField.DELTA_ANGLES_0)),
                angle(input.yaw(), player.get(PlayerField.DELTA_ANGLES_1)),
                0,
                axis(input.forward()),
                axis(-input.left()),
                input.jump() ? 127 : input.crouch() ? -127 : 0,
                buttons,
                player.get(PlayerField.WEAPON));
    }

    private static int angle(double degrees, int delta) {
        return Quake3Motion.commandAngle(degrees) - delta & 0xFFFF;
    }

    private static int axis(double share) {
        return (int) Math.round(Math.clamp(share, -1, 1) * 127);
    }
}
