package dev.wishdir.game.operator;

import java.util.Locale;
import java.util.Optional;
import java.util.function.IntPredicate;

/**
 * The passwords that a game's clients can enter and send.
 *
 * @param allowed by code point
 * @param maxChars maximum length
 * @param rule the allowed characters in words: {@code ASCII without quotes}
 */
public record PasswordRules(IntPredicate allowed, int maxChars, String rule) {
    /** The purpose of a password. */
    public enum Kind {
        /** To join. */
        JOIN("--password"),
        /** To do what operators do. */
        ADMIN("--admin-password");

        private final String option;

        Kind(String option) {
            this.option = option;
        }

        /** The command-line option that sets it. */
        public String option() {
            return option;
        }
    }

    /**
     * Reason for which a password can't be used, and which can; empty if it can, and for no
     * password.
     */
    public Optional<String> problem(String password) {
        if (password.isEmpty()) {
            return Optional.empty();
        }
        String problem = "";
        if (password.isBlank() || !password.equals(password.strip())) {
            problem = "it begins or ends with a space";
        } else if (password.length() > maxChars) {
            problem = "it has " + password.length() + " characters";
        } else {
            problem =
                    password.codePoints()
                            .filter(c -> !allowed.test(c))
                            .mapToObj(PasswordRules::describe)
                            .findFirst()
                            .orElse("");
        }
        return problem.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        problem + "; allowed are at most " + maxChars + " characters, " + rule);
    }

    private static String describe(int c) {
        return "it holds "
                + (Character.isISOControl(c) || Character.getType(c) == Character.SURROGATE
                        ? String.format(Locale.ROOT, "the control character U+%04X", c)
                        : "'" + Character.toString(c) + "'");
    }
}
