package dev.wishdir.quake3.server.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.net.loop.Duty;
import dev.wishdir.quake3.message.EntityState;
import dev.wishdir.quake3.message.PlayerState;
import dev.wishdir.quake3.message.ServerMessage;
import dev.wishdir.quake3.protocol.Frame;
import dev.wishdir.wire.Bytes;

import org.junit.jupiter.api.Test;

import java.util.Random;

class SnapshotPacerTest {
    private static final long MILLI = ClientPeer.MILLI;
    private static final int MANY = 125;

    private final ClientPeer peer = new ClientPeer();
    private final FragmentSender fragments = new FragmentSender(peer.transport);
    private final SnapshotPacer pacer = new SnapshotPacer(peer.transport, fragments);
    private long now = ClientPeer.SECOND;

    private static Frame frame() {
        return new Frame(1_000, Bytes.EMPTY, PlayerState.ZERO, new int[0], new EntityState[0]);
    }

    private long due() {
        return pacer.due(now, 1_000, MANY);
    }

    private long send() {
        return pacer.send(now, frame(), 0);
    }

    /** Lets the client acknowledge a first message. */
    private void prove() {
        peer.transport.setRate(90_000);
        send();
        peer.acknowledge();
        now += ClientPeer.SECOND;
        due();
    }

    @Test
    void waitsShortlyForMovement() {
        prove();
        pacer.schedule(now);
        assertThat(due()).isEqualTo(now + 5 * MILLI);
        pacer.markDirty();
        assertThat(due()).isEqualTo(now);
        send();
        assertThat(due()).as("the next interval").isEqualTo(now + 50 * MILLI);
    }

    @Test
    void keepsIntervalAlthoughSnapshotHasWaited() {
        prove();
        pacer.setSnaps(20);
        pacer.schedule(now);
        long first = due();
        assertThat(pacer.interval()).isEqualTo(50 * MILLI);
        now = first;
        assertThat(send()).isEqualTo(ClientPeer.SECOND * 2 + 50 * MILLI);
    }

    @Test
    void slowsDownUntilAddressIsProven() {
        due();
        assertThat(pacer.interval()).isEqualTo(200 * MILLI);
        prove();
        assertThat(pacer.interval()).isEqualTo(50 * MILLI);
    }

    @Test
    void slowsDownAfterTwoSecondsWithoutAcknowledgement() {
        prove();
        now += 1_999 * MILLI;
        due();
        assertThat(pacer.interval()).isEqualTo(50 * MILLI);
        now += MILLI;
        due();
        assertThat(pacer.interval()).isEqualTo(500 * MILLI);
    }

    @Test
    void sharesServerLimit() {
        prove();
        pacer.setSnaps(125);
        pacer.due(now, 1_000, 10);
        assertThat(pacer.interval()).isEqualTo(100 * MILLI);
    }

    @Test
    void marksSnapshotThatWaitedForRate() {
        prove();
        peer.transport.setRate(1_000);
        send();
        pacer.schedule(now);
        pacer.markDirty();
        long next = due();
        assertThat(next).isGreaterThan(now + 20 * MILLI);
        now = next;
        send();
        peer.receive();
        assertThat(peer.messages.getLast().ops())
                .anySatisfy(op ->
                        assertThat(((ServerMessage.Snapshot) op).flags())
                                .isEqualTo(ServerMessage.Snapshot.RATE_DELAYED));
    }

    @Test
    void waitsForPendingFragments() {
        prove();
        byte[] noise = new byte[1_024];
        new Random(1).nextBytes(noise);
        Bytes data = Bytes.wrap(noise);
        peer.sendOps(
                new ServerMessage.Download(0, 4_096, "", data),
                new ServerMessage.Download(1, 0, "", data));
        assertThat(peer.transport.hasPendingFragments()).isTrue();
        assertThat(due()).isEqualTo(Duty.NEVER);
    }
}
