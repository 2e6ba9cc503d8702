package dev.wishdir.sauerbraten.server.combat;

import dev.wishdir.arena.event.PlayerAction;
import dev.wishdir.arena.event.RateLimitedAction;
import dev.wishdir.arena.match.Match;
import dev.wishdir.sauerbraten.message.ActionMessage;
import dev.wishdir.sauerbraten.protocol.DisconnectReason;
import dev.wishdir.sauerbraten.server.session.Broadcaster;
import dev.wishdir.sauerbraten.server.session.SauerbratenSession;

import java.util.function.LongUnaryOperator;

/** Relays the actions of bodies: shots, explosions, taunts, and what the original relays. */
public final class ActionHandler {
    private final Broadcaster broadcaster;
    private final Match match;
    private final ShotHandler shots;
    private final LongUnaryOperator peerTime;

    /**
     * @param match of the arena: in one, shots hit
     * @param peerTime the time of the clients, which passed while the server slept
     */
    public ActionHandler(
            Broadcaster broadcaster, Match match, ShotHandler shots, LongUnaryOperator peerTime) {
        this.broadcaster = broadcaster;
        this.match = match;
        this.shots = shots;
        this.peerTime = peerTime;
    }

    public void handle(long now, SauerbratenSession from, ActionMessage action) {
        if (action instanceof ActionMessage.ShotFx || action instanceof ActionMessage.ExplodeFx) {
            from.connection.disconnect(DisconnectReason.MESSAGE_ERROR);
            return;
        }
        // A projectile may explode after the death of its player; last shots may be on their way.
        boolean able =
                action instanceof ActionMessage.Explode
                                || match.isOn() && action instanceof ActionMessage.Shoot
                        ? !from.life.isSpectator()
                        : from.life.hasBody();
        if (!able || !from.player().allows(now, RateLimitedAction.ACT, 1)) {
            return;
        }
        if (match.isOn() && action instanceof ActionMessage.Shoot shot) {
            shots.shoot(now, from, shot);
            return;
        }
        if (match.isOn() && action instanceof ActionMessage.Explode explosion) {
            shots.explode(now, from, explosion);
            return;
        }
        if (action instanceof ActionMessage.Shoot || action instanceof ActionMessage.Explode) {
            from.movement.validator().allowImpulse(peerTime.applyAsLong(now));
        }
        switch (action) {
            case ActionMessage.Shoot shot -> {
                broadcaster.send(
                        new ActionMessage.ShotFx(
                                from.cn, shot.gun(), shot.id(), shot.from(), shot.to()),
                        other -> other.viewer.showsBody(from.cn));
                // Players of other games see it, too.
                from.player().performAction(now, PlayerAction.ATTACK);
            }
            case ActionMessage.Taunt taunt -> {
                broadcaster.relay(from, taunt);
                from.player().performAction(now, PlayerAction.TAUNT);
            }
            case ActionMessage.Explode explosion ->
                    broadcaster.send(
                            from.cn,
                            new ActionMessage.ExplodeFx(from.cn, explosion.gun(), explosion.id()));
            default -> broadcaster.relay(from, action);
        }
    }
}
