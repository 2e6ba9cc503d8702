package dev.wishdir.app.command;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Suggests the known name that a mistyped one stands for. */
public final class Suggestion {
    private Suggestion() {}

    /**
     * The known name that is most similar to a mistyped one; empty if none is similar. The words
     * that both begin with, as {@code --bedrock-}, make two names no more similar.
     */
    static Optional<String> nearest(String typed, Collection<String> known) {
        return known.stream()
                .filter(name ->
                        distance(name, typed)
                                <= Math.max(2, (typed.length() - commonWords(name, typed)) / 3))
                .min(Comparator.comparingInt(name -> distance(name, typed)));
    }

    /** The length of the whole words, each with its dash, that two names begin with. */
    private static int commonWords(String one, String other) {
        int end = 0;
        for (int i = 0; i < Math.min(one.length(), other.length()); i++) {
            if (one.charAt(i) != other.charAt(i)) {
                break;
            }
            end = one.charAt(i) == '-' ? i + 1 : end;
        }
        return end;
    }

    /** The question "did you mean", or another hint if no known name is similar. */
    public static String hint(String typed, Collection<String> known, String otherwise) {
        return nearest(typed, known)
                .map(name -> "; did you mean '" + name + "'?")
                .orElse(otherwise);
    }

    /** The Levenshtein distance of two names. */
    private static int distance(String one, String other) {
        int[] row = new int[other.length() + 1];
        for (int j = 0; j <= other.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= one.length(); i++) {
            int corner = row[0];
            row[0] = i;
            for (int j = 1; j <= other.length(); j++) {
                int changed = corner + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
                corner = row[j];
                row[j] = Math.min(changed, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[other.length()];
    }
}
