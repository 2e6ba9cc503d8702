package dev.wishdir.net;

import java.net.InetAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How often something may be asked for by the prefixes of an address, for addresses that can't be
 * forged, as those of TCP. Keeps the {@value #MAX_REMEMBERED} prefixes that asked last.
 */
public final class PrefixTokenBuckets {
    private static final int MAX_REMEMBERED = 8192;

    private final PrefixLimits atOnce;
    private final PrefixLimits aSecond;
    private final Map<Prefix, TokenBucket> allowances =
            new LinkedHashMap<>(16, 0.75f, true) {
                private static final long serialVersionUID = 1;

                @Override
                protected boolean removeEldestEntry(Map.Entry<Prefix, TokenBucket> eldest) {
                    return size() > MAX_REMEMBERED;
                }
            };

    public PrefixTokenBuckets(PrefixLimits atOnce, PrefixLimits aSecond) {
        this.atOnce = atOnce;
        this.aSecond = aSecond;
    }

    /**
     * Takes one of each prefix of an address.
     *
     * @param now nanoseconds
     * @return false if one of them has none left; nothing is taken then
     */
    public boolean take(long now, InetAddress from) {
        List<TokenBucket> all = Prefix.all(from).stream().map(this::of).toList();
        for (TokenBucket bucket : all) {
            if (!bucket.canAcquire(now, 1)) {
                return false;
            }
        }
        all.forEach(bucket -> bucket.tryAcquire(now));
        return true;
    }

    private TokenBucket of(Prefix prefix) {
        return allowances.computeIfAbsent(
                prefix, key -> new TokenBucket(atOnce.of(key), aSecond.of(key)));
    }
}
