package dev.wishdir.quake3.server;

import dev.wishdir.net.DutyCycle;
import dev.wishdir.net.ResolvedHost;
import dev.wishdir.net.UdpSocket;
import dev.wishdir.quake3.netchan.OutOfBand;

import java.net.InetSocketAddress;
import java.util.List;

/** Tells master servers that there is a server to be asked: Quake III, heartbeat. */
final class Heartbeat {
    private static final long INTERVAL_NANOS = 300_000_000_000L;
    private static final String TEXT = "heartbeat QuakeArena-1\n";

    private final List<ResolvedHost> masters;
    private final DutyCycle cycle;
    private final UdpSocket socket;
    private long next;

    /**
     * @param masters none where nobody shall be told
     */
    Heartbeat(List<ResolvedHost> masters, UdpSocket socket, DutyCycle cycle) {
        this.masters = masters;
        this.cycle = cycle;
        this.socket = socket;
        next = cycle.now();
    }

    /** Something has changed that the masters' lists show. */
    void changed(long now) {
        next = now;
    }

    /** Tells them if it is time. */
    void advance(long now) {
        masters.forEach(master -> master.advance(cycle, this::beat));
        if (now >= next) {
            next = now + INTERVAL_NANOS;
            beat();
        }
    }

    /** The server goes: masters that ask it will have no answer. */
    void close() {
        beat();
        beat();
    }

    private void beat() {
        masters.forEach(master -> master.address().ifPresent(this::beat));
    }

    private void beat(InetSocketAddress master) {
        byte[] bytes = new OutOfBand(TEXT).datagram().toArray();
        socket.send(master, bytes, 0, bytes.length);
    }
}
