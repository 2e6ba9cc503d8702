package dev.wishdir.app.cluster;

import dev.wishdir.app.command.DistinctFiles;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Option;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The options about the other servers of one arena. */
public final class ClusterOptions {
    private static final String OFF = "off";
    private static final String DEFAULT_SCHEME = "nats://";
    private static final String SCHEME_END = "://";

    @Option(
            names = "--cluster",
            paramLabel = "URL|off",
            split = ",",
            description =
                    "The NATS servers that connect this server with the others of its arena,"
                        + " separated by commas: nats://HOST[:PORT] or tls://HOST[:PORT]."
                        + " docs/cluster.md describes how several servers are one arena (default"
                        + " ${DEFAULT-VALUE}).",
            defaultValue = OFF)
    private List<String> servers = List.of(OFF);

    @Option(
            names = "--cluster-arena",
            paramLabel = "NAME",
            description =
                    "The name of the arena: servers with the same name and NATS are one arena. 1 to"
                            + " 32 of a-z, 0-9 and - (default ${DEFAULT-VALUE}).",
            defaultValue = "arena")
    private String arena = "";

    @Option(
            names = "--cluster-host",
            paramLabel = "HOST",
            description =
                    "The name or address at which players reach this server. Operators of other"
                        + " servers read it, and their players if their server is full (default:"
                        + " the machine's name).",
            defaultValue = "")
    private String host = "";

    @Option(
            names = "--cluster-node",
            paramLabel = "N",
            description =
                    "The number of this server in the arena, from 2 to 1073741823 and different"
                            + " from all others. 0 draws one at each start (default"
                            + " ${DEFAULT-VALUE}).",
            defaultValue = "0")
    private int node;

    @Option(
            names = "--cluster-interval",
            paramLabel = "MS",
            description =
                    "Milliseconds for which movements are collected before they are sent to the"
                            + " other servers, from 1 to 100 (default ${DEFAULT-VALUE}).",
            defaultValue = "10")
    private int interval;

    @Option(
            names = "--cluster-user",
            paramLabel = "NAME",
            description = "The user of NATS.",
            defaultValue = "")
    private String user = "";

    @Option(
            names = "--cluster-password",
            paramLabel = "TEXT",
            description = "The password of the user.",
            defaultValue = "")
    private String password = "";

    @Option(
            names = "--cluster-key",
            paramLabel = "FILE",
            description = "A file with the NKey seed of a user of NATS, or with credentials.")
    private @Nullable Path key;

    @Option(
            names = "--cluster-tls-ca",
            paramLabel = "FILE",
            description =
                    "The certificates of the authorities that sign those of the NATS servers, as"
                            + " PEM (default: those of Java).")
    private @Nullable Path tlsAuthority;

    @Option(
            names = "--cluster-tls-certificate",
            paramLabel = "FILE",
            description = "The certificate of this server for NATS, as PEM.")
    private @Nullable Path tlsCertificate;

    @Option(
            names = "--cluster-tls-key",
            paramLabel = "FILE",
            description = "The private key of that certificate, as PEM in PKCS #8.")
    private @Nullable Path tlsKey;

    /** Adds the files of these options. */
    public void addTo(DistinctFiles all) {
        all.addInput("--cluster-key", key);
        all.addInput("--cluster-tls-ca", tlsAuthority);
        all.addInput("--cluster-tls-certificate", tlsCertificate);
        all.addInput("--cluster-tls-key", tlsKey);
    }

    /** The settings; empty if there are no other servers. */
    public Optional<ClusterSettings> settings() {
        if (servers.equals(List.of(OFF))) {
            return Optional.empty();
        }
        return Optional.of(
                new ClusterSettings(
                        urls(servers),
                        arena,
                        host,
                        node,
                        interval,
                        user,
                        password,
                        Optional.ofNullable(key),
                        Optional.ofNullable(tlsAuthority),
                        Optional.ofNullable(tlsCertificate),
                        Optional.ofNullable(tlsKey)));
    }

    /** Completes addresses without a scheme with that of the first. */
    private static List<String> urls(List<String> servers) {
        String first = servers.getFirst();
        int end = first.indexOf(SCHEME_END);
        String scheme = end < 0 ? DEFAULT_SCHEME : first.substring(0, end) + SCHEME_END;
        List<String> urls = new ArrayList<>();
        for (String server : servers) {
            urls.add(server.contains(SCHEME_END) ? server : scheme + server);
        }
        return urls;
    }
}
