package dev.wishdir.sauerbraten.server.combat;

import dev.wishdir.arena.combat.Combatant;
import dev.wishdir.sauerbraten.combat.GunState;
import dev.wishdir.sauerbraten.combat.LifeState;
import dev.wishdir.sauerbraten.combat.Weapon;
import dev.wishdir.sauerbraten.message.State;
import dev.wishdir.sauerbraten.server.session.SauerbratenSession;
import dev.wishdir.sauerbraten.server.view.CombatMessages;

/** Effects of items on a body, as clients count them themselves when one is taken. */
public final class ItemEffects {
    private static final int FIRST_AMMO = 8;
    private static final int HEALTH = 14;
    private static final int BOOST = 15;
    private static final int GREEN_ARMOUR = 16;
    private static final int YELLOW_ARMOUR = 17;
    private static final int QUAD = 18;

    private static final int HEALTH_POINTS = 25;
    private static final int BOOST_POINTS = 50;
    private static final int BOOST_HEALTH = 100;
    private static final int MAX_BOOSTED = 200;
    private static final int GREEN = 1;
    private static final int GREEN_POINTS = 100;
    private static final int YELLOW = 2;
    private static final int YELLOW_POINTS = 200;

    private ItemEffects() {}

    /**
     * Gives a client in a match what an item of a type gives, if it may take it now.
     *
     * @return whether it has taken it
     */
    static boolean give(long now, int type, SauerbratenSession to) {
        if (!canTake(now, type, to.life, to.guns)) {
            return false;
        }
        take(now, type, to.life, to.guns);
        Combatant combatant = to.player().combatant();
        combatant.setVitals(CombatMessages.vitals(to.life.body()));
        combatant.setQuad(to.guns.quadUntil());
        return true;
    }

    private static boolean canTake(long now, int type, LifeState life, GunState guns) {
        State body = life.body();
        return switch (type) {
            case HEALTH -> body.health() < body.maxhealth();
            case BOOST -> body.maxhealth() < MAX_BOOSTED || body.health() < body.maxhealth();
            case GREEN_ARMOUR ->
                    !(body.armourtype() == YELLOW && body.armour() >= GREEN_POINTS)
                            && (body.armourtype() == 0 || body.armour() < GREEN_POINTS);
            case YELLOW_ARMOUR -> body.armourtype() == 0 || body.armour() < YELLOW_POINTS;
            case QUAD -> guns.wantsQuad(now);
            default -> life.ammo(gun(type)) < gun(type).maxAmmo();
        };
    }

    private static Weapon gun(int type) {
        return Weapon.of(type - FIRST_AMMO + 1).orElseThrow();
    }

    /** Gives a player what an item of a type gives. */
    public static void take(long now, int type, LifeState life, GunState guns) {
        State body = life.body();
        switch (type) {
            case HEALTH -> life.setBody(healed(body, HEALTH_POINTS, body.maxhealth()));
            case BOOST -> {
                int max = Math.min(body.maxhealth() + BOOST_POINTS, MAX_BOOSTED);
                life.setBody(healed(body, BOOST_HEALTH, max));
            }
            case GREEN_ARMOUR -> life.setBody(armed(body, GREEN, GREEN_POINTS));
            case YELLOW_ARMOUR -> life.setBody(armed(body, YELLOW, YELLOW_POINTS));
            case QUAD -> guns.addQuad(now);
            default -> {
                Weapon gun = gun(type);
                life.setAmmo(gun, Math.min(life.ammo(gun) + gun.pickup(), gun.maxAmmo()));
            }
        }
    }

    private static State healed(State body, int points, int max) {
        return new State(
                body.lifeseq(),
                Math.min(body.health() + points, max),
                max,
                body.armour(),
                body.armourtype(),
                body.gun(),
                body.ammo());
    }

    private static State armed(State body, int type, int points) {
        return new State(
                body.lifeseq(),
                body.health(),
                body.maxhealth(),
                Math.min(body.armour() + points, points),
                type,
                body.gun(),
                body.ammo());
    }
}
