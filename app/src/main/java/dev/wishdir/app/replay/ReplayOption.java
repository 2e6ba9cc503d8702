package dev.wishdir.app.replay;

import dev.wishdir.game.operator.RecordingTime;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;

/**
 * The value of {@code --replay}: {@code FILE[,loop][,speed=X][,from=T]}.
 *
 * @param fromSeconds where it begins, from the start of the recording
 */
record ReplayOption(Path file, boolean loops, double speed, double fromSeconds) {
    private static final String LOOP = "loop";
    private static final String SPEED = "speed=";
    private static final String FROM = "from=";

    /**
     * Reads it. A comma that begins no setting belongs to the name of the file.
     *
     * @throws IllegalArgumentException if a setting is not valid
     */
    static ReplayOption parse(String text) {
        Deque<String> parts = new ArrayDeque<>(Arrays.asList(text.split(",", -1)));
        boolean loops = false;
        double speed = 1;
        double from = 0;
        while (parts.size() > 1 && isSetting(parts.getLast())) {
            String setting = parts.removeLast();
            if (setting.equals(LOOP)) {
                loops = true;
            } else if (setting.startsWith(SPEED)) {
                speed = RecordingTime.decimal(setting.substring(SPEED.length()));
            } else {
                from = RecordingTime.parse(setting.substring(FROM.length()));
            }
        }
        if (text.isEmpty() || parts.getFirst().isEmpty()) {
            throw new IllegalArgumentException(
                    "'" + text + "' names no file: give FILE[,loop][,speed=X][,from=T]");
        }
        return new ReplayOption(Path.of(String.join(",", parts)), loops, speed, from);
    }

    private static boolean isSetting(String part) {
        return part.equals(LOOP) || part.startsWith(SPEED) || part.startsWith(FROM);
    }
}
