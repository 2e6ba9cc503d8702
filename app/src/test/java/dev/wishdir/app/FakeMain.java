package dev.wishdir.app;

import java.util.List;

/** The program with games that need no data, to be run as a process of its own. */
public final class FakeMain {
    private FakeMain() {}

    public static void main(String[] arguments) {
        System.exit(Main.run(List.of(new FakeGame("red", 27_011)), System.in, arguments));
    }
}
