package dev.wishdir.sauerbraten.server.combat;

import dev.wishdir.arena.event.RateLimitedAction;
import dev.wishdir.arena.match.Match;
import dev.wishdir.sauerbraten.combat.ClientState;
import dev.wishdir.sauerbraten.combat.GameMode;
import dev.wishdir.sauerbraten.message.LifeMessage;
import dev.wishdir.sauerbraten.message.SauerbratenMessage;
import dev.wishdir.sauerbraten.protocol.DisconnectReason;
import dev.wishdir.sauerbraten.server.session.Broadcaster;
import dev.wishdir.sauerbraten.server.session.CurrentMatch;
import dev.wishdir.sauerbraten.server.session.SauerbratenSession;
import dev.wishdir.sauerbraten.server.view.CombatMessages;
import dev.wishdir.sauerbraten.server.view.SharedStateKey;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongUnaryOperator;
import java.util.random.RandomGenerator;

/** Orders and ends the lives of clients, and handles their messages about them. */
public final class LifeHandler {
    private final CurrentMatch match;
    private final Match arenaMatch;
    private final RandomGenerator random;
    private final Broadcaster broadcaster;
    private final ItemHandler items;
    private final TeamStarts starts;
    private final LongUnaryOperator peerTime;

    /**
     * @param peerTime the time of the clients, which passed while the server slept
     */
    public LifeHandler(
            CurrentMatch match,
            Match arenaMatch,
            Broadcaster broadcaster,
            RandomGenerator random,
            ItemHandler items,
            TeamStarts starts,
            LongUnaryOperator peerTime) {
        this.items = items;
        this.starts = starts;
        this.match = match;
        this.arenaMatch = arenaMatch;
        this.random = random;
        this.broadcaster = broadcaster;
        this.peerTime = peerTime;
    }

    public void handle(long now, SauerbratenSession from, LifeMessage message) {
        switch (message) {
            case LifeMessage.TrySpawn _ -> {
                // In a match, a second order would end the life that the client begins.
                boolean awaited = arenaMatch.isOn() && from.life.isOrdered();
                if (from.life.state() == ClientState.DEAD
                        && !awaited
                        && from.player().combatant().respawnWait(now) == 0
                        && from.connection.answers.tryAcquire(now)) {
                    sendSpawn(now, from);
                }
            }
            case LifeMessage.ClientSpawn spawn -> {
                // Other clients see the body from its first position on.
                if (from.life.spawn(spawn.lifeseq())) {
                    from.guns.reset();
                    from.player()
                            .combatant()
                            .beginLife(
                                    now,
                                    CombatMessages.vitals(from.life.body()),
                                    CombatMessages::absorbed);
                    from.viewer.refresh(from.cn);
                    items.show(from);
                }
            }
            case LifeMessage.Suicide _ -> {
                if (from.life.hasBody() && from.player().allows(now, RateLimitedAction.LIFE, 1)) {
                    die(now, from);
                }
            }
            default -> from.connection.disconnect(DisconnectReason.MESSAGE_ERROR);
        }
    }

    /**
     * Ends the life of a client, if it has one; in a match it counts as a death by its own hand.
     */
    public void die(long now, SauerbratenSession session) {
        if (session.player().combatant().isAlive()) {
            session.player().combatant().die(now);
        } else if (session.life.hasBody()) {
            session.life.die(now);
            session.player().despawn(now);
            broadcaster.refresh(session.cn);
        }
    }

    /** Ends the life of a client that edits in a match, where it could not be hit. */
    public void refuseEditing(long now, SauerbratenSession session) {
        if (session.life.hasBody() && session.player().allows(now, RateLimitedAction.LIFE, 1)) {
            die(now, session);
            session.answer(now, new LifeMessage.ForceDeath(session.cn));
        }
    }

    /**
     * As {@link #respawn}, at a time that the client has chosen. The life of a body that others
     * could hit ends by its own hand in a match: else a hurt player would be whole again.
     */
    public void restart(long now, SauerbratenSession session) {
        if (session.player().snapshot().spawned() && session.player().combatant().isAlive()) {
            die(now, session);
        }
        respawn(now, session);
    }

    /** Ends the life of a client's body, and orders the client to spawn. */
    public void respawn(long now, SauerbratenSession session) {
        session.player().despawn(now);
        if (!session.life.isSpectator()) {
            sendSpawn(now, session);
        }
    }

    /**
     * A client has reported its map, and has no items. A late file may have come after them, and a
     * spectator begins no life.
     *
     * @param fetched whether it was sent the map, and is to spawn again in it
     */
    public void onMapLoaded(long now, SauerbratenSession session, boolean fetched) {
        boolean spawns = fetched && !session.life.isSpectator();
        boolean watches = session.life.hasBody() || session.life.isSpectator();
        if ((spawns || watches) && session.player().allows(now, RateLimitedAction.LIFE, 1)) {
            if (spawns) {
                restart(now, session);
            } else {
                items.show(session);
            }
        }
    }

    private void sendSpawn(long now, SauerbratenSession session) {
        orderLife(now, session);
        session.viewer.refresh(session.cn);
        session.viewer.publish(SharedStateKey.SPAWN, () -> spawnOrder(session));
    }

    /** The order to begin the life that is due, after the starts to choose from. */
    public List<SauerbratenMessage> spawnOrder(SauerbratenSession session) {
        if (session.life.state() != ClientState.DEAD) {
            return List.of();
        }
        List<SauerbratenMessage> order = new ArrayList<>(starts.of(session));
        order.add(new LifeMessage.SpawnState(session.cn, session.life.body()));
        return order;
    }

    /** Orders the next life of a client, which starts with its {@code N_SPAWN}. */
    public void orderLife(long now, SauerbratenSession session) {
        GameMode mode = match.mode().spawnMode(arenaMatch.rules().mode());
        session.life.order(peerTime.applyAsLong(now), mode, random);
    }
}
