package dev.wishdir.bedrock.server.view;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.Proof;
import dev.wishdir.arena.relay.ConnectionStats;
import dev.wishdir.bedrock.combat.HitCoolDown;
import dev.wishdir.bedrock.message.BedrockMessage;
import dev.wishdir.bedrock.message.Skin;
import dev.wishdir.bedrock.message.StartGame;
import dev.wishdir.bedrock.protocol.BatchCodec;
import dev.wishdir.bedrock.protocol.BedrockCodec;
import dev.wishdir.bedrock.protocol.Compression;
import dev.wishdir.bedrock.protocol.login.EncryptionHandshake;
import dev.wishdir.bedrock.protocol.login.LoginKeys;
import dev.wishdir.bedrock.protocol.login.TrustPolicy;
import dev.wishdir.bedrock.protocol.transport.MessageChannel;
import dev.wishdir.bedrock.protocol.transport.Transport;
import dev.wishdir.bedrock.protocol.transport.TurnSchedule;
import dev.wishdir.bedrock.server.chat.CommandHandler;
import dev.wishdir.bedrock.server.combat.CombatServices;
import dev.wishdir.bedrock.server.join.AdmissionControl;
import dev.wishdir.bedrock.server.join.LoginSequence;
import dev.wishdir.bedrock.server.join.LoginVerifier;
import dev.wishdir.bedrock.server.join.LoginVerifier.VerifiedLogin;
import dev.wishdir.bedrock.server.join.SpawnSequence;
import dev.wishdir.bedrock.server.movement.DropCounter;
import dev.wishdir.bedrock.server.movement.MovementHandler;
import dev.wishdir.bedrock.server.session.BedrockSession;
import dev.wishdir.bedrock.server.session.BedrockViewer;
import dev.wishdir.bedrock.server.session.JoinedClient;
import dev.wishdir.bedrock.server.session.MessageHandler;
import dev.wishdir.bedrock.server.view.RunningLevel.World;
import dev.wishdir.blocks.arena.ArenaCatalog;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.net.loop.Counters;
import dev.wishdir.net.loop.TrafficCounters;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.nethernet.identity.IdentityIssuer;
import dev.wishdir.nethernet.identity.IssuerKeyCache;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;

/** The parts of an endpoint that sessions need, without one, and transports without a network. */
public final class SessionFixture {
    public static final String ADMIN_PASSWORD = "orchid";

    /** A connection that keeps nothing of what is sent. */
    public static class FakeTransport implements Transport {
        public InetSocketAddress remote;
        boolean closed;

        public FakeTransport(int port) {
            remote = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        }

        @Override
        public InetSocketAddress remote() {
            return remote;
        }

        @Override
        public long lastHeard() {
            return 0;
        }

        @Override
        public long roundTrip() {
            return 0;
        }

        @Override
        public TrafficCounters traffic() {
            return new TrafficCounters();
        }

        @Override
        public void send(byte[] batch, int offset, int length) {}

        @Override
        public long retainedBytes() {
            return 0;
        }

        @Override
        public boolean isCongested() {
            return false;
        }

        @Override
        public boolean encrypts() {
            return true;
        }

        @Override
        public void abort(long now, String reason) {
            closed = true;
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    /** A line to a client that keeps its messages. */
    public final class FakeLine implements BedrockViewer.Line {
        private final BatchCodec batches = new BatchCodec(1 << 20, BatchCodec.MAX_PACKETS);
        private final List<BedrockMessage> sent = new ArrayList<>();
        private final MessageChannel channel =
                MessageChannel.toClient(
                        new FakeTransport(19132) {
                            @Override
                            public void send(byte[] batch, int offset, int length) {
                                batches.read(
                                        Arrays.copyOfRange(batch, offset, offset + length),
                                        reader -> sent.add(BedrockCodec.NEWEST.read(reader)));
                            }
                        });

        public FakeLine() {
            channel.setCodec(BedrockCodec.NEWEST);
        }

        @Override
        public MessageChannel channel() {
            return channel;
        }

        public List<BedrockMessage> sent() {
            channel.flush();
            return sent;
        }

        @Override
        public boolean isCongested() {
            return false;
        }

        @Override
        public void requestTurn() {}

        @Override
        public void kick(LeaveReason why) {
            throw new AssertionError("kicked: " + why);
        }

        @Override
        public InetSocketAddress remote() {
            return context.address();
        }

        @Override
        public ConnectionStats connectionStats() {
            return ConnectionStats.UNKNOWN;
        }

        /** The messages of a kind. */
        public <T extends BedrockMessage> List<T> all(Class<T> kind) {
            return sent().stream().filter(kind::isInstance).map(kind::cast).toList();
        }
    }

    final SimulatedNetwork network = new SimulatedNetwork(1);
    public final Arena arena = new Arena(Level.BOX, 8);
    public final Counters counters = new Counters();
    final EndpointContext context =
            EndpointContext.builder(network.cycle(), new InetSocketAddress(19132), arena)
                    .adminPassword(ADMIN_PASSWORD)
                    .counters(counters)
                    .random(new Random(1))
                    .build();
    final PlayerIdentities identities = new PlayerIdentities(7);
    public final DropCounter drops = counters::count;
    public final RunningLevel world = new RunningLevel(0, arena, World.of(ArenaCatalog.FLAT));
    final BedrockViewer.Services viewerServices =
            new BedrockViewer.Services(
                    arena,
                    identities,
                    new HeldItems(identities, _ -> {}),
                    new MovementCache(),
                    network::now);
    public final CombatServices attackServices =
            new CombatServices(
                    arena,
                    world,
                    identities,
                    viewerServices.heldItems(),
                    new HitCoolDown(),
                    _ -> {},
                    (_, _) -> {},
                    new Random(3),
                    drops);
    public final MovementHandler.Services movementServices =
            new MovementHandler.Services(world, StartGame.SERVER_AUTHORITY, () -> 0, drops);
    public final CommandHandler.Services chatServices =
            new CommandHandler.Services(
                    arena,
                    context.operatorConsole(),
                    true,
                    context::isAdminPassword,
                    context.addressLimits(),
                    () -> false);
    private final TurnSchedule schedule = new TurnSchedule();
    private final BedrockSession.Services services;

    public SessionFixture() {
        AdmissionControl admission = new AdmissionControl(context, 8, identities::clientCount);
        Random random = new Random(2);
        LoginVerifier verifier =
                new LoginVerifier(
                        context.cycle(),
                        TrustPolicy.ANYBODY,
                        new IssuerKeyCache(
                                context.cycle(),
                                IdentityIssuer.MOJANG,
                                Optional.empty(),
                                counters,
                                "bedrock.issuer"),
                        LoginKeys.generate(random),
                        InstantSource.system(),
                        random);
        services =
                new BedrockSession.Services(
                        admission,
                        new LoginSequence.Services(
                                verifier, Compression.Algorithm.DEFLATE, false, _ -> {}),
                        new SpawnSequence.Services(
                                admission,
                                world,
                                0,
                                "Wishdir",
                                StartGame.SERVER_AUTHORITY,
                                () -> false,
                                () -> false,
                                context::isPassword,
                                context.addressLimits()),
                        new JoinedClient.Services(
                                arena,
                                world,
                                identities,
                                viewerServices.movementCache(),
                                viewerServices,
                                movementServices,
                                chatServices,
                                new MessageHandler.Services(_ -> {}, attackServices, drops)),
                        drops,
                        network::now);
    }

    /** A session that has just connected. */
    public BedrockSession session(Transport transport) {
        return new BedrockSession(
                network.now(), services, schedule, transport, identities.nextRuntimeId());
    }

    /** The viewer of a client that has logged in. */
    public BedrockViewer viewer(FakeLine line, String name, long runtimeId) {
        VerifiedLogin login =
                new VerifiedLogin(
                        name,
                        new UUID(1, runtimeId),
                        Proof.NONE,
                        Skin.BLANK,
                        EncryptionHandshake.CLEAR);
        return new BedrockViewer(viewerServices, line, login, runtimeId);
    }
}
