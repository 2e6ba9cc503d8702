package dev.wishdir.quake2.server.combat;

import dev.wishdir.arena.combat.Missile;
import dev.wishdir.arena.event.DamageMeans;
import dev.wishdir.arena.match.Match;
import dev.wishdir.quake2.combat.PrecacheTable;
import dev.wishdir.quake2.movement.ShotSpace;
import dev.wishdir.quake2.server.view.MissileEntities;
import dev.wishdir.quake2.server.view.MissileEntities.Look;
import dev.wishdir.quake2.server.view.RunningLevel;

import java.util.ArrayList;
import java.util.List;

/** The missiles of other games' players as this game shows them: as the nearest of its own. */
public final class ForeignMissiles {
    private final Match match;
    private final MissileEntities table;
    private final RunningLevel level;
    private final List<Missile> shown = new ArrayList<>();

    public ForeignMissiles(Match match, MissileEntities table, RunningLevel level) {
        this.match = match;
        this.table = table;
        this.level = level;
    }

    /** Shows what has been launched since the last frame, and removes what is gone. */
    public void advance() {
        shown.removeIf(missile -> {
            boolean isGone = !missile.isThere();
            if (isGone) {
                table.remove(missile);
            }
            return isGone;
        });
        for (Missile missile : match.missiles()) {
            // Those of this game are in the table from their launch on.
            if (table.number(missile).isEmpty()) {
                table.add(
                        missile,
                        missile.state().place().times(ShotSpace.SCALE),
                        look(missile.means()));
                if (table.number(missile).isPresent()) {
                    shown.add(missile);
                }
            }
        }
    }

    private Look look(DamageMeans means) {
        PrecacheTable precache = level.precache();
        return switch (means) {
            case ROCKET ->
                    new Look(precache.model(PrecacheTable.ROCKET), MissileHandler.ROCKET_TRAIL, 0);
            case GRENADE ->
                    new Look(
                            precache.model(PrecacheTable.GRENADE), MissileHandler.GRENADE_TRAIL, 0);
            case BFG ->
                    new Look(
                            precache.model(PrecacheTable.BFG_BALL),
                            MissileHandler.BFG_TRAIL,
                            precache.sound("weapons/bfg__l1a.wav"));
            default ->
                    new Look(precache.model(PrecacheTable.BOLT), MissileHandler.BLASTER_TRAIL, 0);
        };
    }
}
