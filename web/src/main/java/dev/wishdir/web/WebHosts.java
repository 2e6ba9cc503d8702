package dev.wishdir.web;

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
 * The hosts that a {@link WebServer} answers for: the address that a request came to, {@code
 * localhost} where that is a loopback address, and the names that the operator gave. Any other name
 * may be one that a stranger points at this machine, so that his page, open in a browser that can
 * reach the map, is of the same host as the map (DNS rebinding); an address can't be pointed
 * anywhere.
 */
public final class WebHosts {
    private static final Pattern AUTHORITY = Pattern.compile("(\\[[^]]*]|[^:]*)(?::\\d{0,5})?");

    private final Set<String> names;

    /** Those of the address, and further names, of any case. */
    public WebHosts(Collection<String> names) {
        this.names =
                names.stream()
                        .map(name -> name.toLowerCase(Locale.ROOT))
                        .collect(Collectors.toUnmodifiableSet());
    }

    /**
     * Whether a request is to be answered.
     *
     * @param host the header {@code Host}; a request without one is not answered
     * @param origin the header {@code Origin}, which no browser leaves out where it matters: the
     *     page that asks must be of the same host and port
     * @param local the address that the request came to
     */
    boolean serves(@Nullable String host, @Nullable String origin, InetAddress local) {
        return host != null && isServed(host, local) && (origin == null || isOf(origin, host));
    }

    private boolean isServed(String authority, InetAddress local) {
        Matcher typed = AUTHORITY.matcher(authority);
        if (!typed.matches()) {
            return false;
        }
        String host = bare(typed.group(1)).toLowerCase(Locale.ROOT);
        return names.contains(host)
                || (local.isLoopbackAddress() && host.equals("localhost"))
                || isLiteral(host, local);
    }

    private static String bare(String host) {
        return host.startsWith("[") && host.endsWith("]")
                ? host.substring(1, host.length() - 1)
                : host;
    }

    /** An address as the servlet writes it, an IPv6 one in brackets. */
    public static InetAddress literal(String address) {
        return InetAddress.ofLiteral(bare(address));
    }

    private static boolean isLiteral(String host, InetAddress local) {
        try {
            return InetAddress.ofLiteral(host).equals(local);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static boolean isOf(String origin, String host) {
        try {
            return host.equalsIgnoreCase(new URI(origin).getRawAuthority());
        } catch (URISyntaxException e) {
            return false;
        }
    }
}
