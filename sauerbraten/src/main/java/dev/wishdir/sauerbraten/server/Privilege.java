package dev.wishdir.sauerbraten.server;

/** The rights of a client over others, in ascending order, with their numbers on the wire. */
enum Privilege {
    NONE(0),
    MASTER(1),
    ADMIN(3);

    final int code;

    Privilege(int code) {
        this.code = code;
    }

    /** The title that players read. */
    String title() {
        return this == MASTER ? "master" : "admin";
    }

    boolean isAtLeast(Privilege other) {
        return compareTo(other) >= 0;
    }
}
