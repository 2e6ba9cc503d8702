package dev.wishdir.interop;

import dev.wishdir.net.loop.DatagramHandler;
import dev.wishdir.net.loop.Duty;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.loop.ForwardingCycle;
import dev.wishdir.net.loop.UdpSocket;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/**
 * The cycle of a client that is honest until it is made deaf: then nothing reaches it, so it
 * acknowledges nothing, and goes on sending. It may also say everything several times, or be held
 * up: it does nothing for a while, then reads all that has come.
 */
final class FaultInjectingDutyCycle extends ForwardingCycle {
    /** How often one who is held up looks whether he may go on, nanoseconds. */
    private static final long STEP = 1_000_000;

    private final InetSocketAddress from;
    private final List<Runnable> unread = new ArrayList<>();
    private volatile boolean deaf;
    private volatile boolean heldUp;
    private volatile int copies = 1;
    private volatile int heardOneOf = 1;
    private int arrived;
    private volatile double haste = 1;
    private long hastened;
    private long since;

    /**
     * @param from where its sockets are bound
     */
    FaultInjectingDutyCycle(DutyCycle cycle, InetAddress from) {
        this(cycle, new InetSocketAddress(from, 0));
    }

    /**
     * @param from where its sockets are bound, at any port for 0
     */
    FaultInjectingDutyCycle(DutyCycle cycle, InetSocketAddress from) {
        super(cycle);
        this.from = from;
    }

    void deafen() {
        deaf = true;
    }

    void hear() {
        deaf = false;
    }

    /** From now on only one datagram of the given number reaches it. */
    void hearOneOf(int datagrams) {
        heardOneOf = datagrams;
    }

    void holdUp() {
        heldUp = true;
    }

    /** Reads what has come, and goes on. */
    void goOn() {
        heldUp = false;
        List.copyOf(unread).forEach(Runnable::run);
        unread.clear();
    }

    void repeat(int times) {
        copies = times;
    }

    /** From now on its clock is faster than all others by a factor. */
    void hasten(double times) {
        since = super.now();
        hastened = since;
        haste = times;
    }

    private long own(long now) {
        return hastened + (long) ((now - since) * haste);
    }

    private long everybodys(long own) {
        return own == Duty.NEVER ? own : since + (long) ((own - hastened) / haste);
    }

    @Override
    public long now() {
        return own(super.now());
    }

    @Override
    public <H extends DatagramHandler> H open(
            InetSocketAddress local, DatagramHandler.Factory<H> maker) throws IOException {
        int port = local.getPort() == 0 ? from.getPort() : local.getPort();
        return super.open(new InetSocketAddress(from.getAddress(), port), maker);
    }

    @Override
    protected void received(
            DatagramHandler handler, long now, InetSocketAddress from, byte[] data) {
        if (heldUp) {
            unread.add(() -> super.received(handler, now(), from, data));
        } else if (!deaf && ++arrived % heardOneOf == 0) {
            super.received(handler, own(now), from, data);
        }
    }

    @Override
    protected long advance(DatagramHandler handler, long now) {
        if (heldUp) {
            return now + STEP;
        }
        return everybodys(super.advance(handler, own(now)));
    }

    @Override
    protected void send(
            UdpSocket socket, InetSocketAddress to, byte[] data, int offset, int length) {
        for (int i = 0; i < copies; i++) {
            super.send(socket, to, data, offset, length);
        }
    }
}
