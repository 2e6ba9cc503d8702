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
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * The checks of logins: signatures, the agreement on a key, the decoding of a skin. Each takes
 * milliseconds, so they run outside the loop, a few at a time; the others wait in the order in
 * which they came. A connection has at most one, so no more wait than there are connections.
 */
final class LoginVerifier {
    private static final Logger LOG = LoggerFactory.getLogger(LoginVerifier.class);
    private static final int AT_ONCE = 4;
    private static final long POLL_NANOS = 20_000_000;

    /**
     * Who logged in.
     *
     * @param name as it wishes to be called; not yet clean or unique
     * @param account that Xbox vouches for; empty for none
     */
    record Checked(
            String name, UUID uuid, String account, Skin skin, EncryptionHandshake handshake) {}

    private record QueuedLogin(
            Callable<Checked> work,
            BooleanSupplier wanted,
            Consumer<Checked> then,
            Consumer<String> refused) {}

    private final DutyCycle cycle;
    private final Deque<QueuedLogin> waiting = new ArrayDeque<>();
    private int running;

    LoginVerifier(DutyCycle cycle) {
        this.cycle = cycle;
    }

    /**
     * What the check of one login does; touches nothing of the loop's.
     *
     * @param trust as {@link LoginIdentity#verify} takes it
     * @param keys the server's, with whose key that of the session is agreed
     * @param proved the key that the login must name; null for any
     * @param salt what the session's key is hashed with; empty for a session in the clear
     * @param skinId names the skin that is sent to other clients
     */
    static Callable<Checked> of(
            Login login,
            TrustPolicy trust,
            long seconds,
            LoginKeys keys,
            @Nullable ECPublicKey proved,
            Bytes salt,
            String skinId) {
        return () -> {
            LoginIdentity identity = LoginIdentity.verify(login, trust, seconds);
            if (proved != null) {
                identity.requireKey(proved);
            }
            Skin skin = Skins.of(identity, skinId);
            return new Checked(
                    identity.name(),
                    identity.uuid(),
                    identity.authenticated() ? "xuid:" + identity.xuid() : "",
                    skin,
                    salt.length() == 0
                            ? EncryptionHandshake.CLEAR
                            : EncryptionHandshake.offer(keys, identity.key(), salt));
        };
    }

    /**
     * Has a login checked.
     *
     * @param wanted whether its session still waits for it: otherwise the check is not done
     * @param then gets who logged in, on the loop
     * @param refused gets why it may not, on the loop
     */
    void add(
            Callable<Checked> work,
            BooleanSupplier wanted,
            Consumer<Checked> then,
            Consumer<String> refused) {
        waiting.add(new QueuedLogin(work, wanted, then, refused));
        begin();
    }

    /**
     * Begins what may begin.
     *
     * @return when to call again, nanoseconds
     */
    long advance(long now) {
        begin();
        return waiting.isEmpty() ? DatagramHandler.NEVER : now + POLL_NANOS;
    }

    private void begin() {
        while (running < AT_ONCE && !waiting.isEmpty()) {
            QueuedLogin next = waiting.element();
            if (next.wanted.getAsBoolean()) {
                if (!cycle.offload(
                        next.work,
                        checked -> done(() -> next.then.accept(checked)),
                        failure -> done(() -> next.refused.accept(reason(failure))))) {
                    return;
                }
                running++;
            }
            waiting.remove();
        }
    }

    private void done(Runnable callback) {
        running--;
        begin();
        callback.run();
    }

    private static String reason(Throwable failure) {
        return switch (failure) {
            case LoginRejectedException refused -> refused.reason();
            case TimeoutException _ -> "the server is too busy, try again";
            default -> {
                LOG.error("defect in the check of a login", failure);
                yield "it can't be checked";
            }
        };
    }
}
