package dev.wishdir.sauerbraten.server.session;

import java.util.Locale;

/** The rights of a client over others, in ascending order, with their numbers on the wire. */
public enum Privilege {
    NONE(0),
    MASTER(1),
    /** A master that other masters can't kick, known by a key. */
    AUTH(2),
    ADMIN(3);

    public final int code;

    Privilege(int code) {
        this.code = code;
    }

    /** The title that players read. */
    public String title() {
        return name().toLowerCase(Locale.ROOT);
    }

    public boolean outranks(Privilege other) {
        return compareTo(other) > 0;
    }

    public boolean isAtLeast(Privilege other) {
        return compareTo(other) >= 0;
    }
}
