package dev.wishdir.interop;

import dev.wishdir.game.Game;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** A game over a transport: its UDP ports, and what differs in the datagrams that it receives. */
enum GamePort {
    SAUERBRATEN("sauerbraten") {
        // The server's own port, and that of the server list.
        @Override
        List<InetSocketAddress> addresses(FourGames server) {
            InetSocketAddress game = server.address(gameName);
            return List.of(game, new InetSocketAddress(game.getAddress(), game.getPort() + 1));
        }

        @Override
        List<byte[]> questions() {
            return List.of(new byte[] {1});
        }

        @Override
        List<byte[]> heads() {
            return List.of(bytes(0x8F, 0xFF));
        }

        @Override
        Map<String, byte[]> malformed() {
            return Map.of("sauerbraten.drop.malformed", bytes(0x8F, 0xFF, 0, 0, 0x8D, 1, 2, 3));
        }

        @Override
        boolean answersServicePorts() {
            return false;
        }

        @Override
        String answer() {
            return "\u0001";
        }
    },

    QUAKE2("quake2") {
        @Override
        List<byte[]> questions() {
            return texts(
                    "info 34", "info 33", "ping", "status", "getchallenge", "connect", "rcon a");
        }

        @Override
        List<byte[]> heads() {
            return texts("connect 34 ", "getchallenge ", "rcon ", "info ", "\0", "");
        }

        @Override
        Map<String, byte[]> malformed() {
            byte[] unknown = new byte[16];
            Arrays.fill(unknown, 10, 16, (byte) 0xEE);
            return Map.of("quake2.drop.unknown", unknown);
        }

        // Another qport: with the session's own it is a packet of the session.
        @Override
        byte[] garbage(Random random, byte[] genuine) {
            if (random.nextBoolean()) {
                return text("x" + random.nextInt());
            }
            byte[] garbage = noise(random, 10 + random.nextInt(300));
            garbage[8] = (byte) (genuine[8] + 1 + random.nextInt(100));
            return garbage;
        }

        // A challenge is asked for in the same word as in Quake III.
        @Override
        int maxAnswerBytes(byte[] foreign) {
            return isText(foreign, "getchallenge") ? 64 : foreign.length;
        }

        @Override
        int maxDatagramBytes() {
            return 1400;
        }

        @Override
        String answer() {
            return "\u00FF\u00FF\u00FF\u00FFinfo\n";
        }

        @Override
        boolean answersNoise() {
            return true;
        }

        @Override
        int longestAnsweredBytes() {
            return 1400;
        }

        @Override
        boolean answersOwnAddress() {
            return true;
        }
    },

    QUAKE3("quake3") {
        @Override
        List<byte[]> questions() {
            return texts("getinfo x", "getstatus x", "getchallenge", "rcon a b", "connect \"\"");
        }

        @Override
        List<byte[]> heads() {
            return texts("", "connect ", "getchallenge ", "getstatus ", "rcon ");
        }

        @Override
        Map<String, byte[]> malformed() {
            byte[] message = new byte[40];
            message[0] = 1;
            return Map.of(
                    "quake3.drop.malformed", text("connect "),
                    "quake3.drop.unknown", text("wishdir"),
                    "quake3.drop.stranger", message,
                    "quake3.drop.short", bytes(1, 2, 3));
        }

        @Override
        List<byte[]> paddedQuestions(int length) {
            return List.of(padded(text("getinfo x"), length), padded(text("getstatus x"), length));
        }

        @Override
        String answer() {
            return "\u00FF\u00FF\u00FF\u00FFinfoResponse";
        }

        @Override
        boolean answersNoise() {
            return true;
        }

        @Override
        String refusedSourceCounter() {
            return "quake3.drop.address";
        }

        // Its clock has whole milliseconds: a step moves the snapshots by up to two.
        @Override
        long gapToleranceNanos() {
            return 2 * MILLI;
        }

        // A challenge is asked for in the same word as in Quake II.
        @Override
        int maxAnswerBytes(byte[] foreign) {
            return isText(foreign, "getchallenge") ? 47 : 0;
        }
    },

    RAKNET("bedrock") {
        @Override
        List<byte[]> questions() {
            return List.of(unconnectedPing(33), openRequest(1446));
        }

        @Override
        List<byte[]> heads() {
            return List.of(
                    bytes(0x84),
                    bytes(0x01),
                    bytes(0x02),
                    bytes(0x05),
                    bytes(0x07),
                    bytes(0xC0),
                    bytes(0xA0),
                    bytes(0x1C));
        }

        @Override
        Map<String, byte[]> malformed() {
            return Map.of("bedrock.drop.malformed", unconnectedPing(20));
        }

        @Override
        List<byte[]> paddedQuestions(int length) {
            return List.of(unconnectedPing(length), openRequest(length));
        }

        @Override
        int longestAnsweredBytes() {
            return 1492;
        }

        @Override
        boolean answersOwnAddress() {
            return true;
        }
    },

    NETHERNET("bedrock") {
        @Override
        Map<String, String> options() {
            return Map.of("transport", "nethernet");
        }

        // All clients of a test signal from one address.
        @Override
        long joinIntervalNanos() {
            return 2_000 * MILLI;
        }

        // A place is free only when its session has timed out.
        @Override
        long silenceNanos() {
            return 31_000 * MILLI;
        }

        @Override
        List<byte[]> questions() {
            return RAKNET.questions();
        }

        // STUN, DTLS handshakes, alerts and application data.
        @Override
        List<byte[]> heads() {
            return List.of(
                    bytes(0, 1, 0, 8, 0x21, 0x12, 0xA4, 0x42),
                    bytes(1, 1, 0, 8, 0x21, 0x12, 0xA4, 0x42),
                    bytes(22, 0xFE, 0xFD),
                    bytes(21, 0xFE, 0xFD),
                    bytes(23, 0xFE, 0xFD, 0, 1));
        }

        @Override
        Map<String, byte[]> malformed() {
            return RAKNET.malformed();
        }

        @Override
        List<byte[]> paddedQuestions(int length) {
            return RAKNET.paddedQuestions(length);
        }

        @Override
        int longestAnsweredBytes() {
            return RAKNET.longestAnsweredBytes();
        }

        @Override
        boolean answersOwnAddress() {
            return true;
        }
    };

    private static final long MILLI = 1_000_000;

    final String gameName;

    GamePort(String gameName) {
        this.gameName = gameName;
    }

    Game game() {
        return FourGames.game(gameName);
    }

    /** The options of clients. */
    Map<String, String> options() {
        return Map.of();
    }

    /** The UDP ports; the last one answers questions, the first one carries sessions. */
    List<InetSocketAddress> addresses(FourGames server) {
        return List.of(server.address(gameName));
    }

    /** What anybody may ask; the first is always answered. */
    abstract List<byte[]> questions();

    /** Beginnings with which noise is read further than without. */
    abstract List<byte[]> heads();

    /** Malformed datagrams, by the counter that counts them. */
    abstract Map<String, byte[]> malformed();

    /** Noise that may have the address of a player, but is not of its session. */
    byte[] garbage(Random random, byte[] genuine) {
        byte[] garbage = noise(random, 1 + random.nextInt(60));
        return random.nextBoolean() ? garbage : begin(garbage, heads().getFirst());
    }

    /** The longest answer to a datagram of another game. */
    int maxAnswerBytes(byte[] foreign) {
        return 0;
    }

    /** Questions that are padded to a length. */
    List<byte[]> paddedQuestions(int length) {
        return List.of(padded(questions().getFirst(), length));
    }

    private static byte[] padded(byte[] question, int length) {
        byte[] padding = new byte[length];
        Arrays.fill(padding, (byte) (question[0] == -1 ? 'x' : 0));
        return begin(padding, question);
    }

    /** The beginning of the answer to the first question. */
    String answer() {
        return "";
    }

    /** Whether noise may be a question; without an answer it opens no connection. */
    boolean answersNoise() {
        return false;
    }

    /** Counts questions from port 0 and from the server itself; empty if others are counted too. */
    String refusedSourceCounter() {
        return "";
    }

    /** By how much the longest gap between two movements may grow. */
    long gapToleranceNanos() {
        return 10 * MILLI;
    }

    /** How long after a client has vanished another one may have its place. */
    long silenceNanos() {
        return 6_000 * MILLI;
    }

    /** How long to wait between joins, so that only what they do is limited. */
    long joinIntervalNanos() {
        return 0;
    }

    /** What refuses the ninth client of an address; empty if it is not answered. */
    String refusal() {
        return gameName.equals("bedrock") ? "" : "Too many players or joins from your address";
    }

    /** Up to this length a question with padding is answered. */
    int longestAnsweredBytes() {
        return 0;
    }

    /** Whether a question that seems to come from the server itself is answered. */
    boolean answersOwnAddress() {
        return false;
    }

    /** Whether the ports of echo, chargen and DNS are answered as any others. */
    boolean answersServicePorts() {
        return true;
    }

    /** The longest datagram that the server may send. */
    int maxDatagramBytes() {
        return 1500;
    }

    /** What clients and servers of all games say first; no answer may be longer. */
    static List<byte[]> firstDatagrams() {
        byte[] enetConnect = new byte[56];
        enetConnect[0] = (byte) 0x8F;
        enetConnect[1] = (byte) 0xFF;
        enetConnect[4] = (byte) 0x82;
        byte[] filledConnect = new byte[48];
        Arrays.fill(filledConnect, 0, 2, (byte) 0x8F);
        return List.of(
                enetConnect,
                filledConnect,
                bytes(1),
                bytes(0, 1, 0xFF),
                text("connect 34 1234 0 \"\\name\\x\"\n"),
                text("status 34"),
                text("info 34"),
                text("ack"),
                text("getstatus"),
                text("getstatus xxx\n"),
                text("getinfo xxx"),
                text("getchallenge\n"),
                text("statusResponse\n\\mapname\\q3dm17\n"),
                text("connect \"\\protocol\\68\\qport\\1\\challenge\\2\\name\\x\""),
                unconnectedPing(33),
                openRequest(1400),
                openRequest(1464),
                Arrays.copyOf(bytes(0x84, 0, 0, 0, 0x60), 60));
    }

    /** Whether a datagram is one of a game's own first ones. */
    boolean isOwn(byte[] datagram) {
        return switch (this) {
            case SAUERBRATEN -> (datagram[0] & 0xFF) == 0x8F || datagram.length <= 3;
            case QUAKE2 ->
                    List.of("connect 34", "status 34", "info 34", "ack").stream()
                            .anyMatch(word -> isText(datagram, word));
            case QUAKE3 ->
                    List.of("getstatus", "getinfo", "connect \"").stream()
                            .anyMatch(word -> isText(datagram, word));
            case RAKNET, NETHERNET ->
                    datagram.length > 3 && List.of(0x01, 0x05, 0x84).contains(datagram[0] & 0xFF);
        };
    }

    private static byte[] unconnectedPing(int length) {
        ByteBuffer ping = ByteBuffer.allocate(33);
        ping.put((byte) 1).putLong(5);
        ping.putLong(0x00ffff00fefefefeL).putLong(0xfdfdfdfd12345678L).putLong(7);
        return Arrays.copyOf(ping.array(), length);
    }

    /** The first open connection request of RakNet 11. */
    private static byte[] openRequest(int length) {
        ByteBuffer request = ByteBuffer.allocate(length);
        request.put((byte) 5);
        request.putLong(0x00ffff00fefefefeL).putLong(0xfdfdfdfd12345678L).put((byte) 11);
        return request.array();
    }

    private static List<byte[]> texts(String... texts) {
        return Arrays.stream(texts).map(GamePort::text).toList();
    }

    /** A datagram out of band of either Quake. */
    static byte[] text(String text) {
        return ("\u00FF\u00FF\u00FF\u00FF" + text).getBytes(StandardCharsets.ISO_8859_1);
    }

    private static boolean isText(byte[] datagram, String words) {
        return new String(datagram, StandardCharsets.ISO_8859_1)
                .startsWith("\u00FF\u00FF\u00FF\u00FF" + words);
    }

    private static byte[] bytes(int... values) {
        byte[] bytes = new byte[values.length];
        for (int i = 0; i < values.length; i++) {
            bytes[i] = (byte) values[i];
        }
        return bytes;
    }

    static byte[] noise(Random random, int length) {
        byte[] noise = new byte[length];
        random.nextBytes(noise);
        return noise;
    }

    /** Noise that begins as given, as far as it is long enough. */
    static byte[] begin(byte[] noise, byte[] head) {
        System.arraycopy(head, 0, noise, 0, Math.min(head.length, noise.length));
        return noise;
    }
}
