package dev.wishdir.sauerbraten.message;

import static dev.wishdir.sauerbraten.message.CubeWire.integer;

import dev.wishdir.wire.Wire;

/** Movement: all messages of channel 0. */
public sealed interface MovementMessage extends SauerbratenMessage
        permits Pos, MovementMessage.JumpPad, MovementMessage.Teleport {
    /** The client number of the body. */
    int cn();

    /**
     * {@code N_TELEPORT}: a player went through a teleporter; not sent to its owner.
     *
     * @param teleport entity that was touched
     * @param teledest destination entity
     */
    record Teleport(int cn, int teleport, int teledest) implements MovementMessage {
        public static final Teleport BLANK = new Teleport(0, 0, 0);

        public static Teleport wire(Wire w, Teleport m) {
            int cn = integer(w, "cn", m.cn);
            int teleport = integer(w, "teleport", m.teleport);
            int teledest = integer(w, "teledest", m.teledest);
            return new Teleport(cn, teleport, teledest);
        }
    }

    /**
     * {@code N_JUMPPAD}: a player used a jump pad; not sent to its owner.
     *
     * @param jumppad entity that was touched
     */
    record JumpPad(int cn, int jumppad) implements MovementMessage {
        public static final JumpPad BLANK = new JumpPad(0, 0);

        public static JumpPad wire(Wire w, JumpPad m) {
            int cn = integer(w, "cn", m.cn);
            int jumppad = integer(w, "jumppad", m.jumppad);
            return new JumpPad(cn, jumppad);
        }
    }
}
