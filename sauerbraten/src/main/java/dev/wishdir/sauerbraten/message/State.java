package dev.wishdir.sauerbraten.message;

import static dev.wishdir.sauerbraten.message.CubeWire.integer;

import dev.wishdir.wire.Wire;

import java.util.List;

/**
 * State and equipment of a body when it spawns.
 *
 * @param lifeseq number of its life, 0..127; -1 before the first
 * @param gun selected weapon
 * @param ammo for shotgun, chaingun, rockets, rifle, grenades, pistol
 */
public record State(
        int lifeseq,
        int health,
        int maxhealth,
        int armour,
        int armourtype,
        int gun,
        List<Integer> ammo)
        implements Fields.Part {
    private static final List<String> AMMO =
            List.of("shotgun", "chaingun", "rockets", "rifle", "grenades", "pistol");

    public static final State BLANK = new State(0, 0, 0, 0, 0, 0, List.of(0, 0, 0, 0, 0, 0));

    public State {
        if (ammo.size() != AMMO.size()) {
            throw new IllegalArgumentException("ammo has " + ammo.size() + " numbers, must have 6");
        }
        ammo = List.copyOf(ammo);
    }

    public static State wire(Wire w, State m) {
        int lifeseq = integer(w, "lifeseq", m.lifeseq);
        int health = integer(w, "health", m.health);
        int maxhealth = integer(w, "maxhealth", m.maxhealth);
        int armour = integer(w, "armour", m.armour);
        int armourtype = CubeWire.named(w, "armourtype", m.armourtype, 0, ProtocolNames.ARMOURS);
        int gun = CubeWire.named(w, "gun", m.gun, 0, ProtocolNames.GUNS);
        w.pushScope("ammo");
        Integer[] ammo = new Integer[AMMO.size()];
        for (int i = 0; i < ammo.length; i++) {
            ammo[i] = integer(w, AMMO.get(i), m.ammo.get(i));
        }
        w.popScope();
        return new State(lifeseq, health, maxhealth, armour, armourtype, gun, List.of(ammo));
    }
}
