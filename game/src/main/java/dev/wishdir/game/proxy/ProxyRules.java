package dev.wishdir.game.proxy;

import java.util.List;
import java.util.Optional;

/**
 * Rules by which a proxy passes on a game's datagrams, which it does not change otherwise. The
 * methods must not throw, whatever the bytes.
 */
public interface ProxyRules {
    /** Rules that change nothing, for a game of which only the port is known. */
    ProxyRules UNCHANGED = (_, _) -> false;

    /**
     * Identity of a client behind NAT.
     *
     * @param qport chosen by the client, constant while it runs
     * @param sequence number of this datagram
     */
    record ClientPacket(int qport, int sequence) {}

    /**
     * Whether a datagram of the server shows that the client has proved its address. The proxy
     * keeps such a session; others give way to new ones.
     *
     * @param portOffset of the port that the client uses, one of {@link #portOffsets}
     */
    boolean isProof(int portOffset, byte[] fromServer);

    /** The ports of a server that clients use, relative to the game's port. */
    default List<Integer> portOffsets() {
        return List.of(0);
    }

    /** Identifies the client of a datagram, if the protocol lets it continue from another port. */
    default Optional<ClientPacket> clientPacket(byte[] fromClient) {
        return Optional.empty();
    }

    /**
     * A datagram of the server for the client, with the proxy's port in place of the server's.
     *
     * @param proxyPort where clients reach the proxy
     */
    default byte[] toClient(byte[] fromServer, int proxyPort) {
        return fromServer;
    }

    /**
     * The answer to a client that the proxy refuses, from which its game shows why; empty if the
     * game can't show it, or the datagram does not ask to join.
     *
     * @param reason a sentence in ASCII, for games that show a text
     */
    default Optional<byte[]> refusal(byte[] fromClient, String reason) {
        return Optional.empty();
    }
}
