package dev.wishdir.app;

/** Text in the columns of a terminal, one character each. */
final class Columns {
    private static final String EIGHTHS = "▏▎▍▌▋▊▉";

    private Columns() {}

    /** A text of others without what would steer a terminal. */
    static String plain(String text) {
        return text.replaceAll("[\\p{Cc}\\p{Cf}\u2028\u2029]", "?");
    }

    /** As much of a text as fits; one that was cut ends so that it shows. */
    static String cut(String text, int columns) {
        if (text.codePointCount(0, text.length()) <= columns) {
            return text;
        }
        return columns < 1 ? "" : text.substring(0, text.offsetByCodePoints(0, columns - 1)) + "…";
    }

    /** A text without its middle where it does not fit: names differ at their ends. */
    static String shortened(String text, int columns) {
        int chars = text.codePointCount(0, text.length());
        if (chars <= columns || columns < 2) {
            return cut(text, columns);
        }
        int end = columns / 2;
        return cut(text, columns - end) + text.substring(text.offsetByCodePoints(0, chars - end));
    }

    /** A text with spaces after it, as many columns as it shall have. */
    static String padded(String text, int columns) {
        return text + " ".repeat(Math.max(0, columns - width(text)));
    }

    /** How many columns a text takes, without its colours. */
    static int width(String text) {
        String plain = text.replaceAll("\u001B\\[\\d*m", "");
        return plain.codePointCount(0, plain.length());
    }

    /** A bar as long as a share of the columns, to an eighth of one. */
    static String bar(double share, int columns) {
        int eighths = (int) Math.round(Math.clamp(share, 0, 1) * columns * 8);
        return "█".repeat(eighths / 8) + (eighths % 8 == 0 ? "" : EIGHTHS.charAt(eighths % 8 - 1));
    }
}
