package dev.wishdir.bedrock.protocol;

import org.jose4j.json.JsonUtil;
import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.security.interfaces.ECPublicKey;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * The identity of newer versions: one token, which names the client's key (Bedrock, login tokens).
 * Its own key signs that of a client without an account; for the others Xbox does, with keys that
 * only its service tells.
 */
final class LoginToken {
    private static final String PREFIX = "MCToken ";
    private static final String AUDIENCE = "api://auth-minecraft-services/multiplayer";

    private LoginToken() {}

    /**
     * Checks a token.
     *
     * @param chain what the client sent beside it: where it is certified, it proves what the token
     *     does not
     * @param data the client's words about itself
     * @param root as {@link LoginIdentity#verify}
     * @throws LoginRefused if it is not in order, or proves nothing where proof is asked for
     */
    static LoginIdentity verify(
            String token, List<String> chain, String data, String root, long seconds)
            throws LoginRefused {
        if (!root.isEmpty()) {
            if (chain.size() == 3) {
                return LoginIdentity.verify(chain, data, root, seconds);
            }
            throw new LoginRefused(
                    "newer versions prove who they are only to Xbox's own service, which this"
                            + " server does not ask");
        }
        String bare = token.startsWith(PREFIX) ? token.substring(PREFIX.length()) : token;
        boolean selfSigned = LoginKeys.isSelfSigned(bare);
        Map<String, Object> claims =
                Json.parse(
                        selfSigned
                                ? LoginKeys.verified(bare, LoginKeys.headerKey(bare))
                                : LoginKeys.unverified(bare));
        LoginIdentity.checkTimes(claims, seconds);
        ECPublicKey key = LoginKeys.key(claims.get("cpk"));
        if (selfSigned && !key.equals(LoginKeys.headerKey(bare))) {
            throw new LoginRefused("the token names another key than it is signed with");
        }
        if (!(claims.get("xname") instanceof String name)) {
            throw new LoginRefused("the token names nobody");
        }
        LoginIdentity.checkName(name);
        Map<String, Object> client = Json.parse(LoginKeys.verified(data, key));
        return new LoginIdentity(name, uuid(claims), "", false, key, client);
    }

    /** What the client calls itself; some write it so, some so, and some leave it to the server. */
    private static UUID uuid(Map<String, Object> claims) throws LoginRefused {
        for (String claim : List.of("identity", "leguuid")) {
            if (claims.get(claim) instanceof String text && !text.isEmpty()) {
                try {
                    return UUID.fromString(text);
                } catch (IllegalArgumentException e) {
                    throw new LoginRefused("the identity is no uuid");
                }
            }
        }
        @Nullable Object xid = claims.get("xid");
        String seed = "pocket-auth-1-xuid:" + (xid instanceof String text ? text : "");
        return UUID.nameUUIDFromBytes(seed.getBytes(StandardCharsets.UTF_8));
    }

    /** The token of a client that signs its own identity. */
    static String selfSigned(LoginKeys keys, String name, UUID uuid, long seconds) {
        Map<String, Object> claims = LoginIdentity.times(seconds);
        claims.put("iss", "self");
        claims.put("aud", AUDIENCE);
        claims.put("cpk", keys.text());
        claims.put("xname", name);
        claims.put("xid", "");
        claims.put("identity", uuid.toString());
        claims.put("leguuid", uuid.toString());
        return keys.sign(JsonUtil.toJson(claims));
    }
}
