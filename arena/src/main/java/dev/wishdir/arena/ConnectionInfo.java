package dev.wishdir.arena;

import dev.wishdir.wire.AddressText;

import org.jspecify.annotations.Nullable;

import java.net.InetSocketAddress;

/**
 * Address, version and account of a player, as its endpoint knows them.
 *
 * @param address proven; null if there is none, as in tests
 * @param version of the game's client, as an operator reads it; empty if unknown
 * @param account verified by a third party, as {@code xuid:2533274790395904}; empty for none
 */
public record ConnectionInfo(@Nullable InetSocketAddress address, String version, String account) {
    public static final ConnectionInfo UNKNOWN = new ConnectionInfo(null, "", "");

    /** The address and port as text; empty if there is none. */
    public String from() {
        return address == null ? "" : AddressText.of(address);
    }
}
