package dev.wishdir.bedrock.protocol.login;

import org.jose4j.json.JsonUtil;

import java.security.interfaces.ECPublicKey;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * The identity of older versions: a chain of tokens, each of which names the key of the next
 * (Bedrock, login tokens).
 */
final class LoginChain {
    /** For players without an account, and for bots, whose operator can change the server. */
    static final String NOT_CERTIFIED =
            "the identity is not certified: sign in to Xbox, or join a server that was started"
                    + " with --bedrock-auth off";

    private static final String ISSUER = "Mojang";

    /**
     * The number of tokens of a client with an account; a client without one has a single token.
     */
    private static final int CERTIFIED_TOKENS = 3;

    private LoginChain() {}

    static boolean isCertified(List<String> chain) {
        return chain.size() == CERTIFIED_TOKENS;
    }

    /**
     * Checks a chain.
     *
     * @param root the key that must have certified it; empty if a client's own key suffices
     * @param seconds the time, seconds since 1970
     * @throws LoginRejectedException if it is not valid
     */
    static LoginClaims verify(List<String> chain, String root, long seconds)
            throws LoginRejectedException {
        boolean authenticated = isCertified(chain);
        if (chain.size() != 1 && !authenticated) {
            throw new LoginRejectedException("the chain has " + chain.size() + " tokens");
        }
        if (!root.isEmpty() && !authenticated) {
            throw new LoginRejectedException(NOT_CERTIFIED);
        }
        ECPublicKey key = LoginKeys.headerKey(chain.getFirst());
        ECPublicKey certifier = LoginKeys.key(root.isEmpty() ? LoginKeys.MOJANG_KEY : root);
        Map<String, Object> claims = Map.of();
        for (int i = 0; i < chain.size(); i++) {
            claims = Json.parse(LoginKeys.verified(chain.get(i), key));
            LoginClaims.checkTimes(claims, seconds);
            if (i > 0 && !ISSUER.equals(claims.get("iss"))) {
                throw new LoginRejectedException("a token has the wrong issuer");
            }
            key = LoginKeys.key(claims.get("identityPublicKey"));
            if (authenticated && i == 0 && !key.equals(certifier)) {
                throw new LoginRejectedException("the chain does not lead to the certifying key");
            }
        }
        return identity(claims, authenticated, key);
    }

    private static LoginClaims identity(
            Map<String, Object> claims, boolean authenticated, ECPublicKey key)
            throws LoginRejectedException {
        if (!(claims.get("extraData") instanceof Map<?, ?> extra)
                || !(extra.get("displayName") instanceof String name)
                || !(extra.get("identity") instanceof String identity)) {
            throw new LoginRejectedException("the chain does not contain a name and an identity");
        }
        LoginClaims.checkName(name);
        UUID uuid;
        try {
            uuid = UUID.fromString(identity);
        } catch (IllegalArgumentException e) {
            throw new LoginRejectedException("the identity is not a UUID");
        }
        String xuid = extra.get("XUID") instanceof String text ? text : "";
        if (authenticated && (!xuid.matches("[0-9]{1,20}") || uuid.equals(new UUID(0, 0)))) {
            throw new LoginRejectedException("the certified identity is empty");
        }
        return new LoginClaims(name, uuid, authenticated ? xuid : "", authenticated, key);
    }

    /** The key that a token certifies, whoever signed it. */
    static ECPublicKey key(String token) throws LoginRejectedException {
        return LoginKeys.key(Json.parse(LoginKeys.unverified(token)).get("identityPublicKey"));
    }

    /**
     * The first token of a client with an account, which names the key of the second.
     *
     * @param second the service's first token
     */
    static String leading(LoginKeys keys, String second, long seconds)
            throws LoginRejectedException {
        Map<String, Object> claims = LoginClaims.times(seconds);
        claims.put("certificateAuthority", true);
        claims.put("identityPublicKey", LoginKeys.text(LoginKeys.headerKey(second)));
        return keys.sign(JsonUtil.toJson(claims));
    }

    /** The single token of a client that signs its own identity. */
    static String selfSigned(LoginKeys keys, String name, UUID uuid, long seconds) {
        Map<String, Object> extra = new LinkedHashMap<>();
        extra.put("displayName", name);
        extra.put("identity", uuid.toString());
        extra.put("XUID", "");
        extra.put("titleId", "");
        extra.put("sandboxId", "");
        Map<String, Object> claims = LoginClaims.times(seconds);
        claims.put("iss", "self");
        claims.put("certificateAuthority", true);
        claims.put("identityPublicKey", keys.text());
        claims.put("extraData", extra);
        return keys.sign(JsonUtil.toJson(claims));
    }
}
