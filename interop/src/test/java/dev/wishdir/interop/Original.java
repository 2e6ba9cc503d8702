package dev.wishdir.interop;

import dev.wishdir.game.Game;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;

/** An original client in a fight, OpenArena's or Sauerbraten's, whose hands the test has. */
final class Original extends Fighter {
    /** Longer than a client needs to see it, nanoseconds. */
    private static final long PRESS = 100_000_000;

    final DisplayClient client;
    private final Path home;

    Original(Game game, String name, ServerView server, Path home, DisplayClient client) {
        super(game, name, server);
        this.home = home;
        this.client = client;
    }

    @Override
    void attack(Fighter victim) {
        client.fire(yawTo(victim));
    }

    @Override
    void rest() {
        client.hold(DisplayClient.Button.TRIGGER, false);
    }

    @Override
    void respawn() {
        client.hold(DisplayClient.Button.TRIGGER, true);
        LockSupport.parkNanos(PRESS);
        client.hold(DisplayClient.Button.TRIGGER, false);
        LockSupport.parkNanos(PRESS);
    }

    /** What the game has printed. */
    String console() {
        return console(home);
    }

    /** What the game with a home folder has printed. */
    static String console(Path home) {
        try {
            return Files.readString(home.resolve("client.out"), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return "";
        }
    }

    @Override
    boolean hasReadOf(String victim, String killer) {
        String line =
                game.name().equals("quake3")
                        ? ".*\\b" + victim + "\\b.* (was|ate|almost) .*" + killer + "\\b.*"
                        : victim.equals(name)
                                ? "you got fragged by .*" + killer
                                : (killer.equals(name) ? "you" : ".*" + killer)
                                        + " fragged .*"
                                        + victim;
        return console().lines().anyMatch(each -> each.matches(line));
    }

    @Override
    boolean hasRead(String line) {
        return console().contains(line);
    }
}
