package dev.wishdir.arena.relay;

import dev.wishdir.wire.AddressText;

import org.jspecify.annotations.Nullable;

import java.net.InetSocketAddress;
import java.util.Objects;

/**
 * Address and version of a player, as its endpoint knows them.
 *
 * @param address proven; null if there is none, as in tests
 * @param version of the game's client, as an operator reads it; empty if unknown
 */
public record ConnectionInfo(@Nullable InetSocketAddress address, String version) {
    public static final ConnectionInfo UNKNOWN = new ConnectionInfo(null, "");

    public ConnectionInfo {
        Objects.requireNonNull(version, "version");
    }

    /** The address and port as text; empty if there is none. */
    public String from() {
        return address == null ? "" : AddressText.of(address);
    }
}
