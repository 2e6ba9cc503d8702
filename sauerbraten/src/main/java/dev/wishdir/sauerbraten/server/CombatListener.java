package dev.wishdir.sauerbraten.server;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.ArenaListener;
import dev.wishdir.arena.event.DamageMeans;
import dev.wishdir.sauerbraten.combat.Weapon;
import dev.wishdir.sauerbraten.server.match.SauerbratenMatch;
import dev.wishdir.sauerbraten.server.session.Broadcaster;
import dev.wishdir.sauerbraten.server.session.ClientTable;
import dev.wishdir.sauerbraten.server.session.SauerbratenSession;
import dev.wishdir.sauerbraten.server.view.CombatMessages;
import dev.wishdir.sauerbraten.server.view.ForeignPlayers;

import java.util.function.LongUnaryOperator;

/** Carries out on the clients of this endpoint what the match of the arena decides. */
final class CombatListener implements ArenaListener {
    /** A push moves a body as fast as at first for at most this long: the air slows it down. */
    private static final double PUSH_SECONDS = 1.5;

    /** A player that ends its own life fires no last shots. */
    private static final long LONG_AGO = Long.MIN_VALUE / 2;

    private final ClientTable clients;
    private final ForeignPlayers foreignPlayers;
    private final Broadcaster broadcaster;
    private final SauerbratenMatch match;
    private final LongUnaryOperator peerTime;

    /**
     * @param peerTime the time of the clients, which passed while the server slept
     */
    CombatListener(
            ClientTable clients,
            ForeignPlayers foreignPlayers,
            Broadcaster broadcaster,
            SauerbratenMatch match,
            LongUnaryOperator peerTime) {
        this.clients = clients;
        this.foreignPlayers = foreignPlayers;
        this.broadcaster = broadcaster;
        this.match = match;
        this.peerTime = peerTime;
    }

    /** An event of the arena, after the viewers have received it. */
    @Override
    public void onEvent(ArenaEvent event) {
        switch (event) {
            case ArenaEvent.Hit hit -> onHit(hit);
            case ArenaEvent.Died died -> onDied(died);
            case ArenaEvent.RoundStarted started -> match.onRoundStarted(started.time());
            case ArenaEvent.RoundEnded ended -> match.onRoundEnded(ended.time());
            default -> {
                // It is about no fight.
            }
        }
    }

    private void onHit(ArenaEvent.Hit hit) {
        ForeignPlayers.ForeignPlayer attacker = foreignPlayers.find(hit.attacker().id());
        if (attacker != null && hit.means() != DamageMeans.SUICIDE) {
            attacker.arm(Weapon.of(hit.means()));
        }
        SauerbratenSession victim = clients.session(hit.id());
        if (victim == null) {
            return;
        }
        victim.life.setBody(CombatMessages.with(victim.life.body(), hit.vitals()));
        if (CombatMessages.pushes(hit)) {
            victim.movement
                    .validator()
                    .allowThrow(
                            peerTime.applyAsLong(hit.time()),
                            PUSH_SECONDS * hit.knockback().length());
        }
    }

    private void onDied(ArenaEvent.Died died) {
        SauerbratenSession victim = clients.session(died.id());
        if (victim != null && victim.life.hasBody()) {
            boolean itself = died.means() == DamageMeans.SUICIDE;
            victim.life.die(itself ? LONG_AGO : died.time());
            broadcaster.refresh(victim.cn);
        }
    }
}
