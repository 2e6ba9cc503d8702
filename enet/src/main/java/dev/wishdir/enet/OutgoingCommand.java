package dev.wishdir.enet;

import dev.wishdir.enet.EnetCommand.Fragment;
import dev.wishdir.enet.EnetCommand.SendFragment;
import dev.wishdir.enet.EnetCommand.SendReliable;
import dev.wishdir.enet.EnetCommand.SendUnreliableFragment;

import java.util.Comparator;

/** A queued command with its retransmission state. Times are milliseconds. */
final class OutgoingCommand {
    /** Oldest first; equal only to itself among the commands in flight. */
    static final Comparator<OutgoingCommand> BY_AGE =
            Comparator.<OutgoingCommand>comparingLong(outgoing -> outgoing.firstSent)
                    .thenComparingLong(outgoing -> outgoing.order)
                    .thenComparingInt(outgoing -> outgoing.command.channel())
                    .thenComparingInt(outgoing -> outgoing.command.seq());

    /** By retransmission deadline. */
    static final Comparator<OutgoingCommand> BY_DEADLINE =
            Comparator.comparingLong(OutgoingCommand::deadline).thenComparing(BY_AGE);

    private static final int TIMEOUT_LIMIT_FACTOR = 32;

    /**
     * Heap of a command with its state, the array of its payload and its entries in the retransmit
     * queue, bytes.
     */
    static final int COMMAND_HEAP = 232;

    /** Additional heap of a fragment, bytes. */
    static final int FRAGMENT_HEAP = 40;

    private final EnetCommand command;
    private final long order;
    private final boolean shared;
    private final int length;
    private final int payload;
    private long firstSent;
    private long sentTime;
    private long timeout;
    private long timeoutLimit;
    private boolean expired;

    /**
     * @param order position in the order of queueing
     * @param shared whether its payload is part of a shared file
     */
    OutgoingCommand(EnetCommand command, long order, boolean shared) {
        this.command = command;
        this.order = order;
        this.shared = shared;
        length = command.length();
        payload =
                switch (command) {
                    case SendReliable c -> c.payload().length();
                    case SendFragment c -> c.fragment().payload().length();
                    default -> 0;
                };
    }

    EnetCommand command() {
        return command;
    }

    boolean isBefore(OutgoingCommand other) {
        return order < other.order;
    }

    boolean shared() {
        return shared;
    }

    /** The length of the command, bytes. */
    int length() {
        return length;
    }

    /** The bytes that count against the window: the payload of a reliable message. */
    int payload() {
        return payload;
    }

    /** The heap that it takes, bytes; without the payload if that is part of a file. */
    int heapBytes() {
        return switch (command) {
            case SendFragment c -> FRAGMENT_HEAP + heapBytes(c.fragment());
            case SendUnreliableFragment c -> FRAGMENT_HEAP + heapBytes(c.fragment());
            default -> COMMAND_HEAP + (length + 7 & ~7);
        };
    }

    private int heapBytes(Fragment fragment) {
        return COMMAND_HEAP + (shared ? 0 : fragment.payload().length() + 7 & ~7);
    }

    /** Records the first transmission. */
    void onFirstSent(long now, int timeout) {
        firstSent = now;
        setTimeout(timeout);
    }

    /** Records a transmission. */
    void onSent(long now) {
        sentTime = now;
        expired = false;
    }

    long firstSent() {
        return firstSent;
    }

    long sentTime() {
        return sentTime;
    }

    /** The transmission that an acknowledgement's 16-bit sent time refers to. */
    long sentTime(int bits) {
        // Nothing is in flight for as long as 16 bits of milliseconds take to wrap around (65 s).
        return firstSent + (bits - firstSent & 0xFFFF);
    }

    private void setTimeout(int millis) {
        timeout = millis;
        timeoutLimit = (long) TIMEOUT_LIMIT_FACTOR * millis;
    }

    /**
     * Doubles the time-out of a command whose peer acknowledges others, and restarts the limit for
     * silence.
     *
     * @param first the current time-out of a first transmission
     * @param max maximum time-out, unless {@code onFirstSent} is longer
     */
    void backOff(int first, int max) {
        long doubled = Math.min(2 * timeout, max);
        setTimeout(first);
        timeout = Math.max(doubled, first);
    }

    /** The retransmission deadline. */
    long deadline() {
        return sentTime + timeout;
    }

    boolean reachedLimit() {
        return timeout >= timeoutLimit;
    }

    void doubleTimeout(long max) {
        timeout = Math.min(2 * timeout, max);
    }

    /** Marks it as waiting for retransmission, and no longer in flight. */
    void expire() {
        expired = true;
    }

    boolean expired() {
        return expired;
    }
}
