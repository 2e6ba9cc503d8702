package dev.wishdir.net;

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
 * A host and port of the settings, whose name is resolved off the cycle's thread and again from
 * time to time: a machine may start before its network, and addresses change. All methods belong to
 * the cycle's thread.
 */
public final class ResolvedHost {
    /** The time after which a name that was resolved is resolved again. */
    public static final long REFRESH_NANOS = TimeUnit.MINUTES.toNanos(5);

    /** The time after which a name that was not resolved is tried again. */
    public static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(30);

    private static final Logger LOG = LoggerFactory.getLogger(ResolvedHost.class);
    private static final int MAX_PORT = 65_535;

    /** Looks up a name, and may block while it does. */
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
    private boolean asked;
    private boolean waits;
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
     * A host by what the operator typed: {@code HOST}, {@code HOST:PORT}, {@code [IPV6]:PORT}.
     *
     * @param setting the option's name, for messages
     * @throws IllegalArgumentException if it has not this form; the message names the setting
     */
    public static ResolvedHost parse(String setting, String typed, int defaultPort) {
        return parse(setting, typed, defaultPort, InetAddress::getByName);
    }

    /** As the other, with a resolver that a test gives. */
    public static ResolvedHost parse(
            String setting, String typed, int defaultPort, Resolver resolver) {
        String text = typed.strip();
        if (literal(text).isPresent() && text.indexOf(':') >= 0) {
            return new ResolvedHost(setting, text, defaultPort, resolver);
        }
        int colon = text.lastIndexOf(':');
        boolean named = colon > text.lastIndexOf(']');
        String host = named ? text.substring(0, colon) : text;
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        }
        int port = named ? port(text.substring(colon + 1)) : defaultPort;
        if (port < 0 || !host.matches("[A-Za-z0-9._-]{1,253}") && literal(host).isEmpty()) {
            throw new IllegalArgumentException(
                    setting + ": '" + typed + "' is not HOST or HOST:PORT with a port 1..65535");
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

    /** Where it is as far as known; empty until its name was resolved. */
    public Optional<InetSocketAddress> address() {
        return Optional.ofNullable(address);
    }

    /**
     * Has the name resolved when it is time.
     *
     * @param onAddress gets each new address, on the cycle's thread
     */
    public void advance(DutyCycle cycle, Consumer<InetSocketAddress> onAddress) {
        long now = cycle.now();
        if (literal || waits || asked && now < due) {
            return;
        }
        asked = true;
        waits = true;
        boolean taken =
                cycle.offload(
                        () -> resolver.resolve(host),
                        found -> resolved(cycle.now(), found, onAddress),
                        failure -> failed(cycle.now(), failure));
        if (!taken) {
            waits = false;
            due = now + RETRY_NANOS;
        }
    }

    private void resolved(long now, InetAddress found, Consumer<InetSocketAddress> onAddress) {
        waits = false;
        due = now + REFRESH_NANOS;
        InetSocketAddress next = new InetSocketAddress(found, port);
        if (failed || address != null && !next.equals(address)) {
            LOG.info("{}: {} is {} now", setting, host, found.getHostAddress());
        }
        failed = false;
        if (!next.equals(address)) {
            address = next;
            onAddress.accept(next);
        }
    }

    private void failed(long now, Throwable failure) {
        waits = false;
        due = now + RETRY_NANOS;
        if (!failed) {
            LOG.warn(
                    "{}: the name {} can't be resolved ({}); it is tried again every {} s{}",
                    setting,
                    host,
                    String.valueOf(failure.getMessage()),
                    TimeUnit.NANOSECONDS.toSeconds(RETRY_NANOS),
                    address == null ? "" : ", and its last address is used");
        }
        failed = true;
    }
}
