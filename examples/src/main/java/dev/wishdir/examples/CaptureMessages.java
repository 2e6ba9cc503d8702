package dev.wishdir.examples;

import dev.wishdir.game.Game;
import dev.wishdir.inspect.Inspector;
import dev.wishdir.inspect.capture.CaptureReader;
import dev.wishdir.wire.dissect.Dissector;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Counts the messages of a capture by game and name. */
public final class CaptureMessages {
    private CaptureMessages() {}

    /**
     * The messages of a capture.
     *
     * @param file pcap or pcapng, gzip too
     * @return how many by {@code game name}
     * @throws IOException if the file can't be read, or ends in the middle of a packet
     */
    public static Map<String, Integer> count(Path file) throws IOException {
        Map<String, Integer> counts = new TreeMap<>();
        List<Dissector> dissectors = new ArrayList<>();
        for (Game game : WalkingBot.GAMES) {
            dissectors.add(game.dissector(false, Optional.empty()));
        }
        Inspector inspector =
                Inspector.of(
                        dissectors,
                        message ->
                                counts.merge(
                                        message.game() + " " + message.name(), 1, Integer::sum));
        try (CaptureReader capture = CaptureReader.open(file)) {
            inspector.capture(capture);
        }
        return counts;
    }

    /** FILE. */
    public static void main(String[] arguments) throws IOException {
        count(Path.of(arguments[0])).forEach((name, n) -> System.out.println(n + " " + name));
    }
}
