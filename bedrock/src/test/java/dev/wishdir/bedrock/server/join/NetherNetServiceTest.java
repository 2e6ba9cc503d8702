package dev.wishdir.bedrock.server.join;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wishdir.bedrock.client.BedrockClient;
import dev.wishdir.bedrock.message.LoginMessage.Disconnect;
import dev.wishdir.bedrock.protocol.BedrockCodec;
import dev.wishdir.bedrock.server.BedrockNetwork;
import dev.wishdir.bedrock.server.BedrockNetwork.Events;
import dev.wishdir.bedrock.server.ScriptedClient;
import dev.wishdir.game.ClientConfig;
import dev.wishdir.game.ClientListener.EndReason;
import dev.wishdir.net.http.HttpBody;
import dev.wishdir.net.http.HttpFetch;
import dev.wishdir.net.http.HttpResponse;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.nethernet.discovery.LanAdvertisement;

import org.jose4j.jwk.JsonWebKey;
import org.jose4j.jwk.JsonWebKeySet;
import org.jose4j.jwk.RsaJsonWebKey;
import org.jose4j.jwk.RsaJwkGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** NetherNet's options, and the texts of refusals. */
@Tag("slow")
class NetherNetServiceTest {
    private static final long SECOND = BedrockNetwork.SECOND;

    /** As the game asks, of network id 11111111111111111111. */
    private static final String DISCOVERY =
            "191e7bcb1285c7b9359f0613f45a6757b4c10096d7b2073655d445b11e4cb64f"
                    + "ce567676b032c67810bb2e3f5e82cbafff0f8709e13bf6858e2051c321db615e";

    private static final String OFFER =
            """
            v=0
            o=- 1181923068 2 IN IP4 127.0.0.1
            s=-
            t=0 0
            a=group:BUNDLE 0
            m=application 9 UDP/DTLS/SCTP webrtc-datachannel
            c=IN IP4 0.0.0.0
            a=ice-ufrag:r1G7
            a=ice-pwd:0jDHlkgJes7VOCUzWDkF6w
            a=fingerprint:sha-256 %s
            a=setup:actpass
            a=mid:0
            a=sctp-port:5000
            """
                    .formatted("AB" + ":AB".repeat(31));

    private static BedrockNetwork serving(InetSocketAddress at, Map<String, String> options) {
        return BedrockNetwork.at(at, options).over("nethernet");
    }

    private static InetSocketAddress at(String address, int port) {
        return new InetSocketAddress(InetAddress.ofLiteral(address), port);
    }

    /** What the server of a network answers to an offer without an identity. */
    private static HttpResponse answer(BedrockNetwork n) {
        List<HttpResponse> answers = new ArrayList<>();
        n.network
                .cycle()
                .fetch(
                        new HttpFetch(
                                n.endpoint.address(),
                                "localhost",
                                HttpFetch.Tls.NONE,
                                "POST",
                                "/v1/join/1",
                                new HttpBody(
                                        "application/sdp", OFFER.getBytes(StandardCharsets.UTF_8)),
                                1 << 16,
                                SECOND),
                        answers::add,
                        failure -> answers.add(HttpResponse.of(599, failure.toString())));
        n.network.run(SECOND);
        return answers.getFirst();
    }

    /** Address and port of the candidates that an answer to an offer names. */
    private static List<String> candidates(BedrockNetwork n) {
        return answer(n)
                .body()
                .text()
                .lines()
                .filter(line -> line.startsWith("a=candidate:"))
                .map(line -> line.split(" ")[4] + " " + line.split(" ")[5])
                .toList();
    }

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, '', 127.0.0.1 19132",
        "127.0.0.1, 203.0.113.9, 203.0.113.9 19132 127.0.0.1 19132",
        "127.0.0.1, 203.0.113.9:5000, 203.0.113.9 5000 127.0.0.1 19132",
        "10.0.0.1, 203.0.113.9:5000, 203.0.113.9 5000 10.0.0.1 19132",
        "10.0.0.1, '[2001:db8::9]:5000', 2001:db8:0:0:0:0:0:9 5000 10.0.0.1 19132"
    })
    void offersRouterAddressOutsideAndOwnAddressInside(
            String address, String reachable, String told) {
        BedrockNetwork n =
                serving(
                        at(address, 19132),
                        reachable.isEmpty()
                                ? Map.of("auth", "off")
                                : Map.of("auth", "off", "public-address", reachable));
        assertThat(String.join(" ", candidates(n))).isEqualTo(told);
    }

    @Test
    void admitsClientBehindRouterDespiteDeadPublicAddress() {
        BedrockNetwork n =
                serving(at("127.0.0.1", 19132), Map.of("public-address", "203.0.113.9:5000"));
        assertThat(n.join("Ann", BedrockNetwork.STILL, new Events()).joined()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "203.0.113.9"})
    void findsAndJoinsServerInLocalNetwork(String reachable) throws IOException {
        BedrockNetwork n =
                serving(
                        at("127.0.0.1", 19132),
                        reachable.isEmpty()
                                ? Map.of("lan", "on")
                                : Map.of("lan", "on", "public-address", reachable));
        DutyCycle cycle = n.network.cycle();
        InetSocketAddress signalling = at("127.0.0.1", 8000);
        LanSeeker seeker = LanSeeker.open(cycle, signalling, at("127.0.0.1", 7551));
        seeker.send(new byte[64]);
        seeker.send(HexFormat.of().parseHex(DISCOVERY));
        n.network.run(SECOND);
        assertThat(seeker.found())
                .extracting(LanSeeker.Found::advertisement)
                .containsExactly(
                        new LanAdvertisement(
                                "Wishdir",
                                BedrockCodec.NEWEST.protocol(),
                                BedrockCodec.NEWEST.game(),
                                "flat",
                                0,
                                20,
                                0,
                                false,
                                false,
                                false,
                                true,
                                ""));
        assertThat(n.counters.get("bedrock.nethernet.lan.malformed")).isEqualTo(1);
        Events events = new Events();
        BedrockClient client =
                BedrockClient.connect(
                        ClientConfig.builder(cycle, signalling)
                                .name("Ann")
                                .options(Map.of("transport", "nethernet"))
                                .controller(BedrockNetwork.STILL)
                                .listener(events)
                                .random(new Random(1))
                                .build(),
                        BedrockCodec.NEWEST,
                        InstantSource.system());
        assertThat(n.network.runUntil(client::joined, 10 * SECOND))
                .as(events.reasons.toString())
                .isTrue();
        n.network.run(SECOND);
        assertThat(n.arena.players()).extracting(it -> it.name()).containsExactly("Ann");
        seeker.send(HexFormat.of().parseHex(DISCOVERY));
        n.network.run(SECOND);
        assertThat(seeker.found().getLast().advertisement().players()).isEqualTo(1);
        assertThat(seeker.found().getLast().server()).isEqualTo(seeker.found().getFirst().server());
    }

    @Test
    void reportsTooManySessionsOfAddress() {
        BedrockNetwork n = BedrockNetwork.strict(1, s -> s).over("nethernet");
        for (int i = 0; i < 8; i++) {
            n.join("p" + i, BedrockNetwork.STILL, new Events());
            n.network.run(SECOND);
        }
        Events late = new Events();
        n.client("Late", BedrockNetwork.STILL, late, BedrockCodec.V748);
        n.network.run(5 * SECOND);
        assertThat(late.endings).containsExactly(EndReason.REFUSED);
        assertThat(late.reasons)
                .containsExactly("the server said 429 too many players or joins from your address");
        assertThat(n.arena.players()).hasSize(8);
    }

    /** Its offers came from elsewhere, so that only the connection shows where it is. */
    @Test
    void reportsTooManyConnectionsInGame() {
        BedrockNetwork n = BedrockNetwork.strict(1, s -> s).over("nethernet");
        List<ScriptedClient> all = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            all.add(new ScriptedClient(n, at("10.0.0.5", 7000 + i)));
            n.network.run(SECOND);
        }
        ScriptedClient last = all.removeLast();
        assertThat(last.all(Disconnect.class))
                .extracting(Disconnect::message)
                .containsExactly("Too many players or joins from your address.");
        assertThat(last.kicked()).isTrue();
        assertThat(all).allMatch(each -> !each.gone && each.heard.isEmpty());
        assertThat(n.endpoint.sessions()).hasSize(8);
        assertThat(n.counters.get("bedrock.nethernet.drop.address")).isEqualTo(1);
        assertThat(n.addressLimits.sessions(InetAddress.ofLiteral("10.0.0.5"))).isEqualTo(8);
    }

    @Test
    void reportsFullServer() {
        BedrockNetwork n = new BedrockNetwork(1, Map.of(), 2).over("nethernet");
        n.join("Ann", BedrockNetwork.STILL, new Events());
        n.join("Bob", BedrockNetwork.STILL, new Events());
        Events late = new Events();
        n.client("Late", BedrockNetwork.STILL, late, BedrockCodec.V748);
        n.network.run(5 * SECOND);
        assertThat(late.endings).containsExactly(EndReason.REFUSED);
        assertThat(late.reasons).containsExactly("The server is full.");
        // Those who came, and do not log in, take all connections there are.
        List<ScriptedClient> idle = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            idle.add(new ScriptedClient(n, 7000 + i));
        }
        n.client("Last", BedrockNetwork.STILL, late, BedrockCodec.V748);
        n.network.run(3 * SECOND);
        assertThat(late.reasons)
                .containsExactly("The server is full.", "the server said 503 the server is full");
        assertThat(idle).noneMatch(each -> each.gone);
    }

    /** Where the keys of Mojang's service are known, no client vouches for itself. */
    @ParameterizedTest
    @CsvSource({
        "on, false, 'Login refused: the identity is not certified: sign in to Xbox'",
        "on, true, 'the server said 403 no trusted issuer signed the identity: sign in'",
        "off, true, ''"
    })
    void requiresIssuedIdentitiesWhenCheckable(
            String auth, boolean known, String reason, @TempDir Path folder) throws Exception {
        RsaJsonWebKey key = RsaJwkGenerator.generateJwk(2048);
        key.setKeyId("k1");
        Path file = folder.resolve("keys.json");
        Files.writeString(
                file, new JsonWebKeySet(key).toJson(JsonWebKey.OutputControlLevel.PUBLIC_ONLY));
        BedrockNetwork n =
                serving(
                        at("127.0.0.1", 19132),
                        known
                                ? Map.of("auth", auth, "auth-issuer", file.toString())
                                : Map.of("auth", auth));
        Events events = new Events();
        BedrockClient client = n.client("Ann", BedrockNetwork.STILL, events, BedrockCodec.NEWEST);
        n.network.run(5 * SECOND);
        assertThat(client.joined()).isEqualTo(reason.isEmpty());
        if (!reason.isEmpty()) {
            assertThat(events.endings).containsExactly(EndReason.REFUSED);
            assertThat(events.reasons.getFirst()).startsWith(reason);
        }
    }

    @Test
    void namesFileWithoutIssuerKeys(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("keys.json"), "{\"keys\":[]}");
        assertThatThrownBy(() ->
                        serving(at("127.0.0.1", 19132), Map.of("auth-issuer", file.toString())))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("option auth-issuer: " + file)
                .hasMessageContaining("no key for RS256");
    }
}
