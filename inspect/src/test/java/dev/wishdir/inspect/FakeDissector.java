package dev.wishdir.inspect;

import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.dissect.Datagram;
import dev.wishdir.wire.dissect.Direction;
import dev.wishdir.wire.dissect.DissectedMessage;
import dev.wishdir.wire.dissect.Dissector;

import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The dissector of a game in which clients begin with {@code 'c'} and servers with {@code 's'}, and
 * every datagram is one message of numbers.
 */
final class FakeDissector implements Dissector {
    private final String game;
    private final char client;
    private final char server;
    int asked;

    FakeDissector(String game, char client, char server) {
        this.game = game;
        this.client = client;
        this.server = server;
    }

    @Override
    public Optional<Direction> recognise(Datagram datagram) {
        asked++;
        int first = datagram.payload().length() == 0 ? -1 : datagram.payload().get(0);
        return first == client
                ? Optional.of(Direction.C2S)
                : first == server ? Optional.of(Direction.S2C) : Optional.empty();
    }

    @Override
    public void datagram(Datagram datagram, Direction direction, Consumer<DissectedMessage> lines) {
        lines.accept(
                DissectedMessage.of(
                        datagram,
                        direction,
                        game,
                        DissectedMessage.Layer.MESSAGE,
                        "datagram",
                        Map.of("hex", datagram.payload().hex())));
    }

    @Override
    public boolean recogniseFile(String name, Bytes content) {
        return name.endsWith("." + game);
    }

    @Override
    public void file(Bytes content, Consumer<DissectedMessage> lines) {
        for (int i = 0; i < content.length(); i++) {
            if (content.get(i) < 0) {
                throw new MalformedPacketException(i, "number", "is negative");
            }
            lines.accept(
                    new DissectedMessage(
                            i + 1,
                            Double.NaN,
                            Direction.S2C,
                            0,
                            game,
                            DissectedMessage.Layer.MESSAGE,
                            "number",
                            Map.of("value", content.get(i)),
                            Bytes.EMPTY,
                            java.util.List.of()));
        }
    }
}
