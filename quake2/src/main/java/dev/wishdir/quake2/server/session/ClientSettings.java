package dev.wishdir.quake2.server.session;

import dev.wishdir.quake2.netchan.InfoString;
import dev.wishdir.quake2.protocol.Quake2Text;

/** The settings of one client, as it sends them (userinfo). */
public record ClientSettings(InfoString values) {
    private static final int DEFAULT_RATE = 5000;
    private static final int MIN_RATE = 100;
    private static final int MAX_RATE = 15_000;
    private static final int DEFAULT_FRAMES = 10;

    /** The name that it requests. */
    String name() {
        return Quake2Text.plain(values.get("name"));
    }

    /** The model and skin that it requests. */
    String skin() {
        return values.get("skin");
    }

    /** Bytes per second that it requests. */
    int rate() {
        return Math.clamp(values.number("rate", DEFAULT_RATE), MIN_RATE, MAX_RATE);
    }

    /** Frames per second that it requests; unchecked. */
    public int framesPerSecond() {
        return values.number("frames", DEFAULT_FRAMES);
    }

    /** The side on which it holds its gun: 1 right, -1 left, 0 centre. */
    int side() {
        return switch (values.get("hand")) {
            case "1" -> -1;
            case "2" -> 0;
            default -> 1;
        };
    }

    boolean isSpectator() {
        String spectator = values.get("spectator");
        return !spectator.isEmpty() && !spectator.equals("0");
    }

    /** Whether a setting is another one than in these. */
    boolean differs(ClientSettings other, String key) {
        return !values.get(key).equals(other.values.get(key));
    }
}
