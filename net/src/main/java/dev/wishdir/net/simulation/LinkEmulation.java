package dev.wishdir.net.simulation;

import dev.wishdir.net.limit.MemoryConsumer;
import dev.wishdir.net.loop.DatagramHandler;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.loop.ForwardingCycle;
import dev.wishdir.net.loop.UdpSocket;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * Emulates bad links below the transports of clients: delay, jitter, loss, duplication, reordering
 * and a rate, drawn from a seed. Each socket of a cycle that it wraps is one link, with its own
 * random numbers, the same in each run. Used only by the thread of those cycles.
 *
 * {@snippet :
 * LinkEmulation links = new LinkEmulation(bad, LinkConditions.NONE, seed);
 * game.connect(ClientConfig.builder(links.around(loop.cycle()), server).build());
 * }
 */
public final class LinkEmulation {
    private final long seed;
    private final LinkEmulator.Count upCount = new LinkEmulator.Count();
    private final LinkEmulator.Count downCount = new LinkEmulator.Count();
    private LinkConditions up;
    private LinkConditions down;
    private long sockets;

    /**
     * @param up of the datagrams that the sockets send
     * @param down of those that they receive
     */
    public LinkEmulation(LinkConditions up, LinkConditions down, long seed) {
        this.up = Objects.requireNonNull(up, "up");
        this.down = Objects.requireNonNull(down, "down");
        this.seed = seed;
    }

    /** Sets the conditions of datagrams that are sent from now on. */
    public void conditions(LinkConditions up, LinkConditions down) {
        this.up = Objects.requireNonNull(up, "up");
        this.down = Objects.requireNonNull(down, "down");
    }

    /** The seed, with which another run repeats the faults. */
    public long seed() {
        return seed;
    }

    /** Counts of the datagrams that the sockets sent. */
    public LinkCounters upCounters() {
        return upCount.counters();
    }

    /** Counts of the datagrams that were sent to the sockets. */
    public LinkCounters downCounters() {
        return downCount.counters();
    }

    /** Longest time that a datagram that a socket sends now may be on its link. */
    public long maxUpDelayNanos() {
        long queued = up.bytesPerSecond() > 0 ? LinkEmulator.MAX_RATE_QUEUE_NANOS : 0;
        return up.delayNanos() + up.jitterNanos() + queued;
    }

    /** Wraps a cycle, whose sockets opened from now on have these links. */
    public DutyCycle around(DutyCycle cycle) {
        return new EmulatingCycle(cycle);
    }

    private final class EmulatingCycle extends ForwardingCycle {
        private final DutyCycle cycle;

        EmulatingCycle(DutyCycle cycle) {
            super(cycle);
            this.cycle = cycle;
        }

        @Override
        public <H extends DatagramHandler> H open(
                InetSocketAddress local, DatagramHandler.Factory<H> maker) throws IOException {
            Objects.requireNonNull(maker, "maker");
            return cycle.open(
                            local,
                            socket -> {
                                EmulatedSocket emulated = new EmulatedSocket(cycle, socket);
                                return new EmulatedHandler<>(maker.create(emulated), emulated);
                            })
                    .handler;
        }
    }

    /** A socket whose datagrams are sent through the link. */
    private final class EmulatedSocket implements UdpSocket {
        private final DutyCycle cycle;
        private final UdpSocket socket;
        private final LinkEmulator upLink;
        private final LinkEmulator downLink;
        private boolean closed;

        EmulatedSocket(DutyCycle cycle, UdpSocket socket) {
            this.cycle = cycle;
            this.socket = socket;
            long number = sockets++;
            upLink = new LinkEmulator(new SplittableRandom(seed + 2 * number), upCount);
            downLink = new LinkEmulator(new SplittableRandom(seed + 2 * number + 1), downCount);
        }

        @Override
        public InetSocketAddress local() {
            return socket.local();
        }

        @Override
        public void send(InetSocketAddress to, byte[] data, int offset, int length) {
            if (!closed) {
                byte[] copy = Arrays.copyOfRange(data, offset, offset + length);
                upLink.send(cycle.now(), up, to, copy, this::transmit);
            }
        }

        private void transmit(long now, InetSocketAddress to, byte[] data) {
            socket.send(to, data, 0, data.length);
        }

        /** Closes the socket when its last datagram, such as a disconnect, has left the link. */
        @Override
        public void close() {
            closed = true;
            closeIfEmpty();
        }

        private void closeIfEmpty() {
            if (closed && upLink.isEmpty()) {
                socket.close();
            }
        }

        long advance(long now) {
            long next = upLink.deliver(now, this::transmit);
            closeIfEmpty();
            return next;
        }
    }

    private final class EmulatedHandler<H extends DatagramHandler> implements DatagramHandler {
        private final H handler;
        private final EmulatedSocket socket;

        EmulatedHandler(H handler, EmulatedSocket socket) {
            this.handler = Objects.requireNonNull(handler, "the handler that the maker made");
            this.socket = socket;
        }

        @Override
        public void receive(long now, InetSocketAddress from, byte[] data) {
            if (!socket.closed) {
                socket.downLink.send(now, down, from, data, this::onArrival);
            }
        }

        /** The handler may have closed its socket while datagrams were in flight. */
        private void onArrival(long now, InetSocketAddress from, byte[] data) {
            if (!socket.closed) {
                handler.receive(now, from, data);
            }
        }

        @Override
        public Optional<MemoryConsumer> payer(InetSocketAddress from, byte[] data) {
            return handler.payer(from, data);
        }

        @Override
        public long advance(long now) {
            if (socket.closed) {
                return socket.advance(now);
            }
            long arrival = socket.downLink.deliver(now, this::onArrival);
            long next = Math.min(arrival, handler.advance(now));
            return Math.min(next, socket.advance(now));
        }
    }
}
