package dev.wishdir.cluster.agreement;

import dev.wishdir.cluster.bus.Bucket;
import dev.wishdir.cluster.bus.BucketEvent;
import dev.wishdir.cluster.message.BanChange;
import dev.wishdir.cluster.message.MessageReader;
import dev.wishdir.cluster.message.NodeBan;
import dev.wishdir.cluster.message.NodeEvent;
import dev.wishdir.cluster.message.NodeListener;
import dev.wishdir.cluster.v1.Ban;
import dev.wishdir.net.limit.TokenBucket;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;

/**
 * Bans that all servers keep. A ban goes to the nodes that are connected at once, and into a bucket
 * for those that are not, or start later. Of two changes of a ban the one that reaches the bucket
 * last counts, so a change by an operator comes after what was stored before it is.
 *
 * <p>Each server keeps the bans in its own file as well. What the bucket does not have at all when
 * it is reached for the first time is stored in it. The server also keeps which changes of its own
 * the bucket has not stored, and when they were made: if it ends before they are, they are stored
 * after its next start, unless the bucket has a change of the same ban that was stored later.
 */
public final class BanAgreement {
    /** Maximum number of bans. */
    public static final int MAX_BANS = 20_000;

    /** Maximum number of changes in one turn, since the server looks at all players for each. */
    private static final int MAX_PER_TURN = 64;

    /** Time between searches for ended bans. */
    private static final long ENDED_CHECK_NANOS = 60_000_000_000L;

    /** Time for which the bucket keeps an ended ban, by its clock and by that of this server. */
    private static final long KEPT_AFTER_END_MILLIS = 86_400_000L;

    /**
     * Time after the last change from a node at which the bucket is read again: what is stored then
     * counts, in whatever order the two came. Until then the node has stored it, or a leader is
     * chosen again.
     */
    private static final long RELOAD_NANOS = 10_000_000_000L;

    /** Time between looks at which changes are stored. */
    private static final long SHARED_CHECK_NANOS = 100_000_000;

    private static final long NEVER = Long.MAX_VALUE;
    private static final String PREFIX = "ban.";

    /**
     * Changes of others that are applied at once, and per second: as many as a start needs, and
     * then as many as operators make. Further ones wait.
     */
    private final TokenBucket rate = new TokenBucket(MAX_BANS, 100);

    private final Bucket bucket;
    private final NodeListener listener;

    /** Entries of the bucket that are to be applied, by key. */
    private final SequencedMap<String, BucketEvent.Entry> changes = new LinkedHashMap<>();

    /** Changes of an earlier run that the bucket did not store, by key, until it is reached. */
    private final Map<String, BanChange> restored = new HashMap<>();

    private record Target(String target, String game) {}

    /** The bans of which a change by this server waits to be stored, by key. */
    private final Map<String, Target> unshared = new HashMap<>();

    private long reloadAt = NEVER;
    private long sharedCheckAt = Long.MIN_VALUE;
    private long endedCheckAt = Long.MIN_VALUE;

    /** The newest time of an entry of the bucket, by its clock. */
    private long bucketMillis;

    /** Whether a ban found no room, which is looked for again when there is some. */
    private boolean refused;

    /** The bans of this server by key; null before they are asked for. */
    private @Nullable Map<String, NodeBan> bans;

    public BanAgreement(Bucket bucket, NodeListener listener) {
        this.bucket = bucket;
        this.listener = listener;
    }

    private Map<String, NodeBan> bans() {
        Map<String, NodeBan> known = bans;
        if (known == null) {
            known = new HashMap<>();
            for (NodeBan ban : listener.bans()) {
                known.put(key(ban.target(), ban.game()), ban);
            }
            bans = known;
            for (BanChange change : listener.unsharedBans()) {
                restored.put(key(change.target(), change.game()), change);
            }
        }
        return known;
    }

    /** Stores what this server has of a ban that it changed, after what else is known of it. */
    private void store(String key, String target, String game) {
        supersede(key);
        NodeBan ban = bans().get(key);
        boolean stored =
                ban == null ? bucket.delete(key) : bucket.put(key, message(ban).toByteArray());
        if (stored) {
            unshared.put(key, new Target(target, game));
        } else {
            listener.onEvent(
                    new NodeEvent.BanRefused(
                            target, "too many changes wait to be stored for nodes that are away"));
        }
    }

    /** The key of a ban in the bucket: the same for the same target and game. */
    public static String key(String target, String game) {
        try {
            byte[] hash =
                    MessageDigest.getInstance("SHA-256")
                            .digest((game + "\n" + target).getBytes(StandardCharsets.UTF_8));
            return PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Java has no SHA-256", e);
        }
    }

    /** The message of a ban. */
    public static Ban message(NodeBan ban) {
        return Ban.newBuilder()
                .setTarget(ban.target())
                .setGame(ban.game())
                .setReason(ban.reason())
                .setAuthor(ban.author())
                .setEndS(ban.endSeconds())
                .build();
    }

    /** The operator of this server banned. */
    public void ban(NodeBan ban) {
        String key = key(ban.target(), ban.game());
        bans().put(key, ban);
        restored.remove(key);
        store(key, ban.target(), ban.game());
    }

    /** The operator of this server removed a ban. */
    public void unban(String target, String game) {
        String key = key(target, game);
        bans().remove(key);
        restored.remove(key);
        store(key, target, game);
    }

    /** An operator of another node banned. */
    public void onBan(long now, long nanos, NodeBan ban) {
        reloadAt = nanos + RELOAD_NANOS;
        String key = key(ban.target(), ban.game());
        supersede(key);
        if (bucket.isPending(key)) {
            // It is newer than what waits to be stored.
            bucket.put(key, message(ban).toByteArray());
        }
        apply(now, key, ban);
        forgetRestored(key);
    }

    /** An operator of another node removed a ban. */
    public void onUnban(long now, long nanos, String target, String game) {
        reloadAt = nanos + RELOAD_NANOS;
        String key = key(target, game);
        supersede(key);
        if (bucket.isPending(key)) {
            bucket.delete(key);
        }
        remove(now, key);
        forgetRestored(key);
    }

    /** There is a newer change than those that wait here. */
    private void supersede(String key) {
        changes.remove(key);
    }

    private void apply(long now, String key, NodeBan ban) {
        Map<String, NodeBan> known = bans();
        boolean fits = known.containsKey(key) || !refuses(ban);
        if (fits && !ban.equals(known.put(key, ban))) {
            listener.onBan(now, ban);
        }
    }

    /** Whether there is no room for a further ban, which is reported. */
    private boolean refuses(NodeBan ban) {
        boolean full = bans().size() >= MAX_BANS;
        if (full) {
            refused = true;
            listener.onEvent(
                    new NodeEvent.BanRefused(
                            ban.target(),
                            "there are " + MAX_BANS + " bans: remove some, or ban ranges"));
        }
        return full;
    }

    private void remove(long now, String key) {
        NodeBan removed = bans().remove(key);
        if (removed != null) {
            listener.onUnban(now, removed.target(), removed.game());
        }
    }

    /**
     * Takes what changed in the bucket.
     *
     * @return whether more is due in the next turn
     */
    public boolean advance(long now, long nanos) {
        if (nanos >= reloadAt) {
            reloadAt = NEVER;
            bucket.reload();
        }
        if (nanos >= sharedCheckAt) {
            sharedCheckAt = nanos + SHARED_CHECK_NANOS;
            checkShared();
        }
        if (nanos >= endedCheckAt) {
            endedCheckAt = nanos + ENDED_CHECK_NANOS;
            forgetEnded();
            if (refused && bans().size() < MAX_BANS) {
                refused = false;
                bucket.reload();
            }
        }
        for (int i = 0; i < MAX_PER_TURN; i++) {
            if (!changes.isEmpty()) {
                if (!apply(now, nanos, changes.firstEntry().getValue())) {
                    return false;
                }
                changes.pollFirstEntry();
                continue;
            }
            switch (bucket.poll()) {
                case null -> {
                    return false;
                }
                case BucketEvent.Loaded loaded -> onLoaded(loaded);
                case BucketEvent.Changed changed -> add(changed.entry());
                case BucketEvent.Available _ -> listener.onEvent(new NodeEvent.BucketAvailable());
                case BucketEvent.Unavailable unavailable ->
                        listener.onEvent(new NodeEvent.BucketUnavailable(unavailable.cause()));
            }
        }
        return true;
    }

    /** Bans that have ended need no room any more. */
    private void forgetEnded() {
        bans().values().removeIf(ban -> hasEnded(ban, listener.clockMillis()));
    }

    private static boolean hasEnded(NodeBan ban, long millis) {
        return ban.endSeconds() != 0 && ban.endSeconds() < millis / 1000;
    }

    private void checkShared() {
        Iterator<Map.Entry<String, Target>> changed = unshared.entrySet().iterator();
        while (changed.hasNext()) {
            Map.Entry<String, Target> each = changed.next();
            if (!bucket.isPending(each.getKey())) {
                changed.remove();
                listener.onBanShared(each.getValue().target(), each.getValue().game());
            }
        }
    }

    /** Another node has changed a ban later than this server. */
    private void forgetRestored(String key) {
        BanChange change = restored.remove(key);
        if (change != null) {
            listener.onBanShared(change.target(), change.game());
        }
    }

    private void add(BucketEvent.Entry entry) {
        bucketMillis = Math.max(bucketMillis, entry.millis());
        changes.putLast(entry.key(), entry);
    }

    private void onLoaded(BucketEvent.Loaded loaded) {
        Map<String, BucketEvent.Entry> stored = new HashMap<>();
        loaded.entries().forEach(entry -> stored.put(entry.key(), entry));
        Map<String, NodeBan> known = bans();
        loaded.entries().forEach(this::add);
        restored.forEach((key, change) -> {
            BucketEvent.Entry entry = stored.get(key);
            if (entry == null || entry.millis() <= change.millis()) {
                store(key, change.target(), change.game());
            } else {
                listener.onBanShared(change.target(), change.game());
            }
        });
        restored.clear();
        known.forEach((key, ban) -> {
            if (!stored.containsKey(key) && !bucket.isPending(key)) {
                // No operator has just made it: an unban that is stored meanwhile is newer.
                bucket.putIfAbsent(key, message(ban).toByteArray());
            }
        });
    }

    /** Applies an entry of the bucket; returns false if it must wait. */
    private boolean apply(long now, long nanos, BucketEvent.Entry entry) {
        if (bucket.isPending(entry.key())) {
            return true;
        }
        byte[] value = entry.value();
        NodeBan known = bans().get(entry.key());
        // Any program may have written it.
        NodeBan ban =
                value == null
                        ? null
                        : MessageReader.storedBan(value)
                                .filter(it -> key(it.target(), it.game()).equals(entry.key()))
                                .orElse(known);
        if (Objects.equals(ban, known)) {
            return true;
        }
        if (ban != null && hasEnded(ban, listener.clockMillis())) {
            long millis = Math.min(listener.clockMillis(), bucketMillis) - KEPT_AFTER_END_MILLIS;
            if (hasEnded(ban, millis)) {
                bucket.delete(entry.key());
            }
            return true;
        }
        if (ban != null && known == null && refuses(ban)) {
            return true;
        }
        if (!rate.tryAcquire(nanos)) {
            return false;
        }
        if (ban == null) {
            remove(now, entry.key());
        } else {
            apply(now, entry.key(), ban);
        }
        return true;
    }
}
