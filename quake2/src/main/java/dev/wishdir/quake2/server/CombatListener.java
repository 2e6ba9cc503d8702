package dev.wishdir.quake2.server;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.ArenaListener;
import dev.wishdir.arena.event.PlayerAction;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.motion.Vec3;
import dev.wishdir.quake2.message.Direction;
import dev.wishdir.quake2.message.ServerMessage.MuzzleFlash;
import dev.wishdir.quake2.message.TempEntity;
import dev.wishdir.quake2.movement.Quake2Motion;
import dev.wishdir.quake2.movement.ShotSpace;
import dev.wishdir.quake2.protocol.Quake2Codec;
import dev.wishdir.quake2.server.combat.EffectSink;
import dev.wishdir.quake2.server.combat.HitHandler;
import dev.wishdir.quake2.server.session.ClientPlayer;
import dev.wishdir.quake2.server.session.ClientTable;
import dev.wishdir.quake2.server.session.Quake2Session;
import dev.wishdir.quake2.server.view.PlayerEntityTable;
import dev.wishdir.quake2.server.view.RunningLevel;

import java.util.function.Consumer;

/**
 * Carries out on the clients of this endpoint what the match of the arena decides, and shows them
 * the fights of all games.
 */
final class CombatListener implements ArenaListener {
    /** The flash of a light gun, for the shots of other games. */
    private static final int FOREIGN_FLASH = 1;

    /** Farther than any body falls, units. */
    private static final int FALL_UNITS = 8192;

    private final ClientTable clients;
    private final PlayerEntityTable entityTable;
    private final RunningLevel level;
    private final EffectSink effects;
    private final HitHandler hits;

    CombatListener(
            ClientTable clients,
            PlayerEntityTable entityTable,
            RunningLevel level,
            EffectSink effects,
            HitHandler hits) {
        this.clients = clients;
        this.entityTable = entityTable;
        this.level = level;
        this.effects = effects;
        this.hits = hits;
    }

    @Override
    public void onEvent(ArenaEvent event) {
        switch (event) {
            case ArenaEvent.Hit hit -> onHit(hit);
            case ArenaEvent.Died died -> onDied(died);
            case ArenaEvent.Left left -> hits.onLeft(left.id());
            case ArenaEvent.ActionPerformed action
                    when action.action() == PlayerAction.ATTACK
                            && !action.player().game().equals(Quake2Codec.GAME) ->
                    flash(action.id());
            default -> {
                // It is about no fight.
            }
        }
    }

    private void forPlayer(PlayerId id, Consumer<ClientPlayer> action) {
        for (Quake2Session session : clients.all()) {
            if (session.player().id().filter(id::equals).isPresent()) {
                action.accept(session.player());
            }
        }
    }

    private void onHit(ArenaEvent.Hit hit) {
        forPlayer(hit.id(), player -> player.onHit(hit));
        if (hit.damage() == 0) {
            return;
        }
        Vec3 towards =
                hit.attacker().movement().position().minus(hit.player().movement().position());
        effects.send(
                hit.id(),
                TempEntity.at(
                        TempEntity.BLOOD,
                        ShotSpace.eighths(hit.place().times(ShotSpace.SCALE)),
                        Direction.nearest(ShotSpace.single(towards))));
    }

    private void onDied(ArenaEvent.Died died) {
        forPlayer(died.id(), player -> player.onDied(died));
        if (!died.player().game().equals(Quake2Codec.GAME)) {
            // Its own game's body does not fall here.
            Vec3 origin =
                    died.player()
                            .movement()
                            .position()
                            .times(ShotSpace.SCALE)
                            .plus(new Vec3(0, 0, Quake2Motion.FEET));
            Vec3 ground =
                    ShotSpace.wide(
                            level.shotSpace()
                                    .sweep(origin, origin.minus(new Vec3(0, 0, FALL_UNITS)))
                                    .end());
            entityTable.moveCorpse(
                    died.id(), ShotSpace.eighths(ground.plus(new Vec3(0, 0, Quake2Motion.FEET))));
        }
    }

    private void flash(PlayerId shooter) {
        int slot = entityTable.slot(shooter);
        if (slot >= 0) {
            effects.send(shooter, new MuzzleFlash(false, slot + 1, FOREIGN_FLASH));
        }
    }
}
