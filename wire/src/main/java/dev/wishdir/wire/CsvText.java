package dev.wishdir.wire;

import java.util.regex.Pattern;

/** Cells of CSV (RFC 4180) that a spreadsheet shows as the text that they are. */
public final class CsvText {
    /**
     * Beginning of what a spreadsheet takes for a formula: full-width signs are signs to it, and it
     * may drop blanks and invisible characters in front. Also text that begins as if it had the
     * mark, so that it can be removed again.
     */
    private static final Pattern FORMULA =
            Pattern.compile(
                    "^(?:[\\t\\r\\n']|[\\p{Z}\\p{Cc}\\p{Cf}]*[=+\\-@\\uFF1D\\uFF0B\\uFF0D\\uFF20])");

    private CsvText() {}

    /** A cell of a text, with an apostrophe in front where it would be a formula. */
    public static String text(String value) {
        return quoted(FORMULA.matcher(value).find() ? "'" + value : value);
    }

    /**
     * A cell, quoted if it must be. NUL, at which many readers end, becomes the replacement
     * character.
     */
    public static String quoted(String value) {
        boolean quote = value.isEmpty() || value.startsWith(" ") || value.endsWith(" ");
        for (int i = 0; i < value.length() && !quote; i++) {
            char c = value.charAt(i);
            quote = c == '"' || c == ',' || Character.isISOControl(c);
        }
        return quote ? '"' + value.replace("\"", "\"\"").replace('\0', '\uFFFD') + '"' : value;
    }
}
