package dev.wishdir.quake2;

import dev.wishdir.inspect.CaptureReader;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.dissect.Datagram;
import dev.wishdir.world.Bsp38;
import dev.wishdir.world.PlaneWorld;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Captures of two other engines' clients and servers. */
public final class Captures {
    public static final Path FOLDER = Path.of("src/test/resources/captures");

    public static final List<String> NAMES =
            List.of(
                    "01a-oob-yquake2",
                    "01b-oob-q2pro",
                    "02-yq2server-yq2client",
                    "03-yq2server-two-clients",
                    "04-yq2server-loss",
                    "05-q2proserver-q2proclient",
                    "06-q2proserver-yq2client",
                    "07-mapchange-kick-shutdown",
                    "08-download",
                    "09-longrun-sequences",
                    "10-trace-yq2server-box1",
                    "11-trace-q2proserver-box1");

    private Captures() {}

    public static Path pcap(String name) {
        return FOLDER.resolve(name + ".pcap");
    }

    public static boolean isServer(int port) {
        return port == 27910 || port == 27912 || port == 27914;
    }

    public static Bytes file(String name) {
        try {
            return Bytes.wrap(Files.readAllBytes(FOLDER.resolve(name)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What players run into on one of the captures' maps. */
    public static PlaneWorld world(String map) {
        return Bsp38.read(file(map).toArray()).world();
    }

    public static List<Datagram> datagrams(String name) {
        List<Datagram> datagrams = new ArrayList<>();
        try (CaptureReader capture = CaptureReader.open(pcap(name))) {
            for (Optional<Datagram> next = capture.next();
                    next.isPresent();
                    next = capture.next()) {
                datagrams.add(next.get());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return datagrams;
    }
}
