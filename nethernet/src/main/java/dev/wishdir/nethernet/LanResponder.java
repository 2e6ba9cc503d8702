package dev.wishdir.nethernet;

import dev.wishdir.net.limit.TokenBucket;
import dev.wishdir.net.loop.Counters;
import dev.wishdir.net.loop.DatagramHandler;
import dev.wishdir.net.loop.DatagramSink;
import dev.wishdir.nethernet.discovery.LanAdvertisement;
import dev.wishdir.nethernet.discovery.LanMessage;
import dev.wishdir.nethernet.identity.Identity;
import dev.wishdir.nethernet.identity.IdentityKey;
import dev.wishdir.nethernet.sdp.Sdp;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.EvictingMap;
import dev.wishdir.wire.MalformedPacketException;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Answers LAN discovery on UDP port 7551 and accepts offers over it.
 *
 * <p>A response is longer than its request, so only private addresses get one, at a limited rate.
 *
 * <p>Its constructor has many parameters: what it shares with the server, wired once.
 */
public final class LanResponder implements DatagramHandler {
    private static final int ANSWERS_A_SECOND = 10;
    private static final int MAX_REMEMBERED = 1024;
    private static final String REQUEST = "CONNECTREQUEST";
    private static final int NOT_ACCEPTED = 13;
    private static final int BUSY = 16;

    private final long networkId;
    private final NetherNetServer host;
    private final DatagramSink output;
    private final InetSocketAddress reachable;
    private final Supplier<LanAdvertisement> advertisement;
    private final Identity.Maker identity;
    private final Counters counters;
    private final String prefix;
    private final LongSupplier seconds;
    private final Map<InetAddress, TokenBucket> askers =
            EvictingMap.leastRecentlyUsed(MAX_REMEMBERED);

    /**
     * @param networkId this server's random ID
     * @param output the socket on port 7551
     * @param reachable the addresses to which clients send
     * @param prefix of the counters' names
     * @param seconds the time, seconds since 1970
     */
    public LanResponder(
            long networkId,
            NetherNetServer host,
            DatagramSink output,
            InetSocketAddress reachable,
            Supplier<LanAdvertisement> advertisement,
            IdentityKey key,
            Counters counters,
            String prefix,
            LongSupplier seconds) {
        this.networkId = networkId;
        this.host = host;
        this.output = output;
        this.reachable = reachable;
        this.advertisement = advertisement;
        this.counters = counters;
        this.prefix = prefix;
        this.seconds = seconds;
        identity = new Identity.Maker(key, "self", Map.of());
    }

    @Override
    public void receive(long now, InetSocketAddress from, byte[] data) {
        InetAddress address = from.getAddress();
        if (!isNear(address)
                || !askers.computeIfAbsent(
                                address, _ -> new TokenBucket(ANSWERS_A_SECOND, ANSWERS_A_SECOND))
                        .tryAcquire(now)) {
            counters.count(prefix + ".lan.ignored");
            return;
        }
        try {
            switch (LanMessage.read(data)) {
                case LanMessage.Request _ -> {
                    Bytes text = advertisement.get().write();
                    answer(from, new LanMessage.Response(networkId, text));
                }
                case LanMessage.Signal signal -> {
                    if (signal.recipient() == networkId && signal.text().startsWith(REQUEST)) {
                        offer(now, from, signal);
                    }
                }
                case LanMessage.Response _ -> {}
            }
        } catch (MalformedPacketException e) {
            counters.count(prefix + ".lan.malformed");
        }
    }

    /** Whether an address is in a private network or on this machine. */
    static boolean isNear(InetAddress address) {
        return address.isLoopbackAddress()
                || address.isSiteLocalAddress()
                || address.isLinkLocalAddress()
                || address.getAddress().length == 16 && (address.getAddress()[0] & 0xFE) == 0xFC;
    }

    private void answer(InetSocketAddress to, LanMessage message) {
        byte[] datagram = LanMessage.write(message);
        output.send(to, datagram, 0, datagram.length);
    }

    private void offer(long now, InetSocketAddress from, LanMessage.Signal signal) {
        String[] words = signal.text().split(" ", 3);
        if (words.length != 3 || !words[0].equals(REQUEST) || !words[1].matches("[0-9]{1,20}")) {
            throw new MalformedPacketException(0, "offer", "is none");
        }
        String text;
        if (host.room(from.getAddress(), 0, 0) != NetherNetServer.Room.FREE) {
            text = "CONNECTERROR " + words[1] + " " + BUSY;
        } else {
            try {
                Sdp offer = Sdp.read(words[2].getBytes(StandardCharsets.UTF_8)).with(null);
                if (host.isReplay(from, offer)) {
                    text = "CONNECTERROR " + words[1] + " " + NOT_ACCEPTED;
                } else {
                    Sdp answer = host.take(now, from, offer, null, List.of(reachable));
                    text =
                            "CONNECTRESPONSE "
                                    + words[1]
                                    + " "
                                    + identity.sign(answer, seconds.getAsLong()).text();
                }
            } catch (MalformedPacketException e) {
                text = "CONNECTERROR " + words[1] + " " + NOT_ACCEPTED;
            }
        }
        answer(from, new LanMessage.Signal(networkId, signal.sender(), text));
    }

    @Override
    public long advance(long now) {
        return NEVER;
    }
}
