package dev.wishdir.quake3.server.combat;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.combat.Missile;
import dev.wishdir.arena.event.DamageMeans;
import dev.wishdir.arena.event.Player;
import dev.wishdir.motion.Vec3;
import dev.wishdir.motion.Vec3f;
import dev.wishdir.quake3.combat.Weapon;
import dev.wishdir.quake3.message.EntityField;
import dev.wishdir.quake3.protocol.Quake3Codec;
import dev.wishdir.quake3.server.view.CombatEntities;
import dev.wishdir.quake3.server.view.CombatEntities.Content;
import dev.wishdir.quake3.server.view.DirectionByte;
import dev.wishdir.quake3.server.view.TempEvent;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The missiles of other games' players as this game shows them: as the nearest of its own, on
 * straight lines from place to place. One that has come to rest, as an arrow in a wall, is gone.
 */
public final class ForeignMissiles {
    private static final int MOVE_MILLIS = 100;

    private static final class Shown {
        final int number;
        final Weapon weapon;
        int movedAt;

        Shown(int number, Weapon weapon, int movedAt) {
            this.number = number;
            this.weapon = weapon;
            this.movedAt = movedAt;
        }
    }

    private final Arena arena;
    private final CombatEntities entities;
    private final Map<Missile, Shown> shown = new LinkedHashMap<>();

    public ForeignMissiles(Arena arena, CombatEntities entities) {
        this.arena = arena;
        this.entities = entities;
    }

    /**
     * Shows where the missiles are now.
     *
     * @param time of the server, milliseconds
     */
    public void advance(int time) {
        endGone(time);
        for (Missile missile : arena.match().missiles()) {
            if (isResting(missile)) {
                continue;
            }
            Shown known = shown.get(missile);
            if (known == null) {
                add(time, missile);
            } else if (time - known.movedAt >= MOVE_MILLIS) {
                known.movedAt = time;
                entities.change(known.number, flying(time, missile, known.weapon));
            }
        }
    }

    private static boolean isResting(Missile missile) {
        return missile.state().velocity().equals(Vec3.ZERO);
    }

    private void endGone(int time) {
        Iterator<Map.Entry<Missile, Shown>> all = shown.entrySet().iterator();
        while (all.hasNext()) {
            Map.Entry<Missile, Shown> each = all.next();
            Missile missile = each.getKey();
            if (!missile.isThere() || isResting(missile)) {
                all.remove();
                entities.end(each.getValue().number, time, impact(missile, each.getValue().weapon));
            }
        }
    }

    private void add(int time, Missile missile) {
        boolean isForeign =
                arena.find(missile.owner())
                        .map(Player::game)
                        .filter(game -> !game.equals(Quake3Codec.GAME))
                        .isPresent();
        if (isForeign) {
            Weapon weapon = weapon(missile.means());
            int number = entities.missile(flying(time, missile, weapon));
            if (number >= 0) {
                shown.put(missile, new Shown(number, weapon, time));
            }
        }
    }

    private static Weapon weapon(DamageMeans means) {
        return switch (means) {
            case ROCKET -> Weapon.ROCKET_LAUNCHER;
            case GRENADE -> Weapon.GRENADE_LAUNCHER;
            case BFG -> Weapon.BFG;
            default -> Weapon.PLASMA_GUN;
        };
    }

    private static Content flying(int time, Missile missile, Weapon weapon) {
        Vec3f velocity = ShotGeometry.units(missile.state().velocity());
        return new Content(
                MissileFlight.flying(
                                ShotGeometry.units(missile.state().place()), velocity, time, weapon)
                        .build());
    }

    private static Content impact(Missile missile, Weapon weapon) {
        return new Content(
                CombatEntities.at(ShotGeometry.units(missile.state().place()))
                        .set(EntityField.WEAPON, weapon.number())
                        .set(EntityField.EVENT, TempEvent.MISSILE_MISS.number())
                        .set(EntityField.EVENT_PARM, DirectionByte.of(new Vec3f(0, 0, 1)))
                        .build());
    }
}
