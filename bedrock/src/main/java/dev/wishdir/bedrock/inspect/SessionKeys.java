package dev.wishdir.bedrock.inspect;

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
import java.util.Map;
import java.util.Optional;

/**
 * The keys of captured sessions: a line of JSON each, with the shared secret of the key agreement
 * in hex. Which belongs to a session shows when it is hashed with the salt that the server sent.
 */
final class SessionKeys {
    static final SessionKeys NONE = new SessionKeys(List.of());

    private record Entry(Bytes secret, Bytes key) {}

    private final List<Entry> entries;

    private SessionKeys(List<Entry> entries) {
        this.entries = entries;
    }

    /**
     * Reads a file of keys.
     *
     * @throws IOException if it can't be read, or a line is no such key; the message names the line
     */
    static SessionKeys read(Path file) throws IOException {
        List<Entry> entries = new ArrayList<>();
        int number = 0;
        for (String line : Files.readAllLines(file)) {
            number++;
            if (line.isBlank()) {
                continue;
            }
            try {
                Map<String, Object> json = JsonUtil.parseJson(line);
                entries.add(
                        new Entry(
                                Bytes.ofHex(String.valueOf(json.get("sharedSecret"))),
                                Bytes.ofHex(String.valueOf(json.get("key")))));
            } catch (JoseException | IllegalArgumentException e) {
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
            for (Entry entry : entries) {
                MessageDigest sha = MessageDigest.getInstance("SHA-256");
                sha.update(bytes);
                if (Bytes.wrap(sha.digest(entry.secret.toArray())).equals(entry.key)) {
                    return Optional.of(entry.key.toArray());
                }
            }
        } catch (JoseException | IllegalArgumentException | NoSuchAlgorithmException e) {
            return Optional.empty();
        }
        return Optional.empty();
    }
}
