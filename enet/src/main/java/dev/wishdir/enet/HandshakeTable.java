package dev.wishdir.enet;

import dev.wishdir.enet.EnetCommand.Ack;
import dev.wishdir.enet.EnetCommand.Connect;
import dev.wishdir.enet.EnetCommand.Terms;
import dev.wishdir.enet.EnetCommand.VerifyConnect;
import dev.wishdir.net.limit.AddressLimits;
import dev.wishdir.net.limit.AmplificationLimiter;
import dev.wishdir.net.limit.HalfOpenTable;
import dev.wishdir.net.loop.Duty;

import org.jspecify.annotations.Nullable;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * Half-open connections of a listening host: answered CONNECTs whose senders have not proved their
 * address. Times are nanoseconds of the host's clock.
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

    /**
     * Several of an address, side by side: a CONNECT that anyone can forge must not end the
     * handshake of the right client.
     */
    private final Map<InetSocketAddress, List<PendingHandshake>> byAddress = new HashMap<>();

    /**
     * @param drops counts drops by reason
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
        return halfOpen.size();
    }

    /** The handshake of a slot, if it belongs to the address. */
    @Nullable PendingHandshake find(int index, InetSocketAddress from) {
        PendingHandshake handshake = bySlot[index];
        return handshake != null && handshake.address().equals(from) ? handshake : null;
    }

    /** Answers a repeated CONNECT; false for a new one. */
    boolean repeat(long now, InetSocketAddress from, Terms requested) {
        for (PendingHandshake existing : byAddress.getOrDefault(from, List.of())) {
            if (existing.requested().connectID() == requested.connectID()) {
                retransmitVerify(now, existing);
                return true;
            }
        }
        return false;
    }

    /** Answers a new CONNECT, within the amplification limit. */
    void begin(long now, InetSocketAddress from, Connect request) {
        if (!tryAcquire(now, from)) {
            return;
        }
        PendingHandshake handshake = grant(now, from, request);
        PendingHandshake evicted = halfOpen.add(from.getAddress(), handshake);
        if (evicted != null) {
            forget(evicted);
            drops.accept(DropReason.EVICTED);
        }
        handshake.sendVerify(millis(now), datagram);
    }

    private boolean tryAcquire(long now, InetSocketAddress to) {
        if (limiter.tryAcquire(
                now, to.getAddress(), EnetHeader.MAX_LENGTH + VerifyConnect.LENGTH)) {
            return true;
        }
        drops.accept(DropReason.BUDGET);
        return false;
    }

    private PendingHandshake grant(long now, InetSocketAddress from, Connect request) {
        Terms requested = request.terms();
        int index = slots.any();
        int out = slots.nextSession(requested.inSession(), slots.outSession(index));
        int in = slots.nextSession(requested.outSession(), slots.inSession(index));
        slots.setSessions(index, in, out);
        Terms granted = parameters.grant(requested, index, in, out);
        PendingHandshake handshake =
                new PendingHandshake(
                        index,
                        from,
                        requested,
                        request.seq(),
                        granted,
                        random.nextInt(),
                        millis(now));
        slots.take(index);
        bySlot[index] = handshake;
        byAddress.computeIfAbsent(from, _ -> new ArrayList<>()).add(handshake);
        return handshake;
    }

    /** Ends all handshakes of an address, one of which is complete, and frees their slots. */
    void forget(InetSocketAddress address) {
        List.copyOf(byAddress.getOrDefault(address, List.of())).forEach(this::forget);
    }

    private void forget(PendingHandshake handshake) {
        slots.free(handshake.index());
        bySlot[handshake.index()] = null;
        byAddress.computeIfPresent(
                handshake.address(),
                (_, handshakes) -> {
                    handshakes.remove(handshake);
                    return handshakes.isEmpty() ? null : handshakes;
                });
        halfOpen.remove(handshake);
    }

    /**
     * Retransmits a VERIFY_CONNECT that seems to be lost. No timer does, as the address is
     * unproven.
     */
    private void retransmitVerify(long now, PendingHandshake handshake) {
        if (millis(now) - handshake.verifySentAt() >= VERIFY_RETRY_MILLIS
                && tryAcquire(now, handshake.address())) {
            handshake.sendVerify(millis(now), datagram);
        }
    }

    /**
     * Removes the proof of a handshake from a datagram's commands. Only the first acknowledgement
     * counts, so that a datagram is one guess; a wrong one leaves the handshake to the right
     * client.
     *
     * @return whether the proof was found
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
            retransmitVerify(now, handshake);
        }
        return false;
    }

    /** Removes expired handshakes; returns the time of the next check, milliseconds. */
    long expire(long ms) {
        while (halfOpen.size() > 0) {
            PendingHandshake oldest = halfOpen.peers().iterator().next();
            // A clock that steps back must not keep handshakes for ever.
            long age = ms - oldest.startedAt();
            if (age >= 0 && age < HALF_OPEN_TIMEOUT_MILLIS) {
                return oldest.startedAt() + HALF_OPEN_TIMEOUT_MILLIS;
            }
            forget(oldest);
            drops.accept(DropReason.UNPROVEN);
        }
        return Duty.NEVER;
    }

    /** Converts to ENet's clock, milliseconds. */
    static long millis(long now) {
        return Math.floorDiv(now, NANOS_PER_MILLI);
    }
}
