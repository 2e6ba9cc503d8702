package dev.wishdir.quake3;

import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.random.RandomGenerator;

/** The challenges that addresses were given: the newest 2048. */
final class Challenges {
    private static final int MOST = 2048;

    private final Map<InetSocketAddress, Integer> given =
            new LinkedHashMap<>() {
                @Override
                protected boolean removeEldestEntry(Map.Entry<InetSocketAddress, Integer> eldest) {
                    return size() > MOST;
                }
            };
    private final RandomGenerator random;

    Challenges(RandomGenerator random) {
        this.random = random;
    }

    /** A fresh challenge for an address. */
    int give(InetSocketAddress to) {
        int challenge = random.nextInt();
        given.remove(to);
        given.put(to, challenge);
        return challenge;
    }

    /** Whether an address was given this challenge. */
    boolean check(InetSocketAddress from, int challenge) {
        Integer known = given.get(from);
        return known != null && known == challenge;
    }

    void drop(InetSocketAddress of) {
        given.remove(of);
    }
}
