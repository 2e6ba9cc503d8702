package dev.wishdir.enet;

import dev.wishdir.enet.EnetCommand.Ack;
import dev.wishdir.enet.EnetCommand.Terms;
import dev.wishdir.enet.EnetCommand.VerifyConnect;
import dev.wishdir.net.AddressLimits;
import dev.wishdir.net.AmplificationLimiter;
import dev.wishdir.net.Duty;
import dev.wishdir.net.HalfOpenTable;

import org.jspecify.annotations.Nullable;

import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * The listening side of a host: CONNECTs that it has answered and whose senders have not proved yet
 * that they receive. Times are those of the host, nanoseconds.
 */
final class HandshakeTable {
    private static final int HALF_OPEN_TIMEOUT_MILLIS = 5000;
    private static final int VERIFY_RETRY_MILLIS = 100;
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final NegotiatedParameters parameters;
    private final PeerSlots slots;
    private final AmplificationLimiter limiter;
    private final HalfOpenTable<PendingHandshake> halfOpen;
    private final DatagramBuilder datagram;
    private final Consumer<DropReason> drops;
    private final RandomGenerator random;
    private final @Nullable PendingHandshake[] bySlot;

    /** Oldest first. */
    private final Map<InetSocketAddress, PendingHandshake> byAddress = new LinkedHashMap<>();

    /**
     * @param drops receives each drop with its reason
     */
    HandshakeTable(
            NegotiatedParameters parameters,
            PeerSlots slots,
            AddressLimits addressLimits,
            DatagramBuilder datagram,
            Consumer<DropReason> drops,
            RandomGenerator random) {
        this.parameters = parameters;
        this.slots = slots;
        limiter = addressLimits.amplificationLimiter();
        halfOpen = addressLimits.halfOpen(parameters.settings().maxHalfOpen());
        this.datagram = datagram;
        this.drops = drops;
        this.random = random;
        bySlot = new @Nullable PendingHandshake[slots.size()];
    }

    int size() {
        return byAddress.size();
    }

    /** The one of a slot, if it is that of an address. */
    @Nullable PendingHandshake find(int index, InetSocketAddress from) {
        PendingHandshake handshake = bySlot[index];
        return handshake != null && handshake.address().equals(from) ? handshake : null;
    }

    /** Answers a CONNECT again that was answered before; false for a new one. */
    boolean repeat(long now, InetSocketAddress from, Terms asked) {
        PendingHandshake begun = byAddress.get(from);
        if (begun == null || begun.asked().connectID() != asked.connectID()) {
            return false;
        }
        verify(now, begun);
        return true;
    }

    /** Answers a new CONNECT, as far as the budget allows. */
    void begin(long now, InetSocketAddress from, Terms asked) {
        if (!spend(now, from)) {
            return;
        }
        PendingHandshake begun = byAddress.get(from);
        if (begun != null) {
            forget(begun);
        }
        PendingHandshake handshake = grant(now, from, asked);
        PendingHandshake evicted = halfOpen.add(from.getAddress(), handshake);
        if (evicted != null) {
            forget(evicted);
            drops.accept(DropReason.EVICTED);
        }
        handshake.verify(millis(now), datagram);
    }

    private boolean spend(long now, InetSocketAddress to) {
        if (limiter.tryAcquire(
                now, to.getAddress(), EnetHeader.MAX_LENGTH + VerifyConnect.LENGTH)) {
            return true;
        }
        drops.accept(DropReason.BUDGET);
        return false;
    }

    private PendingHandshake grant(long now, InetSocketAddress from, Terms asked) {
        int index = slots.any();
        int out = slots.nextSession(asked.inSession(), slots.outSession(index));
        int in = slots.nextSession(asked.outSession(), slots.inSession(index));
        slots.setSessions(index, in, out);
        Terms granted = parameters.grant(asked, index, in, out);
        PendingHandshake handshake =
                new PendingHandshake(index, from, asked, granted, random.nextInt(), millis(now));
        slots.take(index);
        bySlot[index] = handshake;
        byAddress.put(from, handshake);
        return handshake;
    }

    /** Ends a handshake; its slot is free. */
    void forget(PendingHandshake handshake) {
        slots.free(handshake.index());
        bySlot[handshake.index()] = null;
        byAddress.remove(handshake.address());
        halfOpen.remove(handshake);
    }

    /** Sends a VERIFY_CONNECT that seems to be lost again: no timer does, before there is proof. */
    private void verify(long now, PendingHandshake handshake) {
        if (millis(now) - handshake.verified() >= VERIFY_RETRY_MILLIS
                && spend(now, handshake.address())) {
            handshake.verify(millis(now), datagram);
        }
    }

    /**
     * Takes the proof of a handshake out of a datagram's commands. Only the first acknowledgement
     * counts, so that a datagram is one guess; a wrong one leaves the handshake to the right
     * client.
     *
     * @return whether it was there
     */
    boolean prove(long now, PendingHandshake handshake, List<EnetCommand> commands) {
        boolean unproven = false;
        for (int i = 0; i < commands.size(); i++) {
            EnetCommand command = commands.get(i);
            if (command instanceof Ack ack) {
                if (!handshake.isProof(ack)) {
                    drops.accept(DropReason.WRONG_ACK);
                    return false;
                }
                commands.remove(i);
                return true;
            }
            unproven |= command.acknowledge() && !(command instanceof VerifyConnect);
        }
        drops.accept(DropReason.UNPROVEN);
        if (unproven) {
            verify(now, handshake);
        }
        return false;
    }

    /** Forgets those who did not answer; gives the time of the next look, milliseconds. */
    long expire(long ms) {
        while (!byAddress.isEmpty()) {
            PendingHandshake oldest = byAddress.values().iterator().next();
            // A clock that steps back must not keep them for ever.
            long age = ms - oldest.begun();
            if (age >= 0 && age < HALF_OPEN_TIMEOUT_MILLIS) {
                return oldest.begun() + HALF_OPEN_TIMEOUT_MILLIS;
            }
            forget(oldest);
            drops.accept(DropReason.UNPROVEN);
        }
        return Duty.NEVER;
    }

    /** ENet counts milliseconds. */
    static long millis(long now) {
        return Math.floorDiv(now, NANOS_PER_MILLI);
    }
}
