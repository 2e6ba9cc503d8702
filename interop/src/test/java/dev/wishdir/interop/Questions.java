package dev.wishdir.interop;

import dev.wishdir.wire.Bytes;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Function;

/** What anybody may ask a server of each game, each of which deserves an answer; row A9. */
final class Questions {
    private static final int NETWORKS = 500;
    private static final int ADDRESSES = 20_000;

    /** A datagram. */
    record Question(InetSocketAddress to, Bytes data) {}

    private Questions() {}

    /**
     * One of each kind.
     *
     * @param address of the server, by the game's name
     */
    static List<Question> all(Function<String, InetSocketAddress> address) {
        InetSocketAddress sauerbraten = address.apply("sauerbraten");
        InetSocketAddress info =
                new InetSocketAddress(sauerbraten.getAddress(), sauerbraten.getPort() + 1);
        return List.of(
                new Question(address.apply("quake2"), outOfBand("status")),
                new Question(address.apply("quake2"), outOfBand("getchallenge")),
                new Question(address.apply("quake3"), outOfBand("getstatus")),
                new Question(address.apply("quake3"), outOfBand("getchallenge")),
                new Question(address.apply("bedrock"), unconnectedPing()),
                new Question(info, Bytes.of(new byte[] {1})));
    }

    private static Bytes outOfBand(String text) {
        String packet = "\u00ff\u00ff\u00ff\u00ff" + text + "\n";
        return Bytes.of(packet.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** Of RakNet. */
    private static Bytes unconnectedPing() {
        ByteBuffer ping = ByteBuffer.allocate(33);
        ping.put((byte) 1).putLong(5);
        ping.putLong(0x00ffff00fefefefeL).putLong(0xfdfdfdfd12345678L).putLong(7);
        return Bytes.of(ping.array());
    }

    /** One that asks again and again, of as many networks as there are for it: below 500. */
    static int network(int round) {
        return round % NETWORKS << 8 | 9;
    }

    /** One of twenty thousand addresses, network by network. */
    static int passing(int round) {
        return round % ADDRESSES;
    }

    /** An address of the loopback network, 127.NUMBER. */
    static InetAddress address(int number) {
        byte[] address = {127, (byte) (1 + (number >> 16)), (byte) (number >> 8), (byte) number};
        try {
            return InetAddress.getByAddress(address);
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }
}
