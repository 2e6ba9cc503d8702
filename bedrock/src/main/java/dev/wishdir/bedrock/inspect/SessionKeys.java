package dev.wishdir.bedrock.inspect;

import dev.wishdir.bedrock.protocol.SessionKey;
import dev.wishdir.wire.Bytes;

import org.jose4j.json.JsonUtil;
import org.jose4j.lang.JoseException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/**
 * The keys of captured sessions, each a {@link SessionKey#line}. The key of a session is the one
 * whose hash with the server's salt fits.
 */
final class SessionKeys {
    private static final Logger LOG = LoggerFactory.getLogger(SessionKeys.class);

    private static final SessionKey NO_KEY = new SessionKey(Bytes.EMPTY, Bytes.EMPTY);

    static final SessionKeys NONE = new SessionKeys(List.of());

    private final List<SessionKey> entries;

    private SessionKeys(List<SessionKey> entries) {
        this.entries = entries;
    }

    /**
     * Reads a file of keys. An incomplete last line is skipped with a warning: the server may still
     * be writing it.
     *
     * @throws IOException if it can't be read, or a line is not a key; the message names the line
     */
    static SessionKeys read(Path file) throws IOException {
        List<SessionKey> entries = new ArrayList<>();
        String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
        List<String> lines = text.replaceFirst("^\\uFEFF", "").lines().toList();
        boolean ended = text.endsWith("\n") || text.endsWith("\r");
        int number = 0;
        for (String line : lines) {
            number++;
            if (line.isBlank()) {
                continue;
            }
            try {
                entries.add(SessionKey.parse(line));
            } catch (IllegalArgumentException e) {
                if (number == lines.size() && !ended) {
                    LOG.warn("{} line {} is cut and left out", file, number);
                    break;
                }
                throw new IOException(
                        file + " line " + number + ": no JSON with sharedSecret and key in hex", e);
            }
        }
        return new SessionKeys(entries);
    }

    /** Keys of lines, which may be added later; those that are not keys are ignored. */
    static SessionKeys of(List<String> lines) {
        return new SessionKeys(
                new AbstractList<>() {
                    @Override
                    public SessionKey get(int index) {
                        try {
                            return SessionKey.parse(lines.get(index));
                        } catch (IllegalArgumentException _) {
                            return NO_KEY;
                        }
                    }

                    @Override
                    public int size() {
                        return lines.size();
                    }
                });
    }

    /** The key of the session with this handshake of the server. */
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
