package dev.wishdir.sauerbraten.server.combat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.combat.Combatant.Blast;
import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.CollisionSpace;
import dev.wishdir.motion.Vec3;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.util.List;

/** Thrown from the middle of a room to the east. */
class GrenadeFlightTest {
    private static final Vec3 EYE = new Vec3(0, 0, 1.75);

    private static final CollisionSpace ROOM =
            CollisionSpace.within(new Bounds(new Vec3(-30, -4, 0), new Vec3(12, 4, 20)));

    private static List<Blast> at(CollisionSpace space, Vec3 to, double seconds) {
        return new GrenadeFlight(EYE, to, space).between(seconds, seconds);
    }

    /** The least distance that a place has from the ways, beyond their allowance. */
    private static double off(List<Blast> places, Vec3 from) {
        return places.stream()
                .mapToDouble(it -> it.place().distance(from) - it.allowance())
                .min()
                .orElseThrow();
    }

    @Test
    void fliesAParabolaUntilItBounces() {
        List<Blast> places = at(ROOM, new Vec3(8, 0, 1.75), 0.4);
        double along = 25 / Math.sqrt(1 + 1.0 / 64);
        Vec3 exact = new Vec3(along * 0.4, 0, 1.75 + along / 8 * 0.4 - 12.5 * 0.16);
        assertThat(off(places, exact)).isLessThan(0);
        assertThat(places).allMatch(it -> it.place().distance(exact) < 0.8);
    }

    @Test
    @DisplayName("J26 a grenade is not beyond a wall, and not where it was not thrown")
    void bouncesOffWalls() {
        List<Blast> places = at(ROOM, new Vec3(12, 0, 1.75), 1.5);
        assertThat(places).allMatch(it -> it.place().x() < 12);
        assertThat(places).allMatch(it -> it.allowance() < 6);
        assertThat(off(places, new Vec3(19, 0, 1))).isPositive();
        assertThat(off(places, new Vec3(-20, 0, 1))).isPositive();
        assertThat(off(at(ROOM, new Vec3(-20, 0, 1.75), 1.5), new Vec3(8, 0, 1))).isPositive();
    }

    @Test
    @DisplayName("J26 a grenade that bounces at its thrower's feet is not metres beside them")
    void staysAboveFeetWhereItBouncesUpAndDown() {
        for (double height : new double[] {-3, 9}) {
            List<Blast> places = at(ROOM, new Vec3(0, 0, height), 2.6);
            assertThat(places).allMatch(it -> it.place().horizontal() + it.allowance() < 1);
        }
    }

    @Test
    @DisplayName("J26 a grenade passes an edge that it meets by a rounded place")
    void passesEdges() {
        CollisionSpace edge =
                (from, to, width, height) ->
                        from.y() > 0 && from.x() < 4 && to.x() > 4
                                ? (4 - from.x()) / (to.x() - from.x())
                                : ROOM.free(from, to, width, height);
        GrenadeFlight flight =
                new GrenadeFlight(new Vec3(0, 0.01, 1.75), new Vec3(8, 0.01, 1.75), edge);
        Vec3 beyond = new Vec3(8, 0, 1.5);
        assertThat(off(flight.between(0.3, 0.4), beyond)).isGreaterThan(1);
        assertThat(off(flight.besideEdges(0.3, 0.4), beyond)).isLessThan(1);
    }

    @Test
    void isAnywhereWithinReachInAnUnknownLevel() {
        List<Blast> places = at(CollisionSpace.OPEN, new Vec3(12, 0, 1.75), 1);
        assertThat(off(places, new Vec3(-30, 0, 1))).isNegative();
        assertThat(off(places, new Vec3(60, 0, 1))).isPositive();
    }
}
