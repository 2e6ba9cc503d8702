package dev.wishdir.quake2.inspect;

import dev.wishdir.game.capture.CapturedPlayers;
import dev.wishdir.quake2.netchan.OutOfBand;
import dev.wishdir.quake2.protocol.Quake2Codec;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.EvictingMap;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.dissect.Datagram;
import dev.wishdir.wire.dissect.Direction;
import dev.wishdir.wire.dissect.DissectedMessage;
import dev.wishdir.wire.dissect.Dissector;
import dev.wishdir.wire.dissect.Flow;

import org.jspecify.annotations.Nullable;

import java.net.InetSocketAddress;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * Dissects captures of Quake II, protocol 34, and its {@code .dm2} recordings: out-of-band packets,
 * netchan headers and messages. Frames include the complete decoded state, moves the validity of
 * their checksum.
 */
public final class Quake2Dissector implements Dissector {
    /** Maximum number of servers and of connections that are remembered. */
    private static final int MAX_REMEMBERED = 10_000;

    /** The protocols of the game's releases and of its ports, 31 to 36; 26 is that of old demos. */
    private static final int MIN_PROTOCOL = 31;

    private static final int MAX_PROTOCOL = 36;
    private static final int DEMO_PROTOCOL = 26;
    private static final Pattern WORD = Pattern.compile("[a-z_]{3,}");

    private static final int MAX_BLOCK_BYTES = 1 << 16;

    private final boolean traces;
    private final @Nullable CapturedPlayers players;
    private final Set<InetSocketAddress> servers =
            Collections.newSetFromMap(new EvictingMap<>(MAX_REMEMBERED));
    private final Map<Flow, Quake2FlowDissector> connections = new EvictingMap<>(MAX_REMEMBERED);

    /**
     * @param explain whether messages carry field traces
     */
    public Quake2Dissector(boolean explain) {
        this(explain, null);
    }

    private Quake2Dissector(boolean explain, @Nullable CapturedPlayers players) {
        traces = explain;
        this.players = players;
    }

    /** A dissector that reports the movement of players instead of messages. */
    public static Quake2Dissector movement(CapturedPlayers players) {
        return new Quake2Dissector(false, players);
    }

    private @Nullable CapturedClient client(Object server, boolean demo) {
        return players == null
                ? null
                : new CapturedClient(() -> players.connect(Quake2Codec.GAME, server), demo);
    }

    /**
     * Recognises a server by out-of-band packets that only this game has, or by its default port.
     */
    @Override
    public Optional<Direction> recognise(Datagram datagram) {
        if (servers.contains(datagram.destination())) {
            return Optional.of(Direction.C2S);
        }
        if (servers.contains(datagram.source())) {
            return Optional.of(Direction.S2C);
        }
        Optional<Direction> direction =
                OutOfBand.of(datagram.payload())
                        .map(packet -> direction(packet.words(), datagram))
                        .orElseGet(() -> byPort(datagram));
        direction.ifPresent(found -> servers.add(datagram.flow(found).server()));
        return direction;
    }

    private static Optional<Direction> direction(List<String> words, Datagram datagram) {
        if (words.isEmpty()) {
            return Optional.empty();
        }
        boolean hasNumber = words.size() > 1 && words.get(1).matches("-?[0-9]{1,10}");
        return switch (words.getFirst()) {
            case "status", "getchallenge", "ping" ->
                    words.size() == 1 ? Optional.of(Direction.C2S) : Optional.empty();
            case "info" -> hasNumber ? Optional.of(Direction.C2S) : byPort(datagram);
            case "connect" ->
                    hasNumber && isProtocol(words.get(1))
                            ? Optional.of(Direction.C2S)
                            : byPort(datagram);
            case "challenge" -> hasNumber ? Optional.of(Direction.S2C) : Optional.empty();
            case "client_connect" -> Optional.of(Direction.S2C);
            default -> byPort(datagram);
        };
    }

    /** Whether a number is that of a protocol of this game; QuakeWorld's is 28. */
    private static boolean isProtocol(String number) {
        long protocol = Long.parseLong(number);
        return protocol == DEMO_PROTOCOL || protocol >= MIN_PROTOCOL && protocol <= MAX_PROTOCOL;
    }

    /** Other games of the family share some of the words; QuakeWorld has many of one letter. */
    @Override
    public boolean fits(Datagram datagram, List<DissectedMessage> lines) {
        return Dissector.super.fits(datagram, lines)
                && OutOfBand.of(datagram.payload())
                        .map(packet -> packet.name().isEmpty() || isWord(packet.name()))
                        .orElse(true);
    }

    private static boolean isWord(String name) {
        return WORD.matcher(name).matches();
    }

    @Override
    public void forget(InetSocketAddress server) {
        servers.remove(server);
    }

    private static Optional<Direction> byPort(Datagram datagram) {
        if (datagram.payload().length() < 8) {
            return Optional.empty();
        }
        if (datagram.destination().getPort() == Quake2Codec.PORT) {
            return Optional.of(Direction.C2S);
        }
        return datagram.source().getPort() == Quake2Codec.PORT
                ? Optional.of(Direction.S2C)
                : Optional.empty();
    }

    @Override
    public void datagram(Datagram datagram, Direction direction, Consumer<DissectedMessage> sink) {
        connections
                .computeIfAbsent(
                        datagram.flow(direction),
                        flow -> new Quake2FlowDissector(traces, client(flow.server(), false)))
                .datagram(
                        datagram.time(),
                        direction,
                        datagram.payload(),
                        (layer, name, fields, trace) ->
                                sink.accept(
                                        PlayerNames.named(
                                                DissectedMessage.of(
                                                                datagram,
                                                                direction,
                                                                Quake2Codec.GAME,
                                                                layer,
                                                                name,
                                                                fields)
                                                        .withTrace(trace))));
    }

    /** A recording starts with the server data of its map. */
    @Override
    public boolean recogniseFile(String name, Bytes content) {
        if (content.length() < 9) {
            return false;
        }
        Reader r = new Reader(content);
        int length = r.i32le("len", 0);
        return length > 5
                && length <= MAX_BLOCK_BYTES
                && r.u8("svc", 0) == 12
                && r.i32le("protocol", 0) == Quake2Codec.PROTOCOL;
    }

    @Override
    public void file(Bytes content, Consumer<DissectedMessage> sink) {
        Quake2FlowDissector dissector = new Quake2FlowDissector(traces, client(new Object(), true));
        Reader r = new Reader(content);
        int number = 0;
        for (int length = r.i32le("len", 0); length != -1; length = r.i32le("len", 0)) {
            Bytes block = r.bytes("block", Bytes.EMPTY, r.bounded("len", length, MAX_BLOCK_BYTES));
            int frame = ++number;
            dissector.block(
                    block,
                    (layer, name, fields, trace) ->
                            sink.accept(
                                    new DissectedMessage(
                                            frame,
                                            Double.NaN,
                                            Direction.S2C,
                                            0,
                                            Quake2Codec.GAME,
                                            layer,
                                            name,
                                            fields,
                                            Bytes.EMPTY,
                                            trace)));
        }
    }
}
