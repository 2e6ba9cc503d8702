package dev.wishdir.quake3.proxy;

import dev.wishdir.game.proxy.GuardedInterceptor;
import dev.wishdir.game.proxy.ProxySession.Output;
import dev.wishdir.quake3.message.Quake3Message;
import dev.wishdir.quake3.netchan.FragmentReassembler;
import dev.wishdir.quake3.netchan.Netchan;
import dev.wishdir.quake3.netchan.NetchanHeader;
import dev.wishdir.quake3.netchan.Side;
import dev.wishdir.quake3.protocol.EntityDeltaCache;
import dev.wishdir.quake3.protocol.Protocol;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.dissect.Direction;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The netchans of one connection through a proxy. Until the first change, every packet is passed on
 * as it came, also what can't be decoded. Afterwards old, repeated and malformed packets are
 * dropped: their receiver would drop them too, or can't be given them with the right numbers.
 */
final class ProxiedConnection {
    private final int challenge;
    private final GuardedInterceptor<Quake3Message> interceptor;
    private final Output out;
    private final EntityDeltaCache deltaCache;
    private final Channel fromClient = new Channel(Side.CLIENT, Direction.C2S);
    private final Channel fromServer = new Channel(Side.SERVER, Direction.S2C);
    private @Nullable Protocol protocol;
    private @Nullable ProxiedMessages messages;
    private boolean changed;
    private boolean reported;

    /**
     * @param protocol null if the first packet shows it
     */
    ProxiedConnection(
            int challenge,
            @Nullable Protocol protocol,
            GuardedInterceptor<Quake3Message> interceptor,
            Output out,
            EntityDeltaCache deltaCache) {
        this.challenge = challenge;
        this.protocol = protocol;
        this.interceptor = interceptor;
        this.out = out;
        this.deltaCache = deltaCache;
    }

    int challenge() {
        return challenge;
    }

    /** Handles a packet in band. */
    void receive(Direction direction, byte[] datagram) {
        Channel channel = direction == Direction.C2S ? fromClient : fromServer;
        try {
            channel.receive(datagram);
        } catch (MalformedPacketException e) {
            channel.passUndecoded(List.of(datagram), e);
        }
    }

    private ProxiedMessages messages(Side from, byte[] datagram) {
        ProxiedMessages current = messages;
        if (current == null) {
            Protocol spoken = protocol;
            if (spoken == null) {
                spoken =
                        NetchanHeader.isModern(datagram, from, challenge)
                                ? Protocol.IOQUAKE3_71
                                : Protocol.OPENARENA_71;
                protocol = spoken;
            }
            current = new ProxiedMessages(spoken, challenge, interceptor, out, deltaCache);
            messages = current;
        }
        return current;
    }

    /** The packets of one direction. */
    private final class Channel {
        private final Side from;
        private final Direction direction;
        private final List<byte[]> fragments = new ArrayList<>();
        private FragmentReassembler reassembler = new FragmentReassembler();
        private int fragmented;
        private int fragmentedBytes;
        private int last;

        Channel(Side from, Direction direction) {
            this.from = from;
            this.direction = direction;
        }

        void receive(byte[] datagram) {
            ProxiedMessages current = messages(from, datagram);
            boolean modern = current.isModern();
            Reader reader = new Reader(datagram);
            NetchanHeader header = NetchanHeader.wire(reader, NetchanHeader.BLANK, from, modern);
            boolean genuine =
                    !modern
                            || header.checksum()
                                    == NetchanHeader.checksum(challenge, header.sequence());
            if (!genuine
                    || header.sequence() <= last
                    || header.sequence() - last > Netchan.MAX_GAP) {
                passUnread(datagram);
                return;
            }
            byte[] message = Arrays.copyOfRange(datagram, reader.position(), datagram.length);
            List<byte[]> packets = List.of(datagram);
            if (header.isFragment()) {
                byte[] whole = add(header, datagram, reader.position());
                if (whole == null) {
                    return;
                }
                message = whole;
                packets = List.copyOf(fragments);
            }
            clear();
            byte[] result;
            try {
                result =
                        from == Side.CLIENT
                                ? current.fromClient(message)
                                : current.fromServer(header.sequence(), message);
            } catch (MalformedPacketException e) {
                passUndecoded(packets, e);
                return;
            }
            last = header.sequence();
            if (result == null) {
                packets.forEach(packet -> out.send(direction, packet));
            } else {
                changed = true;
                send(header, result, modern);
            }
        }

        private byte @Nullable [] add(NetchanHeader header, byte[] datagram, int position) {
            if (header.sequence() != fragmented) {
                clear();
                fragmented = header.sequence();
            }
            if (header.fragment() == fragmentedBytes) {
                fragments.add(datagram);
                fragmentedBytes += header.length();
            }
            return reassembler.add(header, datagram, position, datagram.length - position);
        }

        private void clear() {
            fragments.clear();
            fragmentedBytes = 0;
            reassembler = new FragmentReassembler();
        }

        private void send(NetchanHeader header, byte[] message, boolean modern) {
            Netchan netchan =
                    new Netchan(from, modern, header.qport(), challenge, header.sequence());
            Netchan.Sink sink =
                    (data, offset, length) ->
                            out.send(direction, Arrays.copyOfRange(data, offset, offset + length));
            netchan.send(message, sink);
            while (netchan.hasPendingFragments()) {
                netchan.sendFragment(sink);
            }
        }

        void passUndecoded(List<byte[]> packets, MalformedPacketException why) {
            packets.forEach(this::passUnread);
            if (changed && !reported) {
                reported = true;
                out.report("a packet that can't be decoded was dropped: " + why);
            }
        }

        private void passUnread(byte[] datagram) {
            if (!changed) {
                out.send(direction, datagram);
            }
        }
    }
}
