package dev.wishdir.sauerbraten.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.enet.EnetDisconnectReason;
import dev.wishdir.enet.EnetHost;
import dev.wishdir.enet.EnetListener;
import dev.wishdir.enet.EnetPeer;
import dev.wishdir.wire.Bytes;

import org.junit.jupiter.api.Test;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

class SauerbratenProxyRulesTest {
    private static final InetSocketAddress SERVER =
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 28_785);
    private static final String FULL = "The proxy is full.";

    private final SauerbratenProxyRules rules = new SauerbratenProxyRules();
    private final List<byte[]> sent = new ArrayList<>();
    private final List<String> events = new ArrayList<>();
    private final EnetHost client =
            new EnetHost(
                    SauerbratenTransport.client(),
                    new EnetListener() {
                        @Override
                        public void onConnected(long now, EnetPeer peer) {
                            events.add("connected");
                        }

                        @Override
                        public void onReceived(
                                long now,
                                EnetPeer peer,
                                int channel,
                                Bytes payload,
                                boolean reliable) {}

                        @Override
                        public void onDisconnected(
                                long now, EnetPeer peer, long data, EnetDisconnectReason reason) {
                            events.add(reason + " " + data);
                        }
                    },
                    (_, data, offset, length) ->
                            sent.add(Arrays.copyOfRange(data, offset, offset + length)),
                    new Random(1));

    @Test
    void refusesConnectSoThatTheClientHasTheReason() {
        client.connect(SERVER, 0);
        client.advance(0);
        assertThat(sent).hasSize(1);
        byte[] refusal = rules.refusal(sent.getFirst(), FULL).orElseThrow();
        assertThat(refusal).hasSizeLessThan(sent.getFirst().length + 10);
        client.receive(1_000_000, SERVER, refusal);
        assertThat(events).containsExactly("connected", "REMOTE " + DisconnectReason.FULL.code());
    }

    @Test
    void answersNothingElse() {
        client.connect(SERVER, 0);
        client.advance(0);
        byte[] connect = sent.getFirst();
        byte[] ofPeer = connect.clone();
        ofPeer[1] = 0;
        assertThat(rules.refusal(ofPeer, FULL)).isEmpty();
        for (int length = 0; length < connect.length; length++) {
            assertThat(rules.refusal(Arrays.copyOf(connect, length), FULL)).isEmpty();
        }
        Random random = new Random(2);
        for (int i = 0; i < 2_000; i++) {
            byte[] noise = new byte[random.nextInt(60)];
            random.nextBytes(noise);
            assertThat(rules.refusal(noise, FULL)).isEmpty();
        }
    }
}
