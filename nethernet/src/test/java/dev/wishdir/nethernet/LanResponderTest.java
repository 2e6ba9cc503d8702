package dev.wishdir.nethernet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.nethernet.discovery.LanAdvertisement;
import dev.wishdir.nethernet.discovery.LanMessage;
import dev.wishdir.nethernet.identity.IdentityKey;
import dev.wishdir.nethernet.sdp.Sdp;
import dev.wishdir.wire.Bytes;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Discovery in a local network. */
class LanResponderTest {
    private static final InetSocketAddress NEAR =
            new InetSocketAddress(InetAddress.ofLiteral("192.168.1.7"), 7000);
    private static final LanAdvertisement SAID =
            new LanAdvertisement(
                    "name", 2193, "1.26.51", "level", 1, 9, 0, false, false, false, true, "");

    private final Pair pair = new Pair(1, true);
    private final List<LanMessage> answers = new ArrayList<>();
    private LanResponder responder = responder();

    private LanResponder responder() {
        return new LanResponder(
                77,
                pair.host,
                (to, data, offset, length) ->
                        answers.add(
                                LanMessage.read(Arrays.copyOfRange(data, offset, offset + length))),
                Pair.SERVER,
                () -> SAID,
                IdentityKey.generate(),
                pair.counters,
                "n",
                () -> 1_795_300_000L);
    }

    @BeforeEach
    void clear() {
        answers.clear();
        responder = responder();
    }

    @Test
    void answersLanSearchAndTakesOffer() {
        responder.receive(0, NEAR, LanMessage.write(new LanMessage.Request(5)));
        Bytes said = ((LanMessage.Response) answers.getFirst()).advertisement();
        assertThat(LanAdvertisement.read(said)).isEqualTo(SAID);
        Sdp offer = Pair.offer(FakeDtls.maker(1), new Random(1));
        String text = "CONNECTREQUEST 12 " + offer.text();
        responder.receive(0, NEAR, LanMessage.write(new LanMessage.Signal(5, 77, text)));
        LanMessage.Signal signal = (LanMessage.Signal) answers.getLast();
        assertThat(signal.recipient()).isEqualTo(5);
        assertThat(signal.text()).startsWith("CONNECTRESPONSE 12 v=0");
        byte[] answer = signal.text().substring(19).getBytes(StandardCharsets.UTF_8);
        assertThat(Sdp.read(answer).candidates()).containsExactly(Pair.SERVER);
        assertThat(Sdp.read(answer).identity()).isNotNull();
        responder.receive(
                0, NEAR, LanMessage.write(new LanMessage.Signal(5, 77, "CONNECTREQUEST 12 v=0")));
        assertThat(((LanMessage.Signal) answers.getLast()).text()).isEqualTo("CONNECTERROR 12 13");
    }

    @Test
    void limitsAnswersToNearbyClients() {
        byte[] request = LanMessage.write(new LanMessage.Request(5));
        InetSocketAddress far = new InetSocketAddress(InetAddress.ofLiteral("198.51.100.1"), 7000);
        for (int i = 0; i < 100; i++) {
            responder.receive(0, far, request);
        }
        assertThat(answers).isEmpty();
        for (int i = 0; i < 100; i++) {
            responder.receive(0, NEAR, request);
        }
        assertThat(answers).hasSize(10);
        request[40] ^= 1;
        responder.receive(2_000_000_000L, NEAR, request);
        assertThat(answers).hasSize(10);
        assertThat(pair.counters.get("n.lan.malformed")).isEqualTo(1);
    }
}
