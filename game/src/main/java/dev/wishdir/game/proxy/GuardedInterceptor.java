package dev.wishdir.game.proxy;

import dev.wishdir.wire.dissect.Direction;

import java.util.List;
import java.util.function.Consumer;

/**
 * An interceptor behind the checks of a proxy session: if it throws, or returns what can't be sent,
 * the message is passed on unchanged, and the first failure is reported.
 *
 * @param <M> the game's messages
 */
public final class GuardedInterceptor<M> {
    /** Maximum number of messages in place of one. */
    public static final int MAX_RESULTS = 16;

    private final Interceptor<M> interceptor;
    private final Consumer<String> problems;
    private boolean failed;

    /**
     * @param problems takes the first failure
     */
    public GuardedInterceptor(Interceptor<M> interceptor, Consumer<String> problems) {
        this.interceptor = interceptor;
        this.problems = problems;
    }

    /**
     * Decides what is passed on in place of a message.
     *
     * @param check throws {@link IllegalArgumentException} for a message that can't be sent; not
     *     called with the message itself
     */
    public List<M> onMessage(Direction direction, M message, Consumer<M> check) {
        try {
            List<M> results = List.copyOf(interceptor.onMessage(direction, message));
            if (results.size() > MAX_RESULTS) {
                throw new IllegalArgumentException(
                        results.size() + " messages in place of one, limit " + MAX_RESULTS);
            }
            for (M result : results) {
                if (!result.equals(message)) {
                    check.accept(result);
                }
            }
            return results;
        } catch (RuntimeException | StackOverflowError e) {
            if (!failed) {
                failed = true;
                problems.accept(
                        "the interceptor failed, its message was passed on unchanged: " + e);
            }
            return List.of(message);
        }
    }

    /** Whether the results are the message itself. */
    public static <M> boolean isUnchanged(M message, List<M> results) {
        return results.size() == 1 && results.getFirst().equals(message);
    }
}
