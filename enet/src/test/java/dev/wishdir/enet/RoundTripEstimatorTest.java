package dev.wishdir.enet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.enet.EnetCapture.Packet;
import dev.wishdir.enet.EnetCommand.Ack;
import dev.wishdir.enet.EnetCommand.Ping;
import dev.wishdir.enet.EnetCommand.VerifyConnect;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

/** The round trip and its time-outs, as ENet's own programs have them. */
class RoundTripEstimatorTest {
    /** The samples that the original server took of a client that was then killed. */
    @Test
    void repeatsAsCapturedRoundTripsImply() {
        EnetCapture capture = EnetCapture.read("client_vanish_timeout");
        RoundTripEstimator trip = new RoundTripEstimator();
        long clock = 0;
        List<Long> pings = new ArrayList<>();
        for (Packet packet : capture.packets()) {
            EnetDatagram datagram = packet.decoded();
            boolean toServer = packet.to().equals(capture.server());
            if (!toServer && datagram.commands().getFirst() instanceof VerifyConnect) {
                // The server's clock, by which its sent times count.
                clock = datagram.header().sentTime() - packet.millis();
            }
            for (EnetCommand command : datagram.commands()) {
                if (toServer && command instanceof Ack ack) {
                    long now = clock + packet.millis();
                    trip.addSample(now, now - ack.recvSentTime() & 0xFFFF);
                    pings.clear();
                } else if (!toServer && command instanceof Ping) {
                    pings.add(packet.millis());
                }
            }
        }
        assertThat(pings).hasSize(8);
        for (int i = 1; i < pings.size(); i++) {
            long gap = pings.get(i) - pings.get(i - 1);
            // The original looks at its timers every 5 ms.
            assertThat(gap - ((long) trip.timeout() << i - 1)).as("gap %d", i).isBetween(-1L, 6L);
        }
    }
}
