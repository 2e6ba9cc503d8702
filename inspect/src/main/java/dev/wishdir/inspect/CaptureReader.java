package dev.wishdir.inspect;

import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.dissect.Datagram;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Reads the UDP datagrams of a capture, one after the other: pcap and its relatives, pcapng, snoop
 * and ERF, also compressed; the link types of {@link LinkType}; IPv4 and IPv6, fragments put
 * together, also in the tunnels of {@link EtherType} and {@link Tunnel}.
 *
 * {@snippet :
 * try (CaptureReader capture = CaptureReader.open(file)) {
 *     for (Optional<Datagram> next = capture.next(); next.isPresent(); next = capture.next()) {
 *         dissector.datagram(next.get(), direction, lines);
 *     }
 * }
 * }
 *
 * <p>Memory is bounded whatever the capture claims: one packet of at most 256 KiB, and 64
 * unfinished IP packets. A packet that holds no whole UDP datagram is counted and passed over; a
 * file that does not follow its format ends in a {@link CaptureException} with the place.
 *
 * <p>Sources: the pcap, pcapng and link type drafts of the IETF's OPSAWG, RFC 791, 768, 8200, 5722.
 */
public final class CaptureReader implements AutoCloseable {
    /** Why a packet gave no datagram. */
    public enum Skipped {
        /** Neither IPv4 nor IPv6, or a link type that is not known. */
        NOT_IP("not IP"),
        /** IP with something else than UDP in it, or in the tunnel in it. */
        NOT_UDP("not UDP"),
        /** The capture kept only the packet's beginning. */
        CUT("cut short by the capture"),
        /** Lengths in the headers contradict one another. */
        MALFORMED("malformed"),
        /** An IP packet whose fragments overlapped. */
        OVERLAPPING("overlapping fragments"),
        /** An IP packet of which fragments are missing. */
        UNFINISHED("missing fragments"),
        /** A frame of Wi-Fi, or of MACsec, whose key the capture does not hold. */
        ENCRYPTED("encrypted below IP"),
        /** More headers, one in the other, than any honest packet has. */
        NESTED("nested too deeply");

        private final String label;

        Skipped(String label) {
            this.label = label;
        }

        /** The reason in words. */
        public String label() {
            return label;
        }
    }

    /** The most bytes that a compressed capture may unpack to. */
    public static final long MAX_UNPACKED_BYTES = 1L << 30;

    /** Packets of several interfaces may stand in a capture a little out of order. */
    private static final long MAX_DISORDER_NANOS = 100_000_000;

    /** No session of any game lives longer than this without a packet. */
    private static final long MAX_GAP_NANOS = 300_000_000_000L;

    private final CaptureInput in;
    private final PacketSource source;
    private final IpFragments fragments;
    private final PacketDecoder decoder;
    private final Map<Skipped, Long> skipped;
    private long frame;
    private long firstNanos;
    private long lastNanos;
    private final Deque<Datagram> ready = new ArrayDeque<>();

    /**
     * @param before what this capture goes on with; null if it begins
     */
    private CaptureReader(CaptureInput in, @Nullable CaptureReader before) throws IOException {
        this.in = in;
        fragments = before == null ? new IpFragments() : before.fragments;
        skipped = before == null ? new EnumMap<>(Skipped.class) : before.skipped;
        decoder = new PacketDecoder(fragments);
        if (before != null) {
            frame = before.frame;
            firstNanos = before.firstNanos;
            lastNanos = before.lastNanos;
        }
        Bytes start = in.peek(ForeignFormat.LOOKED_AT_BYTES);
        int magic = (int) Octets.u32(start, 0);
        Optional<String> refusal = ForeignFormat.refusal(start);
        if (magic == Pcapng.SECTION) {
            source = new Pcapng(in);
        } else if (Pcap.recognises(magic)) {
            source = new Pcap(in);
        } else if (isSnoop(start)) {
            source = new Snoop(in);
        } else if (refusal.isPresent()) {
            throw new CaptureException(0, "it " + refusal.get());
        } else if (Erf.recognises(in.peek(Erf.LOOKED_AT_BYTES))) {
            source = new Erf(in);
        } else {
            throw new CaptureException(0, "neither pcap nor pcapng");
        }
    }

    private static boolean isSnoop(Bytes start) {
        return start.length() >= 8 && start.slice(0, 8).equals(Snoop.MAGIC);
    }

    /**
     * Opens a capture file.
     *
     * @throws CaptureException if it is none, or of a link type that is not known
     * @throws IOException if it can't be read
     */
    public static CaptureReader open(Path file) throws IOException {
        return of(Files.newInputStream(file));
    }

    /**
     * Reads a capture from a stream, which is closed with the reader.
     *
     * @throws CaptureException if it is no capture, or of a link type that is not known; the stream
     *     is closed then
     */
    public static CaptureReader of(InputStream stream) throws IOException {
        return of(stream, MAX_UNPACKED_BYTES);
    }

    static CaptureReader of(InputStream stream, long mostUnpacked) throws IOException {
        return of(stream, mostUnpacked, null);
    }

    private static CaptureReader of(
            InputStream stream, long mostUnpacked, @Nullable CaptureReader before)
            throws IOException {
        try {
            return new CaptureReader(new CaptureInput(stream, mostUnpacked), before);
        } catch (IOException e) {
            stream.close();
            throw e;
        }
    }

    /**
     * Whether a file begins like a capture, compressed or not; also like one of a format that is
     * known and not read, which {@link #open} refuses by its name.
     */
    public static boolean recognises(Path file) throws IOException {
        try (CaptureInput in = new CaptureInput(Files.newInputStream(file), MAX_UNPACKED_BYTES)) {
            Bytes start = in.peek(ForeignFormat.LOOKED_AT_BYTES);
            int magic = (int) Octets.u32(start, 0);
            return magic == Pcapng.SECTION
                    || Pcap.recognises(magic)
                    || isSnoop(start)
                    || ForeignFormat.refusal(start).isPresent()
                    || Erf.recognises(in.peek(Erf.LOOKED_AT_BYTES));
        } catch (CaptureException _) {
            return false;
        }
    }

    /**
     * The next datagram, or empty at the end of the capture.
     *
     * @throws CaptureException where the file does not follow its format; it can't be read on
     */
    public Optional<Datagram> next() throws IOException {
        while (ready.isEmpty()) {
            Optional<Packet> read = source.next();
            if (read.isEmpty()) {
                return Optional.empty();
            }
            Packet packet = read.get();
            if (frame++ == 0) {
                firstNanos = packet.nanos();
            }
            lastNanos = Math.max(lastNanos, packet.nanos());
            double time = (packet.nanos() - firstNanos) / 1e9;
            decoder.decode(packet, frame, time, ready)
                    .ifPresent(why -> skipped.merge(why, 1L, Long::sum));
        }
        return Optional.of(ready.remove());
    }

    /** The number of packets read so far, those of the files before this one among them. */
    public long frames() {
        return frame;
    }

    /**
     * Whether another file goes on with this capture, as the next of a ring does: its first packet
     * comes after all of this one, and so soon after them that a session may still be running.
     *
     * @param file whose first packet was seen {@linkplain #firstNanos then}
     */
    public boolean isContinuedBy(Path file) throws IOException {
        OptionalLong first = firstNanos(file);
        return frame > 0
                && first.isPresent()
                && first.getAsLong() > firstNanos
                && first.getAsLong() - lastNanos >= -MAX_DISORDER_NANOS
                && first.getAsLong() - lastNanos <= MAX_GAP_NANOS;
    }

    /**
     * Reads the file that goes on with this capture: packets are counted on, and times are from the
     * first packet of the first file.
     *
     * @param stream is closed with the new reader; this one must be read to its end
     */
    public CaptureReader continuedBy(InputStream stream) throws IOException {
        return of(stream, MAX_UNPACKED_BYTES, this);
    }

    /**
     * When the first packet of a capture was seen, nanoseconds since 1970; empty where the file is
     * no capture or has none.
     */
    public static OptionalLong firstNanos(Path file) throws IOException {
        try (CaptureReader reader = open(file)) {
            return reader.source
                    .next()
                    .map(first -> OptionalLong.of(first.nanos()))
                    .orElse(OptionalLong.empty());
        } catch (CaptureException _) {
            return OptionalLong.empty();
        }
    }

    /**
     * Files in the order in which their packets were seen, as a ring of captures was written. Files
     * that are no captures, or can't be read, stay where they are.
     */
    public static List<Path> inOrder(List<Path> files) {
        Map<Path, Long> times = new HashMap<>();
        for (Path file : files) {
            try {
                firstNanos(file).ifPresent(first -> times.put(file, first));
            } catch (IOException _) {
                // Reading it says why.
            }
        }
        Iterator<Path> sorted =
                files.stream()
                        .filter(times::containsKey)
                        .sorted(Comparator.comparing(file -> times.getOrDefault(file, 0L)))
                        .iterator();
        return files.stream().map(file -> times.containsKey(file) ? sorted.next() : file).toList();
    }

    /** Bytes of the capture read so far, unpacked. */
    public long position() {
        return in.position();
    }

    /** How many packets gave no datagram so far, and why; also those of the files before. */
    public Map<Skipped, Long> skipped() {
        Map<Skipped, Long> all = new EnumMap<>(skipped);
        if (fragments.overlapping() > 0) {
            all.put(Skipped.OVERLAPPING, fragments.overlapping());
        }
        if (fragments.unfinished() > 0) {
            all.put(Skipped.UNFINISHED, fragments.unfinished());
        }
        return all;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
