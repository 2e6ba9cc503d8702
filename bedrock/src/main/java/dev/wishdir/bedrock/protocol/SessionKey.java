package dev.wishdir.bedrock.protocol;

import dev.wishdir.wire.Bytes;

import org.jose4j.json.JsonUtil;
import org.jose4j.lang.JoseException;

import java.util.Map;
import java.util.TreeMap;

/**
 * The key of an encrypted session, and the secret that it is derived from. As a line of JSON in
 * hex, it decrypts captures of the session.
 *
 * @param sharedSecret of the key agreement (Bedrock, encryption)
 * @param key its hash with the salt that the server sent, 32 bytes
 */
public record SessionKey(Bytes sharedSecret, Bytes key) {
    /** The line of JSON, without a line end. */
    public String line() {
        Map<String, String> fields = new TreeMap<>();
        fields.put("sharedSecret", sharedSecret.hex());
        fields.put("key", key.hex());
        return JsonUtil.toJson(fields);
    }

    /**
     * Reads a line.
     *
     * @throws IllegalArgumentException if it is not one
     */
    public static SessionKey parse(String line) {
        try {
            Map<String, Object> fields = JsonUtil.parseJson(line);
            return new SessionKey(
                    Bytes.ofHex(String.valueOf(fields.get("sharedSecret"))),
                    Bytes.ofHex(String.valueOf(fields.get("key"))));
        } catch (JoseException e) {
            throw new IllegalArgumentException("no JSON with sharedSecret and key in hex", e);
        }
    }
}
