package dev.wishdir.nethernet.sctp;

import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Writer;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;

/**
 * Two associations that hear each other at once, and a hand to put packets of one's own between.
 */
final class SctpPair {
    /** One side and its events. */
    static final class Side implements SctpAssociation.Listener {
        final ArrayDeque<byte[]> sent = new ArrayDeque<>();
        final List<byte[]> messages = new ArrayList<>();
        boolean established;
        boolean reset;
        int emitted;
        SctpAssociation.@Nullable EndReason ending;
        String reason = "";
        SctpAssociation association;

        Side(int window, Random random) {
            association = new SctpAssociation(window, 262_144, 10_000_000_000L, random, this);
        }

        @Override
        public void emit(byte[] packet, int offset, int length) {
            emitted++;
            sent.add(Arrays.copyOfRange(packet, offset, offset + length));
        }

        @Override
        public void onEstablished() {
            established = true;
        }

        @Override
        public void onMessage(int stream, int kind, byte[] message) {
            messages.add(message);
        }

        @Override
        public void onReset() {
            reset = true;
        }

        @Override
        public void onEnded(SctpAssociation.EndReason how, String why) {
            ending = how;
            reason = why;
        }
    }

    final Side victim;
    final Side other;
    long now;

    /** The victim's verification tag, and the number of the other side's next chunk. */
    int tag;

    int next;

    SctpPair(int window) {
        Random random = new Random(1);
        victim = new Side(window, random);
        other = new Side(1 << 20, random);
        victim.association.begin(0);
        other.association.begin(0);
        run(100);
        if (!victim.established || !other.established) {
            throw new AssertionError("not established");
        }
        other.association.send(1, 53, false, new byte[] {42});
        other.association.advance(now);
        byte[] packet = other.sent.getLast();
        for (SctpPacket.Chunk chunk : SctpPacket.read(packet).chunks()) {
            if (chunk.type() == SctpPacket.DATA) {
                next = new dev.wishdir.wire.Reader(chunk.body()).i32be("TSN", 0) + 1;
            }
        }
        tag = SctpPacket.read(packet).tag();
        run(100);
        victim.messages.clear();
    }

    /** Lets milliseconds pass in which all that is sent arrives. */
    void run(int milliseconds) {
        for (int i = 0; i < milliseconds; i++) {
            now += 1_000_000;
            victim.association.advance(now);
            other.association.advance(now);
            while (!victim.sent.isEmpty() || !other.sent.isEmpty()) {
                if (!victim.sent.isEmpty()) {
                    other.association.receive(now, victim.sent.remove());
                } else {
                    victim.association.receive(now, other.sent.remove());
                }
            }
        }
    }

    /** Gives the victim a packet with one chunk. */
    void inject(int type, int flags, Consumer<Writer> body) {
        inject(tag, type, flags, body);
    }

    void inject(int withTag, int type, int flags, Consumer<Writer> body) {
        Writer content = new Writer(4096);
        body.accept(content);
        Writer w = new Writer(8192);
        SctpPacket.begin(w, withTag);
        SctpPacket.chunk(w, type, flags, content.position());
        w.append(content.array(), 0, content.position());
        SctpPacket.pad(w);
        SctpPacket.finish(w);
        victim.association.receive(now, w.toByteArray());
    }

    void data(int number, int flags, int length) {
        inject(
                SctpPacket.DATA,
                flags,
                w -> {
                    w.i32be("TSN", number);
                    w.u16be("stream", 1);
                    w.u16be("sequence", 0);
                    w.i32be("kind", 53);
                    w.bytes("data", Bytes.wrap(new byte[length]), length);
                });
    }
}
