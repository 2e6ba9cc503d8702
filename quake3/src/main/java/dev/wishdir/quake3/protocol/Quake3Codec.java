package dev.wishdir.quake3.protocol;

import dev.wishdir.quake3.message.ClientMessage;
import dev.wishdir.quake3.message.Huffman;
import dev.wishdir.quake3.message.ServerMessage;
import dev.wishdir.quake3.message.Usercmd;
import dev.wishdir.quake3.netchan.XorScrambler;
import dev.wishdir.wire.BitReader;
import dev.wishdir.wire.BitWriter;
import dev.wishdir.wire.MalformedPacketException;

/**
 * Encoder and decoder of one connection's messages, with scrambling and usercmd keys, which depend
 * on the reliable commands of both ends. Used by clients, servers and the inspector.
 */
public final class Quake3Codec {
    /** The name of this game in the arena and the inspector. */
    public static final String GAME = "quake3";

    private final Protocol protocol;
    private final int challenge;
    private final ReliableCommands clientCommands = new ReliableCommands();
    private final ReliableCommands serverCommands = new ReliableCommands();
    private final BitWriter writer = new BitWriter(Huffman.CODE, ServerMessage.MAX_LENGTH);
    private int checksumFeed;

    public Quake3Codec(Protocol protocol, int challenge) {
        this.protocol = protocol;
        this.challenge = challenge;
    }

    public Protocol protocol() {
        return protocol;
    }

    /** The reliable commands of the client. */
    public ReliableCommands clientCommands() {
        return clientCommands;
    }

    /** The reliable commands of the server. */
    public ReliableCommands serverCommands() {
        return serverCommands;
    }

    /** Sets the checksum feed of the gamestate. */
    public void checksumFeed(int feed) {
        checksumFeed = feed;
    }

    public int checksumFeed() {
        return checksumFeed;
    }

    /** The usercmd key of a client's message. */
    public int moveKey(int messageAcknowledge, int reliableAcknowledge) {
        return Usercmd.key(
                checksumFeed, messageAcknowledge, serverCommands.text(reliableAcknowledge));
    }

    /** The XOR scrambling key of a client's message, of which the low eight bits are used. */
    public int scramblingKey(int serverId, int messageAcknowledge) {
        return challenge ^ serverId ^ messageAcknowledge;
    }

    /** The XOR scrambling key of a server's message, of which the low eight bits are used. */
    public int scramblingKey(int sequence) {
        return challenge ^ sequence;
    }

    /**
     * The written message. One byte more than needed if the bits fill whole bytes, as all engines
     * of the family send; zero here, uninitialized memory elsewhere.
     */
    private byte[] toBytes() {
        return writer.toByteArray((writer.position() >> 3) + 1);
    }

    /**
     * Encodes a client's message for the netchan.
     *
     * @throws IllegalStateException if it has more than {@link ServerMessage#MAX_LENGTH} bytes
     */
    public byte[] encode(ClientMessage message) {
        writer.reset();
        ClientMessage.wire(writer, message, this::moveKey);
        byte[] bytes = toBytes();
        scramble(
                bytes,
                message.serverId(),
                message.messageAcknowledge(),
                message.reliableAcknowledge());
        return bytes;
    }

    /**
     * Encodes a server's message for the netchan.
     *
     * @param sequence of the message in the netchan
     * @throws IllegalStateException if it has more than {@link ServerMessage#MAX_LENGTH} bytes
     */
    public byte[] encode(ServerMessage message, int sequence) {
        writer.reset();
        ServerMessage.wire(writer, message);
        byte[] bytes = toBytes();
        scramble(bytes, sequence, message.reliableAcknowledge());
        return bytes;
    }

    /**
     * Decodes a client's message from the netchan.
     *
     * @param message unscrambled in place
     * @throws MalformedPacketException if it does not follow the protocol
     */
    public ClientMessage decodeClient(byte[] message) {
        int[] head = head(message, 3);
        scramble(message, head[0], head[1], head[2]);
        return ClientMessage.wire(
                new BitReader(Huffman.CODE, message), ClientMessage.BLANK, this::moveKey);
    }

    /**
     * Decodes a server's message from the netchan.
     *
     * @param message unscrambled in place
     * @param sequence of the message in the netchan
     * @throws MalformedPacketException if it does not follow the protocol
     */
    public ServerMessage decodeServer(byte[] message, int sequence) {
        scramble(message, sequence, head(message, 1)[0]);
        return ServerMessage.wire(new BitReader(Huffman.CODE, message), ServerMessage.BLANK);
    }

    /** Scrambles or unscrambles a client's message in place, if the protocol is not modern. */
    public void scramble(byte[] message, int serverId, int messageAcknowledge, int reliable) {
        if (!protocol.modern()) {
            XorScrambler.apply(
                    message,
                    XorScrambler.CLIENT_START,
                    scramblingKey(serverId, messageAcknowledge),
                    serverCommands.text(reliable));
        }
    }

    /** Scrambles or unscrambles a server's message in place, if the protocol is not modern. */
    public void scramble(byte[] message, int sequence, int reliableAcknowledge) {
        if (!protocol.modern()) {
            XorScrambler.apply(
                    message,
                    XorScrambler.SERVER_START,
                    scramblingKey(sequence),
                    clientCommands.text(reliableAcknowledge));
        }
    }

    /** The first {@code count} 32-bit numbers of a message. */
    public static int[] head(byte[] message, int count) {
        BitReader reader = new BitReader(Huffman.CODE, message);
        int[] head = new int[count];
        for (int i = 0; i < count; i++) {
            head[i] = reader.i32("head", 0);
        }
        return head;
    }
}
