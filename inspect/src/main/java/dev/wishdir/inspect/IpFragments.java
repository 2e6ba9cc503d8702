package dev.wishdir.inspect;

import dev.wishdir.wire.Bytes;

import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Puts the fragments of IP packets together again. It holds a bounded number of unfinished packets;
 * the oldest makes room. Fragments that overlap drop the whole packet, as RFC 5722 wants it for
 * IPv6 and as no honest sender does it in IPv4 either; the same fragment twice does no harm.
 */
final class IpFragments {
    /** The most packets that may be unfinished at once, 64 KiB each. */
    static final int MAX_INCOMPLETE_PACKETS = 64;

    /** Nanoseconds after which a packet's number may belong to another packet. */
    static final long REASSEMBLY_TIMEOUT_NANOS = 30_000_000_000L;

    private static final int MAX_PACKET_BYTES = 65_535;
    private static final int UNIT = 8;

    /** What tells the fragments of one packet from those of another. */
    record Key(Bytes source, Bytes destination, int protocol, int id) {}

    /**
     * @param offset bytes from the start of the packet's payload
     * @param protocol of the payload; counts in the first fragment
     * @param last whether no more fragments come behind it
     */
    record Fragment(Key key, int offset, int protocol, boolean last, Bytes data) {}

    /** A packet's payload with its protocol. */
    record Whole(int protocol, Bytes payload) {}

    private static final class Unfinished {
        final long began;
        final BitSet units = new BitSet();
        byte[] payload = new byte[0];
        int protocol;
        int end = -1;
        boolean dropped;

        Unfinished(long began) {
            this.began = began;
        }
    }

    private final Map<Key, Unfinished> open = new LinkedHashMap<>();
    private long unfinished;
    private long overlapping;

    /**
     * Takes a fragment.
     *
     * @param nanos when it was seen
     * @return the whole packet if this was its last missing fragment
     */
    Optional<Whole> add(long nanos, Fragment fragment) {
        Unfinished packet = open.get(fragment.key());
        if (packet == null || Math.abs(nanos - packet.began) > REASSEMBLY_TIMEOUT_NANOS) {
            forget(fragment.key());
            packet = new Unfinished(nanos);
            open.put(fragment.key(), packet);
            if (open.size() > MAX_INCOMPLETE_PACKETS) {
                forget(open.keySet().iterator().next());
            }
        }
        if (!packet.dropped && !fits(packet, fragment)) {
            packet.dropped = true;
            packet.payload = new byte[0];
            overlapping++;
        }
        if (packet.dropped) {
            return Optional.empty();
        }
        if (packet.end < 0 || packet.units.nextClearBit(0) * UNIT < packet.end) {
            return Optional.empty();
        }
        open.remove(fragment.key());
        return Optional.of(
                new Whole(packet.protocol, Bytes.wrap(Arrays.copyOf(packet.payload, packet.end))));
    }

    /** Puts a fragment in its place; false if it contradicts those before it. */
    private static boolean fits(Unfinished packet, Fragment fragment) {
        int end = fragment.offset() + fragment.data().length();
        if (packet.end >= 0 && (end > packet.end || (fragment.last() && end != packet.end))) {
            return false;
        }
        if (fragment.last() && packet.units.length() * UNIT > end + UNIT - 1) {
            return false;
        }
        int from = fragment.offset() / UNIT;
        int to = (end + UNIT - 1) / UNIT;
        int known = packet.units.get(from, to).cardinality();
        if (known > 0) {
            return known == to - from
                    && Bytes.copyOf(packet.payload, fragment.offset(), fragment.data().length())
                            .equals(fragment.data());
        }
        if (end > packet.payload.length) {
            packet.payload =
                    Arrays.copyOf(
                            packet.payload,
                            Math.min(Math.max(end, 2 * packet.payload.length), MAX_PACKET_BYTES));
        }
        fragment.data().copyTo(packet.payload, fragment.offset());
        packet.units.set(from, to);
        if (fragment.offset() == 0) {
            packet.protocol = fragment.protocol();
        }
        if (fragment.last()) {
            packet.end = end;
        }
        return true;
    }

    /**
     * Whether a fragment can be part of any packet: short enough, and of whole units unless last.
     */
    static boolean isValid(Fragment fragment) {
        int length = fragment.data().length();
        return length > 0
                && fragment.offset() + length <= MAX_PACKET_BYTES
                && (fragment.last() || length % UNIT == 0);
    }

    private void forget(Key key) {
        Unfinished packet = open.remove(key);
        if (packet != null && !packet.dropped) {
            unfinished++;
        }
    }

    /** Packets that were dropped since fragments overlapped. */
    long overlapping() {
        return overlapping;
    }

    /** Packets that never became whole, those that are still open among them. */
    long unfinished() {
        return unfinished + open.values().stream().filter(packet -> !packet.dropped).count();
    }
}
