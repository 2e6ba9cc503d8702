package dev.wishdir.sauerbraten.server.join;

import dev.wishdir.sauerbraten.message.AdminMessage;
import dev.wishdir.sauerbraten.message.AuthMessage;
import dev.wishdir.sauerbraten.protocol.DisconnectReason;
import dev.wishdir.sauerbraten.server.chat.AdminHandler;
import dev.wishdir.sauerbraten.server.chat.Privileges;
import dev.wishdir.sauerbraten.server.session.AuthIdentity;
import dev.wishdir.sauerbraten.server.session.AuthTry;
import dev.wishdir.sauerbraten.server.session.SauerbratenSession;
import dev.wishdir.sauerbraten.server.view.SharedStateKey;

/** Handles what joined clients request with their keys and with the privileges that they have. */
public final class AuthHandler {
    private final AuthVerifier verifier;
    private final Privileges privileges;
    private final AdminHandler admins;

    public AuthHandler(AuthVerifier verifier, Privileges privileges, AdminHandler admins) {
        this.verifier = verifier;
        this.privileges = privileges;
        this.admins = admins;
    }

    /** Reports a refusal to the player. */
    private abstract static class Request implements AuthTry.Listener {
        final SauerbratenSession from;

        Request(SauerbratenSession from) {
            this.from = from;
        }

        @Override
        public void onRefused(long now, String text) {
            from.sendText(now, text);
        }
    }

    /** Handles what masters and admins request. */
    public void handle(long now, SauerbratenSession from, AdminMessage message) {
        admins.handle(now, from, message);
    }

    public void handle(long now, SauerbratenSession from, AuthMessage message) {
        switch (message) {
            case AuthMessage.AuthTry request ->
                    verifier.start(now, from, request.domain(), request.name(), new Claim(from));
            case AuthMessage.AuthKick request -> kick(now, from, request);
            case AuthMessage.AuthAns answer -> verifier.answer(now, from, answer);
            // Only a server sends these.
            case AuthMessage.AuthChal _, AuthMessage.ReqAuth _ ->
                    from.connection.disconnect(DisconnectReason.MESSAGE_ERROR);
        }
    }

    private final class Claim extends Request {
        Claim(SauerbratenSession from) {
            super(from);
        }

        @Override
        public void onProved(long now, AuthIdentity identity) {
            from.player().prove(now, identity.proof());
            from.player()
                    .change(
                            now,
                            SharedStateKey.MASTERS,
                            time -> privileges.claim(time, from, identity));
        }
    }

    /** As the original, challenges only for a victim that the key may kick. */
    private void kick(long now, SauerbratenSession from, AuthMessage.AuthKick request) {
        AuthIdentity owner = verifier.find(request.domain(), request.name()).orElse(null);
        if (owner != null && admins.victim(from, owner.privilege(), request.victim()).isEmpty()) {
            from.sendText(now, AdminHandler.KICK_NOT_ALLOWED);
            return;
        }
        verifier.start(now, from, request.domain(), request.name(), new KeyKick(from, request));
    }

    private final class KeyKick extends Request {
        private final AuthMessage.AuthKick request;

        KeyKick(SauerbratenSession from, AuthMessage.AuthKick request) {
            super(from);
            this.request = request;
        }

        @Override
        public void onProved(long now, AuthIdentity identity) {
            from.player().prove(now, identity.proof());
            admins.kick(now, from, identity, request.victim(), request.reason());
        }
    }
}
