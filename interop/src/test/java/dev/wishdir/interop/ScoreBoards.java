package dev.wishdir.interop;

import dev.wishdir.arena.Score;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Reads the scores on the screens of the originals. */
final class ScoreBoards {
    static final Path PICTURES = Path.of("target", "screenshots").toAbsolutePath();

    private static final Duration SOON = Duration.ofSeconds(60);

    /** Pixels of a figure and of a row on Sauerbraten's board, and how bright letters are. */
    private static final int FIGURE = 12;

    private static final int ROW = 12;
    private static final int OVER = 18;

    /** Pixels in which two pictures of one figure over another ground differ, at most. */
    private static final int ALIKE = 11;

    private ScoreBoards() {}

    /** Waits until both show the frags of all. */
    static void await(Original openArena, Original sauerbraten, Map<String, Integer> frags)
            throws IOException {
        Files.createDirectories(PICTURES);
        List<Integer> scores = frags.values().stream().sorted(Comparator.reverseOrder()).toList();
        openArena.client.hold(DisplayClient.Button.BOARD, true);
        OpenArenaFigures figures = new OpenArenaFigures();
        awaitPicture(
                openArena,
                "board-openarena",
                picture -> figures.scores(picture).toString(),
                scores.toString());
        openArena.client.hold(DisplayClient.Button.BOARD, false);

        // The board lets through what is behind it: the even floor is.
        sauerbraten.client.lookDown();
        sauerbraten.client.hold(DisplayClient.Button.BOARD, true);
        long different = scores.stream().distinct().count();
        awaitPicture(
                sauerbraten,
                "board-sauerbraten",
                picture -> shapes(picture, scores.size()).toString(),
                List.of(scores.size(), different).toString());
        sauerbraten.client.hold(DisplayClient.Button.BOARD, false);
        sauerbraten.client.type("x");
        Score own = sauerbraten.score();
        String line = "own frags %d own deaths %d".formatted(own.frags(), own.deaths());
        Peer.await(() -> line, SOON, () -> sauerbraten.console().contains(line));
    }

    private static void awaitPicture(
            Original viewer, String name, Function<BufferedImage, String> read, String wanted) {
        List<String> seen = new ArrayList<>();
        Peer.await(
                () -> name + " to show " + wanted + " and not " + seen.getLast(),
                SOON,
                () -> {
                    try {
                        seen.add(read.apply(viewer.client.picture(PICTURES, name)));
                    } catch (IOException | InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                    return seen.getLast().equals(wanted);
                });
    }

    /**
     * The number of rows on Sauerbraten's board, and that of different figures in its frags; empty
     * if there is no board.
     */
    private static List<Integer> shapes(BufferedImage picture, int rows) {
        Board.Header header = Board.Header.of(picture);
        if (header.right() == 0) {
            return List.of();
        }
        int found = 0;
        List<boolean[][]> shapes = new ArrayList<>();
        for (int i = 0; i < rows; i++) {
            int top = header.bottom() + 3 + i * ROW;
            int left = header.left() - 2;
            int right = left + FIGURE;
            boolean[][] shape =
                    Board.shape(
                            picture,
                            left,
                            top,
                            FIGURE,
                            ROW - 1,
                            y -> Board.middle(picture, right, right + FIGURE, y) + OVER);
            if (Board.difference(shape, new boolean[ROW - 1][FIGURE]) == 0) {
                continue;
            }
            found++;
            if (shapes.stream().noneMatch(each -> Board.difference(each, shape) < ALIKE)) {
                shapes.add(shape);
            }
        }
        return List.of(found, shapes.size());
    }
}
