package dev.wishdir.quake3.server.join;

import dev.wishdir.net.limit.AmplificationLimiter;
import dev.wishdir.net.loop.Counters;
import dev.wishdir.net.loop.UdpSocket;
import dev.wishdir.quake3.netchan.OutOfBand;

import java.net.InetSocketAddress;

/** Sends replies to out-of-band packets within the amplification limit. */
public final class OutOfBandSender {
    private final UdpSocket socket;
    private final AmplificationLimiter limiter;
    private final Counters counters;

    public OutOfBandSender(UdpSocket socket, AmplificationLimiter limiter, Counters counters) {
        this.socket = socket;
        this.limiter = limiter;
        this.counters = counters;
    }

    /** Replies to an address that has proved nothing. */
    public void reply(long now, InetSocketAddress to, String text) {
        byte[] bytes = new OutOfBand(text).datagram().toArray();
        send(to, bytes, limiter.tryAcquire(now, to.getAddress(), bytes.length));
    }

    /**
     * Replies to a client that has returned its challenge (address cookie).
     *
     * @return whether the limit allowed it
     */
    boolean replyAfterCookie(long now, InetSocketAddress to, String text) {
        byte[] bytes = new OutOfBand(text).datagram().toArray();
        return send(to, bytes, limiter.tryAcquireVerified(now, to.getAddress(), bytes.length));
    }

    /** Replies without a limit, to a sender that has proved a password. */
    public void replyToOperator(InetSocketAddress to, String text) {
        send(to, new OutOfBand(text).datagram().toArray(), true);
    }

    private boolean send(InetSocketAddress to, byte[] bytes, boolean allowed) {
        if (allowed) {
            socket.send(to, bytes, 0, bytes.length);
        } else {
            counters.count("quake3.drop.budget");
        }
        return allowed;
    }
}
