package dev.wishdir.examples;

import dev.wishdir.wire.dissect.Datagram;
import dev.wishdir.wire.dissect.Direction;
import dev.wishdir.wire.dissect.DissectedMessage;
import dev.wishdir.wire.dissect.Dissector;
import dev.wishdir.wire.dissect.PlayerName;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Explains the datagrams of {@link WordGame}: each is a message, named by its first word. */
final class WordDissector implements Dissector {
    @Override
    public Optional<Direction> recognise(Datagram datagram) {
        return text(datagram).startsWith("JOIN ") ? Optional.of(Direction.C2S) : Optional.empty();
    }

    @Override
    public void datagram(Datagram datagram, Direction direction, Consumer<DissectedMessage> lines) {
        String[] words = text(datagram).split(" ", 2);
        String rest = words.length > 1 ? words[1] : "";
        DissectedMessage line =
                DissectedMessage.of(
                        datagram,
                        direction,
                        WordGame.NAME,
                        DissectedMessage.Layer.MESSAGE,
                        words[0],
                        Map.of("text", rest));
        boolean isNamed = direction == Direction.C2S && words[0].equals("JOIN");
        lines.accept(isNamed ? line.withPlayer(new PlayerName(rest, rest)) : line);
    }

    private static String text(Datagram datagram) {
        return new String(datagram.payload().toArray(), StandardCharsets.UTF_8);
    }
}
