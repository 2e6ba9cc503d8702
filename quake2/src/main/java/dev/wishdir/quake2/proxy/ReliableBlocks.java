package dev.wishdir.quake2.proxy;

import dev.wishdir.quake2.netchan.Netchan;
import dev.wishdir.wire.Bytes;

import java.util.ArrayList;
import java.util.List;

/**
 * The reliable blocks from one side to the other through a proxy, which adds blocks of its own
 * between the sender's. A block of the sender that comes while one of the proxy is in flight is
 * left out, so that the sender sends it again. The sender does not see the acknowledgements of the
 * proxy's blocks.
 */
final class ReliableBlocks {
    /** Reliable block that a packet of the sender carries on. */
    enum Block {
        /** Unreliable data. */
        NONE,
        /** The sender's block. */
        SENDERS,
        /** The proxy's block, before the unreliable data. */
        OWN,
        /** The unreliable data without the sender's block. */
        LEFT_OUT
    }

    private final List<Bytes> waiting = new ArrayList<>();
    private final List<Bytes> own = new ArrayList<>();
    private int waitingBytes;
    private boolean ownSent;
    private int ownPacket;
    private boolean bitBeforeOwn;
    private boolean senderInFlight;

    /** Whether a block of the sender was left out, which is next then. */
    private boolean senderWaits;

    private boolean bitBeforeSenders;
    private boolean receiverBit;
    private boolean flipped;
    private boolean repeated;

    /**
     * Queues a message for the proxy's next block.
     *
     * @return false if there is no room
     */
    boolean add(Bytes message) {
        // Half a packet, so that a frame has room in it too.
        if (waitingBytes + message.length() > Netchan.MAX_RELIABLE_BYTES / 2) {
            return false;
        }
        waiting.add(message);
        waitingBytes += message.length();
        return true;
    }

    /** Decides for a packet of the sender. */
    Block onPacket(int sequence, boolean reliable) {
        if (reliable && ownSent) {
            senderWaits = true;
            return Block.LEFT_OUT;
        }
        if (reliable) {
            senderWaits = false;
            repeated = senderInFlight;
            senderInFlight = true;
            bitBeforeSenders = receiverBit;
            return Block.SENDERS;
        }
        boolean busy = senderInFlight || senderWaits || ownSent;
        if (busy || own.isEmpty() && waiting.isEmpty()) {
            return Block.NONE;
        }
        if (own.isEmpty()) {
            own.addAll(waiting);
            waiting.clear();
            waitingBytes = 0;
        }
        ownSent = true;
        ownPacket = sequence;
        bitBeforeOwn = receiverBit;
        return Block.OWN;
    }

    /** Whether the sender's block is one that it has sent before. */
    boolean isRepeated() {
        return repeated;
    }

    /** The messages of the proxy's block. */
    List<Bytes> own() {
        return own;
    }

    /**
     * Handles the acknowledgement in a packet of the receiver.
     *
     * @return the bit for the sender
     */
    boolean acknowledge(int packet, boolean bit) {
        if (ownSent && packet >= ownPacket) {
            ownSent = false;
            if (bit != bitBeforeOwn) {
                own.clear();
                flipped = !flipped;
            }
        } else if (!ownSent && senderInFlight && bit != bitBeforeSenders) {
            senderInFlight = false;
        }
        receiverBit = bit;
        return bit ^ flipped;
    }
}
