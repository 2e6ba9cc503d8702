package dev.wishdir.bedrock.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.raknet.OfflineMessage;
import dev.wishdir.raknet.OfflineMessage.UnconnectedPong;
import dev.wishdir.raknet.RakNetSettings;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Writer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;

class BedrockProxyRulesTest {
    private static final int PROXY = 19_199;
    private final BedrockProxyRules rules = new BedrockProxyRules();

    private static byte[] pong(String text) {
        Writer w = new Writer(2000);
        UnconnectedPong.wire(w, new UnconnectedPong(5, 7, text), RakNetSettings.MAGIC);
        return w.toByteArray();
    }

    private static UnconnectedPong read(byte[] datagram) {
        return UnconnectedPong.wire(
                new Reader(datagram), UnconnectedPong.BLANK, RakNetSettings.MAGIC);
    }

    @ParameterizedTest
    @CsvSource({
        "MCPE;a;748;1.21;0;8;3;b;Survival;0;19132;19133;,"
                + " MCPE;a;748;1.21;0;8;3;b;Survival;0;19199;19199;",
        "MCPE;ä §;748;1.21;0;8;3;b;Survival;0;80;81;1;2, MCPE;ä"
                + " §;748;1.21;0;8;3;b;Survival;0;19199;19199;1;2",
        "MCPE;a;748;1.21;0;8;3;b;Survival;0;19132, MCPE;a;748;1.21;0;8;3;b;Survival;0;19199",
        "MCPE;a;748;1.21;0;8;3;b;Survival;0;;;, MCPE;a;748;1.21;0;8;3;b;Survival;0;;;",
        "MCPE;a;748;1.21;0;8, MCPE;a;748;1.21;0;8"
    })
    void namesTheProxysPortInPong(String from, String to) {
        UnconnectedPong changed = read(rules.toClient(pong(from), PROXY));
        assertThat(changed).isEqualTo(new UnconnectedPong(5, 7, to));
    }

    /** Servers write names in any encoding, and some add bytes. */
    @Test
    void keepsAllOtherBytesOfPong() {
        byte[] datagram = pong("MCPE;AB;748;1.21;0;8;3;b;Survival;0;19132;19133;");
        datagram[40] = (byte) 0xC3;
        datagram[41] = (byte) 0x28;
        byte[] longer = Arrays.copyOf(datagram, datagram.length + 3);
        longer[datagram.length] = 9;
        byte[] expected = longer.clone();
        int port = expected.length - 3 - "19132;19133;".length();
        System.arraycopy("19199;19199;".getBytes(StandardCharsets.US_ASCII), 0, expected, port, 12);
        assertThat(rules.toClient(longer, PROXY)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 20, 33, 34, 35, 50})
    void passesCutPongUnchanged(int length) {
        byte[] cut = Arrays.copyOf(pong("MCPE;a;748;1.21;0;8;3;b;S;0;1;2;"), Math.max(1, length));
        assertThat(rules.toClient(cut, PROXY)).isEqualTo(cut);
    }

    @Test
    void passesAnyBytesWithoutAnException() {
        Random random = new Random(3);
        for (int i = 0; i < 100_000; i++) {
            byte[] noise = new byte[1 + random.nextInt(60)];
            random.nextBytes(noise);
            noise[0] = i % 2 == 0 ? 0x1C : noise[0];
            rules.toClient(noise, PROXY);
            rules.isProof(0, noise);
        }
    }

    @Test
    void takesDatagramsOfConnectionAsProof() {
        assertThat(rules.isProof(0, new byte[] {(byte) 0x84, 0})).isTrue();
        assertThat(rules.isProof(0, new byte[] {(byte) 0xC0, 0})).isTrue();
        assertThat(rules.isProof(0, pong(""))).isFalse();
        assertThat(rules.isProof(0, new byte[] {8})).isFalse();
    }

    @Test
    void refusesInTheFormOfTheTransport() {
        Writer w = new Writer(1500);
        OfflineMessage.OpenConnectionRequest1.wire(
                w, new OfflineMessage.OpenConnectionRequest1(11, 1000), RakNetSettings.MAGIC);
        byte[] refusal = rules.refusal(w.toByteArray(), "full").orElseThrow();
        assertThat(OfflineMessage.read(new Reader(refusal), RakNetSettings.MAGIC, true))
                .isEqualTo(
                        new OfflineMessage.Refusal(OfflineMessage.NO_FREE_INCOMING_CONNECTIONS, 0));
        assertThat(rules.refusal(pong(""), "full")).isEmpty();
    }
}
