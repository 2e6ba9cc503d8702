package dev.wishdir.bedrock.protocol.login;

import java.security.interfaces.ECPublicKey;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

/**
 * Claims of a login's tokens about the client's identity.
 *
 * @param authenticated whether Xbox vouches for it
 * @param xuid empty unless authenticated
 */
record LoginClaims(String name, UUID uuid, String xuid, boolean authenticated, ECPublicKey key) {
    private static final int MAX_NAME_CHARS = 64;
    private static final long MAX_CLOCK_SKEW_SECONDS = 60;
    private static final long VALIDITY_SECONDS = 86_400;

    static void checkName(String name) throws LoginRejectedException {
        if (name.isBlank() || name.length() > MAX_NAME_CHARS) {
            throw new LoginRejectedException("the name is empty or too long");
        }
    }

    /** Checks that a token is valid at a time, seconds since 1970. */
    static void checkTimes(Map<String, Object> claims, long seconds) throws LoginRejectedException {
        if (claims.get("nbf") instanceof Number from
                && from.longValue() > seconds + MAX_CLOCK_SKEW_SECONDS) {
            throw new LoginRejectedException("a token is not valid yet: is the clock right?");
        }
        if (!(claims.get("exp") instanceof Number to)
                || to.longValue() < seconds - MAX_CLOCK_SKEW_SECONDS) {
            throw new LoginRejectedException("a token has expired: is the clock right?");
        }
    }

    /** The claims of a token that is valid for a day. */
    static Map<String, Object> times(long seconds) {
        Map<String, Object> claims = new LinkedHashMap<>();
        claims.put("nbf", seconds - MAX_CLOCK_SKEW_SECONDS);
        claims.put("exp", seconds + VALIDITY_SECONDS);
        claims.put("iat", seconds);
        return claims;
    }
}
