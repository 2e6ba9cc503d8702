package dev.wishdir.nethernet.identity;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Keys in a file of the operator, reread when the file changes. */
public final class IssuerKeyFile implements IssuerKeySource {
    private static final Schedule SCHEDULE =
            new Schedule(
                    TimeUnit.SECONDS.toNanos(5),
                    TimeUnit.SECONDS.toNanos(5),
                    TimeUnit.SECONDS.toNanos(60));

    private record Version(FileTime modified, long bytes) {}

    private final Path file;
    private IdentityIssuer issuer;
    private Version version;

    /**
     * Reads the file.
     *
     * @param issuer of the keys
     * @throws IOException if the file can't be read or has no key, as {@link
     *     IdentityIssuer#withKeysOf}
     */
    public IssuerKeyFile(Path file, IdentityIssuer issuer) throws IOException {
        this.file = file;
        version = version();
        this.issuer = issuer.withKeysOf(file);
    }

    /** The keys as they were last read. */
    public IdentityIssuer issuer() {
        return issuer;
    }

    @Override
    public Schedule schedule() {
        return SCHEDULE;
    }

    @Override
    public Optional<IdentityIssuer> fetch() throws IOException {
        Version current = version();
        if (current.equals(version)) {
            return Optional.empty();
        }
        issuer = issuer.withKeysOf(file);
        version = current;
        return Optional.of(issuer);
    }

    private Version version() throws IOException {
        BasicFileAttributes found = Files.readAttributes(file, BasicFileAttributes.class);
        return new Version(found.lastModifiedTime(), found.size());
    }
}
