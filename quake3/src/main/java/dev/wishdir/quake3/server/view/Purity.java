package dev.wishdir.quake3.server.view;

import dev.wishdir.quake3.map.Pak;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The pak checksums that clients of a pure server must prove for one level:
 * docs/protocols/quake3.md#pure.
 */
public final class Purity {
    private final List<Pak> paks;
    private final int checksumFeed;
    private final Optional<Pak> cgame;
    private final Optional<Pak> ui;
    private final Set<Integer> allowed;

    /**
     * @param paks that clients may read files from, in search order; empty if the server is not
     *     pure
     */
    Purity(List<Pak> paks, int checksumFeed) {
        this.paks = paks;
        this.checksumFeed = checksumFeed;
        // A client runs the first one that it finds; an older one behind it counts as a modified
        // one.
        cgame = paks.stream().filter(Pak::cgame).findFirst();
        ui = paks.stream().filter(Pak::ui).findFirst();
        allowed = paks.stream().map(this::checksum).collect(Collectors.toSet());
    }

    private int checksum(Pak pak) {
        return pak.pureChecksum(checksumFeed);
    }

    private boolean matches(Optional<Pak> pak, int sum) {
        return pak.isPresent() && checksum(pak.get()) == sum;
    }

    /** The paks without which no client can play: those with game code. */
    Stream<Pak> needed() {
        return Stream.of(cgame, ui).flatMap(Optional::stream).distinct();
    }

    /** Whether the server is pure. */
    public boolean isRequired() {
        return !paks.isEmpty();
    }

    String checksums() {
        return paks.stream().map(pak -> pak.checksum() + " ").collect(Collectors.joining());
    }

    String names() {
        return paks.stream().map(Pak::name).collect(Collectors.joining(" "));
    }

    /**
     * Whether a client's {@code cp} command proves that its game code and all files that it has
     * read are from the paks.
     *
     * @param cp words of the command: cp, server id, pure checksums of the paks of cgame and ui, an
     *     at sign, those of all paks that it has read, and their combined checksum
     */
    public boolean isProvedBy(List<String> cp) {
        if (cp.size() < 7 || !cp.get(4).equals("@")) {
            return false;
        }
        int[] sums =
                cp.stream()
                        .skip(2)
                        .filter(word -> word.matches("-?\\d{1,10}"))
                        .mapToInt(word -> (int) Long.parseLong(word))
                        .toArray();
        int count = sums.length - 3;
        if (sums.length != cp.size() - 3 || !matches(cgame, sums[0]) || !matches(ui, sums[1])) {
            return false;
        }
        Set<Integer> read = new HashSet<>();
        int sum = checksumFeed ^ count;
        for (int checksum : Arrays.copyOfRange(sums, 2, 2 + count)) {
            if (!allowed.contains(checksum) || !read.add(checksum)) {
                return false;
            }
            sum ^= checksum;
        }
        return sum == sums[2 + count];
    }
}
