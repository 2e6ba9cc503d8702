package dev.wishdir.nethernet.ice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.nethernet.NetherNetCaptures;
import dev.wishdir.nethernet.sdp.Sdp;
import dev.wishdir.wire.dissect.Datagram;

import org.junit.jupiter.api.Test;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.Objects;

/** The checks of the captured session, between peers of another make. */
class StunVectorsTest {
    @Test
    void verifiesCapturedChecks() {
        List<Sdp> all = NetherNetCaptures.offersAndAnswers();
        IceCredentials client = all.get(0).ice();
        IceCredentials server = all.get(1).ice();
        int requests = 0;
        int answers = 0;
        for (Datagram each : NetherNetCaptures.FILES.datagrams("session")) {
            byte[] data = each.payload().toArray();
            if (!Stun.isStun(data)) {
                continue;
            }
            Stun message = Stun.read(data);
            if (message.username().equals(server.fragment() + ":" + client.fragment())) {
                assertThat(message.isSigned(data, server.password())).isTrue();
                assertThat(message.isSigned(data, client.password())).isFalse();
                requests++;
            } else if (message.type() == Stun.SUCCESS
                    && message.isSigned(data, server.password())) {
                InetSocketAddress mapped = Objects.requireNonNull(message.mapped());
                assertThat(mapped.getPort()).isEqualTo(each.destination().getPort());
                byte[] ours = Stun.success(message.transaction(), mapped, server.password());
                assertThat(ours).as("byte for byte").isEqualTo(data);
                answers++;
            }
        }
        assertThat(requests).isPositive();
        assertThat(answers).isPositive();
    }
}
