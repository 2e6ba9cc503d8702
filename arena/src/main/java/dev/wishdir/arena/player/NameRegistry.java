package dev.wishdir.arena.player;

import dev.wishdir.arena.event.Player;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The player names in use, and the cleaning of text that players type. */
public final class NameRegistry {
    private static final int BRAILLE_BLANK = 0x2800;
    private static final int MAX_MARKS = 2;

    /** Suffixes above this number continue with the player's own number. */
    private static final int MAX_SUFFIX = 9;

    /** The players by each {@linkplain NameSkeleton key} of their names. */
    private final Map<String, List<ActivePlayer>> taken = new HashMap<>();

    /**
     * Gives a player its requested name, cleaned and made unique: not confusable with another
     * player's name, neither as written nor after the tag of the player's game. A player of another
     * server keeps the name that it has there.
     */
    public void take(ActivePlayer player, String requested) {
        String clean = visible(cleaned(requested, Player.MAX_NAME_CHARS));
        String base = clean.isEmpty() ? "unnamed" : clean;
        String name = base;
        for (long i = 2; !player.id.isOfOtherServer() && isTaken(player, name); i++) {
            // Many equal names would be compared with all others each; a player's number is unique.
            i = i == MAX_SUFFIX + 1 ? Math.max(i, player.id.number()) : i;
            String suffix = "(" + i + ")";
            name = Player.truncate(base, Player.MAX_NAME_CHARS - suffix.length()) + suffix;
        }
        for (String key : keys(player, name)) {
            taken.computeIfAbsent(key, _ -> new ArrayList<>(1)).add(player);
        }
        player.rename(name);
    }

    public void free(ActivePlayer player) {
        for (String key : keys(player, player.name())) {
            List<ActivePlayer> players = taken.get(key);
            if (players != null && players.remove(player) && players.isEmpty()) {
                taken.remove(key);
            }
        }
    }

    /** The other players whose names are confusable with one that a player has, or may get. */
    public Set<ActivePlayer> namesakes(ActivePlayer player, String name) {
        Set<ActivePlayer> namesakes = new LinkedHashSet<>();
        for (String key : keys(player, name)) {
            namesakes.addAll(taken.getOrDefault(key, List.of()));
        }
        namesakes.remove(player);
        return namesakes;
    }

    private boolean isTaken(ActivePlayer player, String name) {
        return keys(player, name).stream().anyMatch(taken::containsKey);
    }

    private static Set<String> keys(ActivePlayer player, String name) {
        String tag = Player.gameTag(player.game(), "");
        Set<String> keys = new HashSet<>(NameSkeleton.keys(name));
        keys.addAll(NameSkeleton.keys(tag + name));
        keys.addAll(NameSkeleton.keys(tag.strip() + name));
        return keys;
    }

    /** The name without invisible characters, and with at most two combining marks per letter. */
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

    /** Text that every game can display: no control or format characters, single spaces, cut. */
    public static String cleaned(String text, int length) {
        StringBuilder clean = new StringBuilder(Math.min(text.length(), length));
        boolean space = false;
        for (int i = 0, c;
                i < text.length() && clean.length() < length;
                i += Character.charCount(c)) {
            c = text.codePointAt(i);
            if (Character.isWhitespace(c) || Character.isSpaceChar(c)) {
                space = !clean.isEmpty();
            } else if (!isUndisplayable(Character.getType(c))) {
                if (space) {
                    clean.append(' ');
                    space = false;
                }
                clean.appendCodePoint(c);
            }
        }
        return Player.truncate(clean.toString(), length).strip();
    }

    private static boolean isUndisplayable(int type) {
        return type == Character.CONTROL
                || type == Character.FORMAT
                || type == Character.SURROGATE
                || type == Character.PRIVATE_USE
                || type == Character.UNASSIGNED;
    }
}
