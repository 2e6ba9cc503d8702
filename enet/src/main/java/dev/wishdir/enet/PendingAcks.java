package dev.wishdir.enet;

import dev.wishdir.enet.EnetCommand.Ack;

import java.util.Arrays;

/** The acknowledgements that wait to be sent to a peer. */
final class PendingAcks {
    /** Acknowledgements that may pile up between two turns of the host; the rest is not sent. */
    private static final int MAX_PENDING = 4096;

    /** The room that is kept when there are none. */
    private static final int KEPT = 64;

    private long[] acks = new long[8];
    private int count;

    /**
     * Acknowledges a command.
     *
     * @param sentTime of the datagram that brought it
     * @return false if too many wait
     */
    boolean add(EnetCommand command, int sentTime) {
        if (count == MAX_PENDING) {
            return false;
        }
        if (count == acks.length) {
            acks = Arrays.copyOf(acks, 2 * count);
        }
        acks[count++] = (long) command.channel() << 32 | (long) command.seq() << 16 | sentTime;
        return true;
    }

    void clear() {
        count = 0;
    }

    /** The heap of those that wait, bytes. */
    long retainedBytes() {
        return count * 8L;
    }

    /** Packs those that there is room for; returns whether that are all. */
    boolean pack(DatagramBuilder datagram) {
        int packed = 0;
        while (packed < count) {
            long ack = acks[packed];
            int channel = (int) (ack >> 32);
            int seq = (int) (ack >> 16) & 0xFFFF;
            if (!datagram.add(new Ack(0, channel, seq, seq, (int) ack & 0xFFFF), Ack.LENGTH)) {
                break;
            }
            packed++;
        }
        count -= packed;
        if (count == 0 && acks.length > KEPT) {
            acks = new long[KEPT];
        }
        System.arraycopy(acks, packed, acks, 0, count);
        return count == 0;
    }
}
