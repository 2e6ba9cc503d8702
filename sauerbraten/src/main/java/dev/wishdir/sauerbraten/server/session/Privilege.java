package dev.wishdir.sauerbraten.server.session;

import dev.wishdir.game.operator.Rights;

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

    /** The same in the words of all games. */
    public Rights rights() {
        return switch (this) {
            case NONE -> Rights.NONE;
            case MASTER -> Rights.MASTER;
            case AUTH -> Rights.AUTH;
            case ADMIN -> Rights.ADMIN;
        };
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
