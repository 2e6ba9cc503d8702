package dev.wishdir.net.limit;

/**
 * Maximum counts by address prefix, as an approximation of one owner. A provider assigns a
 * subscriber a /64 or a /56 of IPv6, and a tenant of a data centre often a /48.
 *
 * @param subscriber for one IPv4 address or one IPv6 /64
 * @param network for one IPv4 /24 or one IPv6 /56
 * @param site for one IPv6 /48
 */
public record PrefixLimits(int subscriber, int network, int site) {
    public PrefixLimits {
        if (subscriber < 1 || network < subscriber || site < network) {
            throw new IllegalArgumentException(
                    "prefix limits must be at least 1 and must not decrease from subscriber to"
                            + " network to site: "
                            + subscriber
                            + ", "
                            + network
                            + ", "
                            + site);
        }
    }

    int of(Prefix prefix) {
        return switch (prefix.length()) {
            case 32, 64 -> subscriber;
            case 24, 56 -> network;
            default -> site;
        };
    }
}
