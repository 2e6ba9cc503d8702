package dev.wishdir.bedrock.protocol.login;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.wishdir.bedrock.message.LoginMessage.Login;
import dev.wishdir.bedrock.protocol.BedrockCodec;
import dev.wishdir.nethernet.identity.IdentityIssuer;

import org.jose4j.json.JsonUtil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;

class LoginAccountTest {
    private static final long NOW = 1_800_000_000L;
    private static final LoginKeys OTHER = LoginKeys.generate(new Random(5));
    private static final CertifiedAccount CERTIFIED = CertifiedAccount.of("Operator", NOW);

    static IntStream protocols() {
        return Arrays.stream(BedrockCodec.protocols());
    }

    @ParameterizedTest
    @MethodSource("protocols")
    void logsInEachVersionWithProof(int protocol) throws LoginRejectedException {
        LoginAccount account = CERTIFIED.account();
        Login login = account.login(protocol, Map.of("ArmSize", "slim"), NOW);
        LoginIdentity identity =
                LoginIdentity.verify(
                        login, new TrustPolicy(CERTIFIED.root(), IdentityIssuer.MOJANG), NOW);
        assertThat(identity.authenticated()).isTrue();
        assertThat(identity.name()).isEqualTo("Operator");
        assertThat(identity.uuid()).isEqualTo(CertifiedAccount.ID);
        assertThat(identity.xuid()).isEqualTo(CertifiedAccount.XUID);
        assertThat(identity.text("ArmSize", "")).isEqualTo("slim");
        identity.requireKey(LoginKeys.key(account.keys().text()));
        assertThatExceptionOfType(LoginRejectedException.class)
                .isThrownBy(() ->
                        LoginIdentity.verify(
                                login,
                                new TrustPolicy(LoginKeys.MOJANG_KEY, IdentityIssuer.MOJANG),
                                NOW));
    }

    @Test
    void acceptsAWholeChainAndAKeyInPem() throws LoginRejectedException {
        String pem =
                "-----BEGIN PRIVATE KEY-----\n"
                        + CERTIFIED.key().replaceAll("(.{64})", "$1\n")
                        + "\n-----END PRIVATE KEY-----\n";
        LoginAccount two = CERTIFIED.account();
        List<String> whole =
                List.of(
                        LoginChain.leading(two.keys(), CERTIFIED.chain().getFirst(), NOW),
                        CERTIFIED.chain().getFirst(),
                        CERTIFIED.chain().getLast());
        LoginAccount account =
                LoginAccount.parse(
                        JsonUtil.toJson(Map.of("chain", whole, "key", pem)), new Random(6));
        LoginIdentity identity =
                LoginIdentity.verify(
                        account.login(748, Map.of(), NOW),
                        new TrustPolicy(CERTIFIED.root(), IdentityIssuer.MOJANG),
                        NOW);
        assertThat(identity.xuid()).isEqualTo(CertifiedAccount.XUID);
    }

    @Test
    void needsAChainForOldVersions() throws LoginRejectedException {
        String token = OTHER.sign(JsonUtil.toJson(Map.of("cpk", OTHER.text(), "exp", NOW + 60)));
        String key = Base64.getEncoder().encodeToString(OTHER.secret().getEncoded());
        LoginAccount account =
                LoginAccount.parse(
                        JsonUtil.toJson(Map.of("token", "MCToken " + token, "key", key)),
                        new Random(6));
        assertThat(account.login(2193, Map.of(), NOW).tokens().length()).isPositive();
        assertThatExceptionOfType(LoginRejectedException.class)
                .isThrownBy(() -> account.login(748, Map.of(), NOW))
                .satisfies(e -> assertThat(e.reason()).contains("needs a chain"));
        refused(
                JsonUtil.toJson(Map.of("chain", CERTIFIED.chain(), "token", token, "key", key)),
                "different keys");
    }

    private static void refused(String json, String why) {
        assertThatExceptionOfType(LoginRejectedException.class)
                .isThrownBy(() -> LoginAccount.parse(json, new Random(6)))
                .satisfies(e -> assertThat(e.reason()).contains(why));
    }

    @Test
    void refusesWhatIsNoAccount() {
        String first = CERTIFIED.chain().getFirst();
        String other = Base64.getEncoder().encodeToString(OTHER.secret().getEncoded());
        refused("", "JSON");
        refused("{}", "neither a chain");
        refused(JsonUtil.toJson(Map.of("chain", List.of(first), "key", other)), "neither");
        refused(JsonUtil.toJson(Map.of("chain", CERTIFIED.chain())), "no key");
        refused(
                JsonUtil.toJson(Map.of("chain", CERTIFIED.chain(), "key", other)),
                "not that of the tokens");
        refused(JsonUtil.toJson(Map.of("chain", CERTIFIED.chain(), "key", "no key")), "PKCS #8");
        refused(
                JsonUtil.toJson(Map.of("chain", List.of(first, "a.b.c"), "key", other)),
                "not a valid");
    }
}
