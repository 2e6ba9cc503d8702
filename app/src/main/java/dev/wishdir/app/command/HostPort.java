package dev.wishdir.app.command;

import picocli.CommandLine;
import picocli.CommandLine.TypeConversionException;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;

/**
 * A host and an optional port, parsed from {@code HOST}, {@code HOST:PORT}, {@code PORT}, {@code
 * :PORT} or {@code [IPV6]:PORT}.
 *
 * @param host a name or an address; empty for all addresses of this machine
 * @param port -1 if not given
 */
public record HostPort(String host, int port) {
    public static HostPort parse(String text) {
        return parse(text, "");
    }

    /**
     * Parses an address that may also be a port without a host, such as {@code 8080}.
     *
     * @param portHost the host of such a port; empty for all addresses of this machine
     */
    public static HostPort parse(String text, String portHost) {
        if (text.matches("\\d+")) {
            return new HostPort(portHost, port(text, text));
        }
        String host = text;
        int port = -1;
        int colon = text.lastIndexOf(':');
        boolean bareIpv6 = text.indexOf(':') != colon && !text.startsWith("[");
        if (colon >= 0 && !bareIpv6 && !text.endsWith("]")) {
            host = text.substring(0, colon);
            port = port(text, text.substring(colon + 1));
        }
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        }
        return new HostPort(host, port);
    }

    private static int port(String text, String digits) {
        try {
            int port = Integer.parseInt(digits);
            if (port >= 0 && port <= 65_535) {
                return port;
            }
        } catch (NumberFormatException e) {
            // Reported below, as for a number that is too large.
        }
        throw new TypeConversionException(
                "'" + text + "' does not end with a port from 0 to 65535");
    }

    /** Resolves the host; an empty one stands for all addresses of this machine. */
    public InetSocketAddress resolve(int defaultPort) throws CommandFailedException {
        int where = port < 0 ? defaultPort : port;
        if (host.isEmpty()) {
            return new InetSocketAddress(where);
        }
        try {
            return new InetSocketAddress(InetAddress.getByName(host), where);
        } catch (UnknownHostException e) {
            throw new CommandFailedException("unknown host '" + host + "'", e);
        }
    }

    /**
     * Resolves the address that an option names.
     *
     * @throws CommandLine.ParameterException if it is not an address
     * @throws CommandFailedException if its host is unknown
     */
    public static InetSocketAddress resolve(
            CommandLine line, String option, String text, int defaultPort)
            throws CommandFailedException {
        try {
            return parse(text).resolve(defaultPort);
        } catch (TypeConversionException e) {
            throw new CommandLine.ParameterException(line, option + ": " + e.getMessage(), e);
        } catch (CommandFailedException e) {
            throw new CommandFailedException(option + ": " + e.getMessage(), e);
        }
    }

    /**
     * Resolves the address of a server to send to; an empty host stands for this machine.
     *
     * @throws CommandFailedException if the host is unknown, or the port 0
     */
    public InetSocketAddress resolveServer(int defaultPort) throws CommandFailedException {
        if (port == 0) {
            throw new CommandFailedException(
                    "no server has port 0: give a port from 1 to 65535, or none for "
                            + defaultPort);
        }
        return (host.isEmpty() ? new HostPort("localhost", port) : this).resolve(defaultPort);
    }

    /** Whether an address belongs to this machine or a private network. */
    public static boolean isPrivate(InetAddress address) {
        return address.isLoopbackAddress()
                || address.isSiteLocalAddress()
                || address.isLinkLocalAddress()
                || address.isAnyLocalAddress()
                || (address.getAddress().length == 16 && (address.getAddress()[0] & 0xFE) == 0xFC);
    }
}
