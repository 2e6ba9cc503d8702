package dev.wishdir.quake2.server.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.event.Proof;
import dev.wishdir.net.limit.AddressLimits;
import dev.wishdir.quake2.netchan.InfoString;
import dev.wishdir.quake2.netchan.Netchan;
import dev.wishdir.quake2.netchan.NetchanHeader;
import dev.wishdir.wire.Reader;

import org.junit.jupiter.api.Test;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Objects;

class ClientAddressTest {
    private static final long SECOND = 1_000_000_000;
    private static final int QPORT = 77;
    private static final InetAddress IP = InetAddress.ofLiteral("10.0.0.1");
    private static final ConnectRequest REQUEST =
            new ConnectRequest(
                    new InetSocketAddress(IP, 27901), QPORT, 5, InfoString.of(Map.of("name", "a")));

    private final AddressLimits limits = AddressLimits.standard(1);
    private final ClientAddress address =
            new ClientAddress(REQUEST, Objects.requireNonNull(limits.enter(0, IP)), Proof.NONE);
    private final Netchan client = Netchan.client(QPORT);
    private final Netchan server = Netchan.server();

    private void exchange() {
        server.receive(new Reader(client.send().toByteArray()));
        client.receive(new Reader(server.send().toByteArray()));
    }

    private static NetchanHeader header(int sequence, int ack) {
        return new NetchanHeader(sequence, false, ack, false, QPORT);
    }

    @Test
    void acceptsOnlyNewPacketsOfItsQport() {
        exchange();
        exchange();
        int next = server.incoming() + 1;
        assertThat(address.isFrom(header(next, 0), server)).isTrue();
        assertThat(address.isFrom(header(next - 1, 0), server)).as("repeated").isFalse();
        assertThat(address.isFrom(new NetchanHeader(next, false, 0, false, 78), server)).isFalse();
    }

    @Test
    void continuesWithTheNextNumbersOnly() {
        exchange();
        exchange();
        int last = server.incoming();
        int sent = server.nextSequence() - 1;
        assertThat(ClientAddress.continues(header(last + 1, sent), server, 0)).isTrue();
        assertThat(ClientAddress.continues(header(last, sent), server, 0)).isFalse();
        assertThat(ClientAddress.continues(header(last + 32, sent), server, 0)).isTrue();
        assertThat(ClientAddress.continues(header(last + 33, sent), server, 0)).isFalse();
        assertThat(ClientAddress.continues(header(last + 1032, sent), server, SECOND))
                .as("a thousand packets more after a second")
                .isTrue();
        assertThat(ClientAddress.continues(header(last + 1, sent + 1), server, 0))
                .as("acknowledges what was not sent")
                .isFalse();
        assertThat(ClientAddress.continues(header(last + 1, server.acknowledged() - 1), server, 0))
                .as("acknowledges less than before")
                .isFalse();
    }

    @Test
    void allowsThreePortChangesAfterSilence() {
        assertThat(address.allowsRebinding(0, SECOND - 1)).isFalse();
        for (int i = 0; i < 3; i++) {
            assertThat(address.allowsRebinding(0, SECOND)).isTrue();
        }
        assertThat(address.allowsRebinding(0, SECOND)).isFalse();
        assertThat(address.allowsRebinding(10 * SECOND, SECOND)).isTrue();
    }

    @Test
    void keepsItsRequestAfterAPortChange() {
        InetSocketAddress other = new InetSocketAddress(IP, 40000);
        address.rebind(other);
        assertThat(address.current()).isEqualTo(other);
        assertThat(address.isSameConnect(REQUEST)).isTrue();
        assertThat(address.isSameConnect(new ConnectRequest(other, QPORT, 6, REQUEST.userInfo())))
                .isFalse();
    }

    @Test
    void freesItsPlace() {
        assertThat(limits.sessions(IP)).isEqualTo(1);
        address.free();
        assertThat(limits.sessions(IP)).isZero();
    }
}
