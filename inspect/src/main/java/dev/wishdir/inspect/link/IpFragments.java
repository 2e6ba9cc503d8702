package dev.wishdir.inspect.link;

import dev.wishdir.wire.Bytes;

import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Reassembles fragmented IP packets. The number of incomplete packets is bounded; the oldest is
 * dropped first. A packet with overlapping fragments is dropped, as RFC 5722 requires for IPv6, and
 * as regular senders do not overlap them in IPv4 either. Duplicate fragments are accepted.
 */
public final class IpFragments {
    /** Maximum number of incomplete packets, each of at most 64 KiB. */
    public static final int MAX_INCOMPLETE_PACKETS = 64;

    /** After this time, an IP identification may belong to another packet. */
    static final long REASSEMBLY_TIMEOUT_NANOS = 30_000_000_000L;

    private static final int MAX_PACKET_BYTES = 65_535;
    private static final int UNIT_BYTES = 8;

    /** The fields that identify the packet of a fragment. */
    record Key(Bytes source, Bytes destination, int protocol, int id) {}

    /**
     * A fragment of a packet.
     *
     * @param offset bytes from the start of the packet's payload
     * @param protocol protocol of the payload; only that of the first fragment counts
     * @param last whether it is the packet's last fragment
     */
    record Fragment(Key key, int offset, int protocol, boolean last, Bytes data) {}

    /** A reassembled payload with its protocol. */
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
     * Adds a fragment.
     *
     * @param nanos its time
     * @return the packet, if this was its last missing fragment
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
        if (!packet.dropped && !insert(packet, fragment)) {
            packet.dropped = true;
            packet.payload = new byte[0];
            overlapping++;
        }
        if (packet.dropped) {
            return Optional.empty();
        }
        if (packet.end < 0 || packet.units.nextClearBit(0) * UNIT_BYTES < packet.end) {
            return Optional.empty();
        }
        open.remove(fragment.key());
        return Optional.of(
                new Whole(packet.protocol, Bytes.wrap(Arrays.copyOf(packet.payload, packet.end))));
    }

    /** Inserts a fragment; false if it contradicts an earlier one. */
    private static boolean insert(Unfinished packet, Fragment fragment) {
        int end = fragment.offset() + fragment.data().length();
        if (packet.end >= 0 && (end > packet.end || (fragment.last() && end != packet.end))) {
            return false;
        }
        if (fragment.last() && packet.units.length() * UNIT_BYTES > end + UNIT_BYTES - 1) {
            return false;
        }
        int from = fragment.offset() / UNIT_BYTES;
        int to = (end + UNIT_BYTES - 1) / UNIT_BYTES;
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
     * Whether a fragment can be part of a packet: not too long, and of whole units unless it is the
     * last.
     */
    static boolean isValid(Fragment fragment) {
        int length = fragment.data().length();
        return length > 0
                && fragment.offset() + length <= MAX_PACKET_BYTES
                && (fragment.last() || length % UNIT_BYTES == 0);
    }

    private void forget(Key key) {
        Unfinished packet = open.remove(key);
        if (packet != null && !packet.dropped) {
            unfinished++;
        }
    }

    /** Number of packets that were dropped because of overlapping fragments. */
    public long overlapping() {
        return overlapping;
    }

    /** Number of packets that are or remained incomplete. */
    public long unfinished() {
        return unfinished + open.values().stream().filter(packet -> !packet.dropped).count();
    }
}
