package dev.wishdir.nethernet;

import com.google.gson.JsonObject;

import dev.wishdir.inspect.Captures;

import java.util.List;

/** Captures between two peers of another make, and vectors made by them. */
final class NetherNetCaptures {
    static final Captures FILES = Captures.in("nethernet");

    private NetherNetCaptures() {}

    static List<JsonObject> vectors(String kind) {
        return FILES.lines("vectors.jsonl").stream()
                .filter(line -> line.get("kind").getAsString().equals(kind))
                .toList();
    }
}
