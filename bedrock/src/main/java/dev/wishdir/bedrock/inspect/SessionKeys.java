package dev.wishdir.bedrock.inspect;

import dev.wishdir.bedrock.protocol.SessionKey;
import dev.wishdir.wire.Bytes;

import org.jose4j.json.JsonUtil;
import org.jose4j.lang.JoseException;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/**
 * The keys of captured sessions: a {@link SessionKey#line} each. Which belongs to a session shows
 * when it is hashed with the salt that the server sent.
 */
final class SessionKeys {
    static final SessionKeys NONE = new SessionKeys(List.of());

    private final List<SessionKey> entries;

    private SessionKeys(List<SessionKey> entries) {
        this.entries = entries;
    }

    /**
     * Reads a file of keys.
     *
     * @throws IOException if it can't be read, or a line is no such key; the message names the line
     */
    static SessionKeys read(Path file) throws IOException {
        List<SessionKey> entries = new ArrayList<>();
        int number = 0;
        for (String line : Files.readAllLines(file)) {
            number++;
            if (line.isBlank()) {
                continue;
            }
            try {
                entries.add(SessionKey.parse(line));
            } catch (IllegalArgumentException e) {
                throw new IOException(
                        file + " line " + number + ": no JSON with sharedSecret and key in hex", e);
            }
        }
        return new SessionKeys(entries);
    }

    /** The key of the session that began with this handshake of the server. */
    Optional<byte[]> find(String token) {
        try {
            String[] parts = token.split("\\.", -1);
            String payload =
                    new String(
                            Base64.getUrlDecoder().decode(parts.length > 1 ? parts[1] : ""),
                            StandardCharsets.UTF_8);
            Object salt = JsonUtil.parseJson(payload).get("salt");
            byte[] bytes = Base64.getDecoder().decode(String.valueOf(salt));
            for (SessionKey entry : entries) {
                MessageDigest sha = MessageDigest.getInstance("SHA-256");
                sha.update(bytes);
                if (Bytes.wrap(sha.digest(entry.sharedSecret().toArray())).equals(entry.key())) {
                    return Optional.of(entry.key().toArray());
                }
            }
        } catch (JoseException | IllegalArgumentException | NoSuchAlgorithmException e) {
            return Optional.empty();
        }
        return Optional.empty();
    }
}
