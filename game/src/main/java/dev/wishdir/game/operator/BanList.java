package dev.wishdir.game.operator;

import java.util.List;

/**
 * The content of a ban file.
 *
 * @param bans oldest first
 * @param unshared those that a cluster does not have yet; empty without one
 */
public record BanList(List<Ban> bans, List<UnsharedBan> unshared) {
    public static final BanList EMPTY = new BanList(List.of());

    public BanList {
        bans = List.copyOf(bans);
        unshared = List.copyOf(unshared);
    }

    /** Bans of a server without a cluster. */
    public BanList(List<Ban> bans) {
        this(bans, List.of());
    }
}
