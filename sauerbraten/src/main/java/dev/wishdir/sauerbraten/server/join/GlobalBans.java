package dev.wishdir.sauerbraten.server.join;

import dev.wishdir.net.limit.AddressRange;

import java.net.InetAddress;
import java.util.HashSet;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The addresses that one master server has banned, apart from the operator's bans. */
final class GlobalBans {
    private static final int MAX_BANS = 10_000;

    /** A master must not ban more at once: 0.0.0.0/0 would empty the server. */
    private static final int MIN_BITS = 8;

    private final Set<AddressRange> ranges = new HashSet<>();

    /** The lengths of their prefixes, the shortest first. */
    private final NavigableSet<Integer> lengths = new TreeSet<>();

    /**
     * Adds a ban.
     *
     * @param text an address, a range, or the leading parts of an IPv4 address: {@code 192.0.2}
     * @return empty if it is none of these, too wide, or one too many
     */
    Optional<AddressRange> add(String text) {
        Optional<AddressRange> range =
                parse(text).filter(it -> it.length() >= MIN_BITS && ranges.size() < MAX_BANS);
        range.ifPresent(added -> {
            ranges.add(added);
            lengths.add(added.length());
        });
        return range;
    }

    private static Optional<AddressRange> parse(String text) {
        try {
            String full = text;
            if (text.matches("[0-9]{1,3}(\\.[0-9]{1,3}){0,2}\\.?")) {
                int parts = text.split("\\.").length;
                full =
                        String.join(".", text.split("\\."))
                                + ".0".repeat(4 - parts)
                                + "/"
                                + 8 * parts;
            }
            return Optional.of(AddressRange.parse(full));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    boolean contains(InetAddress address) {
        int bits = address.getAddress().length * Byte.SIZE;
        return lengths.headSet(bits, true).stream()
                .anyMatch(length -> ranges.contains(AddressRange.prefix(address, length)));
    }

    void clear() {
        ranges.clear();
        lengths.clear();
    }
}
