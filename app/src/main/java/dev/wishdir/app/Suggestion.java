package dev.wishdir.app;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Guesses which known name a mistyped one stands for. */
final class Suggestion {
    private Suggestion() {}

    /** The known name nearest to a mistyped one; empty where none is near. */
    static Optional<String> nearest(String typed, Collection<String> known) {
        return known.stream()
                .min(Comparator.comparingInt(name -> distance(name, typed)))
                .filter(name -> distance(name, typed) <= Math.max(2, typed.length() / 3));
    }

    /** The question "did you mean", or another hint where no known name is near. */
    static String hint(String typed, Collection<String> known, String otherwise) {
        return nearest(typed, known)
                .map(name -> "; did you mean '" + name + "'?")
                .orElse(otherwise);
    }

    /** How many characters must be put in, taken out or changed to make one of the other. */
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
