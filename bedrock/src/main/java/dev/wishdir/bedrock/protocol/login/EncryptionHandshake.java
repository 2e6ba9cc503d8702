package dev.wishdir.bedrock.protocol.login;

import dev.wishdir.bedrock.protocol.Encryption;
import dev.wishdir.bedrock.protocol.SessionKey;
import dev.wishdir.wire.Bytes;

import org.jose4j.json.JsonUtil;

import java.security.InvalidKeyException;
import java.security.interfaces.ECPublicKey;
import java.util.Base64;
import java.util.Map;

/**
 * The key agreement of a session (Bedrock, encryption). Each side has the other's public key; the
 * server sends the salt with which both hash the shared secret.
 *
 * @param session the session's key; empty bytes without encryption
 * @param token with the salt, for the client; empty without encryption
 */
public record EncryptionHandshake(SessionKey session, String token) {
    /** A session without encryption. */
    public static final EncryptionHandshake CLEAR =
            new EncryptionHandshake(new SessionKey(Bytes.EMPTY, Bytes.EMPTY), "");

    private static final String SALT = "salt";

    /** The session's key; empty without encryption. */
    public Bytes key() {
        return session.key();
    }

    /**
     * The server's side. Takes milliseconds.
     *
     * @param keys the server's
     * @param client the key that the client proved to have
     * @throws LoginRejectedException if the client's key is not on the same curve
     */
    public static EncryptionHandshake offer(LoginKeys keys, ECPublicKey client, Bytes salt)
            throws LoginRejectedException {
        try {
            SessionKey session = Encryption.key(keys.secret(), client, salt.toArray());
            String said = Base64.getEncoder().encodeToString(salt.toArray());
            return new EncryptionHandshake(session, keys.sign(JsonUtil.toJson(Map.of(SALT, said))));
        } catch (InvalidKeyException e) {
            throw new LoginRejectedException("the client's key is not on the curve secp384r1");
        }
    }

    /**
     * The client's side.
     *
     * @param keys the client's
     * @param token from the server
     * @return the session's key
     * @throws LoginRejectedException if the token is not valid
     */
    public static SessionKey accept(LoginKeys keys, String token) throws LoginRejectedException {
        ECPublicKey server = LoginKeys.headerKey(token);
        Map<String, Object> payload = Json.parse(LoginKeys.verified(token, server));
        if (!(payload.get(SALT) instanceof String text)) {
            throw new LoginRejectedException("the server's handshake has no salt");
        }
        try {
            return Encryption.key(keys.secret(), server, Base64.getDecoder().decode(text));
        } catch (InvalidKeyException | IllegalArgumentException e) {
            throw new LoginRejectedException("the server's key or salt does not fit");
        }
    }
}
