package dev.wishdir.quake2.server.session;

import dev.wishdir.net.limit.AmplificationLimiter;
import dev.wishdir.net.loop.UdpSocket;
import dev.wishdir.quake2.netchan.Netchan;
import dev.wishdir.quake2.netchan.OutOfBand;

import java.net.InetSocketAddress;

/** Sends packets, those to unproven addresses within the amplification limit. */
public final class PacketSender {
    private final UdpSocket socket;
    private final AmplificationLimiter limiter;
    private final Quake2Counters counters;

    public PacketSender(UdpSocket socket, AmplificationLimiter limiter, Quake2Counters counters) {
        this.socket = socket;
        this.limiter = limiter;
        this.counters = counters;
    }

    /** Sends to a proven address. */
    public void send(InetSocketAddress to, byte[] data, int length) {
        socket.send(to, data, 0, length);
    }

    /**
     * Sends to an address that has returned its challenge, within its higher amplification limit.
     */
    void sendAfterCookie(long now, InetSocketAddress to, byte[] data, int length) {
        if (limiter.tryAcquireVerified(now, to.getAddress(), length)) {
            send(to, data, length);
        } else {
            counters.count("drop.budget");
        }
    }

    /** Sends an out-of-band text to an unproven address, within the amplification limit. */
    public void reply(long now, InetSocketAddress to, String text) {
        byte[] packet = new OutOfBand(text).packet();
        if (!fits(packet)) {
            counters.count("drop.long-reply");
        } else if (limiter.tryAcquire(now, to.getAddress(), packet.length)) {
            send(to, packet, packet.length);
        } else {
            counters.count("drop.budget");
        }
    }

    /** Sends an out-of-band text to an address that has returned its challenge. */
    public void replyAfterCookie(long now, InetSocketAddress to, String text) {
        byte[] packet = new OutOfBand(text).packet();
        if (fits(packet)) {
            sendAfterCookie(now, to, packet, packet.length);
        } else {
            counters.count("drop.long-reply");
        }
    }

    private static boolean fits(byte[] packet) {
        return packet.length <= Netchan.MAX_PACKET_BYTES;
    }
}
