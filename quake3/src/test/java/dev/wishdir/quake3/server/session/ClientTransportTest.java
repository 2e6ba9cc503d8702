package dev.wishdir.quake3.server.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.wire.Writer;

import org.junit.jupiter.api.Test;

import java.net.InetSocketAddress;

class ClientTransportTest {
    private final ClientPeer peer = new ClientPeer();

    private static byte[] packet(int sequence) {
        Writer writer = new Writer(16);
        writer.i32le("sequence", sequence);
        writer.i32le("rest", 0);
        return writer.toByteArray();
    }

    @Test
    void ignoresCommandsUntilAddressIsProven() {
        peer.transport.command("print \"early\"");
        peer.sendOps();
        peer.acknowledge();
        assertThat(peer.transport.hasAcknowledged()).isTrue();
        peer.transport.command("print \"late\"");
        peer.sendOps();
        peer.receive();
        assertThat(peer.messages.getFirst().ops()).isEmpty();
        assertThat(peer.messages.getLast().ops()).hasSize(1);
    }

    @Test
    void acceptsAnotherPortOnlyOfAnIdleClientThatContinues() {
        int port = ClientPeer.ADDRESS.getPort();
        long now = ClientPeer.SECOND;
        byte[] next = packet(1);
        assertThat(peer.transport.accepts(now, port, 0, next)).isTrue();
        assertThat(peer.transport.accepts(now, port + 1, ClientPeer.SECOND - 1, next))
                .as("not idle")
                .isFalse();
        assertThat(peer.transport.accepts(now, port + 1, ClientPeer.SECOND, packet(50_000)))
                .as("another sequence")
                .isFalse();
        for (int i = 0; i < 3; i++) {
            assertThat(peer.transport.accepts(now, port + 1, ClientPeer.SECOND, next)).isTrue();
        }
        assertThat(peer.transport.accepts(now, port + 1, ClientPeer.SECOND, next))
                .as("rate limit")
                .isFalse();
        assertThat(
                        peer.transport.accepts(
                                now + 5 * ClientPeer.SECOND, port + 1, ClientPeer.SECOND, next))
                .isTrue();
    }

    @Test
    void countsOnlyNewPacketsOfItsPresentAddress() {
        assertThat(peer.transport.isNew(ClientPeer.ADDRESS, packet(1))).isTrue();
        peer.acknowledge();
        assertThat(peer.transport.isNew(ClientPeer.ADDRESS, packet(1))).isFalse();
        assertThat(peer.transport.isNew(ClientPeer.ADDRESS, packet(2))).isTrue();
        InetSocketAddress other =
                new InetSocketAddress(
                        ClientPeer.ADDRESS.getAddress(), ClientPeer.ADDRESS.getPort() + 1);
        assertThat(peer.transport.isNew(other, packet(2))).isFalse();
    }
}
