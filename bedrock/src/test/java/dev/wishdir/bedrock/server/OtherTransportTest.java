package dev.wishdir.bedrock.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.bedrock.message.BedrockMessage;
import dev.wishdir.bedrock.message.LoginMessage;
import dev.wishdir.bedrock.message.LoginMessage.PlayStatus;
import dev.wishdir.bedrock.message.LoginMessage.ServerToClientHandshake;
import dev.wishdir.bedrock.protocol.BedrockCodec;
import dev.wishdir.bedrock.protocol.login.LoginKeys;
import dev.wishdir.bedrock.protocol.transport.NetherNetTransport;
import dev.wishdir.bedrock.protocol.transport.Transport;
import dev.wishdir.net.loop.TrafficCounters;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.interfaces.ECPublicKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.UUID;

/** A client joins over a transport that is not RakNet. */
class OtherTransportTest {
    private static final BedrockCodec CODEC = BedrockCodec.V748;
    private static final LoginKeys KEYS = LoginKeys.generate(new Random(1));

    /** Carries batches in memory, and keeps what the server sends. */
    private static final class Wire implements Transport {
        private final boolean encrypts;
        private final @Nullable ECPublicKey key;
        private boolean admitted;
        private final List<byte[]> sent = new ArrayList<>();

        Wire(boolean encrypts, @Nullable ECPublicKey key) {
            this.encrypts = encrypts;
            this.key = key;
        }

        @Override
        public @Nullable ECPublicKey key() {
            return key;
        }

        @Override
        public void admit() {
            admitted = true;
        }

        @Override
        public boolean encrypts() {
            return encrypts;
        }

        @Override
        public InetSocketAddress remote() {
            return new InetSocketAddress(InetAddress.getLoopbackAddress(), 7);
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
        public void send(byte[] batch, int offset, int length) {
            sent.add(Arrays.copyOfRange(batch, offset, offset + length));
        }

        @Override
        public long retainedBytes() {
            return 0;
        }

        @Override
        public boolean isCongested() {
            return false;
        }

        @Override
        public void abort(long now, String reason) {}

        @Override
        public void close() {}
    }

    /** What the server says to a login over a transport. */
    private static BedrockMessage answer(Wire wire, LoginKeys keys) {
        BedrockNetwork n = new BedrockNetwork(1);
        ClientBatches batches = new ClientBatches(CODEC, keys);
        Transport.Listener server = n.endpoint.listener();
        server.onConnected(n.network.now(), wire);
        List<BedrockMessage> heard = new ArrayList<>();
        byte[] asked = batches.pack(new LoginMessage.RequestNetworkSettings(CODEC.protocol()));
        server.onReceived(n.network.now(), wire, asked);
        n.network.run(BedrockNetwork.SECOND);
        batches.read(wire.sent.getFirst(), heard::add);
        heard.clear();
        byte[] login = batches.pack(batches.login("Ann", new UUID(1, 2)));
        server.onReceived(n.network.now(), wire, login);
        n.network.run(BedrockNetwork.SECOND);
        batches.read(wire.sent.get(1), heard::add);
        return heard.getFirst();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void encryptsUnlessTransportDoes(boolean encrypts) {
        Wire wire = new Wire(encrypts, null);
        assertThat(answer(wire, KEYS))
                .isInstanceOf(encrypts ? PlayStatus.class : ServerToClientHandshake.class);
        assertThat(wire.admitted).isEqualTo(encrypts);
    }

    @Test
    @DisplayName("H4 a login is of who has connected")
    void bindsLoginToConnectedIdentity() {
        Wire own = new Wire(true, NetherNetTransport.identity(KEYS).publicKey());
        assertThat(answer(own, KEYS)).isInstanceOf(PlayStatus.class);
        Wire replayed = new Wire(true, own.key());
        assertThat(answer(replayed, LoginKeys.generate(new Random(2))))
                .isInstanceOfSatisfying(
                        LoginMessage.Disconnect.class,
                        away ->
                                assertThat(away.message())
                                        .isEqualTo(
                                                "Login refused: it is of another key than the"
                                                        + " connection's"));
        assertThat(replayed.admitted).isFalse();
    }
}
