package dev.wishdir.arena;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** The names that are taken, and text as every game may show it. */
final class NameRegistry {
    private static final int BRAILLE_BLANK = 0x2800;
    private static final int MAX_MARKS = 2;

    /** The last number behind a name that is tried before that of the player. */
    private static final int MAX_SUFFIX = 9;

    /** The players by each key of their names. */
    private final Map<String, ActivePlayer> taken = new HashMap<>();

    /**
     * Gives a player the name that it wishes, cleaned, and made such that nobody takes it for
     * another player's: neither as it is written nor behind the sign of the player's game.
     */
    void take(ActivePlayer player, String wished) {
        String clean = visible(cleaned(wished, Arena.NAME_LENGTH));
        String base = clean.isEmpty() ? "unnamed" : clean;
        String name = base;
        for (long i = 2; isTaken(player, name); i++) {
            // Of many equal names each would be compared with all: a player's number is its own.
            i = i == MAX_SUFFIX + 1 ? Math.max(i, player.id.number()) : i;
            String suffix = "(" + i + ")";
            name = cut(base, Arena.NAME_LENGTH - suffix.length()) + suffix;
        }
        for (String key : keys(player, name)) {
            taken.put(key, player);
        }
        player.rename(name);
    }

    /** Frees a player's name. */
    void free(ActivePlayer player) {
        for (String key : keys(player, player.name())) {
            taken.remove(key, player);
        }
    }

    private boolean isTaken(ActivePlayer player, String name) {
        return keys(player, name).stream().anyMatch(taken::containsKey);
    }

    private static Set<String> keys(ActivePlayer player, String name) {
        String sign = Player.gameTag(player.game(), "");
        Set<String> keys = new HashSet<>(NameSkeleton.keys(name));
        keys.addAll(NameSkeleton.keys(sign + name));
        keys.addAll(NameSkeleton.keys(sign.strip() + name));
        return keys;
    }

    /** A name without characters that nobody sees, and with at most two marks on a letter. */
    private static String visible(String name) {
        StringBuilder visible = new StringBuilder(name.length());
        int marks = 0;
        for (int c : name.codePoints().toArray()) {
            marks = isMark(Character.getType(c)) ? marks + 1 : 0;
            if (!NameSkeleton.isIgnorable(c) && c != BRAILLE_BLANK && marks <= MAX_MARKS) {
                visible.appendCodePoint(c);
            }
        }
        return visible.toString().strip();
    }

    private static boolean isMark(int type) {
        return type == Character.NON_SPACING_MARK || type == Character.ENCLOSING_MARK;
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
