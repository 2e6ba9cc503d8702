package dev.wishdir.quake3;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A level's configstrings as a client keeps them: from the gamestate, changed by commands. */
final class Configstrings {
    static final int SERVERINFO = 0;
    static final int SYSTEMINFO = 1;
    static final int MESSAGE = 3;
    static final int GAME_VERSION = 20;
    static final int LEVEL_START_TIME = 21;
    static final int ITEMS = 27;

    /** The first of 64 players. */
    static final int PLAYERS = 544;

    private static final int MOST = 1024;
    private static final int LONGEST = 8192;

    private final Map<Integer, String> strings = new TreeMap<>();
    private final StringBuilder parts = new StringBuilder();

    void replace(Map<Integer, String> all) {
        strings.clear();
        strings.putAll(all);
    }

    String get(int index) {
        return strings.getOrDefault(index, "");
    }

    /** The settings that every client of the level takes. */
    InfoString system() {
        return InfoString.parse(get(SYSTEMINFO));
    }

    /** What is told of a player. */
    InfoString player(int clientNum) {
        return InfoString.parse(get(PLAYERS + clientNum));
    }

    /** {@code cs}, or the parts of a long one, {@code bcs0} to {@code bcs2}. */
    void command(List<String> words) {
        if (words.size() < 2 || !words.get(1).matches("\\d{1,4}")) {
            return;
        }
        int index = Integer.parseInt(words.get(1));
        String text = words.size() > 2 ? words.get(2) : "";
        if (index >= MOST) {
            return;
        }
        switch (words.getFirst()) {
            case "cs" -> strings.put(index, text);
            case "bcs0" -> {
                parts.setLength(0);
                parts.append(text);
            }
            default -> {
                if (parts.length() + text.length() < LONGEST) {
                    parts.append(text);
                }
                if (words.getFirst().equals("bcs2")) {
                    strings.put(index, parts.toString());
                }
            }
        }
    }
}
