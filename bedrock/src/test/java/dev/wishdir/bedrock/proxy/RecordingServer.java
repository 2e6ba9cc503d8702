package dev.wishdir.bedrock.proxy;

import dev.wishdir.bedrock.message.BedrockMessage;
import dev.wishdir.bedrock.message.LoginMessage;
import dev.wishdir.bedrock.protocol.BedrockCodec;
import dev.wishdir.bedrock.protocol.Compression.Algorithm;
import dev.wishdir.bedrock.protocol.login.EncryptionHandshake;
import dev.wishdir.bedrock.protocol.login.LoginIdentity;
import dev.wishdir.bedrock.protocol.login.LoginKeys;
import dev.wishdir.bedrock.protocol.login.LoginRejectedException;
import dev.wishdir.bedrock.protocol.login.TrustPolicy;
import dev.wishdir.bedrock.protocol.transport.MessageChannel;
import dev.wishdir.bedrock.protocol.transport.NetherNetTransport;
import dev.wishdir.bedrock.protocol.transport.RakNetTransport;
import dev.wishdir.bedrock.protocol.transport.Transport;
import dev.wishdir.bedrock.proxy.BedrockProxyConfig.ServerTransport;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.nethernet.NetherNetSocket;
import dev.wishdir.raknet.RakNetSettings;
import dev.wishdir.raknet.RakNetSocket;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Reader;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;

/** A server that logs clients in, and records what each sends after that. */
final class RecordingServer implements Transport.Listener {
    /** One client, by its name. */
    static final class Guest {
        private final DutyCycle cycle;
        final Transport transport;
        final MessageChannel channel;
        final List<Bytes> received = new ArrayList<>();
        @Nullable LoginIdentity identity;
        boolean ready;

        Guest(DutyCycle cycle, Transport transport) {
            this.cycle = cycle;
            this.transport = transport;
            channel = MessageChannel.toClient(transport);
        }

        void send(Bytes message) {
            cycle.execute(() -> {
                channel.send(message);
                channel.flush();
            });
        }

        void sendBatch(byte[] batch) {
            cycle.execute(() -> transport.send(batch, 0, batch.length));
        }
    }

    final InetSocketAddress address;
    final Map<String, Guest> guests = new HashMap<>();
    final List<String> endings = new ArrayList<>();
    private final Map<Transport, Guest> connected = new HashMap<>();
    private final DutyCycle cycle;
    private final Algorithm algorithm;
    private final boolean encrypts;
    private final LoginKeys keys = LoginKeys.generate(new Random(8));

    TrustPolicy trust = TrustPolicy.ANYBODY;

    /** How it answers a login instead of accepting it; null to accept it. */
    @Nullable BedrockMessage refusal;

    RecordingServer(
            DutyCycle cycle,
            InetSocketAddress local,
            ServerTransport kind,
            Algorithm algorithm,
            boolean encrypts)
            throws IOException {
        this.cycle = cycle;
        this.algorithm = algorithm;
        this.encrypts = encrypts;
        address = local;
        switch (kind) {
            case RAKNET ->
                    RakNetSocket.listen(
                            cycle,
                            local,
                            RakNetTransport.configure(RakNetSettings.server(200))
                                    .pong(() ->
                                            "MCPE;Hall;748;1.21.40;3;9;77;Box;Survival;1;19132;19133;"),
                            RakNetTransport.adapt(this),
                            new Random(9));
            case NETHERNET ->
                    NetherNetSocket.listen(
                            cycle,
                            local,
                            200,
                            NetherNetTransport.identity(keys),
                            () ->
                                    "{\"name\":\"Hall\",\"protocol\":748,\"version\":\"1.21.40\","
                                            + "\"level\":\"Box\",\"players\":3,\"maxPlayers\":9,"
                                            + "\"gameType\":0}",
                            NetherNetTransport.adapt(this));
        }
    }

    @Override
    public void onConnected(long now, Transport transport) {
        connected.put(transport, new Guest(cycle, transport));
    }

    @Override
    public void onReceived(long now, Transport transport, byte[] batch) {
        Guest guest = Objects.requireNonNull(connected.get(transport));
        guest.channel.read(batch, reader -> handle(guest, reader));
        guest.channel.flush();
    }

    private void handle(Guest guest, Reader reader) {
        if (guest.ready) {
            guest.received.add(reader.slice(0, reader.remaining()));
            return;
        }
        switch (guest.channel.codec().read(reader)) {
            case LoginMessage.RequestNetworkSettings request -> {
                guest.channel.setCodec(BedrockCodec.nearest(request.protocol()));
                guest.channel.send(
                        new LoginMessage.NetworkSettings(256, algorithm.setting, false, 0, 0));
                guest.channel.compress(algorithm, 256);
                guest.channel.setMaxBatchBytes(2 << 20);
            }
            case LoginMessage.Login login -> logIn(guest, login);
            case LoginMessage.ClientToServerHandshake _ -> accept(guest);
            default -> throw new AssertionError("out of turn");
        }
    }

    private void logIn(Guest guest, LoginMessage.Login login) {
        if (refusal != null) {
            guest.channel.send(refusal);
            return;
        }
        try {
            LoginIdentity identity = LoginIdentity.verify(login, trust, ProxyNetwork.seconds());
            guest.identity = identity;
            if (!encrypts || guest.transport.encrypts()) {
                accept(guest);
                return;
            }
            EncryptionHandshake handshake =
                    EncryptionHandshake.offer(keys, identity.key(), Bytes.of(new byte[16]));
            guest.channel.send(new LoginMessage.ServerToClientHandshake(handshake.token()));
            guest.channel.encrypt(handshake.key());
        } catch (LoginRejectedException e) {
            throw new AssertionError(e);
        }
    }

    private void accept(Guest guest) {
        guest.ready = true;
        guest.transport.admit();
        guests.put(Objects.requireNonNull(guest.identity).name(), guest);
        guest.channel.send(new LoginMessage.PlayStatus(0));
    }

    @Override
    public void onEnded(long now, Transport transport, Transport.EndReason ending, String reason) {
        if (connected.remove(transport) != null) {
            endings.add(ending + ": " + reason);
        }
    }
}
