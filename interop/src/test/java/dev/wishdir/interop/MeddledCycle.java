package dev.wishdir.interop;

import dev.wishdir.net.DatagramHandler;
import dev.wishdir.net.Duty;
import dev.wishdir.net.DutyCycle;
import dev.wishdir.net.ForwardingCycle;
import dev.wishdir.net.UdpSocket;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/**
 * The cycle of a client that is honest until it is told to be deaf: then nothing reaches it, so it
 * acknowledges nothing, and goes on sending. It may also say everything several times.
 */
final class MeddledCycle extends ForwardingCycle {
    private final InetAddress from;
    private volatile boolean deaf;
    private volatile int copies = 1;
    private volatile double haste = 1;
    private long hastened;
    private long since;

    /**
     * @param from where its sockets are bound
     */
    MeddledCycle(DutyCycle cycle, InetAddress from) {
        super(cycle);
        this.from = from;
    }

    void deafen() {
        deaf = true;
    }

    void repeat(int times) {
        copies = times;
    }

    /** From now on its clock is so many times as fast as everybody's. */
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
            InetSocketAddress local, DatagramHandler.Maker<H> maker) throws IOException {
        return super.open(new InetSocketAddress(from, local.getPort()), maker);
    }

    @Override
    protected void received(
            DatagramHandler handler, long now, InetSocketAddress from, byte[] data) {
        if (!deaf) {
            super.received(handler, own(now), from, data);
        }
    }

    @Override
    protected long advance(DatagramHandler handler, long now) {
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
