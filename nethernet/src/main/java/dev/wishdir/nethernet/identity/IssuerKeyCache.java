package dev.wishdir.nethernet.identity;

import dev.wishdir.net.loop.Counters;
import dev.wishdir.net.loop.Duty;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.wire.ExceptionMessage;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The known keys of an issuer, and the requests for those that are not known yet.
 *
 * <p>Nothing is fetched before a key is requested. One fetch runs at a time, off the loop, and
 * answers all requests; {@link IssuerKeySource.Schedule} limits how often, so that forged key IDs
 * cause no more. A fetch that fails keeps the known keys. Used only by the cycle's thread.
 */
public final class IssuerKeyCache {
    /** Maximum number of requests that wait for a fetch. */
    public static final int MAX_WAITING = 64;

    /** Time after which a request that waits is answered, nanoseconds. */
    public static final long MAX_WAIT_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final Logger LOG = LoggerFactory.getLogger(IssuerKeyCache.class);

    /** The answer to a request. */
    public enum Answer {
        /** The key is known. */
        KNOWN,
        /** The issuer has no such key, as far as was last fetched. */
        UNKNOWN,
        /** The keys can't be fetched now. */
        UNAVAILABLE,
        /** Too many requests wait. */
        BUSY
    }

    private record Request(String keyId, long deadline, Consumer<Answer> onAnswer) {}

    /**
     * The result of asking the source.
     *
     * @param issuer with the keys; null to keep the known ones
     * @param isAsked whether the source itself was asked, rather than its store
     */
    private record Reply(
            @Nullable IdentityIssuer issuer, boolean isAsked, @Nullable IOException failure) {}

    private final DutyCycle cycle;
    private final @Nullable IssuerKeySource source;
    private final Counters counters;
    private final String prefix;
    private final List<Request> waiting = new ArrayList<>();
    private IdentityIssuer issuer;
    private boolean isStoreRead;
    private boolean isFetching;
    private boolean wasFetched;
    private boolean hasFailed;
    private long lastFetch;
    private String lastFailure = "";

    /**
     * @param issuer with the keys that are known at first
     * @param source of further keys; empty if there is none
     * @param prefix of the counters' names, such as {@code bedrock.issuer}
     */
    public IssuerKeyCache(
            DutyCycle cycle,
            IdentityIssuer issuer,
            Optional<IssuerKeySource> source,
            Counters counters,
            String prefix) {
        this.cycle = cycle;
        this.issuer = issuer;
        this.source = source.orElse(null);
        this.counters = counters;
        this.prefix = prefix;
        lastFetch = cycle.now();
    }

    /** The issuer with all known keys. */
    public IdentityIssuer issuer() {
        return issuer;
    }

    /** Whether keys that are not known yet can be asked for. */
    public boolean hasSource() {
        return source != null;
    }

    /**
     * Requests a key.
     *
     * @param keyId as a token names it
     * @param onAnswer takes the answer, at once or later
     */
    public void request(String keyId, Consumer<Answer> onAnswer) {
        long now = cycle.now();
        if (issuer.hasKey(keyId)) {
            onAnswer.accept(Answer.KNOWN);
        } else if (source == null || !isFetching && !isDue(source, now)) {
            counters.count(prefix + ".unknown");
            onAnswer.accept(hasFailed ? Answer.UNAVAILABLE : Answer.UNKNOWN);
        } else if (waiting.size() >= MAX_WAITING) {
            counters.count(prefix + ".busy");
            onAnswer.accept(Answer.BUSY);
        } else {
            waiting.add(new Request(keyId, now + MAX_WAIT_NANOS, onAnswer));
            fetch(source);
        }
    }

    private boolean isDue(IssuerKeySource asked, long now) {
        IssuerKeySource.Schedule schedule = asked.schedule();
        return !wasFetched
                || now - lastFetch
                        >= (hasFailed
                                ? schedule.afterFailureNanos()
                                : schedule.afterSuccessNanos());
    }

    private void fetch(IssuerKeySource asked) {
        if (isFetching) {
            return;
        }
        boolean readsStore = !isStoreRead;
        List<String> wanted = waiting.stream().map(Request::keyId).toList();
        isFetching =
                cycle.offloadLong(
                        () -> ask(asked, readsStore, wanted),
                        this::onReply,
                        failure ->
                                onReply(
                                        new Reply(
                                                null,
                                                true,
                                                new IOException(
                                                        ExceptionMessage.of(failure), failure))));
        if (isFetching) {
            isStoreRead = true;
        } else {
            answerAll(Answer.BUSY);
        }
    }

    /** Runs on another thread: uses nothing of the loop's. */
    private static Reply ask(IssuerKeySource source, boolean readsStore, List<String> wanted) {
        Optional<IssuerKeySource.StoredKeys> stored =
                readsStore ? source.stored() : Optional.empty();
        if (stored.isPresent()
                && stored.get().isRecent()
                && wanted.stream().allMatch(stored.get().issuer()::hasKey)) {
            return new Reply(stored.get().issuer(), false, null);
        }
        try {
            return new Reply(source.fetch().orElse(null), true, null);
        } catch (IOException e) {
            return new Reply(stored.map(IssuerKeySource.StoredKeys::issuer).orElse(null), true, e);
        }
    }

    private void onReply(Reply reply) {
        isFetching = false;
        IdentityIssuer found = reply.issuer;
        boolean isChanged = found != null && !found.equals(issuer);
        if (found != null) {
            issuer = found;
        }
        if (reply.isAsked) {
            onAsked(reply, isChanged);
        } else {
            LOG.info("issuer keys of an earlier run are used: keys={}", issuer.keys().size());
        }
        List<Request> requests = List.copyOf(waiting);
        waiting.clear();
        for (Request each : requests) {
            if (issuer.hasKey(each.keyId)) {
                each.onAnswer.accept(Answer.KNOWN);
            } else {
                // The store lacked this key, which came while it was read: now the source is asked.
                request(each.keyId, each.onAnswer);
            }
        }
    }

    private void onAsked(Reply reply, boolean isChanged) {
        IOException failure = reply.failure;
        wasFetched = true;
        hasFailed = failure != null;
        lastFetch = cycle.now();
        if (hasFailed) {
            counters.count(prefix + ".failed");
        } else if (reply.issuer != null) {
            counters.count(prefix + ".fetched");
        }
        if (failure == null) {
            if (isChanged || !lastFailure.isEmpty()) {
                LOG.info("issuer keys were fetched: keys={}", issuer.keys().size());
            }
            lastFailure = "";
            return;
        }
        String reason = ExceptionMessage.of(failure);
        if (!reason.equals(lastFailure)) {
            LOG.warn(
                    "issuer keys were not fetched: keys={}, {}; clients that prove their account"
                            + " by a token need them",
                    issuer.keys().size(),
                    reason);
        }
        lastFailure = reason;
    }

    private void answerAll(Answer answer) {
        List<Request> requests = List.copyOf(waiting);
        waiting.clear();
        requests.forEach(each -> each.onAnswer.accept(answer));
    }

    /**
     * Answers requests that have waited too long, and polls the source.
     *
     * @return when to call again, nanoseconds
     */
    public long advance(long now) {
        for (Request each : List.copyOf(waiting)) {
            if (now - each.deadline >= 0 && waiting.remove(each)) {
                each.onAnswer.accept(Answer.UNAVAILABLE);
            }
        }
        long next = waiting.isEmpty() ? Duty.NEVER : waiting.getFirst().deadline;
        IssuerKeySource polled = source;
        if (polled == null || isFetching || polled.schedule().pollNanos() == Duty.NEVER) {
            return next;
        }
        long due = lastFetch + polled.schedule().pollNanos();
        if (now - due >= 0) {
            lastFetch = now;
            due = now + polled.schedule().pollNanos();
            fetch(polled);
        }
        return Math.min(next, due);
    }
}
