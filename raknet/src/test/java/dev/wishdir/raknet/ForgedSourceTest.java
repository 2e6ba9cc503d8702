package dev.wishdir.raknet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.net.simulation.SimulatedNetwork.Conditions;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Writer;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.net.InetSocketAddress;
import java.util.List;

/**
 * What an attacker that forges the source address of a connected client can do without seeing its
 * traffic: docs/protocols/raknet.md#forged-datagrams.
 */
class ForgedSourceTest {
    private static final long SECOND = RakNetNetwork.SECOND;
    private static final InetSocketAddress CLIENT = RakNetNetwork.address(9, 5000);
    private static final byte[] LEAVE = {(byte) ConnectedMessage.DISCONNECTION_NOTIFICATION};
    private static final byte[] MESSAGE = {(byte) RakNetNetwork.ID, 66};
    private static final int NUMBERS = 1 << 24;

    private RakNetNetwork n;
    private RakNetNetwork.Events client;
    private RakNetPeer atClient;
    private int said;

    @BeforeEach
    void connect() {
        n = new RakNetNetwork(1, RakNetSettings.server(100).orderedOnly(true));
        client = n.connect(9);
        atClient = client.connected.getFirst();
        play(SECOND);
    }

    /** The client sends 20 messages a second, and the server one. */
    private void play(long nanos) {
        for (long end = n.network.now() + nanos; n.network.now() < end; ) {
            n.send(atClient, new byte[] {(byte) said++});
            if (said % 20 == 0) {
                n.send(n.events.connected.getFirst(), new byte[] {1});
            }
            n.network.run(SECOND / 20);
        }
    }

    /** The client plays on, and nothing of what it sends is lost, repeated or foreign. */
    private void isUndisturbed() {
        play(SECOND);
        n.network.run(SECOND);
        assertThat(n.events.endings).isEmpty();
        assertThat(client.endings).isEmpty();
        assertThat(n.events.batches).hasSize(said);
        for (int i = 0; i < said; i++) {
            assertThat(n.events.batches.get(i)).containsExactly((byte) i);
        }
    }

    /** From now on nothing of the client reaches the server. */
    private void vanish() {
        n.network.conditions(new Conditions(1, 0, 1_000_000, 0));
        n.network.run(SECOND / 10);
    }

    private void forge(byte[] datagram) {
        n.network.inject(CLIENT, RakNetNetwork.SERVER, datagram);
    }

    private void forge(int number, Frame frame) {
        Writer w = new Writer(1500);
        RakNetDatagram.wire(w, new RakNetDatagram(0x84, number, List.of(frame)));
        forge(w.toByteArray());
    }

    private static Frame frame(Reliability reliability, int message, int order, byte[] payload) {
        return new Frame(
                reliability.ordinal() << 5, message, 0, order, 0, 0, 0, 0, Bytes.of(payload));
    }

    private static Frame unreliable(byte[] payload) {
        return frame(Reliability.UNRELIABLE, 0, 0, payload);
    }

    /** Forges a datagram for each window of the numbers, so that one is inside the window. */
    private void sweep(Frame frame, int stride) {
        for (int number = 0; number < NUMBERS; number += stride) {
            forge(number, frame);
            if (number % (100 * stride) == 0) {
                play(SECOND / 20);
            }
        }
        play(SECOND);
    }

    @Test
    @DisplayName("E9 a sweep of forged disconnections over all numbers ends no session")
    void survivesSweepOfDisconnections() {
        sweep(unreliable(LEAVE), 2000);
        sweep(frame(Reliability.RELIABLE_ORDERED, 0, 0, LEAVE), 2000);
        isUndisturbed();
    }

    @Test
    @DisplayName("E9 a forged disconnection with the right number is verified with the client")
    void verifiesDisconnection() {
        for (int number = 0; number < 200; number++) {
            forge(number, unreliable(LEAVE));
        }
        play(3 * SECOND);
        isUndisturbed();
    }

    @Test
    @DisplayName("E9 a silent client that is still there answers for itself")
    void verifiesDisconnectionOfIdleClient() {
        n.network.run(SECOND);
        for (int number = 0; number < 200; number++) {
            forge(number, unreliable(LEAVE));
        }
        n.network.run(5 * SECOND);
        isUndisturbed();
    }

    @Test
    void endsSessionOfClientThatLeft() {
        n.cycle.execute(() -> atClient.abort(n.network.now(), "test"));
        n.network.run(SECOND / 100);
        assertThat(n.events.endings).containsExactly(RakNetPeer.EndReason.LEFT);
    }

    @Test
    void endsSessionAfterUnreliableDisconnectionOfClientThatVanished() {
        vanish();
        for (int number = 0; number < 200; number++) {
            forge(number, unreliable(LEAVE));
        }
        n.network.run(2 * SECOND);
        assertThat(n.events.endings).containsExactly(RakNetPeer.EndReason.LEFT);
    }

    @Test
    @DisplayName("E9 a sweep of forged numbers does not move the window away from the client")
    void keepsWindowOnClient() {
        sweep(unreliable(new byte[] {ConnectedMessage.CONNECTED_PONG}), 2000);
        isUndisturbed();
    }

    @Test
    @DisplayName("E9 forged datagrams with the client's next numbers hide none of its frames")
    void hidesNoFrames() {
        for (int number = 0; number < 300; number++) {
            forge(number, unreliable(MESSAGE));
        }
        isUndisturbed();
    }

    @Test
    @DisplayName("E5, E7 forged frames that break a limit end no session")
    void ignoresForgedViolations() {
        Frame split =
                new Frame(
                        Reliability.RELIABLE.ordinal() << 5 | Frame.SPLIT_FLAG,
                        4000,
                        0,
                        0,
                        0,
                        Integer.MAX_VALUE,
                        1,
                        1,
                        Bytes.of(MESSAGE));
        Frame unreliableSplit =
                new Frame(Frame.SPLIT_FLAG, 0, 0, 0, 0, -1, 1, 1, Bytes.of(MESSAGE));
        for (int number = 0; number < 2000; number++) {
            forge(number, split);
            forge(number, unreliableSplit);
            forge(number, frame(Reliability.RELIABLE_ORDERED, 5000, 0x7FFFFF, MESSAGE));
            forge(number, frame(Reliability.RELIABLE_ORDERED, 0x7FFFFF, 0, MESSAGE));
            if (number % 100 == 0) {
                play(SECOND / 20);
            }
        }
        isUndisturbed();
    }

    @Test
    @DisplayName("E8 forged acknowledgements of what was never sent change nothing")
    void ignoresForgedAcknowledgements() {
        for (int flags : new int[] {AckPacket.ACK, AckPacket.NAK}) {
            for (int first = 0; first < NUMBERS; first += 1 << 16) {
                Writer w = new Writer(1500);
                AckPacket.wire(
                        w,
                        new AckPacket(flags, List.of(new AckPacket.Range(first, first + 0xFFFF))));
                forge(w.toByteArray());
            }
            play(SECOND / 20);
        }
        isUndisturbed();
    }

    @Test
    @DisplayName("E3, E4 forged requests to open a connection do not replace the client's")
    void ignoresForgedRequests() {
        for (long cookie = 0; cookie < 1000; cookie++) {
            Writer w = new Writer(1500);
            OfflineMessage.OpenConnectionRequest1.wire(
                    w, new OfflineMessage.OpenConnectionRequest1(11, 1400), RakNetSettings.MAGIC);
            forge(w.toByteArray());
            w.reset();
            OfflineMessage.OpenConnectionRequest2.wire(
                    w,
                    new OfflineMessage.OpenConnectionRequest2(
                            cookie, false, RakNetNetwork.SERVER, 1400, cookie),
                    RakNetSettings.MAGIC,
                    true);
            forge(w.toByteArray());
        }
        isUndisturbed();
    }

    @Test
    @DisplayName("E9 forged datagrams do not keep a client alive that has vanished")
    void doesNotKeepVanishedClient() {
        vanish();
        for (int i = 0; i < 15 * 20 && n.events.endings.isEmpty(); i++) {
            forge(0x100000 + i * 5003, unreliable(MESSAGE));
            n.network.run(SECOND / 20);
        }
        assertThat(n.events.endings).containsExactly(RakNetPeer.EndReason.TIMED_OUT);
    }
}
