package dev.wishdir.quake2.server.session;

import dev.wishdir.quake2.netchan.Netchan;
import dev.wishdir.quake2.protocol.FrameHistory;
import dev.wishdir.quake2.server.view.FrameDeltaEncoder;
import dev.wishdir.quake2.server.view.FrameEntities;
import dev.wishdir.quake2.server.view.TickClock;
import dev.wishdir.wire.Writer;

/**
 * Builds the packets of one client: frames at its frame rate, as large as its byte rate and
 * reliable data allow.
 *
 * <p>See docs/protocols/quake2.md, 3.1.
 */
final class FrameScheduler {
    /** Maximum reliable bytes in a packet with a frame. */
    private static final int MAX_RELIABLE_BYTES_WITH_FRAME = 600;

    /** Room that a frame may need besides its entities. */
    private static final int MIN_FRAME_BYTES = 250;

    /** A client with a higher frame rate may get up to this multiple of its byte rate. */
    private static final int MAX_RATE_FACTOR = 6;

    private final Quake2Counters counters;
    private final ReliableChannel channel;
    private final FrameDeltaEncoder encoder;
    private final Writer unreliable = new Writer(Netchan.MAX_PACKET_BYTES);
    private final EffectQueue effects = new EffectQueue();
    private final Ping ping;
    private final int interval;

    /** Offset in ticks by slot, so that not all clients get their frames at once. */
    private final int offset;

    /** Packet sizes of the last second. */
    private final int[] sizes;

    /** Number of the newest frame, -1 before the first of a map. */
    private int newest = -1;

    private int acknowledged = -1;
    private int suppressed;

    /**
     * @param slot of the client
     * @param maxFrames maximum frames per second, 10 to {@link TickClock#TICKS_PER_SECOND}
     */
    FrameScheduler(Quake2Counters counters, ReliableChannel channel, int slot, int maxFrames) {
        this.counters = counters;
        this.channel = channel;
        interval = ticks(Math.ceilDiv(TickClock.TICKS_PER_SECOND, maxFrames));
        sizes = new int[TickClock.TICKS_PER_SECOND / interval];
        offset = isFast() ? slot % interval : 0;
        int remembered =
                isFast() ? FrameHistory.FAST_REMEMBERED_FRAMES : FrameHistory.REMEMBERED_FRAMES;
        encoder = new FrameDeltaEncoder(remembered, slot + 1);
        ping = new Ping(remembered);
    }

    /** The next number of ticks that divides a second. */
    private static int ticks(int minimum) {
        int ticks = minimum;
        while (TickClock.TICKS_PER_SECOND % ticks != 0) {
            ticks++;
        }
        return ticks;
    }

    /** Frames per second. */
    int framesPerSecond() {
        return sizes.length;
    }

    /** Whether that is more than the game's ten. */
    boolean isFast() {
        return interval < TickClock.TICKS_PER_FRAME;
    }

    /** The effects of the next frame. */
    EffectQueue effects() {
        return effects;
    }

    /** Whether a frame is due in a tick. */
    boolean isDue(int tick) {
        return newest < 0 ? (tick + offset) % interval == 0 : number(tick) > newest;
    }

    private int number(int tick) {
        return (tick + offset) / interval;
    }

    /** Mean milliseconds from a frame to its acknowledgement, of the remembered frames. */
    int ping() {
        return ping.mean();
    }

    /** Forgets all frames, as another map starts. */
    void reset() {
        encoder.reset();
        effects.clear();
        newest = -1;
        requestFullFrame();
    }

    /** Sends the next frame without a base, as the client has none. */
    void requestFullFrame() {
        acknowledged = -1;
    }

    /** Records the newest frame that the client can use as a base, -1 for none. */
    void acknowledge(long now, int frame) {
        if (frame > acknowledged && frame > 0) {
            ping.acknowledged(frame, now);
        }
        acknowledged = frame;
    }

    /**
     * Builds the packet of a tick.
     *
     * @return the packet; empty if the client's rate allows none now
     */
    Writer frame(long now, int tick, FrameEntities frameEntities, ClientPlayer clientPlayer) {
        int number = number(tick);
        for (int missed = newest + 1; newest >= 0 && missed < number; missed++) {
            sizes[missed % sizes.length] = 0;
        }
        newest = number;
        channel.fill(MAX_RELIABLE_BYTES_WITH_FRAME);
        int room = channel.netchan().unreliableRoom();
        if (room < MIN_FRAME_BYTES + effects.bytes()) {
            effects.clear();
        }
        if (room < MIN_FRAME_BYTES) {
            suppressed = Math.min(suppressed + 1, 255);
            return withoutFrame(number);
        }
        unreliable.reset();
        if (exceedsRate(clientPlayer.rate())) {
            effects.clear();
            suppressed = Math.min(suppressed + 1, 255);
            sizes[number % sizes.length] = 0;
            return unreliable;
        }
        int deferred =
                encoder.write(
                        unreliable,
                        number,
                        frameEntities,
                        clientPlayer.visibleEntities(),
                        acknowledged,
                        suppressed,
                        clientPlayer.view(),
                        room - effects.bytes());
        effects.flush(unreliable);
        if (deferred > 0) {
            counters.count("entities-deferred");
        }
        suppressed = 0;
        ping.sent(number, now);
        return recordSize(
                number, channel.netchan().send(unreliable.array(), unreliable.position()));
    }

    /** Builds a packet without a frame. */
    Writer withoutFrame() {
        return withoutFrame(0);
    }

    private Writer withoutFrame(int number) {
        channel.fill(Netchan.MAX_RELIABLE_BYTES);
        return recordSize(number, channel.netchan().send());
    }

    private Writer recordSize(int number, Writer packet) {
        sizes[number % sizes.length] = packet.position();
        return packet;
    }

    private boolean exceedsRate(int rate) {
        int sum = 0;
        for (int size : sizes) {
            sum += size;
        }
        return sum > (long) rate * Math.min(TickClock.TICKS_PER_FRAME / interval, MAX_RATE_FACTOR);
    }
}
