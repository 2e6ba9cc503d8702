package dev.wishdir.app.cluster;

import dev.wishdir.cluster.nats.NatsSettings;
import dev.wishdir.cluster.publish.NodeSettings;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Map;

/** The settings of the module {@code cluster} for those of the command line. */
final class NatsAccess {
    /** Maximum length of a host's name, as {@link NodeSettings} has it. */
    private static final int MAX_HOST_CHARS = 64;

    private NatsAccess() {}

    /**
     * The settings of the bus.
     *
     * @throws IllegalArgumentException if a value is not allowed
     */
    static NatsSettings bus(ClusterSettings settings) {
        if (settings.user().isEmpty() != settings.password().isEmpty()) {
            throw new IllegalArgumentException(
                    "--cluster-user and --cluster-password must be given together");
        }
        if (settings.servers().stream().anyMatch(server -> server.contains("@"))) {
            throw new IllegalArgumentException(
                    "the URL of a NATS server has no user and no password: give them as"
                            + " --cluster-user and --cluster-password, or a file as --cluster-key");
        }
        if (!settings.user().isEmpty() && settings.key().isPresent()) {
            throw new IllegalArgumentException(
                    "give either --cluster-user and --cluster-password or --cluster-key");
        }
        return new NatsSettings(
                settings.servers(),
                settings.user(),
                settings.password(),
                settings.key(),
                new NatsSettings.Tls(
                        settings.tlsAuthority(), settings.tlsCertificate(), settings.tlsKey()));
    }

    /**
     * The settings of the node.
     *
     * @param ports where clients of each game join
     * @throws IllegalArgumentException if a value is not allowed
     */
    static NodeSettings node(ClusterSettings settings, String version, Map<String, Integer> ports) {
        return new NodeSettings(
                settings.arena(),
                settings.node(),
                settings.intervalMillis() * 1_000_000L,
                host(settings),
                version,
                ports);
    }

    /** The name of this server for others. */
    static String host(ClusterSettings settings) {
        if (!settings.host().isEmpty()) {
            return settings.host();
        }
        try {
            String name = InetAddress.getLocalHost().getHostName();
            return name.length() > MAX_HOST_CHARS ? name.substring(0, MAX_HOST_CHARS) : name;
        } catch (UnknownHostException e) {
            return "";
        }
    }
}
