package dev.wishdir.interop;

import dev.wishdir.arena.event.Score;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Supplier;

/** Reads the scores on the screens of the originals. */
final class ScoreBoards {
    static final Path PICTURES = Path.of("target", "screenshots").toAbsolutePath();

    private static final Duration SOON = Duration.ofMinutes(2);

    /** Pictures of one view before another is taken, and degrees to that. */
    private static final int TRIES = 3;

    private static final double TURN = 25;

    /** Longer than a client needs for an answer, nanoseconds. */
    private static final long ASK = 200_000_000;

    /** Pixels of a figure and of a row on Sauerbraten's board, and how bright letters are. */
    private static final int FIGURE = 12;

    private static final int ROW = 12;
    private static final int OVER = 18;

    /** Pixels in which two pictures of one figure over another ground differ, at most. */
    private static final int ALIKE = 11;

    private ScoreBoards() {}

    /**
     * Waits until both show the frags of all.
     *
     * @param frags as they are now: a trigger that a busy machine releases late may kill again
     */
    static void await(Original openArena, Original sauerbraten, Supplier<Collection<Integer>> frags)
            throws IOException {
        Files.createDirectories(PICTURES);
        openArena.client.hold(DisplayClient.Button.BOARD, true);
        OpenArenaFigures figures = new OpenArenaFigures();
        awaitPicture(
                openArena,
                "board-openarena",
                picture -> figures.scores(picture).toString(),
                () -> frags.get().stream().sorted(Comparator.reverseOrder()).toList().toString(),
                () -> {});
        openArena.client.hold(DisplayClient.Button.BOARD, false);

        // The board lets through what is behind it: the even floor is. Where that is not enough to
        // tell figures apart, another part of it may be.
        DisplayClient client = sauerbraten.client;
        client.lookDown();
        client.hold(DisplayClient.Button.BOARD, true);
        awaitPicture(
                sauerbraten,
                "board-sauerbraten",
                picture -> shapes(picture, frags.get().size()).toString(),
                () ->
                        List.of(frags.get().size(), frags.get().stream().distinct().count())
                                .toString(),
                () -> {
                    client.lookDown();
                    client.turn(TURN);
                });
        client.hold(DisplayClient.Button.BOARD, false);
        awaitOwnScore(sauerbraten, sauerbraten::score);
    }

    /** Waits until Sauerbraten's client prints its own score, which it is asked for. */
    static void awaitOwnScore(Original sauerbraten, Supplier<Score> score) {
        Peer.await(
                () -> sauerbraten + " to have " + score.get(),
                SOON,
                () -> {
                    sauerbraten.client.type("x");
                    LockSupport.parkNanos(ASK);
                    Score own = score.get();
                    return sauerbraten
                            .console()
                            .contains(
                                    "own frags %d own deaths %d"
                                            .formatted(own.frags(), own.deaths()));
                });
    }

    private static void awaitPicture(
            Original viewer,
            String name,
            Function<BufferedImage, String> read,
            Supplier<String> wanted,
            Runnable lookElsewhere) {
        List<String> seen = new ArrayList<>();
        Peer.await(
                () -> name + " to show " + wanted.get() + " and not " + seen,
                SOON,
                () -> {
                    if (seen.size() % TRIES == TRIES - 1) {
                        lookElsewhere.run();
                    }
                    try {
                        seen.add(read.apply(viewer.client.picture(PICTURES, name)));
                    } catch (IOException | InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                    return seen.getLast().equals(wanted.get());
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
