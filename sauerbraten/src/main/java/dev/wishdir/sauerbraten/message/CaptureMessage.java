package dev.wishdir.sauerbraten.message;

import static dev.wishdir.sauerbraten.message.CubeWire.integer;
import static dev.wishdir.sauerbraten.message.CubeWire.string;

import dev.wishdir.wire.Wire;

import java.util.List;

/** The capture modes: bases. */
public sealed interface CaptureMessage extends SauerbratenMessage {
    /** {@code N_BASES} from a client: the bases of its map. */
    record ClientBases(List<Placed> bases) implements CaptureMessage {
        public static final ClientBases BLANK = new ClientBases(List.of());

        public static ClientBases wire(Wire w, ClientBases m) {
            return new ClientBases(
                    CubeWire.counted(
                            w, "bases", CubeWire.MAX_LIST, m.bases, Placed.BLANK, Placed::wire));
        }

        public ClientBases {
            bases = List.copyOf(bases);
        }
    }

    /** {@code N_BASES}: the state of all bases. */
    record Bases(List<Base> bases) implements CaptureMessage {
        public static final Bases BLANK = new Bases(List.of());

        public static Bases wire(Wire w, Bases m) {
            return new Bases(
                    CubeWire.counted(
                            w, "bases", CubeWire.MAX_LIST, m.bases, Base.BLANK, Base::wire));
        }

        public Bases {
            bases = List.copyOf(bases);
        }
    }

    /** {@code N_BASEINFO}: the state of a base. */
    record BaseInfo(int base, String owner, String enemy, int converted, int ammo)
            implements CaptureMessage {
        public static final BaseInfo BLANK = new BaseInfo(0, "", "", 0, 0);

        public static BaseInfo wire(Wire w, BaseInfo m) {
            int base = integer(w, "base", m.base);
            String owner = string(w, "owner", m.owner);
            String enemy = string(w, "enemy", m.enemy);
            int converted = integer(w, "converted", m.converted);
            int ammo = integer(w, "ammo", m.ammo);
            return new BaseInfo(base, owner, enemy, converted, ammo);
        }
    }

    /** {@code N_BASESCORE}: the score of a team. */
    record BaseScore(int base, String team, int total) implements CaptureMessage {
        public static final BaseScore BLANK = new BaseScore(0, "", 0);

        public static BaseScore wire(Wire w, BaseScore m) {
            int base = integer(w, "base", m.base);
            String team = string(w, "team", m.team);
            int total = integer(w, "total", m.total);
            return new BaseScore(base, team, total);
        }
    }

    /** {@code N_REPAMMO} from a client: it takes ammunition from a base. */
    record ClientRepAmmo() implements CaptureMessage {
        public static final ClientRepAmmo BLANK = new ClientRepAmmo();

        public static ClientRepAmmo wire(Wire w, ClientRepAmmo m) {
            return BLANK;
        }
    }

    /** {@code N_REPAMMO}: a player has taken ammunition from a base. */
    record RepAmmo(int cn, int ammotype) implements CaptureMessage {
        public static final RepAmmo BLANK = new RepAmmo(0, 0);

        public static RepAmmo wire(Wire w, RepAmmo m) {
            int cn = integer(w, "cn", m.cn);
            int ammotype = integer(w, "ammotype", m.ammotype);
            return new RepAmmo(cn, ammotype);
        }
    }

    /** {@code N_BASEREGEN}: a base has regenerated a player. */
    record BaseRegen(int cn, int health, int armour, int ammotype, int ammo)
            implements CaptureMessage {
        public static final BaseRegen BLANK = new BaseRegen(0, 0, 0, 0, 0);

        public static BaseRegen wire(Wire w, BaseRegen m) {
            int cn = integer(w, "cn", m.cn);
            int health = integer(w, "health", m.health);
            int armour = integer(w, "armour", m.armour);
            int ammotype = integer(w, "ammotype", m.ammotype);
            int ammo = integer(w, "ammo", m.ammo);
            return new BaseRegen(cn, health, armour, ammotype, ammo);
        }
    }

    /** A base of a map. */
    record Placed(int ammotype, Point o) {
        public static final Placed BLANK = new Placed(0, Point.BLANK);

        public static Placed wire(Wire w, Placed m) {
            int ammotype = integer(w, "ammotype", m.ammotype);
            Point o = Point.wire(w, "o", m.o);
            return new Placed(ammotype, o);
        }
    }

    /**
     * A base of a match.
     *
     * @param owner team that has it, empty for none
     * @param enemy team that is capturing it, empty for none
     */
    record Base(int ammotype, String owner, String enemy, int converted, int ammo) {
        public static final Base BLANK = new Base(0, "", "", 0, 0);

        public static Base wire(Wire w, Base m) {
            int ammotype = integer(w, "ammotype", m.ammotype);
            String owner = string(w, "owner", m.owner);
            String enemy = string(w, "enemy", m.enemy);
            int converted = integer(w, "converted", m.converted);
            int ammo = integer(w, "ammo", m.ammo);
            return new Base(ammotype, owner, enemy, converted, ammo);
        }
    }
}
