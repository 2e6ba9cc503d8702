package dev.wishdir.sauerbraten.server.join;

import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.game.operator.OperatorConsole;
import dev.wishdir.net.limit.FailedAttemptLimiter;
import dev.wishdir.sauerbraten.message.AuthMessage;
import dev.wishdir.sauerbraten.protocol.AuthChallenge;
import dev.wishdir.sauerbraten.protocol.AuthPrivateKey;
import dev.wishdir.sauerbraten.protocol.AuthPublicKey;
import dev.wishdir.sauerbraten.protocol.SauerbratenCodec;
import dev.wishdir.sauerbraten.server.session.AuthIdentity;
import dev.wishdir.sauerbraten.server.session.AuthTry;
import dev.wishdir.sauerbraten.server.session.ClientConnection;
import dev.wishdir.sauerbraten.server.session.Privilege;
import dev.wishdir.sauerbraten.server.session.SauerbratenSession;

import java.net.InetAddress;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Challenges clients for their keys: docs/protocols/sauerbraten.md#auth-keys. A client has at most
 * one open try, which its answer ends. Challenges are computed off the cycle's thread. A client has
 * three tries in ten seconds, and wrong keys count as wrong passwords of its address.
 */
public final class AuthVerifier {
    /** A client answers in its next frame. */
    private static final long ANSWER_TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(60);

    /** Challenges that are computed at once; each takes about 2 ms. */
    private static final int MAX_COMPUTED = 16;

    private static final String NOT_ACCEPTED = SauerbratenMasters.NOT_ACCEPTED;
    private static final String NOT_CONNECTED = SauerbratenMasters.NOT_CONNECTED;
    private static final String TOO_MANY = "Too many tries with keys. Try again later.";
    private static final String BUSY = "The server has too many tries with keys. Try again.";

    private final EndpointContext context;
    private final AuthKeyFile file;
    private final SauerbratenMasters masters;
    private final FailedAttemptLimiter attemptLimiter;
    private final OperatorConsole console;
    private int tries;
    private int computed;

    public AuthVerifier(EndpointContext context, AuthKeyFile file, SauerbratenMasters masters) {
        this.context = context;
        this.file = file;
        this.masters = masters;
        attemptLimiter = context.addressLimits().passwords();
        console = context.operatorConsole();
    }

    /** The reason to refuse a client that an operator or a master server has banned. */
    Optional<LeaveReason> banned(SauerbratenSession session) {
        InetAddress address = session.connection.peer.address().getAddress();
        return context.banned(SauerbratenCodec.GAME, address, "").or(() -> masters.banned(address));
    }

    /** Owner of a key's name; empty if the server does not know it. */
    Optional<AuthIdentity> find(String domain, String name) {
        if (domain.isEmpty()) {
            return masters.mayKnow(name)
                    ? Optional.of(new AuthIdentity(name, domain, Privilege.AUTH))
                    : Optional.empty();
        }
        return file.table().find(domain, name).map(AuthKeyTable.Entry::identity);
    }

    /** Starts a try, in place of the client's open one. */
    void start(
            long now,
            SauerbratenSession from,
            String domain,
            String name,
            AuthTry.Listener listener) {
        ClientConnection connection = from.connection;
        connection.clearAuthTry();
        InetAddress address = connection.peer.address().getAddress();
        if (!connection.authTries.tryAcquire(now) || !attemptLimiter.isAllowed(now, address)) {
            context.counters().count("sauerbraten.auth.limited");
            listener.onRefused(now, TOO_MANY);
            return;
        }
        tries++;
        AuthIdentity identity = find(domain, name).orElse(null);
        if (identity == null && domain.isEmpty() && masters.isEmpty()) {
            listener.onRefused(now, NOT_CONNECTED);
            return;
        }
        if (identity == null) {
            context.counters().count("sauerbraten.auth.unknown");
            attemptLimiter.recordFailure(now, address);
            listener.onRefused(now, NOT_ACCEPTED);
            return;
        }
        AuthTry started = new AuthTry(tries, identity, now, listener);
        connection.setAuthTry(started);
        if (domain.isEmpty()) {
            if (!masters.requestChallenge(now, from, started)) {
                connection.clearAuthTry();
                listener.onRefused(now, NOT_CONNECTED);
            }
        } else if (!compute(from, started)) {
            context.counters().count("sauerbraten.auth.limited");
            connection.clearAuthTry();
            listener.onRefused(now, BUSY);
        }
    }

    private boolean compute(SauerbratenSession from, AuthTry started) {
        AuthPublicKey key =
                file.table()
                        .find(started.identity.domain(), started.identity.name())
                        .map(AuthKeyTable.Entry::key)
                        .orElse(null);
        if (key == null) {
            return false;
        }
        // Drawn here: the source is not shared with the other thread.
        AuthPrivateKey secret = AuthPrivateKey.generate(context.random());
        if (computed >= MAX_COMPUTED
                || !context.cycle()
                        .offload(
                                () -> secret.challenge(key),
                                challenge -> {
                                    computed--;
                                    send(from, started, challenge);
                                },
                                _ -> {
                                    computed--;
                                    end(from, started);
                                })) {
            return false;
        }
        computed++;
        return true;
    }

    private static void send(SauerbratenSession to, AuthTry started, AuthChallenge challenge) {
        if (to.connection.isOpen(started)) {
            started.setChallenge(challenge);
            to.connection.send(
                    new AuthMessage.AuthChal(
                            started.identity.domain(), started.id, challenge.text()));
        }
    }

    private void end(SauerbratenSession of, AuthTry started) {
        if (of.connection.isOpen(started)) {
            of.connection.clearAuthTry();
            started.listener.onRefused(context.cycle().now(), BUSY);
        }
    }

    /** Handles an answer, which ends the open try; one that was not asked for does nothing. */
    void answer(long now, SauerbratenSession from, AuthMessage.AuthAns answer) {
        AuthTry open = from.connection.authTry().filter(it -> !it.isAnswered()).orElse(null);
        if (open == null) {
            return;
        }
        boolean isExpected =
                open.isChallenged()
                        && answer.id() == open.id
                        && answer.domain().equals(open.identity.domain())
                        && now - open.startedAt <= ANSWER_TIMEOUT_NANOS;
        if (isExpected
                && open.identity.domain().isEmpty()
                && masters.confirm(open, answer.answer())) {
            return;
        }
        from.connection.clearAuthTry();
        if (!isExpected) {
            context.counters().count("sauerbraten.auth.unasked");
            open.listener.onRefused(now, NOT_ACCEPTED);
        } else if (open.isAnswer(answer.answer())) {
            context.counters().count("sauerbraten.auth.proved");
            open.listener.onProved(now, open.identity);
        } else {
            InetAddress address = from.connection.peer.address().getAddress();
            context.counters().count("sauerbraten.auth.wrong");
            attemptLimiter.recordFailure(now, address);
            console.reportWrongKey(now, SauerbratenCodec.GAME, address, open.identity.toString());
            open.listener.onRefused(now, NOT_ACCEPTED);
        }
    }

    /** Reads the file of keys again and registers if it is due; returns when to call again. */
    public long advance(long now) {
        return Math.min(file.advance(now), masters.advance(now));
    }
}
