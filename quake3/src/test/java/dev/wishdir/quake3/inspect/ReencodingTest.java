package dev.wishdir.quake3.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.quake3.Quake3Captures;
import dev.wishdir.quake3.message.ClientMessage;
import dev.wishdir.quake3.message.Huffman;
import dev.wishdir.quake3.message.ServerMessage;
import dev.wishdir.quake3.netchan.FragmentReassembler;
import dev.wishdir.quake3.netchan.InfoString;
import dev.wishdir.quake3.netchan.NetchanHeader;
import dev.wishdir.quake3.netchan.OutOfBand;
import dev.wishdir.quake3.netchan.Side;
import dev.wishdir.quake3.protocol.Protocol;
import dev.wishdir.quake3.protocol.Quake3Codec;
import dev.wishdir.wire.BitReader;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.dissect.Datagram;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Every message of the captures encodes to its own bytes again, scrambling and keys included. Only
 * the byte that real programs never write is left out: the last one, where the bits fill all before
 * it.
 */
class ReencodingTest {
    static final List<String> CAPTURES = Quake3Captures.NAMES;

    private static final class Session {
        int challenge;
        int number;
        FragmentReassembler[] reassembler = {new FragmentReassembler(), new FragmentReassembler()};
        Quake3Codec codec = new Quake3Codec(Protocol.QUAKE3_68, 0);
        boolean open;
    }

    @ParameterizedTest
    @FieldSource("CAPTURES")
    void writesCapturedMessagesBack(String name) throws IOException {
        Map<Integer, Session> sessions = new HashMap<>();
        int messages = 0;
        for (Datagram datagram : Quake3Captures.FILES.datagrams(name)) {
            // The servers of all captures have lower ports than their clients.
            boolean toServer = datagram.destination().getPort() < datagram.source().getPort();
            InetSocketAddress client = toServer ? datagram.source() : datagram.destination();
            Session session = sessions.computeIfAbsent(client.getPort(), _ -> new Session());
            if (datagram.payload().length() < 4) {
                continue;
            }
            if (OutOfBand.is(datagram.payload())) {
                outOfBand(session, datagram.payload());
                continue;
            }
            Side from = toServer ? Side.CLIENT : Side.SERVER;
            byte[] bytes = datagram.payload().toArray();
            if (!session.open) {
                session.open = true;
                Protocol protocol =
                        session.number == 68
                                ? Protocol.QUAKE3_68
                                : NetchanHeader.isModern(bytes, from, session.challenge)
                                        ? Protocol.IOQUAKE3_71
                                        : Protocol.OPENARENA_71;
                session.codec = new Quake3Codec(protocol, session.challenge);
            }
            Reader reader = new Reader(bytes);
            NetchanHeader header =
                    NetchanHeader.wire(
                            reader, NetchanHeader.BLANK, from, session.codec.protocol().modern());
            byte[] message = Arrays.copyOfRange(bytes, reader.position(), bytes.length);
            if (header.isFragment()) {
                message =
                        session.reassembler[from.ordinal()].add(
                                header, bytes, reader.position(), reader.remaining());
            }
            if (message != null) {
                messages++;
                if (toServer) {
                    client(session.codec, message);
                } else {
                    server(session.codec, message, header.sequence());
                }
            }
        }
        assertThat(messages).isGreaterThan(400);
    }

    private static void outOfBand(Session session, Bytes payload) {
        OutOfBand packet = OutOfBand.read(payload);
        if (packet.words().getFirst().equals("connect")) {
            InfoString userinfo = InfoString.parse(packet.words().get(1));
            session.challenge = userinfo.number("challenge", 0);
            session.number = userinfo.number("protocol", 0);
            session.open = false;
        }
        assertThat(packet.datagram()).isEqualTo(payload);
    }

    private static void client(Quake3Codec codec, byte[] original) {
        byte[] message = original.clone();
        int[] head = Quake3Codec.head(message, 3);
        codec.scramble(message, head[0], head[1], head[2]);
        BitReader r = new BitReader(Huffman.CODE, message);
        ClientMessage read = ClientMessage.wire(r, ClientMessage.BLANK, codec::moveKey);
        assertSame(original, codec.encode(read), r.position());
        for (ClientMessage.Op op : read.ops()) {
            if (op instanceof ClientMessage.ClientCommand c) {
                codec.clientCommands().receive(c.id(), c.text());
            }
        }
    }

    private static void server(Quake3Codec codec, byte[] original, int sequence) {
        byte[] message = original.clone();
        int[] head = Quake3Codec.head(message, 1);
        codec.scramble(message, sequence, head[0]);
        BitReader r = new BitReader(Huffman.CODE, message);
        ServerMessage read = ServerMessage.wire(r, ServerMessage.BLANK);
        assertSame(original, codec.encode(read, sequence), r.position());
        for (ServerMessage.Op op : read.ops()) {
            switch (op) {
                case ServerMessage.Gamestate g -> {
                    codec.checksumFeed(g.checksumFeed());
                    codec.serverCommands().skipTo(g.serverCommandSequence());
                }
                case ServerMessage.ServerCommand c ->
                        codec.serverCommands().receive(c.id(), c.text());
                default -> {}
            }
        }
    }

    private static void assertSame(byte[] original, byte[] encoded, int bits) {
        assertThat(encoded).hasSameSizeAs(original);
        int garbage = (bits & 7) == 0 ? 1 : 0;
        int counted = original.length - garbage;
        assertThat(Bytes.copyOf(encoded, 0, counted)).isEqualTo(Bytes.copyOf(original, 0, counted));
    }

    @ParameterizedTest
    @ValueSource(strings = {"legacy-68.dm_68", "modern-71.dm_71"})
    void writesDemoMessagesBack(String name) throws IOException {
        Reader reader = new Reader(Quake3Captures.FILES.file(name));
        Quake3Codec codec = new Quake3Codec(Protocol.IOQUAKE3_71, 0);
        int messages = 0;
        while (true) {
            int sequence = reader.i32le("sequence", 0);
            int length = reader.i32le("length", 0);
            if (length < 0) {
                break;
            }
            server(codec, reader.bytes("message", Bytes.EMPTY, length).toArray(), sequence);
            messages++;
        }
        assertThat(messages).isGreaterThan(60);
    }
}
