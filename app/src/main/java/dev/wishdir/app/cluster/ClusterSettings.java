package dev.wishdir.app.cluster;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Settings by which a server connects to the other servers of its arena. It has no type of the
 * module {@code cluster}, whose classes a server without other servers does not load.
 *
 * @param servers of NATS, as {@code nats://host:4222}
 * @param arena servers with the same name are one arena
 * @param host at which players reach this server, as other nodes show it; empty for the machine's
 *     name
 * @param node number of this node; 0 to draw one
 * @param intervalMillis minimum time between two batches of movements
 * @param user empty for none
 * @param key file with an NKey seed, or with credentials
 * @param tlsAuthority certificates of the authorities that are trusted
 * @param tlsCertificate of this client
 * @param tlsKey of the certificate
 */
public record ClusterSettings(
        List<String> servers,
        String arena,
        String host,
        int node,
        int intervalMillis,
        String user,
        String password,
        Optional<Path> key,
        Optional<Path> tlsAuthority,
        Optional<Path> tlsCertificate,
        Optional<Path> tlsKey) {
    public ClusterSettings {
        servers = List.copyOf(servers);
    }

    /** Without the password. */
    @Override
    public String toString() {
        return arena + " at " + String.join(",", servers);
    }
}
