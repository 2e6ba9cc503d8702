package dev.wishdir.examples;

import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.SessionViewer;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.NativeMovement;
import dev.wishdir.arena.event.Player;
import dev.wishdir.game.Client;
import dev.wishdir.game.ClientConfig;
import dev.wishdir.game.Endpoint;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.game.Game;
import dev.wishdir.game.capture.MovementReader;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.loop.DatagramHandler;
import dev.wishdir.net.loop.UdpSocket;
import dev.wishdir.wire.dissect.Direction;
import dev.wishdir.wire.dissect.Dissector;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * A fifth game: its players join the same arena as those of the other four. With its class in
 * {@code META-INF/services/dev.wishdir.game.Game}, it is one of the games of all commands. A
 * datagram is a line of words: a client says {@code JOIN NAME}, {@code MOVE X Y Z YAW} in metres
 * and degrees, {@code SAY TEXT}, {@code LEAVE}; the server {@code HELLO NUMBER}, {@code IS NUMBER
 * GAME NAME}, {@code MOVE NUMBER X Y Z YAW}, {@code GONE NUMBER}, {@code SAID NUMBER TEXT}, {@code
 * BYE REASON}.
 */
public final class WordGame implements Game {
    static final String NAME = "words";
    static final int MOVES_PER_SECOND = 20;

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String title() {
        return "Words";
    }

    @Override
    public int port() {
        return 7777;
    }

    @Override
    public int movementRate() {
        return MOVES_PER_SECOND;
    }

    @Override
    public Endpoint serve(EndpointContext context) throws IOException {
        return context.cycle().open(context.address(), socket -> new Server(context, socket));
    }

    @Override
    public Client connect(ClientConfig config) throws IOException {
        check(config);
        return config.cycle()
                .open(new InetSocketAddress(0), socket -> new WordClient(config, socket));
    }

    @Override
    public Dissector dissector(boolean explain, Optional<Path> keys) {
        return new WordDissector();
    }

    @Override
    public MovementReader movementReader() {
        return line ->
                line.name().equals("MOVE")
                                && line.direction() == Direction.C2S
                                && line.fields().get("text") instanceof String numbers
                        ? Optional.of(movement(numbers))
                        : Optional.empty();
    }

    /** The movement in the words {@code X Y Z YAW}. */
    static Movement movement(String words) {
        String[] numbers = words.split(" ");
        return Movement.at(
                new Vec3(
                        Double.parseDouble(numbers[0]),
                        Double.parseDouble(numbers[1]),
                        Double.parseDouble(numbers[2])),
                Double.parseDouble(numbers[3]));
    }

    private static final class Server implements Endpoint, DatagramHandler {
        private static final long SILENCE = 30_000_000_000L;

        private final EndpointContext context;
        private final UdpSocket socket;
        private final Map<InetSocketAddress, Session> sessions = new HashMap<>();

        Server(EndpointContext context, UdpSocket socket) {
            this.context = context;
            this.socket = socket;
        }

        @Override
        public InetSocketAddress address() {
            return socket.local();
        }

        @Override
        public void receive(long now, InetSocketAddress from, byte[] data) {
            String[] words = new String(data, StandardCharsets.UTF_8).strip().split(" ", 2);
            String rest = words.length > 1 ? words[1] : "";
            Session session = sessions.get(from);
            if (session != null) {
                session.onPacket(now, words[0], rest);
            } else if (words[0].equals("JOIN") && !context.arena().isFull()) {
                new Session(from).join(now, rest);
            }
        }

        @Override
        public long advance(long now) {
            long next = NEVER;
            for (Session session : List.copyOf(sessions.values())) {
                if (now - session.lastPacket >= SILENCE) {
                    session.end(now, LeaveReason.TIMED_OUT);
                } else {
                    next = Math.min(next, session.lastPacket + SILENCE);
                }
            }
            return next;
        }

        @Override
        public void close(String reason) {
            Objects.requireNonNull(reason, "reason");
            long now = context.cycle().now();
            for (Session session : List.copyOf(sessions.values())) {
                session.end(now, new LeaveReason(LeaveReason.Code.SERVER_CLOSED, reason));
            }
            socket.close();
        }

        /** One player, and through what it sees the others. */
        private final class Session implements SessionViewer {
            private final InetSocketAddress address;
            private ArenaPlayer player;
            private long lastPacket;

            Session(InetSocketAddress address) {
                this.address = address;
            }

            void join(long now, String name) {
                lastPacket = now;
                sessions.put(address, this);
                context.arena().join(now, NAME, name, this);
                player.spawn(now, context.arena().level().spawns().getFirst());
            }

            @Override
            public void onJoined(ArenaPlayer self) {
                player = self;
                send("HELLO " + self.id().number());
                context.arena().players().forEach(this::sendPlayer);
            }

            void onPacket(long now, String word, String rest) {
                lastPacket = now;
                player.recordActivity(now);
                switch (word) {
                    case "MOVE" -> move(now, rest);
                    case "SAY" -> player.say(now, rest);
                    case "LEAVE" -> end(now, LeaveReason.LEFT);
                    default -> context.counters().count("words.drop.unknown");
                }
            }

            private void move(long now, String words) {
                try {
                    player.move(now, movement(words), NativeMovement.Stored.NONE);
                } catch (NumberFormatException | ArrayIndexOutOfBoundsException _) {
                    context.counters().count("words.drop.malformed");
                }
            }

            void end(long now, LeaveReason why) {
                send("BYE " + why);
                sessions.remove(address);
                player.leave(now, why);
            }

            private void send(String text) {
                byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
                socket.send(address, bytes, 0, bytes.length);
            }

            private void sendPlayer(Player other) {
                send("IS " + other.id() + " " + other.game() + " " + other.name());
            }

            @Override
            public void onEvent(ArenaEvent event) {
                switch (event) {
                    case ArenaEvent.Joined e -> sendPlayer(e.player());
                    case ArenaEvent.Renamed e -> sendPlayer(e.player());
                    case ArenaEvent.Left e -> send("GONE " + e.id());
                    case ArenaEvent.Chat e -> send("SAID " + e.id() + " " + e.text());
                    case ArenaEvent.KickRequested e -> end(e.time(), e.reason());
                    default -> {}
                }
            }

            /** Twenty times a second is enough for reading. */
            @Override
            public long minUpdateIntervalNanos() {
                return 50_000_000;
            }

            @Override
            public void onMovement(List<Player> movers) {
                for (Player mover : movers) {
                    Vec3 at = mover.movement().position();
                    send(
                            String.format(
                                    Locale.ROOT,
                                    "MOVE %s %.2f %.2f %.2f %.0f",
                                    mover.id(),
                                    at.x(),
                                    at.y(),
                                    at.z(),
                                    mover.movement().yaw()));
                }
            }
        }
    }
}
