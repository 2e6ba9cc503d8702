package dev.wishdir.app.serve.file;

import dev.wishdir.arena.race.RaceTimes.Time;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The format of the file of the best times of races, a line each, besides empty lines and comments
 * ({@code #}).
 */
public final class RaceTimesFile implements StateFile.Format<List<Time>> {
    private static final String HEAD =
            """
            # Best times of races: ARENA GAME MILLISECONDS PLAYER. Wishdir rewrites this file at each of them. Before you
            # edit it, stop the server; or send it SIGHUP afterwards.
            """;

    private static final Pattern LINE = Pattern.compile("(\\S+) (\\S+) ([0-9]{1,9}) (.{1,64})");

    @Override
    public List<Time> parse(String text) {
        List<Time> times = new ArrayList<>();
        StateFile.forEachLine(
                text,
                line -> {
                    Matcher matcher = LINE.matcher(line);
                    if (!matcher.matches() || Integer.parseInt(matcher.group(3)) == 0) {
                        throw new IllegalArgumentException(
                                "\"" + line + "\" is not ARENA GAME MILLISECONDS PLAYER");
                    }
                    times.add(
                            new Time(
                                    matcher.group(1),
                                    matcher.group(2),
                                    matcher.group(4),
                                    Integer.parseInt(matcher.group(3))));
                });
        return times;
    }

    @Override
    public String text(List<Time> times) {
        StringBuilder text = new StringBuilder(HEAD);
        for (Time time : times) {
            text.append(time.arena()).append(' ').append(time.game()).append(' ');
            text.append(time.millis()).append(' ').append(time.name()).append('\n');
        }
        return text.toString();
    }
}
