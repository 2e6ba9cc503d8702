package dev.wishdir.sauerbraten.message;

import static dev.wishdir.sauerbraten.message.CubeWire.integer;

import dev.wishdir.wire.Wire;

/** Where bodies are: all that travels on channel 0. */
public sealed interface MovementMessage extends SauerbratenMessage
        permits Pos, MovementMessage.JumpPad, MovementMessage.Teleport {
    /** Whose body it is. */
    int cn();

    /**
     * {@code N_TELEPORT}: somebody went through a teleport; not to the owner.
     *
     * @param teleport the entity that was touched
     * @param teledest the entity that it led to
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
     * {@code N_JUMPPAD}: somebody jumped off a jump pad; not to the owner.
     *
     * @param jumppad the entity that was touched
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
