package dev.wishdir.quake2.server.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.quake2.netchan.OutOfBand;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;

class ConnectRequestTest {
    private static final InetSocketAddress FROM = new InetSocketAddress("10.0.0.1", 27901);

    private static List<String> words(String text) {
        return new OutOfBand(text).words();
    }

    private static Optional<ConnectRequest> parse(String text) {
        return ConnectRequest.parse(FROM, words(text));
    }

    @Test
    void parsesItsWords() {
        ConnectRequest request = parse("connect 34 4711 -99 \"\\name\\anna\\rate\\9000\"\n").get();
        assertThat(request.from()).isEqualTo(FROM);
        assertThat(request.qport()).isEqualTo(4711);
        assertThat(request.challenge()).isEqualTo(-99);
        assertThat(request.userInfo().get("name")).isEqualTo("anna");
    }

    @Test
    void keepsSixteenBitsOfTheQport() {
        assertThat(parse("connect 34 65537 1 \"\\name\\a\"").get().qport()).isEqualTo(1);
        assertThat(parse("connect 34 -1 1 \"\\name\\a\"").get().qport()).isEqualTo(65535);
    }

    @Test
    void readsAMissingChallengeAsNone() {
        assertThat(parse("connect 34 1 x \"\\name\\a\"").get().challenge()).isEqualTo(-1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "connect",
                "connect 34 1 2",
                "connect 34 x 2 \"\\name\\a\"",
                "connect 34 1 2 \"no pairs\""
            })
    void rejectsAnIncompleteRequest(String text) {
        assertThat(parse(text)).isEmpty();
    }

    @Test
    void readsTheProtocol() {
        assertThat(ConnectRequest.protocol(words("connect 34 1"))).isEqualTo(34);
        assertThat(ConnectRequest.protocol(words("connect x"))).isEqualTo(-1);
        assertThat(ConnectRequest.protocol(words("connect"))).isEqualTo(-1);
    }
}
