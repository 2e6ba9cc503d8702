package dev.wishdir.quake3.message;

import dev.wishdir.wire.BitWire;

/**
 * The input of a player during one frame of its client.
 *
 * @param serverTime the server's clock as the client estimates it, milliseconds
 * @param pitch 65536 a full turn, 0..65535, positive downwards
 * @param yaw 65536 a full turn, 0..65535, counter-clockwise from +x
 * @param roll 65536 a full turn, 0..65535
 * @param forward -127..127
 * @param right -127..127
 * @param up -127..127; a jump above, a crouch below
 * @param buttons the bits of {@code BUTTON_}…, 16 of them
 * @param weapon 0..255
 */
public record Usercmd(
        int serverTime,
        int pitch,
        int yaw,
        int roll,
        int forward,
        int right,
        int up,
        int buttons,
        int weapon) {
    /** The button that fires the weapon. */
    public static final int ATTACK = 1;

    /** The button that is pressed while the player types. */
    public static final int TALK = 2;

    /** The button that uses what the player holds. */
    public static final int USE_HOLDABLE = 4;

    /** The button of a gesture (taunt). */
    public static final int GESTURE = 8;

    /** The base of the first command of a message. */
    public static final Usercmd ZERO = new Usercmd(0, 0, 0, 0, 0, 0, 0, 0, 0);

    private static final int MAX_AXIS = 127;

    /** Number of characters of a server command that the key depends on. */
    private static final int HASHED_CHARS = 32;

    /**
     * @throws IllegalArgumentException if a value is outside the range of its component
     */
    public Usercmd {
        fits("pitch", pitch, 0, 0xFFFF);
        fits("yaw", yaw, 0, 0xFFFF);
        fits("roll", roll, 0, 0xFFFF);
        fits("forward", forward, -MAX_AXIS, MAX_AXIS);
        fits("right", right, -MAX_AXIS, MAX_AXIS);
        fits("up", up, -MAX_AXIS, MAX_AXIS);
        fits("buttons", buttons, 0, 0xFFFF);
        fits("weapon", weapon, 0, 0xFF);
    }

    private static void fits(String name, int value, int min, int max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(
                    name + " is " + value + ", must be " + min + ".." + max);
        }
    }

    /**
     * The key of a message's commands: docs/protocols/quake3.md#client-message.
     *
     * @param command the server command that the message acknowledges, empty where there is none
     */
    public static int key(int checksumFeed, int messageAcknowledge, String command) {
        return checksumFeed ^ messageAcknowledge ^ hash(command);
    }

    /** The hash of a server command's first 32 characters. */
    static int hash(String text) {
        int hash = 0;
        for (int i = 0; i < Math.min(HASHED_CHARS, text.length()); i++) {
            hash += FieldCodecs.plain(text.charAt(i)) * (119 + i);
        }
        return hash ^ hash >> 10 ^ hash >> 20;
    }

    /**
     * Walks a command.
     *
     * @param from the command before it in the message, or {@link #ZERO}
     * @param key of the message
     */
    public static Usercmd wire(BitWire w, Usercmd from, Usercmd m, int key) {
        w.begin("serverTime");
        int elapsed = m.serverTime - from.serverTime;
        // Only a broken client sends a time before the base; it is written in full.
        int serverTime =
                w.bit("near", elapsed >= 0 && elapsed < 256)
                        ? from.serverTime + w.u8("elapsed", elapsed)
                        : w.i32("serverTime", m.serverTime);
        w.end(serverTime);
        Usercmd still = m.at(from.serverTime);
        if (!w.bit("changed", !still.equals(from))) {
            return from.at(serverTime);
        }
        int k = key ^ serverTime;
        return new Usercmd(
                serverTime,
                keyed(w, "pitch", from.pitch, m.pitch, k, 16),
                keyed(w, "yaw", from.yaw, m.yaw, k, 16),
                keyed(w, "roll", from.roll, m.roll, k, 16),
                axis(keyed(w, "forward", from.forward, m.forward, k, 8)),
                axis(keyed(w, "right", from.right, m.right, k, 8)),
                axis(keyed(w, "up", from.up, m.up, k, 8)),
                keyed(w, "buttons", from.buttons, m.buttons, k, 16),
                keyed(w, "weapon", from.weapon, m.weapon, k, 8));
    }

    /** This command at another time. */
    public Usercmd at(int time) {
        return new Usercmd(time, pitch, yaw, roll, forward, right, up, buttons, weapon);
    }

    private static int keyed(BitWire w, String name, int from, int value, int key, int width) {
        int read = from;
        w.begin(name);
        if (w.bit("changed", value != from)) {
            int mask = (1 << width) - 1;
            // Signed values are written in two's complement.
            read = (w.bits("value", (value ^ key) & mask, width) ^ key) & mask;
            if (w.tracing()) {
                w.end(read + " after key " + Integer.toHexString(key & mask));
                return read;
            }
        }
        w.end("unchanged");
        return read;
    }

    private static int axis(int read) {
        return Math.max(-MAX_AXIS, (byte) read);
    }
}
