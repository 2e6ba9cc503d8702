package dev.wishdir.inspect;

import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.EvictingMap;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.dissect.Datagram;
import dev.wishdir.wire.dissect.DissectedMessage;
import dev.wishdir.wire.dissect.Dissector;
import dev.wishdir.wire.dissect.Dissector.Direction;

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
 * Explains captures and recordings with the dissectors of the games. Each UDP flow, that is all
 * datagrams between two endpoints, belongs to the first dissector that recognises one of them; that
 * datagram and those after it go to it in the order of the capture.
 *
 * <p>It knows {@link #MAX_FLOWS} flows at once; the one that was silent longest is forgotten for a
 * new one. Not thread-safe.
 */
public final class Inspector {
    /** The most flows that are known at once. */
    public static final int MAX_FLOWS = 65_536;

    /** The most bytes of a recording: it is held whole, unlike a capture. */
    public static final int MAX_RECORDING_BYTES = 128 << 20;

    /** What the name of a compressed file has after that of its content. */
    private static final Pattern PACKED =
            Pattern.compile("(\\.(gz|zip|bz2|xz|zst|lz4))+$", Pattern.CASE_INSENSITIVE);

    private record Flow(InetSocketAddress one, InetSocketAddress other) {
        /** The same for both directions. */
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

    /** An inspector that asks several games whose a flow is, in this order. */
    public static Inspector of(List<Dissector> dissectors, Consumer<DissectedMessage> lines) {
        return of(dissectors, Map.of(), lines);
    }

    /**
     * An inspector of one game. It takes flows that the game's dissector does not recognise as
     * well, where one side uses the port of the game's servers: those whose beginning the capture
     * lacks.
     */
    public static Inspector of(
            Dissector dissector, int serverPort, Consumer<DissectedMessage> lines) {
        return of(List.of(dissector), Map.of(serverPort, dissector), lines);
    }

    /**
     * An inspector that knows ports of servers: a flow where one side uses such a port belongs to
     * the dissector of that port, recognised or not.
     *
     * @param dissectors are asked whose any other flow is, in this order
     */
    public static Inspector of(
            List<Dissector> dissectors,
            Map<Integer, Dissector> ports,
            Consumer<DissectedMessage> lines) {
        return new Inspector(dissectors, ports, lines);
    }

    /** Explains a datagram; does nothing if it belongs to no game. */
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

    private static Claim claim(Dissector dissector, Datagram datagram, Direction way) {
        return new Claim(dissector, datagram.flow(way).server());
    }

    /**
     * Explains all that is left of a capture.
     *
     * @throws CaptureException where it can't be read on; what came before it has been explained
     */
    public void capture(CaptureReader capture) throws IOException {
        for (var next = capture.next(); next.isPresent(); next = capture.next()) {
            datagram(next.get());
        }
    }

    /**
     * Explains a file that is no capture: a recording of one of the games, in its own format.
     *
     * @return false if no game knows its format; nothing was explained then
     * @throws CaptureException if it is compressed and broken; what could be unpacked of it has
     *     been explained
     * @throws IOException if it can't be read, or is longer than {@link #MAX_RECORDING_BYTES}
     * @throws MalformedPacketException where it does not follow its format; what came before it has
     *     been explained
     */
    public boolean recording(Path file) throws IOException {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        Optional<CaptureException> broken = unpack(file, content);
        Bytes bytes = Bytes.wrap(content.toByteArray());
        String name = PACKED.matcher(String.valueOf(file.getFileName())).replaceFirst("");
        for (Dissector dissector : dissectors) {
            if (dissector.recogniseFile(name, bytes)) {
                try {
                    dissector.file(bytes, lines);
                } catch (MalformedPacketException e) {
                    if (broken.isEmpty()) {
                        throw e;
                    }
                }
                if (broken.isPresent()) {
                    throw broken.get();
                }
                return true;
            }
        }
        if (broken.isPresent()) {
            throw broken.get();
        }
        return false;
    }

    /** Unpacks a file as far as it goes; gives what broke it off. */
    private static Optional<CaptureException> unpack(Path file, ByteArrayOutputStream content)
            throws IOException {
        byte[] some = new byte[1 << 16];
        try (InputStream stream = Files.newInputStream(file);
                InputStream in = Compression.unpack(stream).in()) {
            for (int read = in.read(some); read >= 0; read = in.read(some)) {
                content.write(some, 0, read);
                if (content.size() > MAX_RECORDING_BYTES) {
                    throw new IOException(
                            "a recording of more than " + MAX_RECORDING_BYTES + " bytes");
                }
            }
        } catch (EOFException | Compression.DamagedException e) {
            return Optional.of(new CaptureException(content.size(), CaptureInput.broken(e)));
        }
        return Optional.empty();
    }

    /** Datagrams that belonged to no game so far. */
    public long unclaimed() {
        return unclaimed;
    }
}
