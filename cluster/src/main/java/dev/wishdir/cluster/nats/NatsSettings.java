package dev.wishdir.cluster.nats;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Settings by which a {@link NatsBus} connects.
 *
 * @param servers addresses, as {@code nats://host:4222} or {@code tls://host:4222}; one that does
 *     not answer is replaced by the next
 * @param user empty for none
 * @param password of the user
 * @param key file with an NKey seed, or with credentials
 * @param tls files for {@code tls://}
 */
public record NatsSettings(
        List<String> servers, String user, String password, Optional<Path> key, Tls tls) {
    /**
     * Files in PEM format.
     *
     * @param authority certificates of the authorities that are trusted; those of Java if there is
     *     no file
     * @param certificate of this client
     * @param privateKey of the certificate, PKCS #8
     */
    public record Tls(
            Optional<Path> authority, Optional<Path> certificate, Optional<Path> privateKey) {
        public static final Tls DEFAULT =
                new Tls(Optional.empty(), Optional.empty(), Optional.empty());

        /**
         * @throws IllegalArgumentException if only one of certificate and key is given
         */
        public Tls {
            if (certificate.isPresent() != privateKey.isPresent()) {
                throw new IllegalArgumentException(
                        "a client certificate needs its private key, and a key its certificate");
            }
        }
    }

    /**
     * @throws IllegalArgumentException if no server is given, or one is not an address
     */
    public NatsSettings {
        servers = List.copyOf(servers);
        if (servers.isEmpty()) {
            throw new IllegalArgumentException("no NATS server is given");
        }
        for (String server : servers) {
            if (!server.matches("(nats|tls)://[^\\s/@]+")) {
                throw new IllegalArgumentException(
                        "a NATS server must be nats://HOST[:PORT] or tls://HOST[:PORT], is \""
                                // It may have a user and a password.
                                + server.replaceFirst("//.*@", "//(hidden)@")
                                + "\"");
            }
        }
    }

    /** Settings without user, key and files. */
    public NatsSettings(String... servers) {
        this(List.of(servers), "", "", Optional.empty(), Tls.DEFAULT);
    }

    /** Whether any server is spoken to by TLS. */
    boolean isSecure() {
        return servers.stream().anyMatch(server -> server.startsWith("tls:"));
    }

    /** Without the password. */
    @Override
    public String toString() {
        return String.join(",", servers);
    }
}
