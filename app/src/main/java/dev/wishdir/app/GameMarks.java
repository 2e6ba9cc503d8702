package dev.wishdir.app;

import java.util.List;
import java.util.Locale;

/** The letter and the colour by which a terminal shows each game's players. */
final class GameMarks {
    /** Yellow, green, red, cyan, magenta, blue: the games in their order, as on the live map. */
    private static final int[] COLOURS = {33, 32, 31, 36, 35, 34};

    private static final int GREY = 90;

    private final List<String> games;
    private final boolean coloured;

    /**
     * Marks of games.
     *
     * @param games their names, in their order
     * @param coloured whether the terminal has colours
     */
    GameMarks(List<String> games, boolean coloured) {
        this.games = List.copyOf(games);
        this.coloured = coloured;
    }

    /** A game's letter, in its colour. */
    String mark(String game) {
        return painted(game, letter(game));
    }

    /** What the letters mean. */
    String legend() {
        return String.join("  ", games.stream().map(game -> mark(game) + " " + game).toList());
    }

    /** Something that is less important. */
    String faint(String text) {
        return coloured ? paint(GREY, text) : text;
    }

    /** The number of a game of several of one name, or else its first letter. */
    private static String letter(String game) {
        String number = game.replaceAll("\\D", "");
        return number.isEmpty()
                ? game.substring(0, 1).toUpperCase(Locale.ROOT)
                : number.substring(0, 1);
    }

    private String painted(String game, String text) {
        int index = games.indexOf(game);
        return coloured && index >= 0 ? paint(COLOURS[index % COLOURS.length], text) : text;
    }

    private static String paint(int colour, String text) {
        return "\u001B[" + colour + "m" + text + "\u001B[39m";
    }
}
