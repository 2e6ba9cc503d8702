package dev.wishdir.interop;

import java.awt.Color;
import java.awt.image.BufferedImage;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/** A board of scores in a picture of a game: finds the lines of bright text in a column of it. */
final class Board {
    /** Rows of pixels without text between two lines of it, at least. */
    private static final int GAP = 4;

    /** Rows of pixels of the letters in the head of Sauerbraten's board. */
    private static final int HEADER_ROWS = 6;

    /** How bright yellow letters are at least, and their edges. */
    private static final int BRIGHT = 150;

    private static final int DIM = 110;

    /**
     * A line of text.
     *
     * @param top its first row of pixels
     * @param left its first column of pixels
     * @param right its last
     */
    record Line(int top, int left, int right) {
        int width() {
            return right - left + 1;
        }
    }

    private Board() {}

    /**
     * The lines of text whose letters are at least so bright in red, green and blue.
     *
     * @param left the first column of pixels, {@code right} the one after the last; rows alike
     */
    static List<Line> lines(
            BufferedImage picture, int left, int right, int top, int bottom, int bright) {
        return lines(picture, left, right, top, bottom, _ -> bright);
    }

    /**
     * The lines of text over an even ground, whose letters are by so much brighter than the middle
     * pixel of their row; text fills less than half of each.
     *
     * @param left the first column of pixels, {@code right} the one after the last; rows alike
     */
    static List<Line> linesOver(
            BufferedImage picture, int left, int right, int top, int bottom, int over) {
        return lines(
                picture, left, right, top, bottom, y -> middle(picture, left, right, y) + over);
    }

    /** How bright the middle pixel of a row is. */
    static int middle(BufferedImage picture, int left, int right, int y) {
        int[] row = IntStream.range(left, right).map(x -> least(picture, x, y)).sorted().toArray();
        return row[row.length / 2];
    }

    /**
     * The last row of pixels of the yellow words over the columns of Sauerbraten's board, and the
     * first and the last column of these words.
     */
    record Header(int bottom, int left, int right) {
        static Header of(BufferedImage picture) {
            int bottom = 0;
            int right = 0;
            for (int y = 90; y < 140; y++) {
                for (int x = 100; x < 300; x++) {
                    if (isYellow(picture, x, y, BRIGHT)) {
                        bottom = y;
                        right = Math.max(right, x);
                    }
                }
            }
            int left = right;
            for (int y = bottom - HEADER_ROWS; y <= bottom; y++) {
                for (int x = right; x > 0; x--) {
                    // The first letters may be darker than the others.
                    left = isYellow(picture, x, y, DIM) ? Math.min(left, x) : left;
                }
            }
            return new Header(bottom, left, right);
        }

        private static boolean isYellow(BufferedImage picture, int x, int y, int bright) {
            Color color = new Color(picture.getRGB(x, y));
            return Math.abs(color.getRed() - color.getGreen()) < 20
                    && color.getBlue() < Math.min(110, color.getRed() * 2 / 3)
                    && color.getRed() > bright;
        }
    }

    /**
     * The pixels of a part of a picture that are those of letters, row by row, the first ones in
     * the upper left corner.
     *
     * @param brightAt how bright letters are at least, by the row of the picture
     */
    static boolean[][] shape(
            BufferedImage picture,
            int left,
            int top,
            int width,
            int height,
            IntUnaryOperator brightAt) {
        boolean[][] shape = new boolean[height][width];
        for (int y = 0; y < height; y++) {
            int bright = brightAt.applyAsInt(top + y);
            for (int x = 0; x < width; x++) {
                shape[y][x] = least(picture, left + x, top + y) >= bright;
            }
        }
        return inCorner(shape);
    }

    /** Moves a shape to the upper left corner. */
    static boolean[][] inCorner(boolean[][] shape) {
        int height = shape.length;
        int width = shape[0].length;
        int top = height;
        int left = width;
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < width; x++) {
                if (shape[y][x]) {
                    top = Math.min(top, y);
                    left = Math.min(left, x);
                }
            }
        }
        boolean[][] moved = new boolean[height][width];
        for (int y = top; y < height; y++) {
            System.arraycopy(shape[y], left, moved[y - top], 0, width - left);
        }
        return moved;
    }

    /** The number of pixels in which two shapes of one size differ. */
    static int difference(boolean[][] one, boolean[][] other) {
        int count = 0;
        for (int y = 0; y < one.length; y++) {
            for (int x = 0; x < one[y].length; x++) {
                count += one[y][x] == other[y][x] ? 0 : 1;
            }
        }
        return count;
    }

    private static int least(BufferedImage picture, int x, int y) {
        Color color = new Color(picture.getRGB(x, y));
        return Math.min(color.getRed(), Math.min(color.getGreen(), color.getBlue()));
    }

    private static List<Line> lines(
            BufferedImage picture,
            int left,
            int right,
            int top,
            int bottom,
            IntUnaryOperator brightAt) {
        List<Line> lines = new ArrayList<>();
        int first = -1;
        int last = -1;
        int from = right;
        int to = left;
        for (int y = top; y <= bottom; y++) {
            boolean text = false;
            int bright = brightAt.applyAsInt(y);
            for (int x = left; x < right && y < bottom; x++) {
                if (least(picture, x, y) >= bright) {
                    text = true;
                    from = Math.min(from, x);
                    to = Math.max(to, x);
                }
            }
            if (text) {
                first = first < 0 ? y : first;
                last = y;
            } else if (first >= 0 && (y - last >= GAP || y == bottom)) {
                lines.add(new Line(first, from, to));
                first = -1;
                from = right;
                to = left;
            }
        }
        return lines;
    }
}
