package dev.wishdir.bedrock.server;

import dev.wishdir.bedrock.map.BlockWorld;
import dev.wishdir.bedrock.message.ActorMessage.ListedPlayer;
import dev.wishdir.bedrock.message.ActorMessage.PlayerList;
import dev.wishdir.bedrock.message.BedrockMessage;
import dev.wishdir.bedrock.message.BlockPos;
import dev.wishdir.bedrock.message.CommandRequest;
import dev.wishdir.bedrock.message.LevelChunk;
import dev.wishdir.bedrock.message.LoginMessage;
import dev.wishdir.bedrock.message.ModalForm.ModalFormResponse;
import dev.wishdir.bedrock.message.MovePlayer;
import dev.wishdir.bedrock.message.MovementMessage;
import dev.wishdir.bedrock.message.MovementMessage.Animate;
import dev.wishdir.bedrock.message.MovementMessage.PlayerAction;
import dev.wishdir.bedrock.message.PackMessage;
import dev.wishdir.bedrock.message.PlayerAuthInput;
import dev.wishdir.bedrock.message.StartGame;
import dev.wishdir.bedrock.message.Text;
import dev.wishdir.bedrock.message.Unknown;
import dev.wishdir.bedrock.message.Vec2f;
import dev.wishdir.bedrock.message.Vec3f;
import dev.wishdir.bedrock.message.WorldMessage;
import dev.wishdir.bedrock.movement.BedrockMotion;
import dev.wishdir.bedrock.protocol.Batches;
import dev.wishdir.bedrock.protocol.BedrockCodec;
import dev.wishdir.bedrock.protocol.login.LoginKeys;
import dev.wishdir.bedrock.protocol.transport.RakNetTransport;
import dev.wishdir.bedrock.protocol.transport.Transport;
import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.game.MisbehavingClient;
import dev.wishdir.net.loop.DatagramHandler;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.loop.UdpSocket;
import dev.wishdir.raknet.RakNetClient;
import dev.wishdir.raknet.RakNetDatagram;
import dev.wishdir.raknet.RakNetSettings;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Writer;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

/** A client of Bedrock that does whatever its messages allow, and much that they nearly allow. */
public final class MisbehavingBedrockClient implements MisbehavingClient {
    /** All of them sign with one pair of keys: making one takes long. */
    private static final LoginKeys KEYS = LoginKeys.generate(new SecureRandom());

    private static final BedrockCodec CODEC = BedrockCodec.V748;
    private static final long TICK = BedrockMotion.TICK_NANOS;
    private static final int NEARLY_NEVER = 150;

    /** States of {@code Respawn}. */
    private static final int SEARCHING = 0;

    private static final int CLIENT_READY = 2;

    /** How long it is dead, on average. */
    private static final int DEAD_TICKS = 20;

    /** The blocks of each column of an arena. */
    private static final Map<BlockArena, Map<Long, Bytes>> COLUMNS = new ConcurrentHashMap<>();

    private final DutyCycle cycle;
    private final String wished;
    private final RandomGenerator random;
    private final UUID uuid;
    private final RakNetClient raknet;
    private final ClientBatches batches = new ClientBatches(CODEC, KEYS);
    private final Map<UUID, String> listed = new LinkedHashMap<>();

    /** The blocks of each column that has some. */
    private final Map<Long, Bytes> chunks = new HashMap<>();

    private @Nullable Transport transport;
    private long id;
    private Vec3f eyes = Vec3f.ZERO;
    private byte[] last = new byte[0];
    private boolean behaves;
    private boolean put;
    private boolean dead;
    private boolean loaded;
    private boolean over;
    private long deafUntil;
    private long nextStep;
    private long tick;

    private MisbehavingBedrockClient(
            DutyCycle cycle,
            UdpSocket socket,
            InetSocketAddress server,
            String name,
            RandomGenerator random) {
        this.cycle = cycle;
        wished = name;
        this.random = random;
        uuid = new UUID(random.nextLong(), random.nextLong());
        raknet =
                new RakNetClient(
                        server,
                        RakNetTransport.configure(RakNetSettings.client()),
                        (to, data, offset, length) -> {
                            boolean deaf = !behaves && cycle.now() < deafUntil;
                            if (!deaf || (data[offset] & RakNetDatagram.ACK) == 0) {
                                socket.send(to, data, offset, length);
                            }
                        },
                        RakNetTransport.adapt(new Connection()),
                        random);
    }

    /** One that begins to join at once, as {@link MisbehavingClient.Maker} says. */
    public static MisbehavingClient join(
            DutyCycle cycle, InetSocketAddress server, String name, RandomGenerator random)
            throws IOException {
        InetAddress any =
                InetAddress.getByAddress(new byte[server.getAddress().getAddress().length]);
        return cycle.open(
                        new InetSocketAddress(any, 0),
                        socket ->
                                new MisbehavingBedrockClient(cycle, socket, server, name, random)
                                .new Handler())
                .abuser();
    }

    private final class Handler implements DatagramHandler {
        MisbehavingClient abuser() {
            return MisbehavingBedrockClient.this;
        }

        @Override
        public void receive(long now, InetSocketAddress from, byte[] data) {
            raknet.receive(now, from, data);
        }

        @Override
        public long advance(long now) {
            if (over) {
                return NEVER;
            }
            if (loaded && now >= nextStep) {
                nextStep = now + TICK;
                step();
            }
            long next = raknet.advance(now);
            return loaded ? Math.min(next, nextStep) : next;
        }
    }

    private final class Connection implements Transport.Listener {
        @Override
        public void onConnected(long now, Transport connected) {
            transport = connected;
            say(new LoginMessage.RequestNetworkSettings(CODEC.protocol()));
        }

        @Override
        public void onReceived(long now, Transport connected, byte[] batch) {
            try {
                batches.read(batch, MisbehavingBedrockClient.this::answer);
            } catch (MalformedPacketException e) {
                throw new AssertionError("the server sent what is malformed", e);
            }
        }

        @Override
        public void onEnded(
                long now, Transport connected, Transport.EndReason ending, String reason) {
            over = true;
        }
    }

    private void answer(BedrockMessage message) {
        switch (message) {
            case LoginMessage.NetworkSettings _ -> say(batches.login(wished, uuid));
            case LoginMessage.ServerToClientHandshake _ ->
                    say(LoginMessage.ClientToServerHandshake.BLANK);
            case PackMessage.ResourcePacksInfo _ ->
                    say(new PackMessage.ResourcePackClientResponse(4, List.of()));
            case StartGame start -> {
                id = start.runtimeId();
                eyes = start.position();
                say(new WorldMessage.RequestChunkRadius(4, 4));
            }
            case LoginMessage.PlayStatus status when status.status() == 3 -> {
                say(new WorldMessage.SetLocalPlayerAsInitialized(id));
                loaded = true;
            }
            case PlayerList list -> {
                for (ListedPlayer entry : list.entries()) {
                    if (list.type() == PlayerList.ADD) {
                        // In a match of teams, names have their colours.
                        listed.put(entry.uuid(), entry.name().replaceAll("§.", ""));
                    } else {
                        listed.remove(entry.uuid());
                    }
                }
            }
            case MovePlayer move when move.runtimeId() == id -> {
                eyes = move.position();
                put = true;
            }
            case LevelChunk chunk when chunk.count() == 0 -> chunks.remove(column(chunk));
            case LevelChunk chunk -> chunks.put(column(chunk), chunk.payload());
            case MovementMessage.Respawn respawn -> dead = respawn.state() == SEARCHING;
            case LoginMessage.Disconnect _ -> over = true;
            default -> {}
        }
    }

    void say(BedrockMessage... messages) {
        batch(batches.pack(messages));
    }

    private void batch(byte[] batch) {
        Transport to = transport;
        if (to != null && !over) {
            last = batch;
            to.send(batch, 0, batch.length);
        }
    }

    /** A tick of walking: a small step within the arena. */
    private void step() {
        float x = eyes.x() + (float) random.nextDouble(-0.15, 0.15);
        float z = eyes.z() + (float) random.nextDouble(-0.15, 0.15);
        if (Math.abs(x) < 15 && Math.abs(z) < 15) {
            eyes = new Vec3f(x, BedrockMotion.EYES, z);
        }
        say(input(eyes, put ? PlayerAuthInput.Input.HANDLED_TELEPORT : 0));
        put = false;
        // Only the next life shows the map that is played by then.
        if (dead && (behaves || random.nextInt(DEAD_TICKS) == 0)) {
            say(new MovementMessage.Respawn(eyes, CLIENT_READY, id));
        }
    }

    private PlayerAuthInput input(Vec3f at, long bits) {
        float turn = (float) random.nextDouble(-180, 180);
        return BedrockHostileInputTest.input(
                at, new Vec2f(0, turn / 180), Vec3f.ZERO, bits, ++tick);
    }

    private boolean nearlyNever() {
        return random.nextInt(NEARLY_NEVER) == 0;
    }

    @Override
    public void act() {
        if (over || behaves || transport == null) {
            return;
        }
        if (!loaded) {
            // In the middle of the login: seldom something out of turn.
            if (nearlyNever()) {
                misbehave(random.nextInt(6));
            }
        } else if (nearlyNever()) {
            misbehave(random.nextInt(8));
        } else {
            play();
        }
        cycle.execute(() -> {});
    }

    private void play() {
        switch (random.nextInt(16)) {
            case 0 -> say(chat("hello " + random.nextInt()));
            case 1 -> say(chat("\u00A7c\u00A7"));
            case 2 -> say(chat("x".repeat(random.nextInt(700))));
            case 3 -> say(Animate.swing(id));
            case 4 ->
                    say(
                            new Animate(
                                    random.nextInt(130),
                                    random.nextLong(8),
                                    0,
                                    1,
                                    Optional.empty()));
            case 5 -> say(new WorldMessage.RequestChunkRadius(random.nextInt(), 0));
            case 6 -> say(new WorldMessage.SetLocalPlayerAsInitialized(random.nextLong(8)));
            case 7 ->
                    say(new PlayerAction(id, random.nextInt(40), BlockPos.ZERO, BlockPos.ZERO, 0));
            case 8 ->
                    say(
                            new ModalFormResponse(
                                    random.nextInt(4), Optional.of("[1"), Optional.of(0)));
            case 9 -> say(new CommandRequest("/admin " + random.nextInt(), Bytes.EMPTY));
            case 10 -> say(input(somewhere(), random.nextLong() & (1L << 33) - 1));
            case 11 ->
                    say(
                            Collections.nCopies(random.nextInt(1, 60), input(eyes, 0))
                                    .toArray(new BedrockMessage[0]));
            case 12 -> say(move(random.nextLong(8), somewhere()));
            case 13 -> say(move(id, new Vec3f(Float.NaN, 1e30f, eyes.z())));
            case 14 -> deafUntil = cycle.now() + random.nextLong(4_000_000_000L);
            default -> say(input(eyes, PlayerAuthInput.Input.HANDLED_TELEPORT));
        }
    }

    /** What ends most connections. */
    private void misbehave(int how) {
        switch (how) {
            case 0 -> close();
            case 1 -> say(new LoginMessage.RequestNetworkSettings(random.nextInt()));
            case 2 -> batch(last);
            case 3 -> {
                byte[] noise = new byte[random.nextInt(1, 200)];
                random.nextBytes(noise);
                batch(noise);
            }
            case 4 -> {
                Writer w = new Writer(1 << 20);
                CODEC.write(w, move(id, eyes));
                w.truncate(random.nextInt(1, w.position()));
                batch(Batches.pack(batches.batches, w.toByteArray()));
            }
            case 5 -> say(new LoginMessage.Disconnect(0, false, "", ""));
            case 6 -> say(new Unknown(random.nextInt(1, 1 << 14), Bytes.of((byte) 1)));
            default -> deafUntil = cycle.now() + 60_000_000_000L;
        }
    }

    private void close() {
        Transport to = transport;
        if (to != null) {
            to.close();
        }
    }

    private Vec3f somewhere() {
        return new Vec3f(
                (float) random.nextDouble(-60, 60),
                (float) random.nextDouble(-5, 30),
                (float) random.nextDouble(-60, 60));
    }

    private MovePlayer move(long whom, Vec3f to) {
        return new MovePlayer(whom, to, Vec2f.ZERO, 0, random.nextInt(4), random.nextBoolean(), 0);
    }

    static Text chat(String text) {
        return Text.chat("", text);
    }

    @Override
    public void behave() {
        behaves = true;
    }

    @Override
    public boolean isIn() {
        return !over && listed.containsKey(uuid);
    }

    @Override
    public boolean isOver() {
        return over;
    }

    @Override
    public String name() {
        return listed.getOrDefault(uuid, "");
    }

    @Override
    public List<String> others() {
        List<String> names = new ArrayList<>(listed.values());
        names.remove(name());
        return names;
    }

    /** No map has a name here: all its chunks are compared. */
    @Override
    public boolean plays(BlockArena arena) {
        return chunks.equals(COLUMNS.computeIfAbsent(arena, MisbehavingBedrockClient::columns));
    }

    private static Map<Long, Bytes> columns(BlockArena arena) {
        return BlockWorld.chunks(arena.blocks()).stream()
                .collect(Collectors.toMap(MisbehavingBedrockClient::column, LevelChunk::payload));
    }

    private static long column(LevelChunk chunk) {
        return (long) chunk.x() << Integer.SIZE | chunk.z() & 0xFFFF_FFFFL;
    }
}
