package dev.wishdir.game;

import dev.wishdir.arena.Link;
import dev.wishdir.net.Carried;

/** What the transport of a game has counted, as the arena tells it. */
public final class Links {
    private Links() {}

    /** The link as it is now. */
    public static Link of(Carried carried) {
        return new Link(
                carried.datagramsIn(),
                carried.bytesIn(),
                carried.numberedIn(),
                carried.lostIn(),
                carried.datagramsOut(),
                carried.bytesOut(),
                carried.lostOut());
    }
}
