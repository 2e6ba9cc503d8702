package dev.wishdir.idtech;

import dev.wishdir.motion.Vec3f;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Parses a map's entity text: blocks of {@code { "key" "value" … }}. */
public final class MapEntities {
    private static final int MAX_ENTITIES = 8192;

    private MapEntities() {}

    /**
     * The blocks in file order.
     *
     * @throws MalformedMapException if the text is not blocks, or has more than 8192 of them; its
     *     offset counts characters of the text
     */
    static List<Map<String, String>> read(String text) {
        List<Map<String, String>> entities = new ArrayList<>();
        int at = skip(text, 0);
        while (at < text.length()) {
            if (text.charAt(at) != '{' || entities.size() == MAX_ENTITIES) {
                throw new MalformedMapException(
                        at, "entities: expected {, or more than " + MAX_ENTITIES + " blocks");
            }
            Map<String, String> entity = new LinkedHashMap<>();
            at = skip(text, at + 1);
            while (at < text.length() && text.charAt(at) == '"') {
                int keyEnd = quoted(text, at);
                int value = skip(text, keyEnd + 1);
                int valueEnd = quoted(text, value);
                entity.put(text.substring(at + 1, keyEnd), text.substring(value + 1, valueEnd));
                at = skip(text, valueEnd + 1);
            }
            if (at >= text.length() || text.charAt(at) != '}') {
                throw new MalformedMapException(at, "entities: a block lacks its }");
            }
            entities.add(Map.copyOf(entity));
            at = skip(text, at + 1);
        }
        return List.copyOf(entities);
    }

    /** The three numbers of a key such as {@code origin}; empty if they are not three numbers. */
    public static Optional<Vec3f> vector(Map<String, String> entity, String key) {
        String[] words = entity.getOrDefault(key, "").strip().split("\\s+", 4);
        if (words.length != 3) {
            return Optional.empty();
        }
        Optional<Float> x = number(words[0]);
        Optional<Float> y = number(words[1]);
        Optional<Float> z = number(words[2]);
        return x.isEmpty() || y.isEmpty() || z.isEmpty()
                ? Optional.empty()
                : Optional.of(new Vec3f(x.get(), y.get(), z.get()));
    }

    /** Parses a finite number; empty if it is not one. */
    public static Optional<Float> number(String word) {
        try {
            float number = Float.parseFloat(word);
            return Float.isFinite(number) ? Optional.of(number) : Optional.empty();
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    private static int skip(String text, int at) {
        int next = at;
        while (next < text.length() && text.charAt(next) <= ' ') {
            next++;
        }
        return next;
    }

    private static int quoted(String text, int at) {
        int end = at < text.length() && text.charAt(at) == '"' ? text.indexOf('"', at + 1) : -1;
        if (end < 0) {
            throw new MalformedMapException(at, "entities: expected a quoted word");
        }
        return end;
    }
}
