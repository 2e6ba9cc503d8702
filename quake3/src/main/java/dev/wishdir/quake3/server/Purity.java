package dev.wishdir.quake3.server;

import dev.wishdir.quake3.map.Pak;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What clients of one level must prove to have where the server is pure: Quake III, pure. */
final class Purity {
    private final List<Pak> paks;
    private final int checksumFeed;
    private final Optional<Pak> cgame;
    private final Optional<Pak> ui;
    private final Set<Integer> known;

    /**
     * @param paks of which clients may read files, in the order in which they search them; none
     *     where they may read what they like
     */
    Purity(List<Pak> paks, int checksumFeed) {
        this.paks = paks;
        this.checksumFeed = checksumFeed;
        // A client runs the first that it finds; an older one behind it is as good as an altered.
        cgame = paks.stream().filter(Pak::cgame).findFirst();
        ui = paks.stream().filter(Pak::ui).findFirst();
        known = paks.stream().map(this::sum).collect(Collectors.toSet());
    }

    private int sum(Pak pak) {
        return pak.pureChecksum(checksumFeed);
    }

    private boolean is(Optional<Pak> pak, int sum) {
        return pak.isPresent() && sum(pak.get()) == sum;
    }

    /** The paks that no client can play without: those of its game code. */
    Stream<Pak> needed() {
        return Stream.of(cgame, ui).flatMap(Optional::stream).distinct();
    }

    /** Whether anything must be proved. */
    boolean wanted() {
        return !paks.isEmpty();
    }

    String checksums() {
        return paks.stream().map(pak -> pak.checksum() + " ").collect(Collectors.joining());
    }

    String names() {
        return paks.stream().map(Pak::name).collect(Collectors.joining(" "));
    }

    /**
     * Whether a client has shown that its game code and all that it has read are of the paks.
     *
     * @param cp the words of its command: cp, the level, the checksums of cgame's and ui's pak, an
     *     at sign, those of all paks that it has read, and their sum
     */
    boolean isProvedBy(List<String> cp) {
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
        if (sums.length != cp.size() - 3 || !is(cgame, sums[0]) || !is(ui, sums[1])) {
            return false;
        }
        Set<Integer> read = new HashSet<>();
        int sum = checksumFeed ^ count;
        for (int one : Arrays.copyOfRange(sums, 2, 2 + count)) {
            if (!known.contains(one) || !read.add(one)) {
                return false;
            }
            sum ^= one;
        }
        return sum == sums[2 + count];
    }
}
