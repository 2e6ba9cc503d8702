package dev.wishdir.bedrock.inspect;

import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.bedrock.message.BedrockMessage;
import dev.wishdir.bedrock.message.LoginMessage;
import dev.wishdir.bedrock.message.MovePlayer;
import dev.wishdir.bedrock.message.MovementMessage;
import dev.wishdir.bedrock.message.PlayerAuthInput;
import dev.wishdir.bedrock.protocol.BatchCodec;
import dev.wishdir.bedrock.protocol.BedrockCodec;
import dev.wishdir.bedrock.protocol.Compression.Algorithm;
import dev.wishdir.bedrock.protocol.SessionKey;
import dev.wishdir.bedrock.protocol.transport.RakNetTransport;
import dev.wishdir.game.capture.CapturedPlayers;
import dev.wishdir.nethernet.ApplicationDissector;
import dev.wishdir.nethernet.NetherNetDissector;
import dev.wishdir.raknet.RakNetDissector;
import dev.wishdir.raknet.RakNetSettings;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.EvictingMap;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.dissect.Datagram;
import dev.wishdir.wire.dissect.Direction;
import dev.wishdir.wire.dissect.DissectedMessage;
import dev.wishdir.wire.dissect.DissectedMessage.Layer;
import dev.wishdir.wire.dissect.Dissector;
import dev.wishdir.wire.dissect.Flow;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Dissector of captures of Bedrock: RakNet datagrams and the game's messages. Encrypted sessions
 * need their keys. Of NetherNet it shows the unencrypted parts, and recordings of data channels.
 */
public final class BedrockDissector implements Dissector {
    private static final int MAX_BATCH_BYTES = 32 << 20;
    private static final int MAX_PACKETS = 65_536;
    private static final int MAX_CLIENTS = 4096;
    private static final String ENCRYPTED = "encrypted_batch";
    private static final String MALFORMED = "malformed";

    private final boolean explain;
    private final BedrockCodec assumed;
    private final SessionKeys keys;
    private final @Nullable CapturedPlayers players;
    private final Map<Flow, CapturedClient> clients = EvictingMap.leastRecentlyUsed(MAX_CLIENTS);
    private final RakNetDissector raknet;
    private final NetherNetDissector nethernet;

    /**
     * @param explain whether each line has a trace
     * @param keys a file with the keys of encrypted sessions, each a {@link SessionKey#line}
     * @param assumed version of sessions whose beginning is not in the capture
     * @throws IOException if the keys can't be read; the message names the line
     */
    public BedrockDissector(boolean explain, Optional<Path> keys, BedrockCodec assumed)
            throws IOException {
        this(
                explain,
                keys.isPresent() ? SessionKeys.read(keys.get()) : SessionKeys.NONE,
                assumed,
                null);
    }

    private BedrockDissector(
            boolean explain,
            SessionKeys keys,
            BedrockCodec assumed,
            @Nullable CapturedPlayers players) {
        this.players = players;
        this.explain = explain;
        this.assumed = assumed;
        this.keys = keys;
        raknet =
                new RakNetDissector(
                        BedrockCodec.NAME,
                        explain,
                        RakNetTransport.configure(RakNetSettings.client()),
                        Session::new);
        nethernet = new NetherNetDissector(BedrockCodec.NAME, explain, Session::new);
    }

    /**
     * A dissector that reports the movement of players instead of messages.
     *
     * @param keys each a {@link SessionKey#line}; further ones may be added
     */
    public static BedrockDissector movement(
            CapturedPlayers players, List<String> keys, BedrockCodec assumed) {
        return new BedrockDissector(false, SessionKeys.of(keys), assumed, players);
    }

    /** The client of a datagram, if movement is reported; its time is set. */
    private @Nullable CapturedClient client(Datagram datagram, Direction direction) {
        CapturedPlayers all = players;
        if (all == null) {
            return null;
        }
        CapturedClient client =
                clients.computeIfAbsent(
                        datagram.flow(direction),
                        flow ->
                                new CapturedClient(
                                        () -> all.connect(BedrockCodec.NAME, flow.server())));
        client.setTime(datagram.time());
        return client;
    }

    /** Consumer of lines: with captured players, only those about unreadable bytes. */
    private Consumer<DissectedMessage> filter(
            Datagram datagram, Direction direction, Consumer<DissectedMessage> lines) {
        if (players == null) {
            return lines;
        }
        return line -> {
            CapturedClient client =
                    line.layer() == Layer.TRANSPORT && line.name().equals("disconnect")
                            ? client(datagram, direction)
                            : null;
            if (client != null) {
                client.onDisconnected(
                        direction == Direction.C2S ? LeaveReason.LEFT : LeaveReason.SERVER_CLOSED);
            } else if (line.name().equals(MALFORMED) || line.name().equals(ENCRYPTED)) {
                lines.accept(line);
            }
        };
    }

    @Override
    public Optional<Direction> recognise(Datagram datagram) {
        return raknet.recognise(datagram).or(() -> nethernet.recognise(datagram));
    }

    /** A server has both transports on one port, and so may a client. */
    @Override
    public void datagram(Datagram datagram, Direction direction, Consumer<DissectedMessage> all) {
        Consumer<DissectedMessage> lines = filter(datagram, direction, all);
        if (nethernet.takes(datagram)) {
            nethernet.datagram(datagram, direction, lines);
        } else {
            raknet.datagram(datagram, direction, lines);
        }
    }

    @Override
    public boolean recogniseFile(String name, Bytes content) {
        return nethernet.recogniseFile(name, content);
    }

    @Override
    public void file(Bytes content, Consumer<DissectedMessage> lines) {
        nethernet.file(content, lines);
    }

    private static BatchCodec batches() {
        return new BatchCodec(MAX_BATCH_BYTES, MAX_PACKETS);
    }

    /** A session: its version, compression and encryption. */
    private final class Session
            implements RakNetDissector.ApplicationDissector, ApplicationDissector {
        private BatchCodec client = batches();
        private BatchCodec server = batches();
        private BedrockCodec codec = assumed;
        private boolean dark;
        private boolean agreed;

        @Override
        public void onConnecting() {
            client = batches();
            server = batches();
            dark = false;
            agreed = true;
        }

        @Override
        public void message(
                Datagram datagram,
                Direction direction,
                Bytes message,
                Consumer<DissectedMessage> lines) {
            new Pass(this, datagram, direction, lines).batch(RakNetTransport.batch(message));
        }

        /** A session over NetherNet, which the game itself does not encrypt. */
        @Override
        public void packet(
                Datagram datagram,
                Direction direction,
                Bytes packet,
                Consumer<DissectedMessage> lines) {
            Pass pass = new Pass(this, datagram, direction, lines);
            pass.assumeAgreed(packet);
            dark = false;
            pass.batch(packet);
        }
    }

    /** The explanation of one batch. */
    private final class Pass {
        private final Session session;
        private final Datagram datagram;
        private final Direction direction;
        private final Consumer<DissectedMessage> lines;

        Pass(
                Session session,
                Datagram datagram,
                Direction direction,
                Consumer<DissectedMessage> lines) {
            this.session = session;
            this.datagram = datagram;
            this.direction = direction;
            this.lines = lines;
        }

        private void line(String name, Map<String, ? extends @Nullable Object> fields) {
            lines.accept(
                    DissectedMessage.of(
                            datagram, direction, BedrockCodec.NAME, Layer.MESSAGE, name, fields));
        }

        private void malformed(MalformedPacketException e) {
            line(MALFORMED, Map.of("error", String.valueOf(e.getMessage())));
        }

        /**
         * Guesses the state of a session without its beginning by its first batch: one without the
         * marker of an algorithm is encrypted, or the client's first message.
         */
        private void assumeAgreed(Bytes batch) {
            if (session.agreed || batch.length() == 0) {
                return;
            }
            session.agreed = true;
            int marker = batch.get(0) & 0xFF;
            if (marker == Algorithm.SNAPPY.marker) {
                compressed(Algorithm.SNAPPY, 0);
            } else if (marker == Algorithm.DEFLATE.marker || marker == Algorithm.NONE.marker) {
                compressed(Algorithm.DEFLATE, 0);
            } else {
                session.dark = marker != batch.length() - 1;
            }
        }

        private void compressed(Algorithm algorithm, int threshold) {
            session.client.compress(algorithm, threshold);
            session.server.compress(algorithm, threshold);
        }

        void batch(Bytes batch) {
            assumeAgreed(batch);
            if (session.dark) {
                line(ENCRYPTED, Map.of("length", batch.length()));
                return;
            }
            try {
                (direction == Direction.C2S ? session.client : session.server)
                        .read(batch.toArray(), this::message);
            } catch (MalformedPacketException e) {
                malformed(e);
            }
        }

        private void message(Reader packet) {
            // A reader's positions count from the packet that it was last reset to.
            Bytes bytes = packet.slice(0, packet.remaining());
            Reader r = Reader.of(bytes, explain);
            try {
                BedrockMessage message = session.codec.read(r);
                CapturedClient client = client(datagram, direction);
                if (client != null) {
                    client.onMessage(direction, message, session.codec.dialect());
                    follow(message);
                    return;
                }
                lines.accept(
                        PlayerNames.named(
                                DissectedMessage.of(
                                                datagram,
                                                direction,
                                                BedrockCodec.NAME,
                                                Layer.MESSAGE,
                                                session.codec.name(message),
                                                BedrockMessageFields.of(
                                                        message, session.codec.dialect()))
                                        .withTrace(r.traced())
                                        .withBytes(isMovement(message) ? bytes : Bytes.EMPTY)));
                follow(message);
            } catch (MalformedPacketException e) {
                malformed(e);
            }
        }

        private static boolean isMovement(BedrockMessage message) {
            return message instanceof MovePlayer
                    || message instanceof PlayerAuthInput
                    || message instanceof MovementMessage;
        }

        /** Applies a message that changes how later ones are read. */
        private void follow(BedrockMessage message) {
            switch (message) {
                case LoginMessage.RequestNetworkSettings m ->
                        session.codec = BedrockCodec.of(m.protocol()).orElse(assumed);
                case LoginMessage.NetworkSettings m ->
                        compressed(Algorithm.ofSetting(m.algorithm()), m.threshold());
                case LoginMessage.ServerToClientHandshake m -> {
                    Optional<byte[]> key = keys.find(m.token());
                    session.dark = key.isEmpty();
                    key.ifPresent(session.client::encrypt);
                    key.ifPresent(session.server::encrypt);
                }
                default -> {}
            }
        }
    }
}
