package dev.wishdir.game;

import dev.wishdir.arena.event.PlayerAction;
import dev.wishdir.game.text.LineText;
import dev.wishdir.net.loop.DutyCycle;

import java.util.Optional;

/**
 * A listener whose exceptions go to {@link DutyCycle#report}, so that the client handles the rest
 * of what it received. Texts become one line.
 */
record GuardedClientListener(DutyCycle cycle, ClientListener listener) implements ClientListener {
    /** The given listener if it is guarded already. */
    static ClientListener around(DutyCycle cycle, ClientListener listener) {
        return listener instanceof GuardedClientListener
                ? listener
                : new GuardedClientListener(cycle, listener);
    }

    private void guarded(Runnable event) {
        try {
            event.run();
        } catch (RuntimeException | Error e) {
            cycle.report(listener, e);
        }
    }

    @Override
    public void onJoined(Client self) {
        guarded(() -> listener.onJoined(self));
    }

    @Override
    public void onAppeared(Client self, Client.RemotePlayer other) {
        guarded(() -> listener.onAppeared(self, other));
    }

    @Override
    public void onMoved(Client self, long now, Client.RemotePlayer other) {
        guarded(() -> listener.onMoved(self, now, other));
    }

    @Override
    public void onVanished(Client self, Client.RemotePlayer other) {
        guarded(() -> listener.onVanished(self, other));
    }

    @Override
    public void onAction(Client self, Client.RemotePlayer other, PlayerAction action) {
        guarded(() -> listener.onAction(self, other, action));
    }

    @Override
    public void onHit(Client self, long victim, long attacker, double damage, double health) {
        guarded(() -> listener.onHit(self, victim, attacker, damage, health));
    }

    @Override
    public void onDeath(Client self, long victim, long killer) {
        guarded(() -> listener.onDeath(self, victim, killer));
    }

    @Override
    public void onChat(Client self, String name, String text) {
        guarded(() -> listener.onChat(self, name, LineText.join(text)));
    }

    @Override
    public void onSessionKey(Client self, String key) {
        guarded(() -> listener.onSessionKey(self, key));
    }

    @Override
    public Optional<Plaintext> plaintext() {
        return listener.plaintext()
                .map(to ->
                        (direction, datagram) -> guarded(() -> to.onDatagram(direction, datagram)));
    }

    @Override
    public void onEnded(Client self, EndReason ending, String reason) {
        guarded(() -> listener.onEnded(self, ending, LineText.join(reason)));
    }
}
