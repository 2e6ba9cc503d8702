package dev.wishdir.quake2.server;

import dev.wishdir.quake2.netchan.Netchan;
import dev.wishdir.quake2.protocol.FrameHistory;
import dev.wishdir.wire.Writer;

/**
 * The packets for one client: with frames as often as it may have them, as large as its rate and
 * what else it must be told leave room for.
 *
 * <p>See docs/protocols/quake2.md, 3.1.
 */
final class FrameScheduler {
    /** Reliable bytes in a packet that has a frame, too. */
    private static final int MAX_RELIABLE_BYTES_WITH_FRAME = 600;

    /** What a frame may need beside its entities. */
    private static final int MIN_FRAME_BYTES = 250;

    /** Who is sent more frames a second has so many times its rate at the most. */
    private static final int MAX_RATE_FACTOR = 6;

    private final Quake2Endpoint endpoint;
    private final ReliableChannel channel;
    private final FrameDeltaEncoder sender;
    private final Writer unreliable = new Writer(Netchan.MAX_PACKET_BYTES);
    private final Ping ping;
    private final int every;

    /** By so many ticks its frames come sooner, so that not all clients have theirs at once. */
    private final int ahead;

    /** Bytes of the packets of the last second. */
    private final int[] sizes;

    /** The number of the newest frame, -1 before the first of a map. */
    private int newest = -1;

    private int acknowledged = -1;
    private int suppressed;

    /**
     * @param slot of the client
     * @param wished frames a second
     */
    FrameScheduler(Quake2Endpoint endpoint, ReliableChannel channel, int slot, int wished) {
        this.endpoint = endpoint;
        this.channel = channel;
        int granted = Math.clamp(wished, 10, endpoint.mostFrames());
        every = ticks(Math.ceilDiv(Quake2Endpoint.TICKS_A_SECOND, granted));
        sizes = new int[Quake2Endpoint.TICKS_A_SECOND / every];
        ahead = isFast() ? slot % every : 0;
        int remembered = isFast() ? FrameHistory.REMEMBERED_OF_MORE : FrameHistory.REMEMBERED;
        sender = new FrameDeltaEncoder(remembered, slot + 1);
        ping = new Ping(remembered);
    }

    /** The next number of ticks of which a second is a multiple. */
    private static int ticks(int least) {
        int ticks = least;
        while (Quake2Endpoint.TICKS_A_SECOND % ticks != 0) {
            ticks++;
        }
        return ticks;
    }

    /** How many frames a second it sends. */
    int aSecond() {
        return sizes.length;
    }

    /** Whether those are more than the ten of the game. */
    boolean isFast() {
        return every < Quake2Endpoint.TICKS_OF_FRAME;
    }

    /** Whether there is a frame in a tick. */
    boolean isDue(int tick) {
        return newest < 0 ? (tick + ahead) % every == 0 : number(tick) > newest;
    }

    private int number(int tick) {
        return (tick + ahead) / every;
    }

    /** Mean milliseconds from a frame to its acknowledgement, of those that are remembered. */
    int ping() {
        return ping.mean();
    }

    /** Forgets what was sent: another map begins. */
    void reset() {
        sender.reset();
        newest = -1;
        whole();
    }

    /** The next frame is whole, as the client can use none that it has. */
    void whole() {
        acknowledged = -1;
    }

    /** The client tells the newest frame that it can use, -1 if it can use none. */
    void acknowledge(long now, int frame) {
        if (frame > acknowledged && frame > 0) {
            ping.acknowledged(frame, now);
        }
        acknowledged = frame;
    }

    /**
     * Makes the packet of a tick.
     *
     * @return the packet; of no bytes where the client's rate allows none now
     */
    Writer frame(long now, int tick, FrameEntities frameEntities, ClientPlayer clientPlayer) {
        int number = number(tick);
        for (int missed = newest + 1; newest >= 0 && missed < number; missed++) {
            sizes[missed % sizes.length] = 0;
        }
        newest = number;
        channel.fill(MAX_RELIABLE_BYTES_WITH_FRAME);
        int room = channel.netchan().unreliableRoom();
        if (room < MIN_FRAME_BYTES) {
            suppressed = Math.min(suppressed + 1, 255);
            return withoutFrame(number);
        }
        unreliable.reset();
        if (isOver(clientPlayer.rate())) {
            suppressed = Math.min(suppressed + 1, 255);
            sizes[number % sizes.length] = 0;
            return unreliable;
        }
        int deferred =
                sender.write(
                        unreliable,
                        number,
                        frameEntities,
                        clientPlayer.shown(),
                        acknowledged,
                        suppressed,
                        clientPlayer.view(),
                        room);
        if (deferred > 0) {
            endpoint.count("entities-deferred");
        }
        suppressed = 0;
        ping.sent(number, now);
        return sized(number, channel.netchan().send(unreliable.array(), unreliable.position()));
    }

    /** Makes a packet that has no frame. */
    Writer withoutFrame() {
        return withoutFrame(0);
    }

    private Writer withoutFrame(int number) {
        channel.fill(Netchan.MAX_RELIABLE_BYTES);
        return sized(number, channel.netchan().send());
    }

    private Writer sized(int number, Writer packet) {
        sizes[number % sizes.length] = packet.position();
        return packet;
    }

    private boolean isOver(int rate) {
        int sum = 0;
        for (int size : sizes) {
            sum += size;
        }
        return sum > (long) rate * Math.min(Quake2Endpoint.TICKS_OF_FRAME / every, MAX_RATE_FACTOR);
    }
}
