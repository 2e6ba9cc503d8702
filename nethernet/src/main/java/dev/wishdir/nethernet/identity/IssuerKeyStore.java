package dev.wishdir.nethernet.identity;

import dev.wishdir.wire.ExceptionMessage;
import dev.wishdir.wire.TextFile;

import org.jose4j.json.JsonUtil;
import org.jose4j.jwk.JsonWebKey.OutputControlLevel;
import org.jose4j.jwk.RsaJsonWebKey;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * A file with the keys that were last fetched, for a start during an outage of their issuer: a JSON
 * Web Key Set with the members {@code issuer} and {@code fetched}, seconds since 1970. A program
 * that can write the file can forge any account.
 */
public final class IssuerKeyStore {
    private static final Logger LOG = LoggerFactory.getLogger(IssuerKeyStore.class);
    private static final int MAX_BYTES = 1 << 20;
    private static final int MAX_DEPTH = 8;
    private static final long RECENT_SECONDS = TimeUnit.DAYS.toSeconds(1);
    private static final long OLD_SECONDS = TimeUnit.DAYS.toSeconds(30);

    private final Path file;
    private final LongSupplier seconds;

    /**
     * @param file created with its folder at the first write
     * @param seconds the time, seconds since 1970
     */
    public IssuerKeyStore(Path file, LongSupplier seconds) {
        this.file = file;
        this.seconds = seconds;
    }

    /**
     * Checks whether keys could be stored.
     *
     * @throws IOException if they could not
     */
    public void check() throws IOException {
        Path whole = file.toAbsolutePath();
        Path found = whole;
        while (found != null && !Files.exists(found)) {
            found = found.getParent();
        }
        if (found == null
                || Files.isDirectory(found) == found.equals(whole)
                || !Files.isWritable(found)) {
            throw new IOException(
                    "cannot write " + file + ": no permission, or its folder cannot be made");
        }
    }

    /** The stored keys of an issuer; empty if there are none, or the file can't be used. */
    Optional<IssuerKeySource.StoredKeys> read(IdentityIssuer issuer) {
        if (Files.notExists(file)) {
            return Optional.empty();
        }
        try {
            String text = TextFile.read(file, MAX_BYTES);
            Map<String, Object> set = CompactJws.json(text, MAX_DEPTH);
            if (!issuer.name().equals(set.get("issuer"))
                    || !(set.get("fetched") instanceof Number fetched)) {
                throw new IOException(file + " does not hold keys of " + issuer.name());
            }
            long age = seconds.getAsLong() - fetched.longValue();
            IdentityIssuer found = issuer.withSet(text, file.toString());
            if (age > OLD_SECONDS) {
                LOG.warn("issuer keys in {} are old: days={}", file, TimeUnit.SECONDS.toDays(age));
            }
            return Optional.of(
                    new IssuerKeySource.StoredKeys(found, age >= 0 && age < RECENT_SECONDS));
        } catch (IOException | IdentityRejectedException e) {
            LOG.warn("issuer keys were not read from {}: {}", file, ExceptionMessage.of(e));
            return Optional.empty();
        }
    }

    /** Stores keys; a failure is only logged. */
    void write(IdentityIssuer issuer) {
        List<Map<String, Object>> keys =
                issuer.keys().entrySet().stream()
                        .map(entry -> {
                            RsaJsonWebKey key = new RsaJsonWebKey(entry.getValue());
                            key.setKeyId(entry.getKey());
                            return key.toParams(OutputControlLevel.PUBLIC_ONLY);
                        })
                        .toList();
        Map<String, Object> set = new LinkedHashMap<>();
        set.put("issuer", issuer.name());
        set.put("fetched", seconds.getAsLong());
        set.put("keys", keys);
        try {
            Path folder = file.toAbsolutePath().getParent();
            if (folder == null) {
                throw new IOException("it is not a file");
            }
            Files.createDirectories(folder);
            // Not a new file in its place: a link stays, and so do owner and mode, and a file that
            // is mounted by itself can be written. What is written in part is fetched again.
            Files.writeString(file, JsonUtil.toJson(set));
        } catch (IOException e) {
            LOG.warn(
                    "issuer keys were not stored in {}: {}; option auth-cache names another file",
                    file,
                    ExceptionMessage.of(e));
        }
    }
}
