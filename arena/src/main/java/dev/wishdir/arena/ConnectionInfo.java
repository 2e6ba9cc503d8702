package dev.wishdir.arena;

import dev.wishdir.wire.AddressText;

import org.jspecify.annotations.Nullable;

import java.net.InetSocketAddress;

/**
 * Where a player comes from, as its endpoint knows it.
 *
 * @param address it has proved; null where a player has none, as one in a test
 * @param version of the game that it speaks, as an operator reads it; empty where it has said none
 * @param account that somebody else vouches for, as {@code xuid:2533274790395904}; empty for none
 */
public record ConnectionInfo(@Nullable InetSocketAddress address, String version, String account) {
    /** Nothing is known. */
    public static final ConnectionInfo UNKNOWN = new ConnectionInfo(null, "", "");

    /** The address and its port, as text; empty where there is none. */
    public String from() {
        return address == null ? "" : AddressText.of(address);
    }
}
