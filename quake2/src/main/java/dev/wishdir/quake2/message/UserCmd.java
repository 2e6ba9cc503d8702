package dev.wishdir.quake2.message;

import dev.wishdir.wire.Wire;

import java.util.Map;

/**
 * A user command: the input of a player for some milliseconds (usercmd_t).
 *
 * <p>See docs/protocols/quake2.md, 4.1.
 *
 * @param angles pitch, yaw and roll of the view minus the player state's delta angles, in 65536ths
 *     of a turn, signed
 * @param forward requested speed, units per second
 * @param side requested speed to the right, units per second
 * @param up requested speed upwards: positive jumps, negative ducks
 * @param buttons 1 attack, 2 use, 128 any key
 * @param msec duration, milliseconds, 0..255
 * @param light brightness at the player's position, 0..255
 */
public record UserCmd(
        Triple angles,
        int forward,
        int side,
        int up,
        int buttons,
        int impulse,
        int msec,
        int light) {
    public static final UserCmd ZERO = new UserCmd(Triple.ZERO, 0, 0, 0, 0, 0, 0, 0);

    /** The attack button. */
    public static final int ATTACK = 1;

    static final int ANGLE1 = 0x01;
    static final int ANGLE2 = 0x02;
    static final int ANGLE3 = 0x04;
    static final int FORWARD = 0x08;
    static final int SIDE = 0x10;
    static final int UP = 0x20;
    static final int BUTTONS = 0x40;
    static final int IMPULSE = 0x80;

    /** Whether the attack button is pressed. */
    public boolean attacks() {
        return (buttons & ATTACK) != 0;
    }

    /**
     * A command as a delta of the one before it.
     *
     * @param bits the fields that are sent, whether or not they differ
     * @param cmd the complete command
     */
    public record Delta(int bits, UserCmd cmd) {
        public static final Delta ZERO = new Delta(0, UserCmd.ZERO);

        /** The shortest delta from {@code base} to {@code cmd}. */
        public static Delta between(UserCmd base, UserCmd cmd) {
            int bits = 0;
            bits |= base.angles.x() == cmd.angles.x() ? 0 : ANGLE1;
            bits |= base.angles.y() == cmd.angles.y() ? 0 : ANGLE2;
            bits |= base.angles.z() == cmd.angles.z() ? 0 : ANGLE3;
            bits |= base.forward == cmd.forward ? 0 : FORWARD;
            bits |= base.side == cmd.side ? 0 : SIDE;
            bits |= base.up == cmd.up ? 0 : UP;
            bits |= base.buttons == cmd.buttons ? 0 : BUTTONS;
            bits |= base.impulse == cmd.impulse ? 0 : IMPULSE;
            return new Delta(bits, cmd);
        }

        static Delta wire(Wire w, Delta d, UserCmd base) {
            UserCmd c = d.cmd;
            int bits = w.u8("bits", d.bits);
            int pitch = (bits & ANGLE1) == 0 ? base.angles.x() : w.i16le("pitch", c.angles.x());
            int yaw = (bits & ANGLE2) == 0 ? base.angles.y() : w.i16le("yaw", c.angles.y());
            int roll = (bits & ANGLE3) == 0 ? base.angles.z() : w.i16le("roll", c.angles.z());
            int forward = (bits & FORWARD) == 0 ? base.forward : w.i16le("forward", c.forward);
            int side = (bits & SIDE) == 0 ? base.side : w.i16le("side", c.side);
            int up = (bits & UP) == 0 ? base.up : w.i16le("up", c.up);
            int buttons = (bits & BUTTONS) == 0 ? base.buttons : w.u8("buttons", c.buttons);
            int impulse = (bits & IMPULSE) == 0 ? base.impulse : w.u8("impulse", c.impulse);
            int msec = w.u8("msec", c.msec);
            int light = w.u8("light", c.light);
            return new Delta(
                    bits,
                    new UserCmd(
                            new Triple(pitch, yaw, roll),
                            forward,
                            side,
                            up,
                            buttons,
                            impulse,
                            msec,
                            light));
        }

        Map<String, ?> fields() {
            return FieldCodecs.of(
                    "bits", bits,
                    "angles", cmd.angles.list(),
                    "forward", cmd.forward,
                    "side", cmd.side,
                    "up", cmd.up,
                    "buttons", cmd.buttons,
                    "impulse", cmd.impulse,
                    "msec", cmd.msec,
                    "light", cmd.light);
        }
    }
}
