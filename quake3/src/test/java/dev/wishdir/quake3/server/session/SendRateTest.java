package dev.wishdir.quake3.server.session;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.net.InetAddress;
import java.net.UnknownHostException;

class SendRateTest {
    private static final InetAddress PUBLIC = ClientPeer.ADDRESS.getAddress();

    private final SendRate rate = new SendRate();

    @Test
    void delaysNextPacketByBytesAndHeaders() {
        rate.setBytesPerSecond(10_000);
        rate.onSent(972);
        rate.charge(ClientPeer.SECOND, PUBLIC);
        assertThat(rate.nextPacket()).isEqualTo(ClientPeer.SECOND + 100 * ClientPeer.MILLI);
        rate.onSent(972);
        rate.charge(ClientPeer.SECOND, PUBLIC);
        assertThat(rate.nextPacket()).isEqualTo(ClientPeer.SECOND + 200 * ClientPeer.MILLI);
        rate.charge(ClientPeer.SECOND, PUBLIC);
        assertThat(rate.nextPacket()).as("charged once").isEqualTo(1_200 * ClientPeer.MILLI);
    }

    @Test
    void doesNotSaveUnusedTime() {
        rate.setBytesPerSecond(1_000);
        rate.onSent(972);
        rate.charge(60 * ClientPeer.SECOND, PUBLIC);
        assertThat(rate.nextPacket()).isEqualTo(61 * ClientPeer.SECOND);
    }

    @Test
    void clampsSetting() {
        rate.setBytesPerSecond(1);
        rate.onSent(972);
        rate.charge(0, PUBLIC);
        assertThat(rate.nextPacket()).as("1000 bytes a second").isEqualTo(ClientPeer.SECOND);
    }

    @Test
    void doesNotLimitPrivateAddresses() throws UnknownHostException {
        rate.setBytesPerSecond(1_000);
        rate.onSent(972);
        rate.charge(0, InetAddress.getByAddress(new byte[] {10, 0, 0, 1}));
        rate.onSent(972);
        rate.charge(0, InetAddress.getLoopbackAddress());
        assertThat(rate.nextPacket()).isZero();
    }
}
