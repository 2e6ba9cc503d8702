package dev.wishdir.app;

import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.NativeMovement;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.relay.Viewer;
import dev.wishdir.game.BotController;
import dev.wishdir.game.Client;
import dev.wishdir.game.ClientConfig;
import dev.wishdir.game.ClientListener;
import dev.wishdir.game.Endpoint;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.game.Game;
import dev.wishdir.game.capture.CapturedPlayers;
import dev.wishdir.motion.Angles;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Stance;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.loop.DatagramHandler;
import dev.wishdir.net.loop.UdpSocket;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Tracer;
import dev.wishdir.wire.dissect.Datagram;
import dev.wishdir.wire.dissect.Direction;
import dev.wishdir.wire.dissect.DissectedMessage;
import dev.wishdir.wire.dissect.Dissector;
import dev.wishdir.wire.dissect.PlayerName;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A game whose datagrams are words: the least that the command line needs to be tried out. A client
 * says JOIN NAME PASSWORD, MOVE and five numbers, SAY TEXT, LEAVE; a server HELLO ID, PLAYER ID
 * NAME, MOVE ID and five numbers, GONE ID, SAID NAME TEXT, BYE REASON.
 */
public final class FakeGame implements Game {
    private static final long TICK = 20_000_000;
    private static final long TIMEOUT_NANOS = 2_000_000_000;

    private final String name;
    private final int port;

    public FakeGame(String name, int port) {
        this.name = name;
        this.port = port;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String title() {
        return "The game of " + name;
    }

    @Override
    public int port() {
        return port;
    }

    @Override
    public int movementRate() {
        return 50;
    }

    @Override
    public List<Option> options() {
        return List.of(new Option("colour", "COLOUR", "Paint the arena; blue is sold out."));
    }

    @Override
    public void check(Map<String, String> options) {
        if ("blue".equals(options.get("colour"))) {
            throw new IllegalArgumentException("option colour: blue is sold out");
        }
    }

    @Override
    public Endpoint serve(EndpointContext context) throws IOException {
        return context.cycle().open(context.address(), socket -> new Words(context, socket));
    }

    @Override
    public Client connect(ClientConfig config) throws IOException {
        InetAddress any = new InetSocketAddress(0).getAddress();
        return config.cycle()
                .open(new InetSocketAddress(any, 0), socket -> new Walker(config, socket));
    }

    @Override
    public Dissector dissector(boolean explain, Optional<Path> keys) throws IOException {
        if (keys.isPresent()) {
            Files.readString(keys.get());
        }
        return new WordDissector(name, explain);
    }

    @Override
    public Dissector movementDissector(CapturedPlayers players, List<String> keys) {
        return new WordDissector(name, false);
    }

    @Override
    public int latencyTagCount() {
        return 360;
    }

    @Override
    public View encodeLatencyTag(int tag) {
        return new View(tag, 0);
    }

    @Override
    public int decodeLatencyTag(Movement seen) {
        return (int) seen.yaw();
    }

    private static String words(Movement movement) {
        Vec3 at = movement.position();
        return at.x() + " " + at.y() + " " + at.z() + " " + movement.yaw() + " " + movement.pitch();
    }

    private static Movement movement(String[] words, int from) {
        double[] numbers = new double[5];
        for (int i = 0; i < 5; i++) {
            numbers[i] = Double.parseDouble(words[from + i]);
        }
        return new Movement(
                new Vec3(numbers[0], numbers[1], numbers[2]),
                numbers[3],
                numbers[4],
                Vec3.ZERO,
                Stance.STANDING);
    }

    private static void send(UdpSocket socket, InetSocketAddress to, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        socket.send(to, bytes, 0, bytes.length);
    }

    /** The server side. */
    private final class Words implements Endpoint, DatagramHandler {
        private final EndpointContext context;
        private final UdpSocket socket;
        private final Map<InetSocketAddress, ArenaPlayer> players = new LinkedHashMap<>();

        Words(EndpointContext context, UdpSocket socket) {
            this.context = context;
            this.socket = socket;
        }

        @Override
        public InetSocketAddress address() {
            return socket.local();
        }

        @Override
        public void receive(long now, InetSocketAddress from, byte[] data) {
            String[] words = new String(data, StandardCharsets.UTF_8).split(" ", -1);
            ArenaPlayer player = players.get(from);
            if (player == null) {
                if (words[0].equals("JOIN")) {
                    join(now, from, words[1], words[2]);
                }
                return;
            }
            player.recordActivity(now);
            switch (words[0]) {
                case "MOVE" -> player.move(now, movement(words, 1), NativeMovement.Stored.NONE);
                case "SAY" -> player.say(now, words[1]);
                case "LEAVE" -> {
                    players.remove(from);
                    player.leave(now, LeaveReason.LEFT);
                    send(socket, from, "BYE left");
                }
                default -> context.counters().count(name + ".drop.unknown");
            }
        }

        private void join(long now, InetSocketAddress from, String wished, String password) {
            if (!password.equals(context.password())) {
                send(socket, from, "BYE wrong password");
                return;
            }
            if (context.arena().isFull()) {
                send(socket, from, "BYE server is full");
                return;
            }
            ArenaPlayer player = context.arena().join(now, name, wished, new Eyes(from));
            players.put(from, player);
            int number = player.id().number();
            player.spawn(now, Movement.at(new Vec3(number, 0, 0), 0));
            send(socket, from, "HELLO " + number);
            for (Player other : context.arena().players()) {
                if (!other.id().equals(player.id())) {
                    send(socket, from, "PLAYER " + other.id().number() + " " + other.name());
                }
            }
        }

        @Override
        public long advance(long now) {
            return NEVER;
        }

        @Override
        public void close(String reason) {
            for (Map.Entry<InetSocketAddress, ArenaPlayer> entry : Map.copyOf(players).entrySet()) {
                send(socket, entry.getKey(), "BYE " + reason);
                entry.getValue().leave(context.cycle().now(), LeaveReason.SERVER_CLOSED);
            }
            socket.close();
        }

        private final class Eyes implements Viewer {
            private final InetSocketAddress to;

            Eyes(InetSocketAddress to) {
                this.to = to;
            }

            private void tell(String text) {
                send(socket, to, text);
            }

            @Override
            public void onEvent(ArenaEvent event) {
                switch (event) {
                    case ArenaEvent.Joined e ->
                            tell("PLAYER " + e.id().number() + " " + e.player().name());
                    case ArenaEvent.Left e -> tell("GONE " + e.id().number());
                    case ArenaEvent.Chat e -> tell("SAID " + e.player().name() + " " + e.text());
                    default -> {}
                }
            }

            @Override
            public void onMovement(List<Player> movers) {
                for (Player mover : movers) {
                    tell("MOVE " + mover.id().number() + " " + words(mover.movement()));
                }
            }
        }
    }

    /** The client side. */
    private static final class Walker implements Client, DatagramHandler {
        private final ClientConfig config;
        private final UdpSocket socket;
        private final Map<Long, RemotePlayer> others = new HashMap<>();
        private final long began;
        private Movement movement = Movement.ORIGIN;
        private int id = -1;
        private long next;
        private boolean asked;
        private boolean over;

        Walker(ClientConfig config, UdpSocket socket) {
            this.config = config;
            this.socket = socket;
            began = config.cycle().now();
            next = began;
        }

        @Override
        public void receive(long now, InetSocketAddress from, byte[] data) {
            String text = new String(data, StandardCharsets.UTF_8);
            String[] words = text.split(" ", -1);
            switch (words[0]) {
                case "HELLO" -> {
                    id = Integer.parseInt(words[1]);
                    config.listener().onJoined(this);
                }
                case "PLAYER" -> {
                    RemotePlayer remote =
                            new RemotePlayer(Integer.parseInt(words[1]), words[2], Movement.ORIGIN);
                    others.put(remote.id(), remote);
                    config.listener().onAppeared(this, remote);
                }
                case "MOVE" -> moved(now, Integer.parseInt(words[1]), FakeGame.movement(words, 2));
                case "GONE" -> {
                    RemotePlayer gone = others.remove(Long.parseLong(words[1]));
                    if (gone != null) {
                        config.listener().onVanished(this, gone);
                    }
                }
                case "SAID" -> config.listener().onChat(this, words[1], words[2]);
                case "BYE" ->
                        end(
                                id < 0
                                        ? ClientListener.EndReason.REFUSED
                                        : ClientListener.EndReason.KICKED,
                                "the server says: " + text.substring(4));
                default -> end(ClientListener.EndReason.PROTOCOL_ERROR, text);
            }
        }

        private void moved(long now, long who, Movement to) {
            RemotePlayer known = others.get(who);
            if (known != null) {
                RemotePlayer remote = new RemotePlayer(who, known.name(), to);
                others.put(who, remote);
                config.listener().onMoved(this, now, remote);
            }
        }

        @Override
        public long advance(long now) {
            if (over) {
                return NEVER;
            }
            if (!asked) {
                asked = true;
                send(socket, config.server(), "JOIN " + config.name() + " " + config.password());
            }
            if (id < 0 && now - began > TIMEOUT_NANOS) {
                end(ClientListener.EndReason.TIMED_OUT, "the server does not answer");
                return NEVER;
            }
            if (now >= next) {
                next += TICK;
                if (id >= 0) {
                    step(config.controller().steer(now, movement));
                }
            }
            return next;
        }

        private void step(BotController.PlayerInput input) {
            double direction =
                    Math.toRadians(input.yaw()) + Math.atan2(input.left(), input.forward());
            double metres = Math.min(1, Math.hypot(input.forward(), input.left())) * 0.1;
            Vec3 step = new Vec3(Math.cos(direction) * metres, Math.sin(direction) * metres, 0);
            movement =
                    new Movement(
                            movement.position().plus(step),
                            Angles.wrap360(input.yaw()),
                            input.pitch(),
                            step.times(50),
                            Stance.STANDING);
            send(socket, config.server(), "MOVE " + words(movement));
        }

        private void end(ClientListener.EndReason ending, String reason) {
            if (!over) {
                over = true;
                socket.close();
                config.listener().onEnded(this, ending, reason);
            }
        }

        @Override
        public boolean joined() {
            return id >= 0;
        }

        @Override
        public long id() {
            return id;
        }

        @Override
        public Movement movement() {
            return movement;
        }

        @Override
        public Collection<RemotePlayer> others() {
            return others.values();
        }

        @Override
        public void say(String text) {
            send(socket, config.server(), "SAY " + text);
        }

        @Override
        public void close() {
            if (!over) {
                send(socket, config.server(), "LEAVE");
                end(ClientListener.EndReason.LEFT, "left");
            }
        }
    }

    /** Each datagram is one message, named by its first word. */
    private record WordDissector(String game, boolean explain) implements Dissector {
        private static final String NAMING = "userinfo \\name\\";

        @Override
        public Optional<Direction> recognise(Datagram datagram) {
            return text(datagram.payload()).startsWith("JOIN ")
                    ? Optional.of(Direction.C2S)
                    : Optional.empty();
        }

        @Override
        public void datagram(
                Datagram datagram, Direction direction, Consumer<DissectedMessage> lines) {
            String text = text(datagram.payload());
            DissectedMessage message =
                    DissectedMessage.of(
                            datagram,
                            direction,
                            game,
                            DissectedMessage.Layer.MESSAGE,
                            text.split(" ", 2)[0],
                            Map.of("text", text));
            if (text.startsWith(NAMING)) {
                String named = text.substring(NAMING.length());
                message =
                        message.withPlayer(
                                new PlayerName(named, named.replaceAll("\\^[0-9a-z]", "")));
            }
            lines.accept(explain ? message.withTrace(trace(datagram.payload()).fields()) : message);
        }

        private static Tracer trace(Bytes payload) {
            Tracer tracer = new Tracer(payload);
            tracer.bytes("text", Bytes.EMPTY, payload.length());
            tracer.annotate(text(payload));
            return tracer;
        }

        private static String text(Bytes payload) {
            return new String(payload.toArray(), StandardCharsets.UTF_8);
        }

        @Override
        public boolean recogniseFile(String name, Bytes content) {
            return name.endsWith("." + game);
        }

        @Override
        public void file(Bytes content, Consumer<DissectedMessage> lines) {
            throw new MalformedPacketException(7, "magic", "is no " + game);
        }
    }
}
