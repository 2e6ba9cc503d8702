package dev.wishdir.net.limit;

import java.net.InetAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Token buckets by address prefix, for addresses that can't be forged, such as those of TCP. Keeps
 * the {@value #MAX_REMEMBERED} prefixes that were used last.
 */
public final class PrefixTokenBuckets {
    private static final int MAX_REMEMBERED = 8192;

    private final PrefixLimits burst;
    private final PrefixLimits perSecond;
    private final Map<Prefix, TokenBucket> buckets =
            new LinkedHashMap<>(16, 0.75f, true) {
                private static final long serialVersionUID = 1;

                @Override
                protected boolean removeEldestEntry(Map.Entry<Prefix, TokenBucket> eldest) {
                    return size() > MAX_REMEMBERED;
                }
            };

    public PrefixTokenBuckets(PrefixLimits burst, PrefixLimits perSecond) {
        this.burst = burst;
        this.perSecond = perSecond;
    }

    /**
     * Takes one token from each prefix of an address.
     *
     * @param now nanoseconds
     * @return false, and nothing is taken, if one of them is empty
     */
    public boolean take(long now, InetAddress from) {
        List<TokenBucket> ofAddress = Prefix.all(from).stream().map(this::bucket).toList();
        for (TokenBucket bucket : ofAddress) {
            if (!bucket.canAcquire(now, 1)) {
                return false;
            }
        }
        ofAddress.forEach(bucket -> bucket.tryAcquire(now));
        return true;
    }

    private TokenBucket bucket(Prefix prefix) {
        return buckets.computeIfAbsent(
                prefix, key -> new TokenBucket(burst.of(key), perSecond.of(key)));
    }
}
