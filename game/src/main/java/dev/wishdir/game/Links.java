package dev.wishdir.game;

import dev.wishdir.arena.Link;
import dev.wishdir.net.Flow;

/** What the transport of a game has counted, as the arena tells it. */
public final class Links {
    private Links() {}

    /** The link as it is now. */
    public static Link of(Flow flow) {
        return new Link(
                flow.datagramsIn(),
                flow.bytesIn(),
                flow.numberedIn(),
                flow.lostIn(),
                flow.datagramsOut(),
                flow.bytesOut(),
                flow.lostOut());
    }
}
