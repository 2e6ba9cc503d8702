package dev.wishdir.bedrock.server.join;

import dev.wishdir.net.http.HttpSettings;
import dev.wishdir.net.loop.ResolvedHost;

import org.jspecify.annotations.Nullable;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * The operator's settings of NetherNet.
 *
 * @param identityKey the file of the key by which players know the server; empty for a new one
 * @param publicAddress that is announced to clients; empty for the address at which each client's
 *     request arrives
 * @param tls with which the signalling's port speaks TLS too
 * @param lanPort where requests in the local network are answered; 0 for none
 */
record NetherNetOptions(
        Optional<Path> identityKey,
        Optional<PublicAddress> publicAddress,
        HttpSettings.@Nullable Tls tls,
        int lanPort) {
    /** The port at which the game looks for servers in its local network. */
    static final int LAN_PORT = 7551;

    private static final String PUBLIC_ADDRESS = "public-address";

    private static final String CERTIFICATE = "tls-certificate";
    private static final String KEY = "tls-key";

    /**
     * The host that clients send to.
     *
     * @param text {@code HOST} or {@code HOST:PORT}
     * @param atStart its address when the server started, with port 0 for that of the server
     */
    record PublicAddress(String text, InetSocketAddress atStart) {
        private static PublicAddress parse(String text) {
            try {
                URI parsed = URI.create("udp://" + text);
                if (parsed.getHost() == null || !parsed.getAuthority().equals(text)) {
                    throw new UnknownHostException(text);
                }
                InetAddress host = InetAddress.getByName(parsed.getHost());
                return new PublicAddress(
                        text, new InetSocketAddress(host, Math.max(parsed.getPort(), 0)));
            } catch (IllegalArgumentException | UnknownHostException e) {
                throw new InvalidOptionException(
                        PUBLIC_ADDRESS, "HOST or HOST:PORT of a known host");
            }
        }

        /** The address at the start, with the port of the server if none is set. */
        InetSocketAddress atStart(int serverPort) {
            return atStart.getPort() == 0
                    ? new InetSocketAddress(atStart.getAddress(), serverPort)
                    : atStart;
        }

        /** The host, to be resolved again while the server runs. */
        ResolvedHost host(int serverPort) {
            return ResolvedHost.parse(
                    "option " + PUBLIC_ADDRESS,
                    atStart.getPort() == 0 ? text.replaceFirst(":0*$", "") : text,
                    serverPort);
        }
    }

    /**
     * Reads options by their names.
     *
     * @param certified whether logins must be certified
     * @throws IllegalArgumentException if an option's value is wrong
     */
    static NetherNetOptions of(Map<String, String> options, boolean certified) {
        int lan = lan(options.getOrDefault("lan", "off"));
        if (lan != 0 && certified) {
            throw new IllegalArgumentException(
                    "option lan needs option auth off: in the local network a client does"
                            + " not prove that a login is its own");
        }
        return new NetherNetOptions(
                Optional.ofNullable(options.get("identity-key")).map(Path::of),
                Optional.ofNullable(options.get(PUBLIC_ADDRESS)).map(PublicAddress::parse),
                tls(options),
                lan);
    }

    private static int lan(String text) {
        return switch (text) {
            case "off" -> 0;
            case "on" -> LAN_PORT;
            default -> {
                if (!text.matches("[1-9][0-9]{0,4}") || Integer.parseInt(text) > 0xFFFF) {
                    throw new InvalidOptionException("lan", "on, off or a port");
                }
                yield Integer.parseInt(text);
            }
        };
    }

    private static HttpSettings.@Nullable Tls tls(Map<String, String> options) {
        String certificate = options.get(CERTIFICATE);
        String key = options.get(KEY);
        if (certificate == null && key == null) {
            return null;
        }
        if (certificate == null || key == null) {
            throw new IllegalArgumentException(
                    "option tls-certificate and option tls-key belong together");
        }
        return new HttpSettings.Tls(file(CERTIFICATE, certificate), file(KEY, key));
    }

    private static Path file(String option, String value) {
        Path file = Path.of(value);
        if (!Files.exists(file)) {
            throw new IllegalArgumentException("option " + option + ": there is no file " + file);
        }
        return file;
    }
}
