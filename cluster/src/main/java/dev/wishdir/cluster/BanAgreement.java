package dev.wishdir.cluster;

import dev.wishdir.cluster.v1.Ban;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayDeque;
import java.util.Base64;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Queue;

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
final class BanAgreement {
    /** Maximum number of bans. */
    static final int MAX_BANS = 20_000;

    /** Maximum number of changes in one turn, since the server looks at all players for each. */
    private static final int MAX_PER_TURN = 16;

    /**
     * When the bucket is read again after the last change that came from a node: what is stored
     * then counts, in whatever order the two came. Until then the node has stored it, or a leader
     * is chosen again.
     */
    private static final long RELOAD_NANOS = 10_000_000_000L;

    /** Time between looks at which changes are stored. */
    private static final long SHARED_CHECK_NANOS = 100_000_000;

    private static final long NEVER = Long.MAX_VALUE;
    private static final String PREFIX = "ban.";

    private final Bucket bucket;
    private final NodeListener listener;
    private final Queue<BucketEvent.Entry> changes = new ArrayDeque<>();

    /** Changes of an earlier run that the bucket did not store, by key, until it is reached. */
    private final Map<String, BanChange> restored = new HashMap<>();

    private record Target(String target, String game) {}

    /** The bans of which a change by this server waits to be stored, by key. */
    private final Map<String, Target> unshared = new HashMap<>();

    private long reloadAt = NEVER;
    private long sharedCheckAt = Long.MIN_VALUE;

    /** The bans of this server by key; null before they are asked for. */
    private @Nullable Map<String, NodeBan> bans;

    BanAgreement(Bucket bucket, NodeListener listener) {
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
        if (ban == null) {
            bucket.delete(key);
        } else {
            bucket.put(key, message(ban).toByteArray());
        }
        unshared.put(key, new Target(target, game));
    }

    /** The key of a ban in the bucket: the same for the same target and game. */
    static String key(String target, String game) {
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
    static Ban message(NodeBan ban) {
        return Ban.newBuilder()
                .setTarget(ban.target())
                .setGame(ban.game())
                .setReason(ban.reason())
                .setAuthor(ban.author())
                .setEndS(ban.endSeconds())
                .build();
    }

    /** The operator of this server banned. */
    void ban(NodeBan ban) {
        String key = key(ban.target(), ban.game());
        bans().put(key, ban);
        restored.remove(key);
        store(key, ban.target(), ban.game());
    }

    /** The operator of this server removed a ban. */
    void unban(String target, String game) {
        String key = key(target, game);
        bans().remove(key);
        restored.remove(key);
        store(key, target, game);
    }

    /** An operator of another node banned. */
    void onBan(long now, long nanos, NodeBan ban) {
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
    void onUnban(long now, long nanos, String target, String game) {
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
        changes.removeIf(change -> change.key().equals(key));
    }

    private void apply(long now, String key, NodeBan ban) {
        Map<String, NodeBan> known = bans();
        boolean fits = known.size() < MAX_BANS || known.containsKey(key);
        if (fits && !ban.equals(known.put(key, ban))) {
            listener.onBan(now, ban);
        }
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
    boolean advance(long now, long nanos) {
        if (nanos >= reloadAt) {
            reloadAt = NEVER;
            bucket.reload();
        }
        if (nanos >= sharedCheckAt) {
            sharedCheckAt = nanos + SHARED_CHECK_NANOS;
            checkShared();
        }
        for (int i = 0; i < MAX_PER_TURN; i++) {
            BucketEvent.Entry change = changes.poll();
            if (change != null) {
                apply(now, change);
                continue;
            }
            switch (bucket.poll()) {
                case null -> {
                    return false;
                }
                case BucketEvent.Loaded loaded -> onLoaded(loaded);
                case BucketEvent.Changed changed -> apply(now, changed.entry());
                case BucketEvent.Available _ -> listener.onEvent(new NodeEvent.BucketAvailable());
                case BucketEvent.Unavailable unavailable ->
                        listener.onEvent(new NodeEvent.BucketUnavailable(unavailable.cause()));
            }
        }
        return true;
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

    private void onLoaded(BucketEvent.Loaded loaded) {
        Map<String, BucketEvent.Entry> stored = new HashMap<>();
        loaded.entries().forEach(entry -> stored.put(entry.key(), entry));
        Map<String, NodeBan> known = bans();
        changes.addAll(loaded.entries());
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
                bucket.put(key, message(ban).toByteArray());
            }
        });
    }

    private void apply(long now, BucketEvent.Entry entry) {
        if (bucket.isPending(entry.key())) {
            return;
        }
        byte[] value = entry.value();
        if (value == null) {
            remove(now, entry.key());
        } else {
            // Any program may have written it.
            MessageReader.storedBan(value)
                    .filter(ban -> key(ban.target(), ban.game()).equals(entry.key()))
                    .ifPresent(ban -> apply(now, entry.key(), ban));
        }
    }
}
