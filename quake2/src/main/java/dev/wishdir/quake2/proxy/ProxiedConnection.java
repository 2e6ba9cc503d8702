package dev.wishdir.quake2.proxy;

import dev.wishdir.game.proxy.GuardedInterceptor;
import dev.wishdir.game.proxy.ProxySession.Output;
import dev.wishdir.quake2.message.ClientMessage;
import dev.wishdir.quake2.message.Frame;
import dev.wishdir.quake2.message.FullFrame;
import dev.wishdir.quake2.message.Move;
import dev.wishdir.quake2.message.Quake2Message;
import dev.wishdir.quake2.message.ServerMessage;
import dev.wishdir.quake2.message.Sound;
import dev.wishdir.quake2.message.TempEntity;
import dev.wishdir.quake2.netchan.MoveChecksum;
import dev.wishdir.quake2.netchan.Netchan;
import dev.wishdir.quake2.netchan.NetchanHeader;
import dev.wishdir.quake2.protocol.Quake2Codec;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Writer;
import dev.wishdir.wire.dissect.Direction;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The packets of one connection through a proxy. Until the first change, every packet is passed on
 * as it came; afterwards old and repeated ones, which their receiver would drop, are dropped. The
 * messages of a packet that can't be decoded are passed on unchanged.
 */
final class ProxiedConnection {
    /** Maximum gap of sequence numbers; a packet beyond it is taken for a forgery. */
    private static final int MAX_GAP = 1 << 16;

    private static final int HEADER_BYTES = 10;

    private final GuardedInterceptor<Quake2Message> interceptor;
    private final Output out;
    private final ProxiedFrames frames = new ProxiedFrames();
    private final Channel fromClient = new Channel(Direction.C2S);
    private final Channel fromServer = new Channel(Direction.S2C);
    private boolean changed;
    private boolean reported;

    ProxiedConnection(GuardedInterceptor<Quake2Message> interceptor, Output out) {
        this.interceptor = interceptor;
        this.out = out;
    }

    /** Handles a packet in band. */
    void receive(Direction direction, byte[] datagram) {
        if (direction == Direction.C2S) {
            fromClient.receive(datagram, fromServer.blocks);
        } else {
            fromServer.receive(datagram, fromClient.blocks);
        }
    }

    /** A message of a packet with its bytes, and what is sent in its place. */
    private record Passed(Bytes bytes, List<Bytes> results) {}

    /** The packets of one direction. */
    private final class Channel {
        private final Direction direction;
        private final ReliableBlocks blocks = new ReliableBlocks();

        /** The block in flight, so that an interceptor gets its messages once. */
        private List<Passed> block = new ArrayList<>();

        private int last;
        private int sequence;

        Channel(Direction direction) {
            this.direction = direction;
        }

        /**
         * Handles a packet.
         *
         * @param acknowledged the blocks that it acknowledges
         */
        void receive(byte[] datagram, ReliableBlocks acknowledged) {
            Reader reader = new Reader(datagram);
            NetchanHeader header;
            try {
                header =
                        NetchanHeader.wire(
                                reader,
                                direction == Direction.C2S
                                        ? NetchanHeader.FROM_CLIENT
                                        : NetchanHeader.FROM_SERVER);
            } catch (MalformedPacketException e) {
                passOld(datagram);
                return;
            }
            sequence = header.sequence();
            if (sequence <= last || sequence - last > MAX_GAP) {
                passOld(datagram);
                return;
            }
            last = sequence;
            boolean bit = acknowledged.acknowledge(header.ack(), header.reliableAck());
            ReliableBlocks.Block kind = blocks.onPacket(sequence, header.reliable());
            byte[] body = Arrays.copyOfRange(datagram, reader.position(), datagram.length);
            byte[] messages =
                    messages(body, header.reliable(), kind == ReliableBlocks.Block.LEFT_OUT);
            boolean same = Arrays.equals(messages, body);
            // An injected message may make a block, which begins with the next packet.
            boolean own = kind == ReliableBlocks.Block.OWN;
            boolean reliable = own || kind == ReliableBlocks.Block.SENDERS;
            if (same && !own && reliable == header.reliable() && bit == header.reliableAck()) {
                out.send(direction, datagram);
                return;
            }
            changed = true;
            send(
                    new NetchanHeader(sequence, reliable, header.ack(), bit, header.qport()),
                    own ? blocks.own() : List.of(),
                    messages);
        }

        private void passOld(byte[] datagram) {
            if (!changed) {
                out.send(direction, datagram);
            }
        }

        private void send(NetchanHeader header, List<Bytes> own, byte[] messages) {
            Writer packet = new Writer(2 * Netchan.MAX_PACKET_BYTES);
            NetchanHeader.wire(packet, header);
            for (Bytes message : own) {
                packet.append(message.toArray(), 0, message.length());
            }
            if (packet.position() + messages.length <= Netchan.MAX_PACKET_BYTES) {
                packet.append(messages, 0, messages.length);
            } else {
                report("unreliable messages have no room next to injected ones and are lost");
            }
            out.send(direction, packet.toByteArray());
        }

        /** The messages to send. */
        private byte[] messages(byte[] body, boolean reliable, boolean leavesBlockOut) {
            List<Quake2Message> read = new ArrayList<>();
            List<Bytes> encoded = new ArrayList<>();
            Reader reader = new Reader(body);
            try {
                while (reader.remaining() > 0) {
                    int from = reader.position();
                    read.add(
                            direction == Direction.C2S
                                    ? Quake2Codec.readClient(reader)
                                    : Quake2Codec.readServer(reader));
                    encoded.add(Bytes.of(Arrays.copyOfRange(body, from, reader.position())));
                }
            } catch (MalformedPacketException e) {
                return leavesBlockOut ? new byte[0] : body;
            }
            int blockEnd = reliable ? blockEnd(read) : 0;
            List<Passed> before = blocks.isRepeated() ? block : List.of();
            if (reliable && !leavesBlockOut) {
                block = new ArrayList<>();
            }
            List<Bytes> results = new ArrayList<>();
            for (int i = 0; i < read.size(); i++) {
                if (i >= blockEnd) {
                    results.addAll(pass(read.get(i), encoded.get(i), false));
                } else if (!leavesBlockOut) {
                    boolean known = before.size() > i && before.get(i).bytes.equals(encoded.get(i));
                    before = known ? before : List.of();
                    Passed passed =
                            known
                                    ? before.get(i)
                                    : new Passed(
                                            encoded.get(i),
                                            pass(read.get(i), encoded.get(i), true));
                    block.add(passed);
                    results.addAll(passed.results);
                }
            }
            return results.equals(encoded) ? body : joined(results, blockEnd > 0);
        }

        /** The block ends at the first frame or move, which are never reliable. */
        private static int blockEnd(List<Quake2Message> messages) {
            int end = 0;
            while (end < messages.size()
                    && !(messages.get(end) instanceof Frame)
                    && !(messages.get(end) instanceof Move)) {
                end++;
            }
            return end;
        }

        private byte[] joined(List<Bytes> messages, boolean reliable) {
            Writer body = new Writer(Netchan.MAX_PACKET_BYTES - HEADER_BYTES);
            for (Bytes message : messages) {
                if (message.length() > body.remaining()) {
                    report(
                            (reliable ? "changed messages" : "changed unreliable messages")
                                    + " have no room in a packet and are lost");
                    break;
                }
                body.append(message.toArray(), 0, message.length());
            }
            return body.toByteArray();
        }

        /** Messages in place of one. */
        private List<Bytes> pass(Quake2Message message, Bytes encoded, boolean reliable) {
            Frame frame = message instanceof Frame f ? f : null;
            FullFrame full = frame == null ? null : frames.full(frame);
            if (frame != null && full == null) {
                return List.of(encoded);
            }
            Quake2Message offered = full == null ? message : full;
            List<Quake2Message> results =
                    interceptor.onMessage(direction, offered, result -> check(offered, result));
            follow(message, results);
            List<Bytes> sent = new ArrayList<>();
            for (Quake2Message result : results) {
                boolean same = result.equals(offered);
                Bytes bytes;
                if (result instanceof FullFrame changedFrame && frame != null) {
                    Frame delta = frames.sent(frame, changedFrame, same);
                    try {
                        bytes = delta.equals(frame) ? encoded : encoded(delta);
                    } catch (IllegalStateException e) {
                        // The client does not acknowledge it, so it is no delta base.
                        report("a changed frame has no room in a packet and is lost: " + e);
                        continue;
                    }
                } else {
                    bytes = same ? encoded : encoded(result);
                }
                if (reliable || result.getClass() == offered.getClass() || isUnreliable(result)) {
                    sent.add(bytes);
                } else if (!blocks.add(bytes)) {
                    report("an injected message was dropped: too many wait");
                }
            }
            return sent;
        }

        private void follow(Quake2Message message, List<Quake2Message> results) {
            if (message instanceof ServerMessage.ServerData) {
                frames.reset();
            }
            if (message instanceof ServerMessage.SpawnBaseline baseline) {
                frames.onServer(baseline);
            }
            for (Quake2Message result : results) {
                if (result instanceof ServerMessage.SpawnBaseline baseline) {
                    frames.onClient(baseline);
                }
            }
            if ((message instanceof ServerMessage.SpawnBaseline
                            || results.stream()
                                    .anyMatch(ServerMessage.SpawnBaseline.class::isInstance))
                    && !GuardedInterceptor.isUnchanged(message, results)) {
                frames.onChangedBaseline();
            }
        }

        private void check(Quake2Message offered, Quake2Message result) {
            boolean allowed =
                    switch (result) {
                        case FullFrame changedFrame ->
                                offered instanceof FullFrame frame
                                        && changedFrame.number() == frame.number();
                        case Frame _ -> false;
                        case ClientMessage _ -> direction == Direction.C2S;
                        case ServerMessage _ -> direction == Direction.S2C;
                    };
            if (!allowed) {
                throw new IllegalArgumentException(
                        result.label() + " can't be sent here: " + result.getClass().getName());
            }
            if (!(result instanceof FullFrame)) {
                // Throws if it does not fit.
                encoded(result);
            }
        }

        private Bytes encoded(Quake2Message message) {
            Writer writer = new Writer(Netchan.MAX_RELIABLE_BYTES);
            switch (message) {
                case ClientMessage m -> Quake2Codec.write(writer, m);
                case ServerMessage m -> Quake2Codec.write(writer, m);
                case FullFrame _ -> throw new IllegalArgumentException("a frame needs its base");
            }
            byte[] bytes = writer.toByteArray();
            if (message instanceof Move) {
                bytes[1] = (byte) MoveChecksum.of(bytes, 2, bytes.length - 2, sequence);
            }
            return Bytes.of(bytes);
        }
    }

    private static boolean isUnreliable(Quake2Message message) {
        return switch (message) {
            case FullFrame _,
                    Frame _,
                    TempEntity _,
                    Sound _,
                    ServerMessage.MuzzleFlash _,
                    Move _,
                    ClientMessage.Nop _ ->
                    true;
            default -> false;
        };
    }

    private void report(String problem) {
        if (!reported) {
            reported = true;
            out.report(problem);
        }
    }
}
