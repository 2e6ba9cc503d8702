package dev.wishdir.inspect;

import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.EvictingMap;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.dissect.Datagram;
import dev.wishdir.wire.dissect.Direction;
import dev.wishdir.wire.dissect.DissectedMessage;
import dev.wishdir.wire.dissect.Dissector;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * Decodes captures and recordings with the dissectors of the games. A UDP flow, which is all
 * datagrams between two endpoints, belongs to the first dissector that recognises one of its
 * datagrams. The dissector gets this datagram and the following ones, in the order of the capture.
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
            Pattern.compile("(\\.(gz|zip|bz2|xz|zst|lz4))+$", Pattern.CASE_INSENSITIVE);

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

    private record Claim(Dissector dissector, InetSocketAddress server) {
        Direction direction(Datagram datagram) {
            return datagram.destination().equals(server) ? Direction.C2S : Direction.S2C;
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
        claim.dissector().datagram(datagram, claim.direction(datagram), lines);
    }

    private Optional<Claim> claim(Datagram datagram) {
        Dissector to = ports.get(datagram.destination().getPort());
        Dissector from = ports.get(datagram.source().getPort());
        if (to != null && from == null) {
            return Optional.of(claim(to, datagram, to.recognise(datagram).orElse(Direction.C2S)));
        }
        if (from != null && to == null) {
            return Optional.of(
                    claim(from, datagram, from.recognise(datagram).orElse(Direction.S2C)));
        }
        for (Dissector dissector : dissectors) {
            Optional<Direction> direction = dissector.recognise(datagram);
            if (direction.isPresent()) {
                return Optional.of(claim(dissector, datagram, direction.get()));
            }
        }
        return Optional.empty();
    }

    private static Claim claim(Dissector dissector, Datagram datagram, Direction direction) {
        return new Claim(dissector, datagram.flow(direction).server());
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
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        Optional<CaptureException> damage = unpack(file, content);
        Bytes bytes = Bytes.wrap(content.toByteArray());
        String name =
                COMPRESSED_EXTENSIONS.matcher(String.valueOf(file.getFileName())).replaceFirst("");
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
    private static Optional<CaptureException> unpack(Path file, ByteArrayOutputStream content)
            throws IOException {
        byte[] buffer = new byte[1 << 16];
        try (InputStream stream = Files.newInputStream(file);
                InputStream in = Compression.unpack(stream).in()) {
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                content.write(buffer, 0, read);
                if (content.size() > MAX_RECORDING_BYTES) {
                    throw new IOException(
                            "the recording is larger than " + MAX_RECORDING_BYTES + " bytes");
                }
            }
        } catch (EOFException | Compression.DamagedException e) {
            return Optional.of(new CaptureException(content.size(), CaptureInput.damageText(e)));
        }
        return Optional.empty();
    }

    /** Number of datagrams so far that no dissector recognised. */
    public long unclaimed() {
        return unclaimed;
    }
}
