package dev.wishdir.inspect.capture;

import dev.wishdir.inspect.link.IpFragments;
import dev.wishdir.inspect.link.LinkType;
import dev.wishdir.inspect.link.Octets;
import dev.wishdir.inspect.link.Packet;
import dev.wishdir.inspect.link.PacketDecoder;
import dev.wishdir.inspect.link.SkipReason;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.dissect.Datagram;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Reads the UDP datagrams of a capture, in order. Formats: pcap and pcapng, also compressed; the
 * link types of {@link LinkType}, VLAN tags and PPPoE; IPv4 and IPv6, with reassembly of fragments.
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
 * incomplete IP packets. A packet without a whole UDP datagram is counted and skipped; a malformed
 * file ends in a {@link CaptureException} with the place.
 *
 * <p>Sources: the pcap, pcapng and link type drafts of the IETF's OPSAWG, RFC 791, 768, 8200, 5722.
 */
public final class CaptureReader implements AutoCloseable {
    /** Maximum uncompressed size of a compressed capture. */
    public static final long MAX_UNPACKED_BYTES = 1L << 30;

    /** Largest disorder of packets of several interfaces in a capture. */
    private static final long MAX_REORDERING_NANOS = 100_000_000;

    /** No session of any game lasts longer than this without a packet. */
    private static final long MAX_GAP_NANOS = 300_000_000_000L;

    private final CaptureInput in;
    private final PacketSource source;
    private final IpFragments fragments;
    private final PacketDecoder decoder;
    private final Map<SkipReason, Long> skipped;
    private long frame;
    private long firstNanos;
    private long lastNanos;

    /**
     * @param before the reader of the previous file of the capture; null for the first file
     */
    CaptureReader(CaptureInput in, @Nullable CaptureReader before) throws IOException {
        this.in = in;
        fragments = before == null ? new IpFragments() : before.fragments;
        skipped = before == null ? new EnumMap<>(SkipReason.class) : before.skipped;
        decoder = new PacketDecoder(fragments, skipped);
        if (before != null) {
            frame = before.frame;
            firstNanos = before.firstNanos;
            lastNanos = before.lastNanos;
        }
        Bytes start = in.peek(ForeignFormat.RECOGNITION_BYTES);
        int magic = (int) Octets.u32(start, 0);
        if (magic == Pcapng.SECTION) {
            source = new Pcapng(in);
        } else if (Pcap.recognises(magic)) {
            source = new Pcap(in);
        } else {
            throw new CaptureException(
                    0,
                    "the file "
                            + ForeignFormat.refusal(start)
                                    .orElse(
                                            "is not a capture (pcap, pcapng): "
                                                    + ForeignFormat.CONVERT));
        }
    }

    /**
     * Opens a capture file.
     *
     * @throws CaptureException if it is not a capture, or of an unknown link type
     * @throws IOException if it cannot be read
     */
    public static CaptureReader open(Path file) throws IOException {
        return of(Files.newInputStream(file));
    }

    /**
     * Reads a capture from a stream, which is closed with the reader.
     *
     * @throws CaptureException if it is not a capture, or of an unknown link type; the stream is
     *     closed then
     */
    public static CaptureReader of(InputStream stream) throws IOException {
        return of(stream, MAX_UNPACKED_BYTES);
    }

    static CaptureReader of(InputStream stream, long maxUnpackedBytes) throws IOException {
        return of(stream, maxUnpackedBytes, null);
    }

    private static CaptureReader of(
            InputStream stream, long maxUnpackedBytes, @Nullable CaptureReader before)
            throws IOException {
        try {
            return new CaptureReader(new CaptureInput(stream, maxUnpackedBytes), before);
        } catch (IOException e) {
            stream.close();
            throw e;
        }
    }

    /**
     * Whether a file begins like a capture, compressed or not. Also true for unsupported formats
     * that {@link #open} refuses by their name.
     */
    public static boolean recognises(Path file) throws IOException {
        try (CaptureInput in = new CaptureInput(Files.newInputStream(file), MAX_UNPACKED_BYTES)) {
            return recognises(in);
        } catch (CaptureException _) {
            return false;
        }
    }

    static boolean recognises(CaptureInput in) throws IOException {
        Bytes start = in.peek(ForeignFormat.RECOGNITION_BYTES);
        int magic = (int) Octets.u32(start, 0);
        return magic == Pcapng.SECTION
                || Pcap.recognises(magic)
                || ForeignFormat.refusal(start).isPresent();
    }

    /**
     * The next datagram, or empty at the end of the capture.
     *
     * @throws CaptureException if the file is malformed; nothing can be read after that
     */
    public Optional<Datagram> next() throws IOException {
        while (true) {
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
            Optional<Datagram> datagram = decoder.decode(packet, frame, time);
            if (datagram.isPresent()) {
                return datagram;
            }
        }
    }

    /** The number of packets read so far, including those of previous files. */
    public long frames() {
        return frame;
    }

    /**
     * Whether another file continues this capture, as the next file of a ring buffer does: its
     * first packet is later than all of this capture, and by so little that a session may still
     * exist.
     */
    public boolean isContinuedBy(Path file) throws IOException {
        OptionalLong first = firstNanos(file);
        return frame > 0
                && first.isPresent()
                && first.getAsLong() > firstNanos
                && first.getAsLong() - lastNanos >= -MAX_REORDERING_NANOS
                && first.getAsLong() - lastNanos <= MAX_GAP_NANOS;
    }

    /**
     * Reads a file that continues this capture: the numbers of packets continue, and times count
     * from the first packet of the first file.
     *
     * @param stream is closed with the new reader; this reader must be at its end
     */
    public CaptureReader continuedBy(InputStream stream) throws IOException {
        return of(stream, MAX_UNPACKED_BYTES, this);
    }

    /**
     * The time of a capture's first packet, in nanoseconds since 1970; empty if the file is not a
     * capture or has no packets.
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
     * Sorts files by the times of their packets, as for a ring buffer of captures. Files that are
     * not captures, cannot be read, or can be read only once, as pipes, keep their place.
     */
    public static List<Path> inOrder(List<Path> files) {
        Map<Path, Long> times = new HashMap<>();
        for (Path file : files) {
            try {
                if (Files.isRegularFile(file)) {
                    firstNanos(file).ifPresent(first -> times.put(file, first));
                }
            } catch (IOException _) {
                // Reading it reports the reason.
            }
        }
        Iterator<Path> sorted =
                files.stream()
                        .filter(times::containsKey)
                        .sorted(Comparator.comparing(file -> times.getOrDefault(file, 0L)))
                        .iterator();
        return files.stream().map(file -> times.containsKey(file) ? sorted.next() : file).toList();
    }

    /** Uncompressed bytes of the capture read so far. */
    public long position() {
        return in.position();
    }

    /** The number of packets without a datagram so far, by reason, including previous files. */
    public Map<SkipReason, Long> skipped() {
        Map<SkipReason, Long> all = new EnumMap<>(skipped);
        if (fragments.overlapping() > 0) {
            all.put(SkipReason.OVERLAPPING, fragments.overlapping());
        }
        if (fragments.unfinished() > 0) {
            all.put(SkipReason.UNFINISHED, fragments.unfinished());
        }
        return all;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
