package dev.wishdir.nethernet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wishdir.net.http.HttpBody;
import dev.wishdir.net.http.HttpFetch;
import dev.wishdir.net.http.HttpRequest;
import dev.wishdir.net.http.HttpResponse;
import dev.wishdir.net.http.HttpSettings;
import dev.wishdir.net.limit.AddressLimits;
import dev.wishdir.net.limit.AddressRange;
import dev.wishdir.net.loop.Counters;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.loop.MemoryBudget;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.nethernet.identity.Identity;
import dev.wishdir.nethernet.identity.IdentityIssuer;
import dev.wishdir.nethernet.identity.IdentityKey;
import dev.wishdir.nethernet.identity.IdentityRejectedException;
import dev.wishdir.nethernet.identity.IdentityTokens;
import dev.wishdir.nethernet.sdp.Sdp;

import org.jose4j.json.JsonUtil;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.interfaces.RSAPublicKey;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;

/** Signalling and identities, from the first question to the open channels, in virtual time. */
@Tag("slow")
class SignallingTest {
    private static final long SECONDS = 1_795_300_000L;
    private static final InetSocketAddress SERVER =
            new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 19132);
    private static final InetSocketAddress ASKER =
            new InetSocketAddress(InetAddress.ofLiteral("198.51.100.5"), 5000);

    private final SimulatedNetwork network = new SimulatedNetwork(1);
    private final Counters counters = new Counters();
    private final Pair.Told told = new Pair.Told();
    private final Random random = new Random(2);
    private final IdentityKey key = IdentityKey.generate();
    private final DutyCycle cycle = network.cycle();
    private String status = "{\"name\":\"x\"}";
    private NetherNetServer host;
    private NetherNetSignalling signalling;

    SignallingTest() {
        host = host();
        signalling = signalling(Identity.Policy.OFFLINE);
    }

    private NetherNetServer host() {
        try {
            return cycle.open(
                    SERVER,
                    socket ->
                            new NetherNetServer(
                                    NetherNetServer.Settings.standard(10),
                                    socket,
                                    AddressLimits.trusting(
                                            List.of(AddressRange.parse("127.0.0.1")), 1),
                                    new MemoryBudget(64 << 20, counters),
                                    counters,
                                    "n",
                                    told,
                                    random));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private NetherNetSignalling signalling(Identity.Policy policy) {
        return signalling(policy, null);
    }

    private NetherNetSignalling signalling(
            Identity.Policy policy, @Nullable InetSocketAddress advertised) {
        return new NetherNetSignalling(
                new NetherNetSignalling.Settings(policy, "self", advertised, 19132),
                key,
                host,
                cycle,
                counters,
                "n",
                () -> status,
                _ -> true,
                () -> SECONDS);
    }

    @Test
    void findsServerAndIdentifiesBoth() throws IOException {
        cycle.serve(SERVER, HttpSettings.standard(List.of(), null), signalling);
        IdentityKey player = IdentityKey.generate();
        Pair.Told clientTold = new Pair.Told();
        NetherNetClient client = join(player, clientTold);
        Identity identity = Objects.requireNonNull(told.open().identity());
        assertThat(identity.key()).isEqualTo(player.publicKey());
        assertThat(identity.claims()).containsEntry("xname", "Tester");
        assertThat(Objects.requireNonNull(client.server()).key()).isEqualTo(key.publicKey());
        assertThat(client.status()).isEqualTo(status);
    }

    private NetherNetClient join(IdentityKey player, Pair.Told clientTold) throws IOException {
        told.peer = null;
        DutyCycle clientCycle = network.cycle();
        NetherNetClient client =
                clientCycle.open(
                        new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0),
                        socket ->
                                new NetherNetClient(
                                        SERVER,
                                        "server.example",
                                        NetherNetClient.Settings.standard(
                                                player, Map.of("xname", "Tester")),
                                        socket,
                                        new ClientListener(clientTold),
                                        clientCycle,
                                        random,
                                        () -> SECONDS));
        assertThat(
                        network.runUntil(
                                () -> told.peer != null && clientTold.peer != null,
                                10 * Pair.SECOND))
                .as(clientTold.reason)
                .isTrue();
        return client;
    }

    @Test
    @DisplayName("R11 replayed offers are recognised, and take one place in all")
    void recognisesReplays() {
        byte[] recorded = bytes(offer());
        HttpResponse first = ask("POST", "/v1/join/1", recorded);
        HttpResponse again = ask("POST", "/v1/join/1", recorded);
        assertThat(again.status()).isEqualTo(200);
        assertThat(Sdp.read(again.body().bytes()).ice())
                .as("what is sent again because its answer was lost gets the same answer")
                .isEqualTo(Sdp.read(first.body().bytes()).ice());
        for (int i = 0; i < 90; i++) {
            assertThat(ask(from(i), "POST", "/v1/join/1", recorded).status()).isEqualTo(409);
            network.run(Pair.SECOND / 9);
        }
        assertThat(host.opening()).isLessThanOrEqualTo(1);
        assertThat(counters.get("n.drop.replay")).isEqualTo(90);
    }

    @Test
    @DisplayName("R11 offers of strangers displace each other, and no client that connects")
    void keepsConnectingClientsDuringOfferFlood() throws IOException {
        cycle.serve(SERVER, HttpSettings.standard(List.of(), null), signalling);
        for (int i = 0; i < 30; i++) {
            for (int k = 0; k < 90; k++) {
                ask(from(90 * i + k), "POST", "/v1/join/1", bytes(offer()));
            }
            if (i % 10 == 9) {
                join(IdentityKey.generate(), new Pair.Told());
            }
        }
        assertThat(host.opening()).isBetween(60, 64);
        assertThat(host.connections() - host.opening()).isEqualTo(3);
    }

    private static InetSocketAddress from(int number) {
        return new InetSocketAddress(
                InetAddress.ofLiteral("203." + number % 250 + "." + number / 250 + ".1"), 5000);
    }

    private record ClientListener(Pair.Told told) implements NetherNetClient.Listener {
        @Override
        public void onConnected(long now, NetherNetPeer peer) {
            told.onConnected(now, peer);
        }

        @Override
        public void onReceived(long now, NetherNetPeer peer, boolean reliable, byte[] packet) {
            told.onReceived(now, peer, reliable, packet);
        }

        @Override
        public void onEnded(
                long now, NetherNetPeer peer, NetherNetPeer.EndReason ending, String reason) {
            told.onEnded(now, peer, ending, reason);
        }

        @Override
        public void onFailed(long now, NetherNetPeer.EndReason ending, String reason) {
            told.ending = ending;
            told.reason = reason;
        }
    }

    private HttpResponse ask(String method, String path, byte[] body) {
        return ask(ASKER, method, path, body);
    }

    private HttpResponse ask(InetSocketAddress from, String method, String path, byte[] body) {
        AtomicReference<HttpResponse> answer = new AtomicReference<>();
        signalling.handle(
                new HttpRequest(from, SERVER, method, path, new HttpBody("application/sdp", body)),
                answer::set);
        network.runUntil(() -> answer.get() != null, 6 * Pair.SECOND);
        return Objects.requireNonNull(answer.get());
    }

    private Sdp offer() {
        return Pair.offer(FakeDtls.maker(1), random);
    }

    private static byte[] bytes(Sdp sdp) {
        return sdp.text().getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void answersWithStatusesOfSpec() {
        byte[] none = new byte[0];
        HttpResponse found = ask("GET", "/v1/join", none);
        assertThat(found.status()).isEqualTo(200);
        assertThat(found.body().type()).isEqualTo("application/json");
        assertThat(found.body().text()).isEqualTo(status);
        assertThat(ask("GET", "/", none).status()).isEqualTo(404);
        assertThat(ask("GET", "/v1/join/5", none).status()).isEqualTo(405);
        assertThat(ask("POST", "/v1/join", none).status()).isEqualTo(405);
        assertThat(ask("POST", "/v1/join/a?b", none).status()).isEqualTo(400);
        assertThat(ask("POST", "/v1/join/1", "v=0".getBytes(StandardCharsets.UTF_8)).status())
                .isEqualTo(400);
        HttpResponse answered = ask("POST", "/v1/join/1", bytes(offer()));
        assertThat(answered.status()).isEqualTo(200);
        assertThat(answered.body().type()).isEqualTo("application/sdp");
        Sdp answer = Sdp.read(answered.body().bytes());
        assertThat(answer.lite()).isTrue();
        assertThat(answer.setup()).isEqualTo(Sdp.Setup.ACTIVE);
        assertThat(answer.candidates()).containsExactly(SERVER);
        status = "";
        assertThat(ask("GET", "/v1/join", none).status()).isEqualTo(503);
    }

    @Test
    @DisplayName("H6 an address asks so often, and offers more seldom")
    void limitsRates() {
        int answered = 0;
        for (int i = 0; i < 100; i++) {
            answered += ask("GET", "/v1/join", new byte[0]).status() == 200 ? 1 : 0;
        }
        assertThat(answered).isEqualTo(20);
        int offers = 0;
        int most = 0;
        for (int i = 0; i < 20; i++) {
            HttpResponse response = ask("POST", "/v1/join/1", bytes(offer()));
            offers += response.status() == 200 ? 1 : 0;
            most += response.status() == 429 ? 1 : 0;
        }
        assertThat(offers).isEqualTo(5);
        assertThat(most).isEqualTo(15);
        InetSocketAddress other =
                new InetSocketAddress(InetAddress.ofLiteral("198.51.100.6"), 5000);
        assertThat(ask(other, "POST", "/v1/join/1", bytes(offer())).status()).isEqualTo(200);
    }

    @Test
    void revealsOnlyPublicAddressOutside() {
        InetSocketAddress outside =
                new InetSocketAddress(InetAddress.ofLiteral("203.0.113.9"), 5000);
        signalling = signalling(Identity.Policy.OFFLINE, outside);
        HttpResponse far = ask("POST", "/v1/join/1", bytes(offer()));
        assertThat(Sdp.read(far.body().bytes()).candidates()).containsExactly(outside);
        InetSocketAddress near = new InetSocketAddress(InetAddress.ofLiteral("192.168.1.7"), 5000);
        HttpResponse answer = ask(near, "POST", "/v1/join/1", bytes(offer()));
        assertThat(Sdp.read(answer.body().bytes()).candidates()).containsExactly(outside, SERVER);
    }

    @Test
    void announcesChangedPublicAddress() {
        InetSocketAddress before =
                new InetSocketAddress(InetAddress.ofLiteral("203.0.113.9"), 5000);
        InetSocketAddress after =
                new InetSocketAddress(InetAddress.ofLiteral("203.0.113.10"), 5000);
        signalling = signalling(Identity.Policy.OFFLINE, before);
        signalling.setAdvertised(after);
        HttpResponse answer = ask("POST", "/v1/join/1", bytes(offer()));
        assertThat(Sdp.read(answer.body().bytes()).candidates()).containsExactly(after);
    }

    private static String url(String text) {
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    private Map<String, Object> claims(IdentityKey named) {
        Map<String, Object> claims = new LinkedHashMap<>();
        claims.put("cpk", IdentityTokens.jwk(named));
        claims.put("exp", SECONDS + 100);
        return claims;
    }

    private static Sdp with(Sdp sdp, String token, IdentityKey signer) {
        String detached = IdentityTokens.signFingerprints(signer, sdp);
        return enveloped(sdp, detached, token, "default");
    }

    private static Sdp enveloped(Sdp sdp, String detached, String token, String protocol) {
        String assertion = JsonUtil.toJson(Map.of("fingerprints", detached, "token", token));
        String envelope =
                JsonUtil.toJson(
                        Map.of(
                                "assertion",
                                assertion,
                                "idp",
                                Map.of("domain", "", "protocol", protocol)));
        return sdp.with(
                Base64.getEncoder().encodeToString(envelope.getBytes(StandardCharsets.UTF_8)));
    }

    private static String signed(IdentityKey signer, String algorithm, Map<String, Object> claims) {
        return IdentityTokens.sign(
                signer, "{\"alg\":\"" + algorithm + "\"}", JsonUtil.toJson(claims));
    }

    @Test
    @DisplayName("H4 identities that are wrong in any way are refused, and nothing is kept")
    void refusesWrongIdentities() throws Exception {
        IdentityKey player = IdentityKey.generate();
        IdentityKey other = IdentityKey.generate();
        Sdp sdp = offer();
        String good = signed(player, "ES384", claims(player));
        assertThat(Identity.check(with(sdp, good, player), Identity.Policy.OFFLINE, SECONDS))
                .isNotNull();
        Map<String, Object> expired = claims(player);
        expired.put("exp", SECONDS - 1);
        Map<String, Object> endless = claims(player);
        endless.remove("exp");
        Map<String, Object> early = claims(player);
        early.put("nbf", SECONDS + 1000);
        Map<String, Object> keyless = claims(player);
        keyless.remove("cpk");
        Map<String, Object> offCurve = claims(player);
        offCurve.put(
                "cpk",
                Map.of("crv", "P-384", "kty", "EC", "x", "A".repeat(64), "y", "A".repeat(64)));
        Map<String, Object> deep = claims(player);
        deep.put("x", Map.of("a", Map.of("b", Map.of("c", Map.of("d", 1)))));
        String none = url("{\"alg\":\"none\"}") + "." + url(JsonUtil.toJson(claims(player))) + ".";
        Sdp changed = with(Pair.offer(FakeDtls.maker(7), random), good, player);
        for (Sdp bad :
                List.of(
                        with(sdp, signed(other, "ES384", claims(player)), player),
                        with(sdp, good, other),
                        with(sdp, signed(player, "ES384", expired), player),
                        with(sdp, signed(player, "ES384", endless), player),
                        with(sdp, signed(player, "ES384", early), player),
                        with(sdp, signed(player, "ES384", keyless), player),
                        with(sdp, signed(player, "ES384", offCurve), player),
                        with(sdp, signed(player, "ES384", deep), player),
                        with(sdp, signed(player, "HS256", claims(player)), player),
                        with(sdp, signed(player, "RS256", claims(player)), player),
                        with(sdp, none, player),
                        with(sdp, "a.b", player),
                        with(sdp, "{}", player),
                        enveloped(sdp, good, good, "default"),
                        enveloped(sdp, "..", good, "default"),
                        sdp.with(changed.identity()),
                        enveloped(sdp, good, good, "other"),
                        sdp.with("!"),
                        sdp.with("e30="))) {
            assertThatThrownBy(() -> Identity.check(bad, Identity.Policy.OFFLINE, SECONDS))
                    .isInstanceOf(IdentityRejectedException.class);
            InetSocketAddress from =
                    new InetSocketAddress(InetAddress.ofLiteral("198.51.100.7"), 1);
            network.run(Pair.SECOND);
            assertThat(ask(from, "POST", "/v1/join/1", bytes(bad)).status()).isEqualTo(403);
        }
        assertThat(host.connections()).isZero();
        String line = "a=identity:" + with(sdp, good, player).identity() + "\r\n";
        for (String text :
                List.of(sdp.text() + line, sdp.text().replace("m=app", line + line + "m=app"))) {
            byte[] body = text.getBytes(StandardCharsets.UTF_8);
            network.run(Pair.SECOND);
            assertThat(ask("POST", "/v1/join/1", body).status()).isEqualTo(400);
        }
        signalling = signalling(new Identity.Policy(true, true, IdentityIssuer.MOJANG));
        network.run(Pair.SECOND);
        assertThat(ask("POST", "/v1/join/1", bytes(sdp)).status()).isEqualTo(403);
    }

    @Test
    @DisplayName("H4 only a known issuer's token for servers vouches where one is asked for")
    void requiresIssuedIdentities() throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(2048);
        KeyPair issuer = generator.generateKeyPair();
        KeyPair stranger = generator.generateKeyPair();
        Identity.Policy policy =
                new Identity.Policy(
                        true,
                        false,
                        new IdentityIssuer(
                                IdentityIssuer.MOJANG.name(),
                                Map.of("k1", (RSAPublicKey) issuer.getPublic())));
        IdentityKey player = IdentityKey.generate();
        Map<String, Object> claims = claims(player);
        claims.put("iss", IdentityIssuer.MOJANG.name());
        claims.put("aud", IdentityIssuer.AUDIENCE);
        claims.put("xname", "Real");
        Sdp sdp = offer();
        Identity identity =
                Objects.requireNonNull(
                        Identity.check(
                                with(sdp, rsa(issuer, "k1", claims), player), policy, SECONDS));
        assertThat(identity.issued()).isTrue();
        assertThat(identity.claims()).containsEntry("xname", "Real");
        Map<String, Object> audience = new LinkedHashMap<>(claims);
        audience.put("aud", "api://other");
        Map<String, Object> issuerName = new LinkedHashMap<>(claims);
        issuerName.put("iss", "https://other/");
        for (String token :
                List.of(
                        rsa(stranger, "k1", claims),
                        rsa(issuer, "k2", claims),
                        rsa(issuer, "k1", audience),
                        rsa(issuer, "k1", issuerName),
                        signed(player, "ES384", claims))) {
            assertThatThrownBy(() -> Identity.check(with(sdp, token, player), policy, SECONDS))
                    .isInstanceOf(IdentityRejectedException.class);
        }
    }

    @Test
    void doesNotTrustTokensWithoutIssuerKey() throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(2048);
        KeyPair issuer = generator.generateKeyPair();
        IdentityKey player = IdentityKey.generate();
        Map<String, Object> claims = claims(player);
        claims.put("iss", IdentityIssuer.MOJANG.name());
        claims.put("aud", IdentityIssuer.AUDIENCE);
        Sdp sdp = offer();
        String token = rsa(issuer, "k1", claims);
        Identity identity =
                Objects.requireNonNull(
                        Identity.check(with(sdp, token, player), Identity.Policy.OFFLINE, SECONDS));
        assertThat(identity.issued()).isFalse();
        assertThat(identity.key().getW()).isEqualTo(player.publicKey().getW());
        assertThatThrownBy(() ->
                        Identity.check(
                                with(sdp, token, IdentityKey.generate()),
                                Identity.Policy.OFFLINE,
                                SECONDS))
                .isInstanceOf(IdentityRejectedException.class);
    }

    private static String rsa(KeyPair keys, String id, Map<String, Object> claims)
            throws Exception {
        String text =
                url("{\"alg\":\"RS256\",\"kid\":\"" + id + "\"}")
                        + "."
                        + url(JsonUtil.toJson(claims));
        Signature signature = Signature.getInstance("SHA256withRSA");
        signature.initSign(keys.getPrivate());
        signature.update(text.getBytes(StandardCharsets.US_ASCII));
        return text
                + "."
                + Base64.getUrlEncoder().withoutPadding().encodeToString(signature.sign());
    }

    @Test
    void keepsServerKeyReadableOnlyByOwner(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("key.pem");
        IdentityKey made = IdentityKey.ofFile(file);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(IdentityKey.ofFile(file).fingerprint()).isEqualTo(made.fingerprint());
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        assertThatThrownBy(() -> IdentityKey.ofFile(file)).hasMessageContaining("others");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        Files.writeString(file, "nothing");
        assertThatThrownBy(() -> IdentityKey.ofFile(file)).hasMessageContaining("no key");
    }

    @Test
    void triesTlsFirstAndRequiresIdentity() throws IOException {
        cycle.serve(
                SERVER,
                HttpSettings.standard(List.of(), null),
                (request, answer) ->
                        answer.accept(
                                request.method().equals("GET")
                                        ? HttpResponse.of(200, "{}")
                                        : new HttpResponse(
                                                200,
                                                new HttpBody("application/sdp", bytes(answer())))));
        DutyCycle clientCycle = network.cycle();
        Pair.Told clientTold = new Pair.Told();
        NetherNetClient client =
                new NetherNetClient(
                        SERVER,
                        "server.example",
                        new NetherNetClient.Settings(
                                key, Map.of(), List.of(HttpFetch.Tls.NONE), NetherNetLimits.CLIENT),
                        (to, data, offset, length) -> {},
                        new ClientListener(clientTold),
                        clientCycle,
                        random,
                        () -> SECONDS);
        clientCycle.add(client);
        assertThat(network.runUntil(() -> clientTold.ending != null, 5 * Pair.SECOND)).isTrue();
        assertThat(clientTold.ending).isEqualTo(NetherNetPeer.EndReason.REFUSED);
        assertThat(clientTold.reason).contains("an identity is needed");
    }

    private Sdp answer() {
        Sdp offer = offer();
        return new Sdp(
                1,
                offer.ice(),
                true,
                offer.fingerprints(),
                Sdp.Setup.ACTIVE,
                "0",
                1000,
                List.of(SERVER),
                null);
    }
}
