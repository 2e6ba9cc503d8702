package dev.wishdir.app.terminal;

/** Text in columns of a terminal, one character wide each. */
public final class Columns {
    private static final String EIGHTHS = "▏▎▍▌▋▊▉";

    private Columns() {}

    /** Untrusted text without control characters for the terminal. */
    public static String plain(String text) {
        return text.replaceAll("[\\p{Cc}\\p{Cf}\u2028\u2029]", "?");
    }

    /** A text, cut to a width; a cut text ends with an ellipsis. */
    static String cut(String text, int columns) {
        if (text.codePointCount(0, text.length()) <= columns) {
            return text;
        }
        return columns < 1 ? "" : text.substring(0, text.offsetByCodePoints(0, columns - 1)) + "…";
    }

    /** A text, cut in the middle if it does not fit, as names often differ only at their ends. */
    static String shortened(String text, int columns) {
        int chars = text.codePointCount(0, text.length());
        if (chars <= columns || columns < 2) {
            return cut(text, columns);
        }
        int end = columns / 2;
        return cut(text, columns - end) + text.substring(text.offsetByCodePoints(0, chars - end));
    }

    /** A text, padded with spaces to a width. */
    static String padded(String text, int columns) {
        return text + " ".repeat(Math.max(0, columns - width(text)));
    }

    /** The width of a text in columns, without its colour codes. */
    static int width(String text) {
        String plain = text.replaceAll("\u001B\\[\\d*m", "");
        return plain.codePointCount(0, plain.length());
    }

    /** A bar that fills a share of the columns, with a resolution of an eighth of a column. */
    public static String bar(double share, int columns) {
        int eighths = (int) Math.round(Math.clamp(share, 0, 1) * columns * 8);
        return "█".repeat(eighths / 8) + (eighths % 8 == 0 ? "" : EIGHTHS.charAt(eighths % 8 - 1));
    }
}
