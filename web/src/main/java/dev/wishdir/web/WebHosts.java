package dev.wishdir.web;

import dev.wishdir.wire.Bytes;

import org.jspecify.annotations.Nullable;

import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Collection;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The host names under which a {@link WebServer} answers: the address to which a request was sent,
 * {@code localhost}, 127.0.0.1, ::1, and the operator's names. Other names are refused because of
 * DNS rebinding: an attacker can let a name point to this machine, so that the attacker's page, in
 * a browser that can reach the server, has the same origin as the live map.
 */
public final class WebHosts {
    private static final int IPV6_PREFIX_BYTES = 8;

    /**
     * Browsers resolve them to their own machine only. A container's port, published there, gets
     * them at another address.
     */
    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "::1");

    private static final Pattern AUTHORITY = Pattern.compile("(\\[[^]]*]|[^:]*)(?::\\d{0,5})?");

    private final Set<String> names;

    /**
     * @param names the operator's names, in any case
     */
    public WebHosts(Collection<String> names) {
        this.names =
                names.stream()
                        .map(name -> name.toLowerCase(Locale.ROOT))
                        .collect(Collectors.toUnmodifiableSet());
    }

    /**
     * Whether to answer a request.
     *
     * @param host the header {@code Host}, which is required
     * @param origin the header {@code Origin}, which must have the same host and port; browsers
     *     send it with all requests for which it matters
     * @param local the address to which the request was sent
     */
    boolean isAllowed(@Nullable String host, @Nullable String origin, InetAddress local) {
        return host != null
                && isAllowedHost(host, local)
                && (origin == null || isSameOrigin(origin, host));
    }

    private boolean isAllowedHost(String authority, InetAddress local) {
        Matcher typed = AUTHORITY.matcher(authority);
        if (!typed.matches()) {
            return false;
        }
        String host = withoutBrackets(typed.group(1)).toLowerCase(Locale.ROOT);
        return names.contains(host) || LOOPBACK.contains(host) || isLiteral(host, local);
    }

    private static String withoutBrackets(String host) {
        return host.startsWith("[") && host.endsWith("]")
                ? host.substring(1, host.length() - 1)
                : host;
    }

    /** Parses an address of the servlet, which writes IPv6 in brackets. */
    public static InetAddress literal(String address) {
        return InetAddress.ofLiteral(withoutBrackets(address));
    }

    /** An IPv4 address, or the /64 of an IPv6 address: what limits by address count. */
    static Bytes prefix(InetAddress address) {
        byte[] bytes = address.getAddress();
        return Bytes.copyOf(bytes, 0, Math.min(bytes.length, IPV6_PREFIX_BYTES));
    }

    private static boolean isLiteral(String host, InetAddress local) {
        try {
            return InetAddress.ofLiteral(host).equals(local);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static boolean isSameOrigin(String origin, String host) {
        try {
            return host.equalsIgnoreCase(new URI(origin).getRawAuthority());
        } catch (URISyntaxException e) {
            return false;
        }
    }
}
