package dev.wishdir.bedrock.protocol.login;

import org.jose4j.json.JsonUtil;

import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;

/**
 * An account that is certified by a root key of its own, as Xbox's service certifies others.
 *
 * @param root the public key in the form of tokens
 * @param chain the tokens of the service
 * @param key the account's private key, PKCS #8 in base 64
 */
public record CertifiedAccount(String root, List<String> chain, String key) {
    public static final String XUID = "2535412345678901";
    public static final UUID ID = new UUID(0x4000, 0x8000_0000_0000_0007L);
    private static final LoginKeys ROOT = LoginKeys.generate(new Random(21));
    private static final LoginKeys SERVICE = LoginKeys.generate(new Random(22));
    private static final LoginKeys OWN = LoginKeys.generate(new Random(23));

    /**
     * @param seconds the time, seconds since 1970
     */
    public static CertifiedAccount of(String name, long seconds) {
        return new CertifiedAccount(
                ROOT.text(),
                List.of(
                        ROOT.sign(claims(seconds, Map.of("identityPublicKey", SERVICE.text()))),
                        SERVICE.sign(
                                claims(
                                        seconds,
                                        Map.of(
                                                "identityPublicKey",
                                                OWN.text(),
                                                "extraData",
                                                Map.of(
                                                        "displayName",
                                                        name,
                                                        "identity",
                                                        ID.toString(),
                                                        "XUID",
                                                        XUID))))),
                Base64.getEncoder().encodeToString(OWN.secret().getEncoded()));
    }

    private static String claims(long seconds, Map<String, Object> others) {
        Map<String, Object> claims = new HashMap<>(LoginClaims.times(seconds));
        claims.put("iss", "Mojang");
        claims.putAll(others);
        return JsonUtil.toJson(claims);
    }

    /** The content of an account's file. */
    public String json() {
        return JsonUtil.toJson(Map.of("chain", chain, "key", key));
    }

    /** The account as a proxy reads it. */
    public LoginAccount account() throws LoginRejectedException {
        return LoginAccount.parse(json(), new Random(24));
    }
}
