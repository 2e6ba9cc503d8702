package dev.wishdir.bedrock.proxy;

import dev.wishdir.bedrock.inspect.BedrockDissector;
import dev.wishdir.bedrock.message.BedrockMessage;
import dev.wishdir.bedrock.protocol.BedrockCodec;
import dev.wishdir.bedrock.protocol.Compression.Algorithm;
import dev.wishdir.bedrock.protocol.login.LoginAccount;
import dev.wishdir.bedrock.proxy.BedrockProxyConfig.ServerTransport;
import dev.wishdir.game.proxy.Interceptor;
import dev.wishdir.net.limit.AddressLimits;
import dev.wishdir.net.limit.AddressRange;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.simulation.LinkConditions;
import dev.wishdir.net.simulation.LinkEmulation;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.dissect.Datagram;
import dev.wishdir.wire.dissect.Direction;
import dev.wishdir.wire.dissect.DissectedMessage;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** A proxy of Bedrock in virtual time, and what it shows. */
final class ProxyNetwork {
    static final long SECOND = 1_000_000_000;
    static final InetSocketAddress SERVER =
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 19140);
    static final InetSocketAddress LISTEN =
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 19132);

    /** A part of a session as the proxy shows it. */
    record Observed(long nanos, InetSocketAddress client, Direction direction, Bytes datagram) {}

    final SimulatedNetwork network = new SimulatedNetwork(1);
    final List<Observed> observed = new ArrayList<>();
    final List<String> closed = new ArrayList<>();
    final List<String> problems = new ArrayList<>();
    final DutyCycle cycle = network.cycle();
    LinkConditions faults = LinkConditions.NONE;
    ServerTransport transport = ServerTransport.RAKNET;
    Optional<Algorithm> compression = Optional.empty();
    Optional<LoginAccount> account = Optional.empty();
    int maxClients = 100;
    boolean isTrusting = true;
    @Nullable Interceptor<BedrockMessage> interceptor;

    /** The time, seconds since 1970. */
    static long seconds() {
        return Instant.now().getEpochSecond();
    }

    BedrockProxy open() throws IOException {
        Interceptor<BedrockMessage> chosen = interceptor;
        return BedrockProxy.open(
                cycle,
                new LinkEmulation(faults, faults, 3).around(cycle),
                new BedrockProxyConfig(
                        LISTEN,
                        SERVER,
                        transport,
                        maxClients,
                        isTrusting
                                ? AddressLimits.trusting(
                                        List.of(AddressRange.parse("127.0.0.0/8")), 1)
                                : AddressLimits.standard(1),
                        Optional::empty,
                        chosen == null ? Optional.empty() : Optional.of(() -> chosen),
                        account,
                        compression,
                        new Random(2),
                        InstantSource.system()),
                new BedrockProxyListener() {
                    @Override
                    public boolean isObserving() {
                        return true;
                    }

                    @Override
                    public void onDatagram(
                            long now, InetSocketAddress client, Direction way, Bytes datagram) {
                        observed.add(new Observed(now, client, way, datagram));
                    }

                    @Override
                    public void onProblem(InetSocketAddress client, String problem) {
                        problems.add(problem);
                    }

                    @Override
                    public void onClosed(InetSocketAddress client, String reason) {
                        closed.add(reason);
                    }
                });
    }

    RecordingServer server(ServerTransport kind, Algorithm algorithm, boolean encrypts)
            throws IOException {
        transport = kind;
        return new RecordingServer(network.cycle(), SERVER, kind, algorithm, encrypts);
    }

    RecordingServer server() throws IOException {
        return server(ServerTransport.RAKNET, Algorithm.DEFLATE, true);
    }

    RecordingClient client(ServerTransport kind, int protocol, String name) throws IOException {
        return RecordingClient.connect(network.cycle(), LISTEN, kind, protocol, name);
    }

    RecordingClient client(String name) throws IOException {
        return client(ServerTransport.RAKNET, BedrockCodec.V748.protocol(), name);
    }

    /** A client that has logged in. */
    RecordingClient join(ServerTransport kind, int protocol, String name) throws IOException {
        RecordingClient client = client(kind, protocol, name);
        if (!network.runUntil(() -> client.ready, 30 * SECOND)) {
            throw new AssertionError(
                    name
                            + " did not join: "
                            + client.ending
                            + "; status "
                            + client.status
                            + closed);
        }
        return client;
    }

    RecordingClient join(String name) throws IOException {
        return join(ServerTransport.RAKNET, BedrockCodec.V748.protocol(), name);
    }

    /** What a dissector without keys reads of the observed sessions. */
    List<DissectedMessage> dissected() throws IOException {
        BedrockDissector dissector =
                new BedrockDissector(true, Optional.empty(), BedrockCodec.V748);
        List<DissectedMessage> lines = new ArrayList<>();
        long frame = 0;
        for (Observed each : observed) {
            boolean up = each.direction == Direction.C2S;
            Datagram datagram =
                    new Datagram(
                            ++frame,
                            each.nanos / 1e9,
                            up ? each.client : SERVER,
                            up ? SERVER : each.client,
                            each.datagram);
            dissector.recognise(datagram);
            dissector.datagram(datagram, each.direction, lines::add);
        }
        return lines;
    }
}
