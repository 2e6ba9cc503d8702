package dev.wishdir.inspect;

import dev.wishdir.inspect.capture.CaptureException;
import dev.wishdir.inspect.capture.CaptureFile;
import dev.wishdir.inspect.capture.CaptureInput;
import dev.wishdir.inspect.capture.CaptureReader;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.EvictingMap;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.dissect.Datagram;
import dev.wishdir.wire.dissect.Direction;
import dev.wishdir.wire.dissect.DissectedMessage;
import dev.wishdir.wire.dissect.Dissector;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * Decodes captures and recordings with the dissectors of the games. A UDP flow, which is all
 * datagrams between two endpoints, belongs to the first dissector that recognises one of its
 * datagrams. The dissector gets this datagram and the following ones, in the order of the capture,
 * until they do not fit: then the flow has no game again.
 *
 * <p>It remembers {@link #MAX_FLOWS} flows; a new flow replaces the one that was silent longest.
 * Not thread-safe.
 */
public final class Inspector {
    /** Maximum number of remembered flows. */
    public static final int MAX_FLOWS = 65_536;

    /** Maximum size of a recording, which is read as a whole, unlike a capture. */
    public static final int MAX_RECORDING_BYTES = 128 << 20;

    /** The additional extensions of a compressed file's name. */
    private static final Pattern COMPRESSED_EXTENSIONS =
            Pattern.compile("(\\.(gz|bz2|zst))+$", Pattern.CASE_INSENSITIVE);

    /** Datagrams that must fit before one that does not fit is taken for damage. */
    private static final int MIN_FITS = 4;

    /** Datagrams that fit count up to this number, and one that does not as {@link #MISFIT}. */
    private static final int MAX_FITS = 16;

    private static final int MISFIT = 2;

    private record Flow(InetSocketAddress low, InetSocketAddress high) {
        /** The flow of a datagram, the same for both directions. */
        static Flow of(Datagram datagram) {
            InetSocketAddress source = datagram.source();
            InetSocketAddress destination = datagram.destination();
            return order(source, destination) <= 0
                    ? new Flow(source, destination)
                    : new Flow(destination, source);
        }

        private static int order(InetSocketAddress a, InetSocketAddress b) {
            int byPort = Integer.compare(a.getPort(), b.getPort());
            return byPort != 0
                    ? byPort
                    : a.getAddress().getHostAddress().compareTo(b.getAddress().getHostAddress());
        }
    }

    /** A flow's dissector, and how well its datagrams fit. */
    private static final class Claim {
        private final Dissector dissector;
        private final InetSocketAddress server;

        /** Whether the user has said so, by the port. */
        private final boolean settled;

        private int fits;

        Claim(Dissector dissector, InetSocketAddress server, boolean settled) {
            this.dissector = dissector;
            this.server = server;
            this.settled = settled;
        }

        Direction direction(Datagram datagram) {
            return datagram.destination().equals(server) ? Direction.C2S : Direction.S2C;
        }

        /** Takes note of the lines of a datagram; false if the flow is another program's. */
        boolean takes(Datagram datagram, List<DissectedMessage> lines) {
            if (dissector.fits(datagram, lines)) {
                fits = Math.min(fits + 1, MAX_FITS);
            } else if (!settled) {
                fits = fits < MIN_FITS ? -1 : fits - MISFIT;
            }
            return fits >= 0;
        }
    }

    private final List<Dissector> dissectors;
    private final Map<Integer, Dissector> ports;
    private final Consumer<DissectedMessage> lines;
    private final Map<Flow, Claim> claims = EvictingMap.leastRecentlyUsed(MAX_FLOWS);
    private long unclaimed;

    private Inspector(
            List<Dissector> dissectors,
            Map<Integer, Dissector> ports,
            Consumer<DissectedMessage> lines) {
        this.dissectors = List.copyOf(dissectors);
        this.ports = Map.copyOf(ports);
        this.lines = lines;
    }

    /** An inspector that assigns a flow to the first of several dissectors that recognises it. */
    public static Inspector of(List<Dissector> dissectors, Consumer<DissectedMessage> lines) {
        return of(dissectors, Map.of(), lines);
    }

    /**
     * An inspector of one game. It also decodes flows that the dissector does not recognise,
     * because the capture lacks their beginning, if one side uses the port of the game's servers.
     */
    public static Inspector of(
            Dissector dissector, int serverPort, Consumer<DissectedMessage> lines) {
        return of(List.of(dissector), Map.of(serverPort, dissector), lines);
    }

    /**
     * An inspector with known ports of servers: a flow with such a port on one side belongs to the
     * port's dissector, whether it recognises the flow or not.
     *
     * @param dissectors the dissectors of all other flows, the first that recognises one wins
     */
    public static Inspector of(
            List<Dissector> dissectors,
            Map<Integer, Dissector> ports,
            Consumer<DissectedMessage> lines) {
        return new Inspector(dissectors, ports, lines);
    }

    /** Decodes a datagram; only counts it if no dissector recognises its flow. */
    public void datagram(Datagram datagram) {
        Flow flow = Flow.of(datagram);
        Claim claim = claims.get(flow);
        if (claim == null) {
            Optional<Claim> found = claim(datagram);
            if (found.isEmpty()) {
                unclaimed++;
                return;
            }
            claim = found.get();
            claims.put(flow, claim);
        }
        List<DissectedMessage> found = new ArrayList<>();
        boolean taken = true;
        try {
            claim.dissector.datagram(datagram, claim.direction(datagram), found::add);
            taken = claim.takes(datagram, found);
        } finally {
            if (taken) {
                found.forEach(lines);
            }
        }
        if (!taken) {
            claims.remove(flow);
            claim.dissector.forget(claim.server);
            unclaimed++;
        }
    }

    private Optional<Claim> claim(Datagram datagram) {
        Dissector to = ports.get(datagram.destination().getPort());
        Dissector from = ports.get(datagram.source().getPort());
        if (to != null && from == null) {
            Direction direction = to.recognise(datagram).orElse(Direction.C2S);
            return Optional.of(claim(to, datagram, direction, true));
        }
        if (from != null && to == null) {
            Direction direction = from.recognise(datagram).orElse(Direction.S2C);
            return Optional.of(claim(from, datagram, direction, true));
        }
        for (Dissector dissector : dissectors) {
            Optional<Direction> direction = dissector.recognise(datagram);
            if (direction.isPresent()) {
                return Optional.of(claim(dissector, datagram, direction.get(), false));
            }
        }
        return Optional.empty();
    }

    private static Claim claim(
            Dissector dissector, Datagram datagram, Direction direction, boolean settled) {
        return new Claim(dissector, datagram.flow(direction).server(), settled);
    }

    /**
     * Decodes the rest of a capture.
     *
     * @throws CaptureException if it is malformed; everything before that place was decoded
     */
    public void capture(CaptureReader capture) throws IOException {
        for (var next = capture.next(); next.isPresent(); next = capture.next()) {
            datagram(next.get());
        }
    }

    /**
     * Decodes a recording of a game, in the game's own format.
     *
     * @return false if no dissector recognises the format
     * @throws CaptureException if it is compressed and damaged; its readable beginning was decoded
     * @throws IOException if it cannot be read, or is longer than {@link #MAX_RECORDING_BYTES}
     * @throws MalformedPacketException if it is malformed; everything before that place was decoded
     */
    public boolean recording(Path file) throws IOException {
        try (CaptureFile opened = CaptureFile.of(Files.newInputStream(file))) {
            return recording(String.valueOf(file.getFileName()), opened);
        }
    }

    /**
     * As {@link #recording(Path)}, of a file that is open.
     *
     * @param fileName of which a dissector may need the extension
     */
    public boolean recording(String fileName, CaptureFile file) throws IOException {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        Optional<CaptureException> damage = unpack(file, content);
        Bytes bytes = Bytes.wrap(content.toByteArray());
        String name = COMPRESSED_EXTENSIONS.matcher(fileName).replaceFirst("");
        for (Dissector dissector : dissectors) {
            if (dissector.recogniseFile(name, bytes)) {
                try {
                    dissector.file(bytes, lines);
                } catch (MalformedPacketException e) {
                    if (damage.isEmpty()) {
                        throw e;
                    }
                }
                if (damage.isPresent()) {
                    throw damage.get();
                }
                return true;
            }
        }
        if (damage.isPresent()) {
            throw damage.get();
        }
        return false;
    }

    /** Decompresses a file as far as possible; returns the damage at which it stopped. */
    private static Optional<CaptureException> unpack(
            CaptureFile file, ByteArrayOutputStream content) throws IOException {
        try {
            CaptureInput in = file.content();
            for (Bytes part = in.readPart(); part.length() > 0; part = in.readPart()) {
                content.writeBytes(part.toArray());
                if (content.size() > MAX_RECORDING_BYTES) {
                    throw new IOException(
                            "the recording is larger than " + MAX_RECORDING_BYTES + " bytes");
                }
            }
        } catch (CaptureException e) {
            return Optional.of(e);
        }
        return Optional.empty();
    }

    /** Number of datagrams so far that no dissector recognised. */
    public long unclaimed() {
        return unclaimed;
    }
}
