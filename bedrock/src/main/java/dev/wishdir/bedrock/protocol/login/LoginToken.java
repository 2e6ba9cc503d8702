package dev.wishdir.bedrock.protocol.login;

import dev.wishdir.nethernet.identity.IdentityIssuer;
import dev.wishdir.nethernet.identity.IdentityRejectedException;
import dev.wishdir.nethernet.identity.UnknownKeyException;

import org.jose4j.json.JsonUtil;
import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.security.interfaces.ECPublicKey;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * The identity of newer versions: one token with the client's key (Bedrock, login tokens). A client
 * without an account signs it with its own key; otherwise Xbox signs it with keys that its service
 * publishes.
 */
final class LoginToken {
    private static final String PREFIX = "MCToken ";
    private static final String AUDIENCE = "api://auth-minecraft-services/multiplayer";

    private LoginToken() {}

    /**
     * Checks a token.
     *
     * @param chain that the client sent with it: if certified, it proves what the token does not
     * @param seconds the time, seconds since 1970
     * @throws LoginRejectedException if it is not valid, or proves nothing where proof is needed
     */
    static LoginClaims verify(String token, List<String> chain, TrustPolicy trust, long seconds)
            throws LoginRejectedException {
        boolean checked = trust.isProofNeeded() || trust.issuer().isKnown();
        if (trust.isProofNeeded() && LoginChain.isCertified(chain)) {
            return LoginChain.verify(chain, trust.root(), seconds);
        }
        String bare = bare(token);
        boolean selfSigned = LoginKeys.isSelfSigned(bare);
        if (selfSigned && trust.isProofNeeded()) {
            throw new LoginRejectedException(LoginChain.NOT_CERTIFIED);
        }
        boolean authenticated = !selfSigned && checked;
        Map<String, Object> claims =
                authenticated
                        ? issued(bare, trust.issuer(), seconds)
                        : Json.parse(
                                selfSigned
                                        ? LoginKeys.verified(bare, LoginKeys.headerKey(bare))
                                        : LoginKeys.unverified(bare));
        LoginClaims.checkTimes(claims, seconds);
        ECPublicKey key = LoginKeys.key(claims.get("cpk"));
        if (selfSigned && !key.equals(LoginKeys.headerKey(bare))) {
            throw new LoginRejectedException("the token names another key than it is signed with");
        }
        if (!(claims.get("xname") instanceof String name)) {
            throw new LoginRejectedException("the token does not contain a name");
        }
        LoginClaims.checkName(name);
        String xuid = authenticated && claims.get("xid") instanceof String xid ? xid : "";
        if (authenticated && !xuid.matches("[0-9]{1,20}")) {
            throw new LoginRejectedException("the certified identity is empty");
        }
        return new LoginClaims(name, uuid(claims), xuid, authenticated, key);
    }

    private static Map<String, Object> issued(String token, IdentityIssuer issuer, long seconds)
            throws LoginRejectedException {
        try {
            return issuer.verified(token, seconds);
        } catch (UnknownKeyException e) {
            throw LoginRejectedException.ofUnknownKey(e.keyId());
        } catch (IdentityRejectedException e) {
            throw new LoginRejectedException(e.getMessage() + ". Restart the game, and try again");
        }
    }

    /**
     * The UUID in either of two claims; without one it follows from the account, as in the game.
     */
    private static UUID uuid(Map<String, Object> claims) throws LoginRejectedException {
        for (String claim : List.of("identity", "leguuid")) {
            if (claims.get(claim) instanceof String text && !text.isEmpty()) {
                try {
                    return UUID.fromString(text);
                } catch (IllegalArgumentException e) {
                    throw new LoginRejectedException("the identity is not a UUID");
                }
            }
        }
        @Nullable Object xid = claims.get("xid");
        String seed = "pocket-auth-1-xuid:" + (xid instanceof String text ? text : "");
        return UUID.nameUUIDFromBytes(seed.getBytes(StandardCharsets.UTF_8));
    }

    /** The key that a token certifies, whoever signed it. */
    static ECPublicKey key(String token) throws LoginRejectedException {
        return LoginKeys.key(Json.parse(LoginKeys.unverified(bare(token))).get("cpk"));
    }

    private static String bare(String token) {
        return token.regionMatches(true, 0, PREFIX, 0, PREFIX.length())
                ? token.substring(PREFIX.length()).stripLeading()
                : token;
    }

    /** The token of a client that signs its own identity. */
    static String selfSigned(LoginKeys keys, String name, UUID uuid, long seconds) {
        Map<String, Object> claims = LoginClaims.times(seconds);
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
