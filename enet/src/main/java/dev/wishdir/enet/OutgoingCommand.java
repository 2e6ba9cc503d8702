package dev.wishdir.enet;

import dev.wishdir.enet.EnetCommand.Fragment;
import dev.wishdir.enet.EnetCommand.SendFragment;
import dev.wishdir.enet.EnetCommand.SendReliable;
import dev.wishdir.enet.EnetCommand.SendUnreliableFragment;

import java.util.Comparator;

/** A queued command, and of a reliable one how it fares on its way. Times are milliseconds. */
final class OutgoingCommand {
    /** The oldest first; equal only to itself among those in flight. */
    static final Comparator<OutgoingCommand> BY_AGE =
            Comparator.<OutgoingCommand>comparingLong(outgoing -> outgoing.firstSent)
                    .thenComparingLong(outgoing -> outgoing.order)
                    .thenComparingInt(outgoing -> outgoing.command.channel())
                    .thenComparingInt(outgoing -> outgoing.command.seq());

    /** By the time at which it is to be sent again. */
    static final Comparator<OutgoingCommand> BY_DEADLINE =
            Comparator.comparingLong(OutgoingCommand::deadline).thenComparing(BY_AGE);

    private static final int TIMEOUT_LIMIT_FACTOR = 32;

    /**
     * A command with its bookkeeping, its payload's array, and its entries among those in flight.
     */
    static final int COMMAND_HEAP = 232;

    /** What being a fragment adds. */
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
     * @param order in which commands were queued
     * @param shared whether its payload is a part of a file
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

    /** The bytes of the command. */
    int length() {
        return length;
    }

    /** The bytes that count in the window: those of a reliable message. */
    int payload() {
        return payload;
    }

    /** The heap that it takes; of a file, without the bytes. */
    int cost() {
        return switch (command) {
            case SendFragment c -> FRAGMENT_HEAP + cost(c.fragment());
            case SendUnreliableFragment c -> FRAGMENT_HEAP + cost(c.fragment());
            default -> COMMAND_HEAP + (length + 7 & ~7);
        };
    }

    private int cost(Fragment fragment) {
        return COMMAND_HEAP + (shared ? 0 : fragment.payload().length() + 7 & ~7);
    }

    /** It leaves for the first time. */
    void first(long now, int timeout) {
        firstSent = now;
        setTimeout(timeout);
    }

    /** It leaves, for the first time or again. */
    void sent(long now) {
        sentTime = now;
        expired = false;
    }

    long firstSent() {
        return firstSent;
    }

    long sentTime() {
        return sentTime;
    }

    /** When it was sent that is acknowledged with 16 bits of a time. */
    long sentTime(int bits) {
        // Nothing is on its way for as long as it takes 16 bits to come round.
        return firstSent + (bits - firstSent & 0xFFFF);
    }

    private void setTimeout(int millis) {
        timeout = millis;
        timeoutLimit = (long) TIMEOUT_LIMIT_FACTOR * millis;
    }

    /**
     * Doubles the time-out of a command whose peer acknowledges others, and restarts the count of
     * silence.
     *
     * @param first the time-out of a command that leaves for the first time now
     * @param most the longest time-out, where the first is not longer
     */
    void backOff(int first, int most) {
        long doubled = Math.min(2 * timeout, most);
        setTimeout(first);
        timeout = Math.max(doubled, first);
    }

    /** When it is to be sent again. */
    long deadline() {
        return sentTime + timeout;
    }

    boolean reachedLimit() {
        return timeout >= timeoutLimit;
    }

    void doubleTimeout() {
        timeout *= 2;
    }

    /** Waits to be sent again; it is not on its way meanwhile. */
    void expire() {
        expired = true;
    }

    boolean expired() {
        return expired;
    }
}
