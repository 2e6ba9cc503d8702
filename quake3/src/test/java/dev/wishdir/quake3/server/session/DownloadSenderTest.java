package dev.wishdir.quake3.server.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.quake3.message.ServerMessage;
import dev.wishdir.wire.Bytes;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Optional;

class DownloadSenderTest {
    private static final long NOW = ClientPeer.SECOND;
    private static final long LATER = NOW + 25 * ClientPeer.MILLI;

    private final ClientPeer peer = new ClientPeer();
    private final DownloadSender downloads = new DownloadSender(peer.transport, Optional.empty());

    private List<ServerMessage.Download> received() {
        peer.receive();
        return peer.messages.stream()
                .flatMap(message -> message.ops().stream())
                .map(ServerMessage.Download.class::cast)
                .toList();
    }

    @Test
    void sendsFileToItsEnd() {
        peer.transport.setRate(90_000);
        byte[] file = new byte[700];
        file[699] = 42;
        downloads.offer(NOW, Bytes.wrap(file));
        downloads.send(NOW, 16, NOW + ClientPeer.SECOND);
        assertThat(received()).extracting(ServerMessage.Download::block).containsExactly(0, 1);
        assertThat(received().getFirst().data()).isEqualTo(Bytes.wrap(file));
        assertThat(received().getLast().data()).isEqualTo(Bytes.EMPTY);
        downloads.acknowledge(NOW, 0);
        assertThat(downloads.isActive()).isTrue();
        downloads.acknowledge(NOW, 1);
        assertThat(downloads.isActive()).isFalse();
    }

    @Test
    void keepsToRate() {
        peer.transport.setRate(10_000);
        downloads.offer(NOW, Bytes.wrap(new byte[100_000]));
        downloads.send(NOW, 16, LATER);
        int first = received().size();
        assertThat(first).isBetween(1, 4);
        downloads.send(NOW, 16, LATER);
        assertThat(received()).as("the rate is used up").hasSize(first);
    }

    @Test
    void doesNotRestartDownloadInProgress() {
        peer.transport.setRate(90_000);
        downloads.offer(NOW, Bytes.wrap(new byte[700]));
        downloads.send(NOW, 16, LATER);
        downloads.offer(NOW, Bytes.wrap(new byte[300]));
        downloads.send(NOW, 16, LATER);
        assertThat(received()).hasSize(2);
        assertThat(received().getFirst().size()).isEqualTo(700);
    }

    @Test
    void endsWithItsRefusal() {
        peer.transport.setRate(90_000);
        downloads.refuse(NOW, "no");
        assertThat(downloads.isActive()).isTrue();
        downloads.send(NOW, 16, LATER);
        assertThat(received())
                .singleElement()
                .extracting(ServerMessage.Download::refusal)
                .isEqualTo("no");
        assertThat(downloads.isActive()).isFalse();
    }
}
