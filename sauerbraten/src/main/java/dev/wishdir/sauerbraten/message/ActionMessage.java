package dev.wishdir.sauerbraten.message;

import static dev.wishdir.sauerbraten.message.CubeWire.integer;
import static dev.wishdir.sauerbraten.message.CubeWire.measured;
import static dev.wishdir.sauerbraten.message.CubeWire.named;

import dev.wishdir.wire.Wire;

import java.util.List;

/** Actions with weapons and bodies that other players see and hear. */
public sealed interface ActionMessage extends SauerbratenMessage {
    /** Maximum number of hits of one shot or explosion. */
    int MAX_HITS = 256;

    /** {@code N_SOUND}: the sender's body makes a sound; relayed. 0 is a jump, 1 a landing. */
    record Sound(int sound) implements ActionMessage {
        public static final Sound BLANK = new Sound(0);

        public static Sound wire(Wire w, Sound m) {
            return new Sound(named(w, "sound", m.sound, 0, ProtocolNames.SOUNDS));
        }
    }

    /** {@code N_GUNSELECT}: the sender selects another weapon; relayed. */
    record GunSelect(int gun) implements ActionMessage {
        public static final GunSelect BLANK = new GunSelect(0);

        public static GunSelect wire(Wire w, GunSelect m) {
            return new GunSelect(named(w, "gun", m.gun, 0, ProtocolNames.GUNS));
        }
    }

    /** {@code N_TAUNT}: the sender taunts; relayed. */
    record Taunt() implements ActionMessage {
        public static final Taunt BLANK = new Taunt();

        public static Taunt wire(Wire w, Taunt m) {
            return BLANK;
        }
    }

    /**
     * {@code N_SHOOT}: the client fires.
     *
     * @param id of the shot: the client's clock, ms
     * @param hits as the client sees them
     */
    record Shoot(int id, int gun, Point from, Point to, List<Hit> hits) implements ActionMessage {
        public static final Shoot BLANK = new Shoot(0, 0, Point.BLANK, Point.BLANK, List.of());

        public static Shoot wire(Wire w, Shoot m) {
            int id = integer(w, "id", m.id);
            int gun = named(w, "gun", m.gun, 0, ProtocolNames.GUNS);
            Point from = Point.wire(w, "from", m.from);
            Point to = Point.wire(w, "to", m.to);
            List<Hit> hits = CubeWire.counted(w, "hits", MAX_HITS, m.hits, Hit.BLANK, Hit::wire);
            return new Shoot(id, gun, from, to, hits);
        }

        public Shoot {
            hits = List.copyOf(hits);
        }
    }

    /**
     * {@code N_EXPLODE}: a projectile of the client explodes.
     *
     * @param millis the client's clock
     * @param id of the shot
     */
    record Explode(int millis, int gun, int id, List<Hit> hits) implements ActionMessage {
        public static final Explode BLANK = new Explode(0, 0, 0, List.of());

        public static Explode wire(Wire w, Explode m) {
            int millis = measured(w, "millis", m.millis, "ms");
            int gun = named(w, "gun", m.gun, 0, ProtocolNames.GUNS);
            int id = integer(w, "id", m.id);
            List<Hit> hits = CubeWire.counted(w, "hits", MAX_HITS, m.hits, Hit.BLANK, Hit::wire);
            return new Explode(millis, gun, id, hits);
        }

        public Explode {
            hits = List.copyOf(hits);
        }
    }

    /** {@code N_SHOTFX}: a shot of another player; not sent to the shooter. */
    record ShotFx(int cn, int gun, int id, Point from, Point to) implements ActionMessage {
        public static final ShotFx BLANK = new ShotFx(0, 0, 0, Point.BLANK, Point.BLANK);

        public static ShotFx wire(Wire w, ShotFx m) {
            int cn = integer(w, "cn", m.cn);
            int gun = named(w, "gun", m.gun, 0, ProtocolNames.GUNS);
            int id = integer(w, "id", m.id);
            Point from = Point.wire(w, "from", m.from);
            Point to = Point.wire(w, "to", m.to);
            return new ShotFx(cn, gun, id, from, to);
        }
    }

    /** {@code N_EXPLODEFX}: a projectile of another player exploded; not sent to its owner. */
    record ExplodeFx(int cn, int gun, int id) implements ActionMessage {
        public static final ExplodeFx BLANK = new ExplodeFx(0, 0, 0);

        public static ExplodeFx wire(Wire w, ExplodeFx m) {
            int cn = integer(w, "cn", m.cn);
            int gun = named(w, "gun", m.gun, 0, ProtocolNames.GUNS);
            int id = integer(w, "id", m.id);
            return new ExplodeFx(cn, gun, id);
        }
    }

    /**
     * A target of a shot or an explosion.
     *
     * @param lifeseq life of the target that was hit
     * @param dist from the target to the centre of the explosion, sixteenths of a unit
     * @param rays number of shotgun rays that hit
     */
    record Hit(int target, int lifeseq, int dist, int rays, Heading dir) {
        public static final Hit BLANK = new Hit(0, 0, 0, 0, Heading.BLANK);

        public static Hit wire(Wire w, Hit m) {
            int target = integer(w, "target", m.target);
            int lifeseq = integer(w, "lifeseq", m.lifeseq);
            int dist = Point.coordinate(w, "dist", m.dist);
            int rays = integer(w, "rays", m.rays);
            Heading dir = Heading.wire(w, "dir", m.dir);
            return new Hit(target, lifeseq, dist, rays, dir);
        }
    }
}
