package dev.wishdir.game;

import java.util.Locale;
import java.util.Optional;
import java.util.function.IntPredicate;

/**
 * The passwords that the clients of a game can give.
 *
 * @param allowed by code point
 * @param maxChars the most characters
 * @param rule what is allowed, in words: {@code ASCII without quotes}
 */
public record PasswordRules(IntPredicate allowed, int maxChars, String rule) {
    /** What a password lets its player do. */
    public enum Kind {
        /** To join. */
        JOIN("--password"),
        /** To do what operators do. */
        ADMIN("--admin-password");

        private final String option;

        Kind(String option) {
            this.option = option;
        }

        /** The option by which it is set. */
        public String option() {
            return option;
        }
    }

    /** Why a password can't be given, and which can; empty where it can, and for none at all. */
    public Optional<String> problem(String password) {
        if (password.isEmpty()) {
            return Optional.empty();
        }
        String wrong = "";
        if (password.isBlank() || !password.equals(password.strip())) {
            wrong = "it begins or ends with a blank";
        } else if (password.length() > maxChars) {
            wrong = "it has " + password.length() + " characters";
        } else {
            wrong =
                    password.codePoints()
                            .filter(c -> !allowed.test(c))
                            .mapToObj(PasswordRules::named)
                            .findFirst()
                            .orElse("");
        }
        return wrong.isEmpty()
                ? Optional.empty()
                : Optional.of(wrong + "; allowed are at most " + maxChars + " characters, " + rule);
    }

    private static String named(int c) {
        return "it holds "
                + (Character.isISOControl(c) || Character.getType(c) == Character.SURROGATE
                        ? String.format(Locale.ROOT, "the control character U+%04X", c)
                        : "'" + Character.toString(c) + "'");
    }
}
