package dev.wishdir.net.loop;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A configured host and port whose name is resolved in the background and again every 5 minutes. A
 * machine may start before its network, and addresses change. Used only by the cycle's thread.
 */
public final class ResolvedHost {
    /** Interval at which a resolved name is resolved again, nanoseconds. */
    public static final long REFRESH_NANOS = TimeUnit.MINUTES.toNanos(5);

    /** Interval at which a failed name is tried again, nanoseconds. */
    public static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(30);

    private static final Logger LOG = LoggerFactory.getLogger(ResolvedHost.class);
    private static final int MAX_PORT = 65_535;

    /** Resolves a name; may block. */
    @FunctionalInterface
    public interface Resolver {
        InetAddress resolve(String host) throws IOException;
    }

    private final String setting;
    private final String host;
    private final int port;
    private final Resolver resolver;
    private final boolean literal;
    private @Nullable InetSocketAddress address;
    private boolean started;
    private boolean resolving;
    private boolean failed;
    private long due;

    private ResolvedHost(String setting, String host, int port, Resolver resolver) {
        this.setting = setting;
        this.host = host;
        this.port = port;
        this.resolver = resolver;
        address = literal(host).map(it -> new InetSocketAddress(it, port)).orElse(null);
        literal = address != null;
    }

    /**
     * Parses the text of a setting: {@code HOST}, {@code HOST:PORT}, {@code [IPV6]:PORT}.
     *
     * @param setting the setting's name, for messages
     * @throws IllegalArgumentException if it does not have this form; the message names the setting
     */
    public static ResolvedHost parse(String setting, String configured, int defaultPort) {
        return parse(setting, configured, defaultPort, InetAddress::getByName);
    }

    /** As {@link #parse(String, String, int)}, with the resolver of a test. */
    public static ResolvedHost parse(
            String setting, String configured, int defaultPort, Resolver resolver) {
        String text = configured.strip();
        if (literal(text).isPresent() && text.indexOf(':') >= 0) {
            return new ResolvedHost(setting, text, defaultPort, resolver);
        }
        int colon = text.lastIndexOf(':');
        boolean hasPort = colon > text.lastIndexOf(']');
        String host = hasPort ? text.substring(0, colon) : text;
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        }
        int port = hasPort ? port(text.substring(colon + 1)) : defaultPort;
        if (port < 0 || !host.matches("[A-Za-z0-9._-]{1,253}") && literal(host).isEmpty()) {
            throw new IllegalArgumentException(
                    setting
                            + ": '"
                            + configured
                            + "' is not HOST or HOST:PORT with a port 1..65535");
        }
        return new ResolvedHost(setting, host, port, resolver);
    }

    private static int port(String digits) {
        int port = digits.matches("[1-9]\\d{0,4}") ? Integer.parseInt(digits) : -1;
        return port <= MAX_PORT ? port : -1;
    }

    private static Optional<InetAddress> literal(String host) {
        try {
            return Optional.of(InetAddress.ofLiteral(host));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** The same host, whose log lines begin with another text than its setting's name. */
    public ResolvedHost loggedAs(String name) {
        return new ResolvedHost(name, host, port, resolver);
    }

    /** The host as configured, with its port. */
    public String text() {
        return host + ":" + port;
    }

    /** The last known address; empty until the name was resolved. */
    public Optional<InetSocketAddress> address() {
        return Optional.ofNullable(address);
    }

    /**
     * Starts to resolve the name when it is due.
     *
     * @param onAddress takes each new address, on the cycle's thread
     */
    public void advance(DutyCycle cycle, Consumer<InetSocketAddress> onAddress) {
        long now = cycle.now();
        if (literal || resolving || started && now < due) {
            return;
        }
        started = true;
        resolving = true;
        boolean accepted =
                cycle.offload(
                        () -> resolver.resolve(host),
                        found -> resolved(cycle.now(), found, onAddress),
                        failure -> failed(cycle.now(), failure));
        if (!accepted) {
            resolving = false;
            due = now + RETRY_NANOS;
        }
    }

    private void resolved(long now, InetAddress found, Consumer<InetSocketAddress> onAddress) {
        resolving = false;
        due = now + REFRESH_NANOS;
        InetSocketAddress next = new InetSocketAddress(found, port);
        if (failed || address != null && !next.equals(address)) {
            LOG.info("{}: {} resolved to {}", setting, host, found.getHostAddress());
        }
        failed = false;
        if (!next.equals(address)) {
            address = next;
            onAddress.accept(next);
        }
    }

    private void failed(long now, Throwable failure) {
        resolving = false;
        due = now + RETRY_NANOS;
        if (!failed) {
            LOG.warn(
                    "{}: host name {} was not resolved ({}); retrying every {} s{}",
                    setting,
                    host,
                    String.valueOf(failure.getMessage()),
                    TimeUnit.NANOSECONDS.toSeconds(RETRY_NANOS),
                    address == null ? "" : ", using the last address until then");
        }
        failed = true;
    }
}
