package dev.wishdir.game.text;

import java.text.Normalizer;
import java.util.Map;
import java.util.regex.Pattern;

/** Transliterates text for games that display only ASCII. */
public final class AsciiTransliterator {
    private static final Pattern ACCENT = Pattern.compile("\\p{M}+");

    /** Replacements for characters without a decomposition into ASCII. */
    private static final Map<Integer, String> REPLACEMENTS =
            Map.ofEntries(
                    Map.entry((int) 'ß', "ss"),
                    Map.entry((int) 'æ', "ae"),
                    Map.entry((int) 'Æ', "AE"),
                    Map.entry((int) 'œ', "oe"),
                    Map.entry((int) 'Œ', "OE"),
                    Map.entry((int) 'ø', "o"),
                    Map.entry((int) 'Ø', "O"),
                    Map.entry((int) 'đ', "d"),
                    Map.entry((int) 'Đ', "D"),
                    Map.entry((int) 'ł', "l"),
                    Map.entry((int) 'Ł', "L"),
                    Map.entry((int) 'ı', "i"),
                    Map.entry((int) '‘', "'"),
                    Map.entry((int) '’', "'"),
                    Map.entry((int) '“', "\""),
                    Map.entry((int) '”', "\""),
                    Map.entry((int) '„', "\""),
                    Map.entry((int) '«', "\""),
                    Map.entry((int) '»', "\""),
                    Map.entry((int) '–', "-"),
                    Map.entry((int) '—', "-"),
                    Map.entry((int) '×', "x"));

    private AsciiTransliterator() {}

    /**
     * The text in ASCII: accented letters without accents, ligatures and wide forms as their
     * letters, a question mark for characters without a replacement. ASCII stays unchanged, control
     * characters included.
     */
    public static String transliterate(String text) {
        String decomposed =
                ACCENT.matcher(Normalizer.normalize(text, Normalizer.Form.NFKD)).replaceAll("");
        StringBuilder ascii = new StringBuilder(decomposed.length());
        decomposed
                .codePoints()
                .forEach(c -> {
                    if (c <= 0x7F) {
                        ascii.append((char) c);
                    } else {
                        ascii.append(REPLACEMENTS.getOrDefault(c, "?"));
                    }
                });
        return ascii.toString();
    }
}
