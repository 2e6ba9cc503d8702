package dev.wishdir.net;

/**
 * The most of something that may come from one owner, as far as addresses show owners. A provider
 * gives a household a /64 or a /56 of IPv6, and a tenant of a data centre often a /48.
 *
 * @param household of one address of IPv4, or one /64 of IPv6
 * @param network of one /24 of IPv4, or one /56 of IPv6
 * @param site of one /48 of IPv6
 */
public record PrefixLimits(int household, int network, int site) {
    public PrefixLimits {
        if (household < 1 || network < household || site < network) {
            throw new IllegalArgumentException(
                    "prefix limits must rise from at least 1, are "
                            + household
                            + ", "
                            + network
                            + ", "
                            + site);
        }
    }

    int of(Prefix prefix) {
        return switch (prefix.length()) {
            case 32, 64 -> household;
            case 24, 56 -> network;
            default -> site;
        };
    }
}
