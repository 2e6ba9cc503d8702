package dev.wishdir.quake3.client;

import dev.wishdir.game.BotController;
import dev.wishdir.game.BotController.PlayerInput;
import dev.wishdir.motion.Movement;
import dev.wishdir.quake3.combat.Weapon;
import dev.wishdir.quake3.message.PlayerArray;
import dev.wishdir.quake3.message.PlayerField;
import dev.wishdir.quake3.message.PlayerState;
import dev.wishdir.quake3.message.Usercmd;
import dev.wishdir.quake3.movement.Quake3Motion;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/** Builds a client's usercmds from its controller's input and the estimated server time. */
final class UsercmdBuilder {
    /** Usercmds in a message: the new one and those repeated. */
    private static final int USERCMDS_PER_MESSAGE = 3;

    private static final int STAT_HEALTH = 0;

    /** A flag of movement: the trigger must be up once before the body fires. */
    private static final int RESPAWNED = 512;

    /** View of a usercmd, canonical degrees. */
    private record View(double yaw, double pitch) {}

    private final BotController controller;
    private final ServerClock clock = new ServerClock();
    private final Deque<Usercmd> recent = new ArrayDeque<>();
    private int lastTime;
    private boolean isNewLevel;
    private boolean fire;
    private int pressed;

    /** The weapon to take in hand; empty for the one in hand. */
    private Optional<Weapon> wanted = Optional.empty();

    private Optional<View> aim = Optional.empty();

    UsercmdBuilder(BotController controller) {
        this.controller = controller;
    }

    /** Resets for a new level. */
    void begin() {
        restart();
        lastTime = 0;
        isNewLevel = true;
    }

    /** Resets for a restarted level. */
    void restart() {
        recent.clear();
        clock.reset();
    }

    /** Adjusts the clock by a snapshot; both times in milliseconds. */
    void snapshot(int millis, int serverTime) {
        clock.snapshot(millis, serverTime);
        if (isNewLevel) {
            // What was sent before has times from 1: the server's time was not known.
            isNewLevel = false;
            recent.clear();
            lastTime = serverTime - 1;
        }
    }

    /** Presses a button in the next usercmd. */
    void press(int button) {
        pressed |= button;
    }

    /** Wants a weapon in hand. */
    void select(Weapon weapon) {
        wanted = Optional.of(weapon);
    }

    /**
     * Fires in the next usercmd, in a direction; only looks there until the wanted weapon is ready.
     *
     * @param inHand the weapon in hand
     */
    void shoot(double yaw, double pitch, Optional<Weapon> inHand) {
        if (wanted.isEmpty() || wanted.equals(inHand)) {
            press(Usercmd.ATTACK);
        }
        aim = Optional.of(new View(yaw, pitch));
    }

    /**
     * The next usercmd after the repeated ones, oldest first.
     *
     * @param millis of the client's clock
     * @param player the client's player state of the newest snapshot
     * @param joined whether the client has ever been alive
     */
    List<Usercmd> next(
            long now, int millis, PlayerState player, Movement movement, boolean joined) {
        int time = clock.isKnown() ? clock.at(millis) : lastTime;
        lastTime = time - lastTime > 0 ? time : lastTime + 1;
        recent.addLast(usercmd(lastTime, controller.steer(now, movement), player, joined));
        while (recent.size() > USERCMDS_PER_MESSAGE) {
            recent.removeFirst();
        }
        return List.copyOf(recent);
    }

    private Usercmd usercmd(int time, PlayerInput steering, PlayerState player, boolean joined) {
        int buttons = pressed;
        pressed = 0;
        if (!isAlive(player) && joined) {
            wanted = Optional.empty();
            // A dead player respawns when it presses attack again.
            fire = !fire;
            buttons = fire ? Usercmd.ATTACK : 0;
        }
        if (joined && (player.get(PlayerField.PM_FLAGS) & RESPAWNED) != 0 && isAlive(player)) {
            buttons &= ~Usercmd.ATTACK;
        }
        PlayerInput input =
                aim.map(view -> steering.looking(view.yaw, view.pitch)).orElse(steering);
        aim = Optional.empty();
        return new Usercmd(
                time,
                angle(-input.pitch(), player.get(PlayerField.DELTA_ANGLES_0)),
                angle(input.yaw(), player.get(PlayerField.DELTA_ANGLES_1)),
                0,
                axis(input.forward()),
                axis(-input.left()),
                input.jump() ? 127 : input.crouch() ? -127 : 0,
                buttons,
                weapon(player));
    }

    private static boolean isAlive(PlayerState player) {
        return player.get(PlayerArray.STATS, STAT_HEALTH) > 0;
    }

    /** The wanted weapon, or the one in hand; the gauntlet if it is empty. */
    private int weapon(PlayerState player) {
        int inHand = wanted.map(Weapon::number).orElse(player.get(PlayerField.WEAPON));
        boolean empty = inHand > 0 && player.get(PlayerArray.AMMO, inHand & 15) == 0;
        return empty ? Weapon.GAUNTLET.number() : inHand;
    }

    private static int angle(double degrees, int delta) {
        return Quake3Motion.commandAngle(degrees) - delta & 0xFFFF;
    }

    private static int axis(double share) {
        return (int) Math.round(Math.clamp(share, -1, 1) * 127);
    }
}
