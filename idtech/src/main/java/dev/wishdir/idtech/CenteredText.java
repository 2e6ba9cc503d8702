package dev.wishdir.idtech;

/** Text in the middle of the screen, of which clients of both games cut long lines. */
public final class CenteredText {
    /** Characters of a line, which a screen of any width shows. */
    static final int LINE_CHARS = 38;

    private CenteredText() {}

    /** The words of a text in lines that are shown whole; a longer word is a line. */
    public static String wrapped(String text) {
        StringBuilder lines = new StringBuilder();
        int column = 0;
        for (String word : text.strip().split(" +")) {
            if (column > 0) {
                boolean fits = column + 1 + word.length() <= LINE_CHARS;
                lines.append(fits ? ' ' : '\n');
                column = fits ? column + 1 : 0;
            }
            lines.append(word);
            column += word.length();
        }
        return lines.toString();
    }
}
