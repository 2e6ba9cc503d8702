package dev.wishdir.nethernet;

import com.google.gson.JsonObject;

import dev.wishdir.inspect.capture.Captures;
import dev.wishdir.nethernet.sdp.Sdp;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;

/** Captures between two peers of another make, and vectors made by them. */
public final class NetherNetCaptures {
    public static final Captures FILES = Captures.in("nethernet");

    private NetherNetCaptures() {}

    public static List<JsonObject> vectors(String kind) {
        return FILES.lines("vectors.jsonl").stream()
                .filter(line -> line.get("kind").getAsString().equals(kind))
                .toList();
    }

    /** The descriptions of the captured signalling. */
    public static List<Sdp> offersAndAnswers() {
        return FILES.lines("http.jsonl").stream()
                .flatMap(line ->
                        Stream.of("request", "response")
                                .filter(line::has)
                                .map(part -> line.getAsJsonObject(part).get("body").getAsString()))
                .filter(body -> body.startsWith("v=0"))
                .map(body -> Sdp.read(body.getBytes(StandardCharsets.UTF_8)))
                .toList();
    }
}
