package dev.wishdir.web;

import dev.wishdir.net.limit.AddressRange;
import dev.wishdir.wire.Bytes;

import org.jspecify.annotations.Nullable;

import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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

    /** Maximum number of addresses of a header that are looked at, the last ones. */
    private static final int MAX_FORWARDED = 16;

    private final Set<String> names;
    private final Set<String> origins;
    private final List<AddressRange> trusted;

    /**
     * @param names the operator's names, in any case
     */
    public WebHosts(Collection<String> names) {
        this(names, List.of(), List.of());
    }

    /**
     * @param names the operator's names, in any case; pages of these hosts may ask, too, under
     *     whatever name a reverse proxy passes their requests on
     * @param bound the names of the server's own address
     * @param trusted reverse proxies, besides this machine: they tell the addresses of browsers,
     *     and their own are not limited
     */
    public WebHosts(
            Collection<String> names, Collection<String> bound, List<AddressRange> trusted) {
        origins = lower(names);
        this.names =
                Stream.concat(origins.stream(), lower(bound).stream())
                        .collect(Collectors.toUnmodifiableSet());
        this.trusted = List.copyOf(trusted);
    }

    private static Set<String> lower(Collection<String> names) {
        return names.stream()
                .map(name -> name.toLowerCase(Locale.ROOT))
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Whether an address is this machine, or one that the operator trusts. */
    boolean isTrusted(InetAddress address) {
        return address.isLoopbackAddress()
                || trusted.stream().anyMatch(range -> range.contains(address));
    }

    /**
     * The address for which a request counts: of a trusted one, the last address of the header that
     * is not trusted, as each proxy appends the address from which it got the request.
     *
     * @param forwarded the header {@code X-Forwarded-For}
     * @return empty if it does not count for any address
     */
    Optional<InetAddress> client(InetAddress from, @Nullable String forwarded) {
        if (!isTrusted(from)) {
            return Optional.of(from);
        }
        String[] passed = forwarded == null ? new String[0] : forwarded.split(",", -1);
        for (int i = passed.length - 1; i >= Math.max(0, passed.length - MAX_FORWARDED); i--) {
            try {
                InetAddress address = literal(AddressRange.withoutPort(passed[i].strip()));
                if (!isTrusted(address)) {
                    return Optional.of(address);
                }
            } catch (IllegalArgumentException e) {
                return Optional.empty();
            }
        }
        return Optional.empty();
    }

    /**
     * Whether to answer a request.
     *
     * @param host the header {@code Host}, which is required
     * @param origin the header {@code Origin}, which must have the same host and port, or one of
     *     the operator's names; browsers send it with all requests for which it matters
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
    public static Bytes prefix(InetAddress address) {
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

    /** Whether a page has the host and port of the request, or is of a host of the operator. */
    private boolean isSameOrigin(String origin, String host) {
        try {
            URI page = new URI(origin);
            String name = page.getHost();
            return host.equalsIgnoreCase(page.getRawAuthority())
                    || name != null && origins.contains(name.toLowerCase(Locale.ROOT));
        } catch (URISyntaxException e) {
            return false;
        }
    }
}
