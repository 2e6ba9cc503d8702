package dev.wishdir.quake2.message;

import dev.wishdir.wire.Wire;

import java.util.LinkedHashMap;
import java.util.SequencedMap;

/** Encodings that several messages share. */
final class FieldCodecs {
    private FieldCodecs() {}

    /**
     * Walks a Latin-1 text with a terminating zero byte.
     *
     * @param max maximum number of characters
     */
    static String text(Wire w, String name, String value, int max) {
        w.begin(name);
        String text = value;
        if (w.reading()) {
            StringBuilder read = new StringBuilder();
            for (int c = w.u8(name, 0); c != 0; c = w.u8(name, 0)) {
                append(w, name, read, c, max);
            }
            text = read.toString();
        } else {
            write(w, name, text, max);
            w.u8(name, 0);
        }
        w.end(text);
        return text;
    }

    /** Walks a text of a client, which the end of the packet ends, too. */
    static ClientText clientText(Wire w, String name, ClientText value, int max) {
        w.begin(name);
        ClientText text = value;
        if (w.reading()) {
            StringBuilder read = new StringBuilder();
            boolean terminated = false;
            while (!terminated && w.remaining() > 0) {
                int c = w.u8(name, 0);
                terminated = c == 0;
                if (!terminated) {
                    append(w, name, read, c, max);
                }
            }
            text = new ClientText(read.toString(), terminated);
        } else {
            write(w, name, text.value(), max);
            if (text.terminated()) {
                w.u8(name, 0);
            }
        }
        w.end(text.value());
        return text;
    }

    private static void append(Wire w, String name, StringBuilder text, int c, int max) {
        if (text.length() == max) {
            throw w.malformed(name, "has more than " + max + " characters");
        }
        text.append((char) c);
    }

    private static void write(Wire w, String name, String text, int max) {
        w.bounded(name, text.length(), max);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == 0) {
                throw new IllegalArgumentException(name + " has a zero character at " + i);
            }
            w.u8(name, c <= 0xFF ? c : '?');
        }
    }

    /** Fields by name, in this order. */
    static SequencedMap<String, Object> of(Object... namesAndValues) {
        SequencedMap<String, Object> fields = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            fields.put((String) namesAndValues[i], namesAndValues[i + 1]);
        }
        return fields;
    }
}
