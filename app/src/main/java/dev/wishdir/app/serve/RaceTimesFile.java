package dev.wishdir.app.serve;

import dev.wishdir.app.command.CommandFailedException;
import dev.wishdir.arena.RaceTimes;
import dev.wishdir.arena.RaceTimes.Time;
import dev.wishdir.wire.TextFile;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The file of the best times of races, a line each, besides empty lines and comments ({@code #}).
 * It is replaced atomically at each change, on its own thread.
 */
final class RaceTimesFile implements AutoCloseable {
    private static final String HEAD =
            "# Best times of races: ARENA GAME MILLISECONDS PLAYER. Wishdir rewrites this file.\n";

    private static final Pattern LINE = Pattern.compile("(\\S+) (\\S+) ([0-9]{1,9}) (.{1,64})");

    /** More than {@link RaceTimes} keeps. */
    private static final int MAX_BYTES = 4 << 20;

    private final Path file;
    private final FileOperations files;
    private final List<Time> known;
    private final BackgroundWriter<List<Time>> writer;

    /**
     * Reads the file.
     *
     * @param problems receives errors of later writes, on another thread
     * @throws CommandFailedException if it cannot be read or has a malformed line; it is not
     *     changed then
     */
    RaceTimesFile(Path file, FileOperations files, Consumer<String> problems)
            throws CommandFailedException {
        this.file = file;
        this.files = files;
        writer = new BackgroundWriter<>("best times", file, this::write, problems);
        known = read();
    }

    private List<Time> read() throws CommandFailedException {
        try {
            byte[] content = files.read(file);
            if (content.length > MAX_BYTES) {
                throw new IOException("it has more than " + MAX_BYTES + " bytes");
            }
            return parse(TextFile.decode(file.toString(), content));
        } catch (NoSuchFileException e) {
            return List.of();
        } catch (IOException e) {
            throw new CommandFailedException(
                    "--race-times: cannot read " + file + ": " + e.getMessage(), e);
        }
    }

    private static List<Time> parse(String text) throws IOException {
        List<Time> times = new ArrayList<>();
        int number = 0;
        for (String each : text.split("\n", -1)) {
            number++;
            String line = each.strip();
            if (line.isEmpty() || line.startsWith("#")) {
                continue;
            }
            Matcher matcher = LINE.matcher(line);
            if (!matcher.matches() || Integer.parseInt(matcher.group(3)) == 0) {
                throw new IOException(
                        "line " + number + " is not ARENA GAME MILLISECONDS PLAYER: remove it");
            }
            times.add(
                    new Time(
                            matcher.group(1),
                            matcher.group(2),
                            matcher.group(4),
                            Integer.parseInt(matcher.group(3))));
        }
        return times;
    }

    /** Loads the times that were read, and writes each change from now on. */
    void keep(RaceTimes times) {
        times.load(known);
        times.onChange(writer);
    }

    private void write(List<Time> times) throws IOException {
        StringBuilder text = new StringBuilder(HEAD);
        for (Time time : times) {
            text.append(time.arena()).append(' ').append(time.game()).append(' ');
            text.append(time.millis()).append(' ').append(time.name()).append('\n');
        }
        files.replace(file, text.toString().getBytes(StandardCharsets.UTF_8));
    }

    /** Waits for pending writes, at most 10 s. */
    @Override
    public void close() {
        writer.close();
    }
}
