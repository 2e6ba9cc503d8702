package dev.wishdir.interop;

import static java.util.Objects.requireNonNull;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.zip.ZipFile;

/** Reads figures on OpenArena's board of scores, by the game's own picture of its letters. */
final class OpenArenaFigures {
    private static final Path PAK = Path.of("/usr/lib/openarena/baseoa/pak6-patch088.pk3");
    private static final String LETTERS = "gfx/2d/bigchars.tga";

    /** The head of the picture's file, then rows of pixels from below, of four bytes each. */
    private static final int HEAD_BYTES = 18;

    private static final int SIDE = 256;
    private static final int ALPHA = 3;

    /** Pixels of a letter in the file; on a screen of 320 by 240 it has half as many. */
    private static final int LETTER = 16;

    private static final int HALF = LETTER / 2;
    private static final int OPAQUE = 150;
    private static final int WHITE = 150;

    /** Columns of pixels of the scores on a screen of 320 by 240, and rows of the board. */
    private static final int LEFT = 98;

    private static final int RIGHT = 124;
    private static final int TOP = 56;
    private static final int BOTTOM = 200;

    /** What is wider, as in a picture that is only half drawn. */
    private static final int NO_FIGURE = -1;

    private final List<boolean[][]> figures = new ArrayList<>();

    OpenArenaFigures() throws IOException {
        try (ZipFile pak = new ZipFile(PAK.toFile())) {
            byte[] file = pak.getInputStream(requireNonNull(pak.getEntry(LETTERS))).readAllBytes();
            IntStream.rangeClosed('0', '9').forEach(c -> figures.add(figure(file, c)));
        }
    }

    private static boolean[][] figure(byte[] file, int c) {
        boolean[][] figure = new boolean[HALF][HALF];
        for (int y = 0; y < HALF; y++) {
            for (int x = 0; x < HALF; x++) {
                int sum = 0;
                for (int part = 0; part < 4; part++) {
                    int row = SIDE - 1 - (c / LETTER * LETTER + 2 * y + part / 2);
                    int column = c % LETTER * LETTER + 2 * x + part % 2;
                    sum += file[HEAD_BYTES + 4 * (row * SIDE + column) + ALPHA] & 0xFF;
                }
                figure[y][x] = sum > 4 * OPAQUE;
            }
        }
        return Board.inCorner(figure);
    }

    /** The scores on a picture of the board, from above. */
    List<Integer> scores(BufferedImage picture) {
        return Board.lines(picture, LEFT, RIGHT, TOP, BOTTOM, WHITE).stream()
                .map(line -> line.width() < HALF ? nearest(picture, line) : NO_FIGURE)
                .toList();
    }

    /** The figure whose pixels are most alike. */
    private int nearest(BufferedImage picture, Board.Line line) {
        boolean[][] seen = Board.shape(picture, line.left(), line.top(), HALF, HALF, _ -> WHITE);
        int best = 0;
        for (int figure = 1; figure < figures.size(); figure++) {
            if (Board.difference(seen, figures.get(figure))
                    < Board.difference(seen, figures.get(best))) {
                best = figure;
            }
        }
        return best;
    }
}
