package dev.wishdir.quake3.protocol;

import dev.wishdir.quake3.netchan.InfoString;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A client's configstrings: from the gamestate, changed by reliable commands. */
public final class Configstrings {
    public static final int SERVERINFO = 0;
    public static final int SYSTEMINFO = 1;
    public static final int MESSAGE = 3;
    public static final int WARM_UP = 5;
    public static final int BEST_SCORE = 6;
    public static final int SECOND_SCORE = 7;
    public static final int GAME_VERSION = 20;
    public static final int LEVEL_START_TIME = 21;
    public static final int INTERMISSION = 22;

    /** The states of the flags, red's first. */
    public static final int FLAG_STATUS = 23;

    public static final int ITEMS = 27;

    /** Index of the first sound. */
    public static final int SOUNDS = 288;

    /** The number of the sound of a powerup that is there again, among the sounds. */
    public static final int POWERUP_RETURNS = 1;

    /** Index of the first of 64 players. */
    public static final int PLAYERS = 544;

    private static final int MAX_CONFIGSTRINGS = 1024;
    private static final int MAX_BYTES = 8192;

    private final Map<Integer, String> strings = new TreeMap<>();
    private final StringBuilder parts = new StringBuilder();

    public void replace(Map<Integer, String> all) {
        strings.clear();
        strings.putAll(all);
    }

    /** A configstring; empty if there is none. */
    public String get(int index) {
        return strings.getOrDefault(index, "");
    }

    /** The serverinfo. */
    public InfoString server() {
        return InfoString.parse(get(SERVERINFO));
    }

    /** The systeminfo. */
    public InfoString system() {
        return InfoString.parse(get(SYSTEMINFO));
    }

    /** The info string of a player. */
    public InfoString player(int clientNum) {
        return InfoString.parse(get(PLAYERS + clientNum));
    }

    /**
     * Executes {@code cs}, or {@code bcs0} to {@code bcs2}, the parts of a long configstring.
     *
     * @return the index of the changed configstring, or -1
     */
    public int command(List<String> words) {
        if (words.size() < 2 || !words.get(1).matches("\\d{1,4}")) {
            return -1;
        }
        int index = Integer.parseInt(words.get(1));
        String text = words.size() > 2 ? words.get(2) : "";
        if (index >= MAX_CONFIGSTRINGS) {
            return -1;
        }
        switch (words.getFirst()) {
            case "cs" -> {
                strings.put(index, text);
                return index;
            }
            case "bcs0" -> {
                parts.setLength(0);
                parts.append(text);
            }
            default -> {
                if (parts.length() + text.length() < MAX_BYTES) {
                    parts.append(text);
                }
                if (words.getFirst().equals("bcs2")) {
                    strings.put(index, parts.toString());
                    return index;
                }
            }
        }
        return -1;
    }
}
