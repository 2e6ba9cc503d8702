package dev.wishdir.bedrock.protocol;

import dev.wishdir.wire.Bytes;

import org.jose4j.json.JsonUtil;

import java.security.InvalidKeyException;
import java.security.interfaces.ECPublicKey;
import java.util.Base64;
import java.util.Map;

/**
 * How both sides of a session come to the same key: each has the other's public key, and the server
 * says with what salt to hash what they share (Bedrock, encryption).
 *
 * @param session its key; of empty bytes for a session in the clear
 * @param token by which the client learns it, empty for a session in the clear
 */
public record EncryptionHandshake(SessionKey session, String token) {
    /** A session in the clear. */
    public static final EncryptionHandshake CLEAR =
            new EncryptionHandshake(new SessionKey(Bytes.EMPTY, Bytes.EMPTY), "");

    private static final String SALT = "salt";

    /** Of the session; empty for one in the clear. */
    public Bytes key() {
        return session.key();
    }

    /**
     * The server's side. Takes milliseconds.
     *
     * @param keys the server's
     * @param client the key that the client proved to have
     * @throws LoginRejectedException if the client's key does not fit
     */
    public static EncryptionHandshake offer(LoginKeys keys, ECPublicKey client, Bytes salt)
            throws LoginRejectedException {
        try {
            SessionKey session = Encryption.key(keys.secret(), client, salt.toArray());
            String said = Base64.getEncoder().encodeToString(salt.toArray());
            return new EncryptionHandshake(session, keys.sign(JsonUtil.toJson(Map.of(SALT, said))));
        } catch (InvalidKeyException e) {
            throw new LoginRejectedException("the key does not fit");
        }
    }

    /**
     * The client's side.
     *
     * @param keys the client's
     * @param token what the server sent
     * @return the session's key
     * @throws LoginRejectedException if the token is not in order
     */
    public static byte[] accept(LoginKeys keys, String token) throws LoginRejectedException {
        ECPublicKey server = LoginKeys.headerKey(token);
        Map<String, Object> payload = Json.parse(LoginKeys.verified(token, server));
        if (!(payload.get(SALT) instanceof String text)) {
            throw new LoginRejectedException("the server's handshake has no salt");
        }
        try {
            return Encryption.key(keys.secret(), server, Base64.getDecoder().decode(text))
                    .key()
                    .toArray();
        } catch (InvalidKeyException | IllegalArgumentException e) {
            throw new LoginRejectedException("the server's key or salt does not fit");
        }
    }
}
