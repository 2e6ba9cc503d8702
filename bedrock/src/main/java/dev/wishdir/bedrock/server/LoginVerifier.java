package dev.wishdir.bedrock.server;

import dev.wishdir.bedrock.message.LoginMessage.Login;
import dev.wishdir.bedrock.message.Skin;
import dev.wishdir.bedrock.protocol.EncryptionHandshake;
import dev.wishdir.bedrock.protocol.LoginIdentity;
import dev.wishdir.bedrock.protocol.LoginKeys;
import dev.wishdir.bedrock.protocol.LoginRejectedException;
import dev.wishdir.bedrock.protocol.Skins;
import dev.wishdir.bedrock.protocol.TrustPolicy;
import dev.wishdir.net.DatagramHandler;
import dev.wishdir.net.DutyCycle;
import dev.wishdir.wire.Bytes;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.security.interfaces.ECPublicKey;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeoutException;
import java.util.random.RandomGenerator;

/**
 * Verifies logins outside the loop: signatures, the key agreement, the decoding of a skin.
 *
 * <p>Each takes milliseconds, so only a few run at once; the others wait in the order of arrival. A
 * connection has at most one, so no more wait than there are connections.
 */
final class LoginVerifier {
    private static final Logger LOG = LoggerFactory.getLogger(LoginVerifier.class);
    private static final int MAX_RUNNING = 4;
    private static final int SALT_BYTES = 16;
    private static final long POLL_NANOS = 20_000_000;

    /**
     * A login that was verified.
     *
     * @param name as the client sent it; not yet clean or unique
     * @param account verified by Xbox; empty for none
     */
    record VerifiedLogin(
            String name, UUID uuid, String account, Skin skin, EncryptionHandshake handshake) {}

    /** Waits for the verification of one login. Called on the loop. */
    interface Listener {
        /** Whether the client still waits: if not, its login is not verified. */
        boolean isWaiting();

        void onVerified(long now, VerifiedLogin login);

        void onRejected(long now, String reason);
    }

    private record QueuedLogin(Callable<VerifiedLogin> work, Listener listener) {}

    private final DutyCycle cycle;
    private final TrustPolicy trust;
    private final LoginKeys keys;
    private final InstantSource clock;
    private final RandomGenerator random;
    private final Deque<QueuedLogin> waiting = new ArrayDeque<>();
    private int running;

    /**
     * @param keys of the server, for the key agreement
     * @param clock by which tokens are valid
     * @param random for salts
     */
    LoginVerifier(
            DutyCycle cycle,
            TrustPolicy trust,
            LoginKeys keys,
            InstantSource clock,
            RandomGenerator random) {
        this.cycle = cycle;
        this.trust = trust;
        this.keys = keys;
        this.clock = clock;
        this.random = random;
    }

    /**
     * Queues a login.
     *
     * @param provenKey the key that the login must name; null for any
     * @param encrypt whether the session gets a key
     * @param skinId names the skin for other clients
     */
    void add(
            Login login,
            @Nullable ECPublicKey provenKey,
            boolean encrypt,
            String skinId,
            Listener listener) {
        long seconds = clock.instant().getEpochSecond();
        Bytes salt = encrypt ? salt() : Bytes.EMPTY;
        waiting.add(
                new QueuedLogin(() -> verify(login, seconds, provenKey, salt, skinId), listener));
        start();
    }

    private Bytes salt() {
        byte[] salt = new byte[SALT_BYTES];
        random.nextBytes(salt);
        return Bytes.wrap(salt);
    }

    /** Runs on another thread: uses nothing of the loop's. */
    private VerifiedLogin verify(
            Login login, long seconds, @Nullable ECPublicKey provenKey, Bytes salt, String skinId)
            throws LoginRejectedException {
        LoginIdentity identity = LoginIdentity.verify(login, trust, seconds);
        if (provenKey != null) {
            identity.requireKey(provenKey);
        }
        Skin skin = Skins.of(identity, skinId);
        return new VerifiedLogin(
                identity.name(),
                identity.uuid(),
                identity.authenticated() ? "xuid:" + identity.xuid() : "",
                skin,
                salt.length() == 0
                        ? EncryptionHandshake.CLEAR
                        : EncryptionHandshake.offer(keys, identity.key(), salt));
    }

    /**
     * Starts waiting verifications.
     *
     * @return when to call again, nanoseconds
     */
    long advance(long now) {
        start();
        return waiting.isEmpty() ? DatagramHandler.NEVER : now + POLL_NANOS;
    }

    private void start() {
        while (running < MAX_RUNNING && !waiting.isEmpty()) {
            QueuedLogin next = waiting.element();
            Listener listener = next.listener;
            if (listener.isWaiting()) {
                if (!cycle.offload(
                        next.work,
                        login -> onDone(() -> listener.onVerified(cycle.now(), login)),
                        failure ->
                                onDone(() -> listener.onRejected(cycle.now(), reason(failure))))) {
                    return;
                }
                running++;
            }
            waiting.remove();
        }
    }

    private void onDone(Runnable callback) {
        running--;
        start();
        callback.run();
    }

    private static String reason(Throwable failure) {
        return switch (failure) {
            case LoginRejectedException rejected -> rejected.reason();
            case TimeoutException _ -> "the server is too busy, try again";
            default -> {
                LOG.error("defect in the check of a login", failure);
                yield "it can't be checked";
            }
        };
    }
}
