package dev.wishdir.inspect.capture;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;

import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.dissect.Datagram;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.GZIPInputStream;

/**
 * A folder of captures, recordings and what is known of them, among a module's test resources.
 *
 * @param folder its path from the module's folder
 */
public record Captures(Path folder) {
    public static Captures in(String folder) {
        return new Captures(Path.of("src/test/resources", folder));
    }

    public Path path(String name) {
        return folder.resolve(name);
    }

    public Bytes file(String name) {
        try {
            return Bytes.wrap(Files.readAllBytes(path(name)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The UDP datagrams of {@code NAME.pcap}. */
    public List<Datagram> datagrams(String name) {
        List<Datagram> datagrams = new ArrayList<>();
        try (CaptureReader capture = CaptureReader.open(path(name + ".pcap"))) {
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

    /** The JSON objects of a file with one on each line, compressed with gzip or not. */
    public List<JsonObject> lines(String name) {
        byte[] content = file(name).toArray();
        try {
            if (name.endsWith(".gz")) {
                content = new GZIPInputStream(new ByteArrayInputStream(content)).readAllBytes();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new String(content, StandardCharsets.UTF_8)
                .lines()
                .filter(line -> !line.isBlank())
                .map(line -> JsonParser.parseString(line).getAsJsonObject())
                .toList();
    }
}
