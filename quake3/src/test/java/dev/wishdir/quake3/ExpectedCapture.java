package dev.wishdir.quake3;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.Gson;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;

import dev.wishdir.inspect.CaptureReader;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.dissect.Datagram;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.zip.GZIPInputStream;

/** The captures among the test resources, and what their messages are known to say. */
public final class ExpectedCapture {
    public static final List<String> NAMES =
            List.of(
                    "oa-legacy71-aggressor-2clients",
                    "oa-legacy71-labbox-download",
                    "oa-legacy71-pure-mapchange",
                    "ioq3-modern71-aggressor-2clients",
                    "ioq3-dual-71-68-aggressor",
                    "trace-aggressor-float",
                    "trace-labbox-float",
                    "trace-labbox-snap");

    private ExpectedCapture() {}

    public static Path file(String name) {
        try {
            URL url = Objects.requireNonNull(ExpectedCapture.class.getResource(name), name);
            return Path.of(url.toURI());
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException(e);
        }
    }

    public static Bytes bytes(String name) throws IOException {
        return Bytes.wrap(Files.readAllBytes(file(name)));
    }

    public static List<Datagram> datagrams(String name) throws IOException {
        List<Datagram> datagrams = new ArrayList<>();
        try (CaptureReader capture = CaptureReader.open(file(name + ".pcap"))) {
            for (Optional<Datagram> next = capture.next();
                    next.isPresent();
                    next = capture.next()) {
                datagrams.add(next.get());
            }
        }
        return datagrams;
    }

    public static List<JsonObject> lines(String name) throws IOException {
        try (BufferedReader in =
                new BufferedReader(
                        new InputStreamReader(
                                new GZIPInputStream(
                                        Files.newInputStream(file(name + ".expected.jsonl.gz"))),
                                StandardCharsets.UTF_8))) {
            return in.lines()
                    .filter(line -> !line.isBlank())
                    .map(line -> JsonParser.parseString(line).getAsJsonObject())
                    .toList();
        }
    }

    /** Each expected field is there with an equal value; numbers to 1e-4. */
    public static void assertFields(String what, JsonObject expected, Map<String, ?> actual) {
        JsonObject given = new Gson().toJsonTree(actual).getAsJsonObject();
        for (Map.Entry<String, JsonElement> field : expected.entrySet()) {
            JsonElement value = given.get(field.getKey());
            assertThat(value).as("%s %s", what, field.getKey()).isNotNull();
            assertThat(equal(field.getValue(), value))
                    .as("%s %s: expected %s, is %s", what, field.getKey(), field.getValue(), value)
                    .isTrue();
        }
    }

    private static boolean equal(JsonElement expected, JsonElement actual) {
        if (expected.isJsonObject() && actual.isJsonObject()) {
            JsonObject a = actual.getAsJsonObject();
            return expected.getAsJsonObject().entrySet().stream()
                    .allMatch(e -> a.has(e.getKey()) && equal(e.getValue(), a.get(e.getKey())));
        }
        if (expected.isJsonArray() && actual.isJsonArray()) {
            boolean same = expected.getAsJsonArray().size() == actual.getAsJsonArray().size();
            for (int i = 0; same && i < expected.getAsJsonArray().size(); i++) {
                same = equal(expected.getAsJsonArray().get(i), actual.getAsJsonArray().get(i));
            }
            return same;
        }
        if (expected.isJsonPrimitive()
                && expected.getAsJsonPrimitive().isNumber()
                && actual.isJsonPrimitive()
                && actual.getAsJsonPrimitive().isNumber()) {
            double e = expected.getAsDouble();
            double a = actual.getAsDouble();
            double most = Math.max(1, Math.max(Math.abs(e), Math.abs(a)));
            return e == a || Math.abs(e - a) <= 1e-4 * most;
        }
        return expected.equals(actual);
    }
}
