package dev.wishdir.quake3;

import dev.wishdir.net.Cookies;

import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/**
 * The challenges with which addresses prove that they receive. Nothing is kept of those who only
 * ask; of a client that left, its challenge for a while, as a copy of its connect may still come.
 */
final class Challenges {
    private static final long SPENT = TimeUnit.SECONDS.toNanos(3);
    private static final int MOST_SPENT = 2048;

    private record Use(int challenge, long until) {}

    private final Cookies cookies;
    private final Map<InetSocketAddress, Use> spent =
            new LinkedHashMap<>() {
                private static final long serialVersionUID = 1;

                @Override
                protected boolean removeEldestEntry(Map.Entry<InetSocketAddress, Use> eldest) {
                    return size() > MOST_SPENT;
                }
            };

    Challenges(RandomGenerator random, long now) {
        cookies = new Cookies(random, now);
    }

    /** The challenge for an address. */
    int give(long now, InetSocketAddress to) {
        return (int) cookies.cookie(now, to);
    }

    /** Whether an address was given this challenge, and did not just leave with it. */
    boolean check(long now, InetSocketAddress from, int challenge) {
        Use use = spent.get(from);
        boolean left = use != null && use.challenge == challenge && now - use.until < 0;
        return !left && cookies.isGood(now, from, Integer.toUnsignedLong(challenge));
    }

    /** A client left. */
    void drop(long now, InetSocketAddress of, int challenge) {
        spent.remove(of);
        spent.put(of, new Use(challenge, now + SPENT));
    }
}
