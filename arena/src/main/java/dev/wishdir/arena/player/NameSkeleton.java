package dev.wishdir.arena.player;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Skeletons of names, by which confusable names are found: names that look the same have a key in
 * common, whatever their case, script, encoding of accents or invisible characters.
 *
 * <p>Source: Unicode Technical Standard #39, section 4, with the table of Unicode 17.
 */
public final class NameSkeleton {
    private static final Map<Integer, String> PROTOTYPES = prototypes();

    private NameSkeleton() {}

    /** Whether two names are confusable. */
    public static boolean isConfusable(String a, String b) {
        Set<String> keys = keys(a);
        return keys(b).stream().anyMatch(keys::contains);
    }

    /** Whether a part of a name is confusable with a text. */
    public static boolean contains(String name, String part) {
        return folded(skeleton(name)).contains(folded(skeleton(part)))
                || skeleton(folded(name)).contains(skeleton(folded(part)));
    }

    /**
     * The keys of a name: it is confusable with each name that has one of them. Two keys, as a
     * capital I looks like a small L, and the same name in lower case has no such I.
     */
    static Set<String> keys(String name) {
        String asWritten = folded(skeleton(name));
        String inLowerCase = skeleton(folded(name));
        return asWritten.equals(inLowerCase) ? Set.of(asWritten) : Set.of(asWritten, inLowerCase);
    }

    private static String folded(String text) {
        return text.toUpperCase(Locale.ROOT).toLowerCase(Locale.ROOT);
    }

    /** The skeleton of UTS #39: equal for texts of the same case that look the same. */
    static String skeleton(String text) {
        String decomposed = Normalizer.normalize(text, Normalizer.Form.NFD);
        StringBuilder mapped = new StringBuilder(decomposed.length());
        decomposed
                .codePoints()
                .filter(c -> !isIgnorable(c))
                .forEach(c -> {
                    String prototype = PROTOTYPES.get(c);
                    if (prototype == null) {
                        mapped.appendCodePoint(c);
                    } else {
                        mapped.append(prototype);
                    }
                });
        return Normalizer.normalize(mapped, Normalizer.Form.NFD);
    }

    /** Whether a character is invisible: Unicode's Default_Ignorable_Code_Point. */
    static boolean isIgnorable(int c) {
        return c == 0xAD
                || c == 0x034F
                || c == 0x061C
                || c == 0x115F
                || c == 0x1160
                || c == 0x17B4
                || c == 0x17B5
                || c >= 0x180B && c <= 0x180F
                || c >= 0x200B && c <= 0x200F
                || c >= 0x202A && c <= 0x202E
                || c >= 0x2060 && c <= 0x206F
                || c == 0x3164
                || c >= 0xFE00 && c <= 0xFE0F
                || c == 0xFEFF
                || c == 0xFFA0
                || c >= 0xFFF0 && c <= 0xFFF8
                || c >= 0x1BCA0 && c <= 0x1BCA3
                || c >= 0x1D173 && c <= 0x1D17A
                || c >= 0xE0000 && c <= 0xE0FFF;
    }

    private static Map<Integer, String> prototypes() {
        Map<Integer, String> prototypes = new HashMap<>();
        try (BufferedReader lines =
                new BufferedReader(
                        new InputStreamReader(
                                Objects.requireNonNull(
                                        NameSkeleton.class.getResourceAsStream("confusables.txt"),
                                        "confusables.txt is missing"),
                                StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                int c = line.codePointAt(0);
                if (c != '#') {
                    prototypes.put(c, line.substring(Character.charCount(c)));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return prototypes;
    }
}
