package dev.wishdir.enet;

import dev.wishdir.enet.EnetCommand.Ack;

import java.util.Arrays;

/** Queue of acknowledgements to send to a peer. */
final class PendingAcks {
    /** Maximum queued acknowledgements between two turns of the host; further ones are not sent. */
    private static final int MAX_PENDING = 4096;

    /** Capacity that an empty queue keeps. */
    private static final int IDLE_CAPACITY = 64;

    private long[] acks = new long[8];
    private int count;

    /**
     * Queues the acknowledgement of a command.
     *
     * @param sentTime of the command's datagram
     * @return false if the queue is full
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

    /** The retained heap, bytes. */
    long retainedBytes() {
        return count * 8L;
    }

    /** Packs as many as fit; returns whether all did. */
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
        if (count == 0 && acks.length > IDLE_CAPACITY) {
            acks = new long[IDLE_CAPACITY];
        }
        System.arraycopy(acks, packed, acks, 0, count);
        return count == 0;
    }
}
