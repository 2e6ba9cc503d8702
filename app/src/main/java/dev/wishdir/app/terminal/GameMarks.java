package dev.wishdir.app.terminal;

import java.util.List;
import java.util.Locale;

/** The letter and the colour that mark the players of each game on a terminal. */
public final class GameMarks {
    /** Yellow, green, red, cyan, magenta, blue: in the order of the games, as on the live map. */
    private static final int[] COLOURS = {33, 32, 31, 36, 35, 34};

    private static final int GREY = 90;

    private final List<String> games;
    private final boolean coloured;

    /**
     * @param games names of the games, in their order
     * @param coloured whether the terminal has colours
     */
    public GameMarks(List<String> games, boolean coloured) {
        this.games = List.copyOf(games);
        this.coloured = coloured;
    }

    /** A game's letter, in its colour. */
    String mark(String game) {
        return painted(game, letter(game));
    }

    /** The legend: each letter with the name of its game. */
    String legend() {
        return String.join("  ", games.stream().map(game -> mark(game) + " " + game).toList());
    }

    /** Less important text, in grey. */
    String faint(String text) {
        return coloured ? paint(GREY, text) : text;
    }

    /** The number in a game's name, or its first letter if there is none. */
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
