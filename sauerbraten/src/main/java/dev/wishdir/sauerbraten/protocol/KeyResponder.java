package dev.wishdir.sauerbraten.protocol;

import dev.wishdir.net.limit.TokenBucket;
import dev.wishdir.sauerbraten.message.AuthMessage;
import dev.wishdir.sauerbraten.message.SauerbratenMessage;
import dev.wishdir.sauerbraten.message.SessionMessage;

import java.util.Optional;

/**
 * A client's part in the proof of its keys. As the original client, it names the key of the
 * server's domain when it connects and answers challenges; and it claims the key's privilege once
 * it has joined.
 */
public final class KeyResponder {
    private final PlayerKeys keys;

    /** An answer takes about 1 ms of the client's thread. */
    private final TokenBucket answers = new TokenBucket(5, 1);

    private String domain = "";
    private boolean isChallenged;

    public KeyResponder(PlayerKeys keys) {
        this.keys = keys;
    }

    /** The key that {@link #connect} names; empty if it names none. */
    public Optional<PlayerKeys.Entry> named() {
        return keys.find(domain).filter(_ -> !domain.isEmpty());
    }

    /** The client's {@code N_CONNECT}, with the key of the server's domain if it has one. */
    public SessionMessage.Connect connect(SessionMessage.Connect message) {
        return named().map(key ->
                        new SessionMessage.Connect(
                                message.name(),
                                message.model(),
                                message.pwdhash(),
                                key.domain(),
                                key.name()))
                .orElse(message);
    }

    /**
     * Answer of the client to a message of the server.
     *
     * @return empty for messages that do not concern keys
     */
    public Optional<SauerbratenMessage> answer(long now, SauerbratenMessage message) {
        return switch (message) {
            case SessionMessage.ServInfo info -> {
                domain = info.auth();
                yield Optional.empty();
            }
            case SessionMessage.Welcome _ -> isChallenged ? Optional.empty() : claim();
            case AuthMessage.ReqAuth request ->
                    keys.find(request.domain()).map(KeyResponder::tried);
            case AuthMessage.AuthChal challenge -> {
                isChallenged = true;
                yield keys.find(challenge.domain())
                        .filter(_ -> answers.tryAcquire(now))
                        .flatMap(key -> key.key().answer(challenge.challenge()))
                        .map(answer ->
                                new AuthMessage.AuthAns(
                                        challenge.domain(), challenge.id(), answer));
            }
            default -> Optional.empty();
        };
    }

    /** Claims with the key of the server's domain, otherwise with the first one. */
    private Optional<SauerbratenMessage> claim() {
        return keys.find(domain).or(() -> keys.all().stream().findFirst()).map(KeyResponder::tried);
    }

    private static AuthMessage tried(PlayerKeys.Entry key) {
        return new AuthMessage.AuthTry(key.domain(), key.name());
    }

    /** Whether a message asks for a key that the client has. */
    public boolean concerns(SauerbratenMessage message) {
        return switch (message) {
            case AuthMessage.AuthChal challenge -> keys.find(challenge.domain()).isPresent();
            case AuthMessage.ReqAuth request -> keys.find(request.domain()).isPresent();
            default -> false;
        };
    }
}
