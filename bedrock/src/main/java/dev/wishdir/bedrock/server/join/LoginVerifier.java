package dev.wishdir.bedrock.server.join;

import dev.wishdir.arena.event.Proof;
import dev.wishdir.bedrock.message.LoginMessage.Login;
import dev.wishdir.bedrock.message.Skin;
import dev.wishdir.bedrock.protocol.login.EncryptionHandshake;
import dev.wishdir.bedrock.protocol.login.LoginIdentity;
import dev.wishdir.bedrock.protocol.login.LoginKeys;
import dev.wishdir.bedrock.protocol.login.LoginRejectedException;
import dev.wishdir.bedrock.protocol.login.Skins;
import dev.wishdir.bedrock.protocol.login.TrustPolicy;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.nethernet.identity.IssuerKeyCache;
import dev.wishdir.wire.Bytes;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.security.interfaces.ECPublicKey;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.UUID;
import java.util.concurrent.TimeoutException;
import java.util.random.RandomGenerator;

/**
 * Verifies logins outside the loop: signatures, the key agreement, the decoding of a skin.
 *
 * <p>Each takes milliseconds, so only a few run at once; the others wait in the order of arrival. A
 * connection has at most one, so no more wait than there are connections. A login whose only fault
 * is an unknown key of the issuer waits for {@link IssuerKeyCache}, and is then verified again.
 */
public final class LoginVerifier {
    private static final Logger LOG = LoggerFactory.getLogger(LoginVerifier.class);
    private static final int MAX_RUNNING = 4;
    private static final String BUSY = "the server is too busy, try again";
    private static final int SALT_BYTES = 16;
    private static final long POLL_NANOS = 20_000_000;

    /**
     * A login that was verified.
     *
     * @param name as the client sent it; not yet clean or unique
     * @param proof of who the player is; an account is verified by Xbox
     */
    public record VerifiedLogin(
            String name, UUID uuid, Proof proof, Skin skin, EncryptionHandshake handshake) {
        /** The login with a further proof. */
        VerifiedLogin with(Proof added) {
            return new VerifiedLogin(name, uuid, proof.orBetter(added), skin, handshake);
        }
    }

    /** Waits for the verification of one login. Called on the loop. */
    interface Listener {
        /** Whether the client still waits: if not, its login is not verified. */
        boolean isWaiting();

        void onVerified(long now, VerifiedLogin login);

        void onRejected(long now, String reason);
    }

    /** The work of a verification; runs on another thread. */
    @FunctionalInterface
    private interface Verification {
        VerifiedLogin verify(TrustPolicy policy) throws LoginRejectedException;
    }

    private record QueuedLogin(Verification work, Listener listener) {}

    private final DutyCycle cycle;
    private final TrustPolicy trust;
    private final IssuerKeyCache issuerKeys;
    private final LoginKeys keys;
    private final InstantSource clock;
    private final RandomGenerator random;
    private final Deque<QueuedLogin> waiting = new ArrayDeque<>();
    private int running;

    /**
     * @param trust the trusted signers
     * @param issuerKeys keys of the trusted issuer; advanced by this
     * @param keys of the server, for the key agreement
     * @param clock by which tokens are valid
     * @param random for salts
     */
    public LoginVerifier(
            DutyCycle cycle,
            TrustPolicy trust,
            IssuerKeyCache issuerKeys,
            LoginKeys keys,
            InstantSource clock,
            RandomGenerator random) {
        this.cycle = cycle;
        this.trust = trust;
        this.issuerKeys = issuerKeys;
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
                new QueuedLogin(
                        policy -> verify(login, policy, seconds, provenKey, salt, skinId),
                        listener));
        start();
    }

    private Bytes salt() {
        byte[] salt = new byte[SALT_BYTES];
        random.nextBytes(salt);
        return Bytes.wrap(salt);
    }

    /** Runs on another thread: uses nothing of the loop's. */
    private VerifiedLogin verify(
            Login login,
            TrustPolicy policy,
            long seconds,
            @Nullable ECPublicKey provenKey,
            Bytes salt,
            String skinId)
            throws LoginRejectedException {
        LoginIdentity identity = LoginIdentity.verify(login, policy, seconds);
        if (provenKey != null) {
            identity.requireKey(provenKey);
        }
        Skin skin = Skins.of(identity, skinId);
        return new VerifiedLogin(
                identity.name(),
                identity.uuid(),
                Proof.account(identity.authenticated() ? "xuid:" + identity.xuid() : ""),
                skin,
                salt.length() == 0
                        ? EncryptionHandshake.CLEAR
                        : EncryptionHandshake.offer(keys, identity.key(), salt));
    }

    /**
     * Starts waiting verifications, and answers those that waited too long for a key.
     *
     * @return when to call again, nanoseconds
     */
    public long advance(long now) {
        long next = issuerKeys.advance(now);
        start();
        return waiting.isEmpty() ? next : Math.min(next, now + POLL_NANOS);
    }

    private void start() {
        while (running < MAX_RUNNING && !waiting.isEmpty()) {
            QueuedLogin next = waiting.element();
            Listener listener = next.listener;
            if (listener.isWaiting()) {
                TrustPolicy policy = trust.with(issuerKeys.issuer());
                if (!cycle.offload(
                        () -> next.work.verify(policy),
                        login -> onDone(() -> listener.onVerified(cycle.now(), login)),
                        failure -> onDone(() -> onFailure(next, failure)))) {
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

    private void onFailure(QueuedLogin login, Throwable failure) {
        if (failure instanceof LoginRejectedException rejected
                && rejected.unknownKeyId().isPresent()) {
            issuerKeys.request(rejected.unknownKeyId().get(), answer -> onKeyAnswer(login, answer));
        } else {
            login.listener.onRejected(cycle.now(), reason(failure));
        }
    }

    private void onKeyAnswer(QueuedLogin login, IssuerKeyCache.Answer answer) {
        String reason =
                switch (answer) {
                    case KNOWN -> {
                        waiting.add(login);
                        start();
                        yield "";
                    }
                    case UNKNOWN ->
                            issuerKeys.hasSource()
                                    ? "the key of your sign-in is not one that Xbox's key service"
                                            + " names. Restart the game, and try again"
                                    : "newer versions prove who they are only to Xbox's own"
                                            + " service, which this server does not ask";
                    case UNAVAILABLE ->
                            "this server can't reach Xbox's key service now. Try again in a"
                                    + " minute";
                    case BUSY -> BUSY;
                };
        if (!reason.isEmpty()) {
            login.listener.onRejected(cycle.now(), reason);
        }
    }

    private static String reason(Throwable failure) {
        return switch (failure) {
            case LoginRejectedException rejected -> rejected.reason();
            case TimeoutException _ -> BUSY;
            default -> {
                LOG.error("defect in the check of a login", failure);
                yield "it can't be checked";
            }
        };
    }
}
