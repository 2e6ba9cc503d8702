package dev.wishdir.quake2.message;

/**
 * A program that draws the status bar or the overlay of a client. One that is longer than a
 * client's buffer ends the client, so that servers send only these.
 *
 * @param text at most {@link #MAX_CHARS} of Latin-1
 */
public record LayoutProgram(String text) {
    /** Maximum length: a client's buffer has room for one NUL more. */
    public static final int MAX_CHARS = 1023;

    /**
     * The status bar of the game: health, ammunition, armour, the chosen item, what was picked up,
     * a timer, frags, and lines for spectators. Each number is a stat.
     */
    public static final LayoutProgram STATUS_BAR =
            new LayoutProgram(
                    "yb -24 xv 0 hnum xv 50 pic 0 "
                            + "if 2 xv 100 anum xv 150 pic 2 endif "
                            + "if 4 xv 200 rnum xv 250 pic 4 endif "
                            + "if 6 xv 296 pic 6 endif "
                            + "yb -50 if 7 xv 0 pic 7 xv 26 yb -42 stat_string 8 yb -50 endif "
                            + "if 9 xv 246 num 2 10 xv 296 pic 9 endif "
                            + "if 11 xv 148 pic 11 endif "
                            + "xr -50 yt 2 num 3 14 "
                            + "if 17 xv 0 yb -58 string2 \"SPECTATOR MODE\" endif "
                            + "if 16 xv 0 yb -68 string \"Chasing\" xv 64 stat_string 16 endif");

    /**
     * The status bar of a match with flags: besides, the flag that the player carries, and below
     * the frags the captures of both teams and the states of their flags.
     */
    public static final LayoutProgram FLAG_STATUS_BAR =
            new LayoutProgram(
                    STATUS_BAR.text
                            + " if 18 xr -26 yb -76 pic 18 endif if 19 xr -148 yt 38 stat_string 19"
                            + " xr -26 yt 30 picn k_redkey xr -184 yt 30 num 2 21 endif"
                            + " if 20 xr -148 yt 64 stat_string 20"
                            + " xr -26 yt 56 picn k_bluekey xr -184 yt 56 num 2 22 endif");

    /**
     * @throws IllegalArgumentException if it is too long
     */
    public LayoutProgram {
        if (text.length() > MAX_CHARS) {
            throw new IllegalArgumentException(
                    "layout program must have at most "
                            + MAX_CHARS
                            + " characters, has "
                            + text.length());
        }
    }

    /** The message that replaces the overlay of a client. */
    public ServerMessage.Layout message() {
        return new ServerMessage.Layout(text);
    }
}
