package dev.wishdir.arena;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** The names that are taken, and text as every game may show it. */
final class Names {
    private final Map<String, Resident> taken = new HashMap<>();

    /** Gives a player the name that it wishes, cleaned and made unique. */
    void take(Resident player, String wished) {
        String clean = cleaned(wished, Arena.NAME_LENGTH);
        String base = clean.isEmpty() ? "unnamed" : clean;
        String name = base;
        for (int i = 2; taken.containsKey(key(name)); i++) {
            String suffix = "(" + i + ")";
            name = cut(base, Arena.NAME_LENGTH - suffix.length()) + suffix;
        }
        taken.put(key(name), player);
        player.rename(name);
    }

    /** Frees a player's name. */
    void free(Resident player) {
        taken.remove(key(player.name()), player);
    }

    private static String key(String name) {
        return name.toLowerCase(Locale.ROOT);
    }

    /** Text as every game may show it: no control or format characters, single blanks, cut. */
    static String cleaned(String text, int length) {
        StringBuilder clean = new StringBuilder(Math.min(text.length(), length));
        boolean blank = false;
        for (int i = 0, c;
                i < text.length() && clean.length() < length;
                i += Character.charCount(c)) {
            c = text.codePointAt(i);
            if (Character.isWhitespace(c) || Character.isSpaceChar(c)) {
                blank = !clean.isEmpty();
            } else if (!isUnseen(Character.getType(c))) {
                if (blank) {
                    clean.append(' ');
                    blank = false;
                }
                clean.appendCodePoint(c);
            }
        }
        return cut(clean.toString(), length).strip();
    }

    private static boolean isUnseen(int type) {
        return type == Character.CONTROL
                || type == Character.FORMAT
                || type == Character.SURROGATE
                || type == Character.PRIVATE_USE
                || type == Character.UNASSIGNED;
    }

    private static String cut(String text, int length) {
        if (text.length() <= length) {
            return text;
        }
        return text.substring(
                0, Character.isHighSurrogate(text.charAt(length - 1)) ? length - 1 : length);
    }
}
