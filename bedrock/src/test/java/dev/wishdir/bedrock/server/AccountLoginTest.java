package dev.wishdir.bedrock.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.event.Proof;
import dev.wishdir.bedrock.message.LoginMessage.Disconnect;
import dev.wishdir.bedrock.message.LoginMessage.Login;
import dev.wishdir.bedrock.message.LoginMessage.PlayStatus;
import dev.wishdir.bedrock.message.PackMessage;
import dev.wishdir.bedrock.protocol.BedrockCodec;
import dev.wishdir.bedrock.protocol.login.LoginAccount;
import dev.wishdir.bedrock.protocol.login.LoginRejectedException;
import dev.wishdir.nethernet.identity.IdentityIssuer;
import dev.wishdir.nethernet.identity.IssuerKeySource;
import dev.wishdir.wire.Bytes;

import org.jose4j.json.JsonUtil;
import org.jose4j.jwa.AlgorithmConstraints;
import org.jose4j.jws.JsonWebSignature;
import org.jose4j.keys.HmacKey;
import org.jose4j.lang.JoseException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/** Logins with an account's token at a server that wants one, and the keys of their issuer. */
@Tag("slow")
class AccountLoginTest {
    private static final long NOW = 1_800_000_000L;
    private static final long SECOND = BedrockNetwork.SECOND;
    private static KeyPair owner;
    private static KeyPair issuer;
    private static KeyPair stranger;

    /** The key service, which a test changes. */
    private static final class KeyService implements IssuerKeySource {
        @Nullable String failure;
        String keyId = "k1";
        int fetches;

        @Override
        public Schedule schedule() {
            return new Schedule(1800 * SECOND, 60 * SECOND, Long.MAX_VALUE);
        }

        Optional<StoredKeys> stored = Optional.empty();

        @Override
        public Optional<StoredKeys> stored() {
            return stored;
        }

        private IdentityIssuer keys() {
            return new IdentityIssuer(
                    IdentityIssuer.MOJANG.name(), Map.of(keyId, (RSAPublicKey) issuer.getPublic()));
        }

        @Override
        public Optional<IdentityIssuer> fetch() throws IOException {
            fetches++;
            if (failure != null) {
                throw new IOException(failure);
            }
            return Optional.of(keys());
        }
    }

    private final KeyService service = new KeyService();
    private BedrockNetwork n = serving(Optional.of(service));
    private int ports = 6000;

    private static BedrockNetwork serving(Optional<IssuerKeySource> keys) {
        return BedrockNetwork.wantingAccounts(
                Map.of(
                        "auth",
                        "on",
                        "auth-issuer",
                        "off",
                        "encryption",
                        "off",
                        "transport",
                        "raknet"),
                () -> Instant.ofEpochSecond(NOW),
                keys);
    }

    @BeforeAll
    static void generateKeys() throws GeneralSecurityException {
        KeyPairGenerator ec = KeyPairGenerator.getInstance("EC");
        ec.initialize(new ECGenParameterSpec("secp384r1"));
        owner = ec.generateKeyPair();
        KeyPairGenerator rsa = KeyPairGenerator.getInstance("RSA");
        rsa.initialize(2048);
        issuer = rsa.generateKeyPair();
        stranger = rsa.generateKeyPair();
    }

    private static String base64(Key key) {
        return Base64.getEncoder().encodeToString(key.getEncoded());
    }

    private static Map<String, Object> claims() {
        Map<String, Object> claims = new HashMap<>();
        claims.put("iss", IdentityIssuer.MOJANG.name());
        claims.put("aud", IdentityIssuer.AUDIENCE);
        claims.put("exp", NOW + 60);
        claims.put("iat", NOW);
        claims.put("cpk", base64(owner.getPublic()));
        claims.put("xname", "Ann");
        claims.put("xid", "2535412345678901");
        return claims;
    }

    private static String token(
            String algorithm, @Nullable Key key, String keyId, Map<String, Object> claims)
            throws JoseException {
        JsonWebSignature token = new JsonWebSignature();
        token.setAlgorithmConstraints(AlgorithmConstraints.NO_CONSTRAINTS);
        token.setAlgorithmHeaderValue(algorithm);
        if (!keyId.isEmpty()) {
            token.setKeyIdHeaderValue(keyId);
        }
        if (key != null) {
            token.setKey(key);
        }
        token.setPayload(JsonUtil.toJson(claims));
        return token.getCompactSerialization();
    }

    private static String token(KeyPair signer, String keyId) throws JoseException {
        return token("RS256", signer.getPrivate(), keyId, claims());
    }

    private static Login login(String token) throws LoginRejectedException {
        return LoginAccount.parse(
                        JsonUtil.toJson(Map.of("token", token, "key", base64(owner.getPrivate()))),
                        new Random(3))
                .login(BedrockCodec.NEWEST.protocol(), Map.of(), NOW);
    }

    /** Sends a login; its answer may come later. */
    private ScriptedClient started(Login login) {
        ScriptedClient client = new ScriptedClient(n, ++ports, BedrockCodec.NEWEST);
        client.settings();
        client.send(login);
        return client;
    }

    /** A login with another token: the client's signature, which is slow, does not cover it. */
    private static Login with(Login login, String token, String other) {
        ByteBuffer tokens =
                ByteBuffer.wrap(login.tokens().toArray()).order(ByteOrder.LITTLE_ENDIAN);
        byte[] chain = new byte[tokens.getInt()];
        tokens.get(chain);
        String text = new String(chain, StandardCharsets.UTF_8);
        assertThat(text).contains(token);
        byte[] changed = text.replace(token, other).getBytes(StandardCharsets.UTF_8);
        ByteBuffer all =
                ByteBuffer.allocate(4 + changed.length + tokens.remaining())
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putInt(changed.length)
                        .put(changed)
                        .put(tokens);
        return new Login(login.protocol(), Bytes.wrap(all.array()));
    }

    private boolean isAnswered(ScriptedClient client) {
        return client.gone
                || !client.all(PlayStatus.class).isEmpty()
                || !client.all(Disconnect.class).isEmpty();
    }

    private ScriptedClient answered(String token) throws LoginRejectedException {
        return answered(login(token));
    }

    private ScriptedClient answered(Login login) {
        ScriptedClient client = started(login);
        n.network.runUntil(() -> isAnswered(client), 20 * SECOND);
        return client;
    }

    private static List<String> refusals(ScriptedClient client) {
        return client.all(Disconnect.class).stream().map(Disconnect::message).toList();
    }

    private void refused(String token, String reason) throws LoginRejectedException {
        refused(login(token), reason);
    }

    private void refused(Login login, String reason) {
        ScriptedClient client = answered(login);
        assertThat(refusals(client)).singleElement().asString().contains(reason);
        assertThat(n.arena.players()).isEmpty();
        client.cycle.close();
    }

    /** Enters the game with a token, and leaves. */
    private void admitted(String token) throws LoginRejectedException {
        enters(answered(token));
    }

    private void enters(ScriptedClient client) {
        assertThat(refusals(client)).isEmpty();
        client.send(new PackMessage.ResourcePackClientResponse(3, List.of()));
        client.send(new PackMessage.ResourcePackClientResponse(4, List.of()));
        client.load();
        assertThat(n.arena.players())
                .singleElement()
                .satisfies(player ->
                        assertThat(player.proof())
                                .isEqualTo(Proof.account("xuid:2535412345678901")));
        client.send(new Disconnect(0, true, "", ""));
        n.network.runUntil(() -> n.arena.players().isEmpty(), 2 * SECOND);
    }

    @Test
    void admitsAccountWhoseKeyIsFetched() throws Exception {
        admitted(token(issuer, "k1"));
        admitted("mctoken  " + token(issuer, "k1"));
        assertThat(service.fetches).isEqualTo(1);
        refused(token(stranger, "k1"), "signature is wrong. Restart the game, and try again");
    }

    @Test
    void admitsAccountWithRotatedKey() throws Exception {
        admitted(token(issuer, "k1"));
        service.keyId = "k2";
        refused(token(issuer, "k2"), "Restart the game");
        n.network.run(1800 * SECOND);
        admitted(token(issuer, "k2"));
        assertThat(service.fetches).isEqualTo(2);
        refused(token(issuer, "k1"), "Restart the game");
    }

    @Test
    @DisplayName("E29 an outage of the issuer: no account gets in without proof, and each retries")
    void refusesWhileServiceIsDown() throws Exception {
        service.failure = "HTTP status 500";
        for (int i = 0; i < 5; i++) {
            refused(token(issuer, "k1"), "can't reach Xbox's key service now. Try again");
        }
        assertThat(service.fetches).isEqualTo(1);
        service.failure = null;
        n.network.run(60 * SECOND);
        admitted(token(issuer, "k1"));
    }

    @Test
    @DisplayName("E28 forged tokens: one fetch for all key IDs, none for what is wrong otherwise")
    void fetchesNothingForTokensThatAreWrongOtherwise() throws Exception {
        Map<String, Object> expired = claims();
        expired.put("exp", NOW);
        Map<String, Object> elsewhere = claims();
        elsewhere.put("iss", "https://issuer.example/");
        Map<String, Object> audience = claims();
        audience.put("aud", "api://another");
        byte[] publicKey = issuer.getPublic().getEncoded();
        refused(token("none", null, "k1", claims()), "not signed with RS256");
        refused(token("HS256", new HmacKey(publicKey), "k1", claims()), "not signed with RS256");
        refused(token("ES384", owner.getPrivate(), "k1", claims()), "not signed with RS256");
        refused(
                token("RS256", issuer.getPrivate(), "k1", expired),
                "expired. Restart the game, and try again");
        refused(token("RS256", issuer.getPrivate(), "k1", elsewhere), "another issuer's");
        refused(token("RS256", issuer.getPrivate(), "k1", audience), "another audience");
        refused(token("RS256", issuer.getPrivate(), "", claims()), "names no key");
        assertThat(service.fetches).isZero();

        String whole = token(stranger, "k0");
        Login login = login(whole);
        String[] forged = whole.split("\\.", -1);
        Base64.Encoder url = Base64.getUrlEncoder().withoutPadding();
        for (int i = 0; i < 1000; i++) {
            String header = "{\"alg\":\"RS256\",\"kid\":\"forged " + i + "\"}";
            String token =
                    url.encodeToString(header.getBytes(StandardCharsets.UTF_8))
                            + "."
                            + forged[1]
                            + "."
                            + forged[2];
            refused(with(login, whole, token), "Restart the game");
        }
        assertThat(service.fetches).isEqualTo(1);
        admitted(token(issuer, "k1"));
    }

    @Test
    void admitsAllLoginsThatWaitForOneFetch() throws Exception {
        n.network.offloading(SECOND);
        List<ScriptedClient> clients = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            ScriptedClient client = new ScriptedClient(n, ++ports, BedrockCodec.NEWEST);
            client.settings();
            clients.add(client);
        }
        for (ScriptedClient client : clients) {
            client.later(login(token(issuer, "k1")));
        }
        n.network.run(20 * SECOND);
        assertThat(clients).allMatch(client -> !client.all(PlayStatus.class).isEmpty());
        assertThat(service.fetches).isEqualTo(1);
    }

    @Test
    @DisplayName("E29 an issuer that answers slowly: the login is refused after ten seconds")
    void refusesWhileServiceIsSlow() throws Exception {
        n.hangs = true;
        ScriptedClient client = started(login(token(issuer, "k1")));
        n.network.run(9 * SECOND);
        assertThat(isAnswered(client)).isFalse();
        n.network.run(2 * SECOND);
        assertThat(refusals(client))
                .singleElement()
                .asString()
                .contains("can't reach Xbox's key service now. Try again");
    }

    @Test
    @DisplayName("E29 a restart during an outage of the issuer: accounts of stored keys get in")
    void admitsAccountOfStoredKeysDuringOutage() throws Exception {
        admitted(token(issuer, "k1"));
        service.stored = Optional.of(new IssuerKeySource.StoredKeys(service.keys(), true));
        service.failure = "connection refused";
        n = serving(Optional.of(service));
        admitted(token(issuer, "k1"));
        assertThat(service.fetches).isEqualTo(1);
        refused(token(issuer, "k2"), "can't reach Xbox's key service now");
    }

    @Test
    void refusesAccountWhereNoKeysAreFetched() throws Exception {
        n = serving(Optional.empty());
        refused(token(issuer, "k1"), "does not ask");
    }
}
