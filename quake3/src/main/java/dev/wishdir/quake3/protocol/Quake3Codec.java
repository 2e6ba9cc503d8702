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
 * Messages to bytes and back, for one connection: with what its protocol does to them. It holds
 * what both ends know and make keys of. Used by a client's end, a server's end, and whoever listens
 * to both.
 */
public final class Quake3Codec {
    /** What this game is called by the arena and the inspector. */
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

    /** The commands that the client has given. */
    public ReliableCommands clientCommands() {
        return clientCommands;
    }

    /** The commands that the server has given. */
    public ReliableCommands serverCommands() {
        return serverCommands;
    }

    /** What the level's gamestate says. */
    public void checksumFeed(int feed) {
        checksumFeed = feed;
    }

    public int checksumFeed() {
        return checksumFeed;
    }

    /** The key of a client message's usercmds. */
    public int moveKey(int messageAcknowledge, int reliableAcknowledge) {
        return Usercmd.key(
                checksumFeed, messageAcknowledge, serverCommands.text(reliableAcknowledge));
    }

    /** The key that a client's message is scrambled with; its low eight bits count. */
    public int scramblingKey(int serverId, int messageAcknowledge) {
        return challenge ^ serverId ^ messageAcknowledge;
    }

    /** The key that a server's message is scrambled with; its low eight bits count. */
    public int scramblingKey(int sequence) {
        return challenge ^ sequence;
    }

    /**
     * A whole message in bytes. One more than the bits need where they fill their bytes, as every
     * program of the family sends; it is zero here and foreign memory elsewhere.
     */
    private byte[] written() {
        return writer.toByteArray((writer.position() >> 3) + 1);
    }

    /**
     * The bytes of a client's message as the netchan carries them.
     *
     * @throws IllegalStateException if they are more than {@link ServerMessage#MAX_LENGTH}
     */
    public byte[] encode(ClientMessage message) {
        writer.reset();
        ClientMessage.wire(writer, message, this::moveKey);
        byte[] bytes = written();
        scramble(
                bytes,
                message.serverId(),
                message.messageAcknowledge(),
                message.reliableAcknowledge());
        return bytes;
    }

    /**
     * The bytes of a server's message as the netchan carries them.
     *
     * @param sequence the netchan's number of this message
     * @throws IllegalStateException if they are more than {@link ServerMessage#MAX_LENGTH}
     */
    public byte[] encode(ServerMessage message, int sequence) {
        writer.reset();
        ServerMessage.wire(writer, message);
        byte[] bytes = written();
        scramble(bytes, sequence, message.reliableAcknowledge());
        return bytes;
    }

    /**
     * A client's message out of the bytes that the netchan has carried.
     *
     * @param message is unscrambled in place
     * @throws MalformedPacketException if it does not follow the protocol
     */
    public ClientMessage decodeClient(byte[] message) {
        int[] head = head(message, 3);
        scramble(message, head[0], head[1], head[2]);
        return ClientMessage.wire(
                new BitReader(Huffman.CODE, message), ClientMessage.BLANK, this::moveKey);
    }

    /**
     * A server's message out of the bytes that the netchan has carried.
     *
     * @param message is unscrambled in place
     * @param sequence the netchan's number of this message
     * @throws MalformedPacketException if it does not follow the protocol
     */
    public ServerMessage decodeServer(byte[] message, int sequence) {
        scramble(message, sequence, head(message, 1)[0]);
        return ServerMessage.wire(new BitReader(Huffman.CODE, message), ServerMessage.BLANK);
    }

    /** Scrambles or unscrambles a client's message in place, if the protocol does that. */
    public void scramble(byte[] message, int serverId, int messageAcknowledge, int reliable) {
        if (!protocol.modern()) {
            XorScrambler.apply(
                    message,
                    XorScrambler.CLIENT_START,
                    scramblingKey(serverId, messageAcknowledge),
                    serverCommands.text(reliable));
        }
    }

    /** Scrambles or unscrambles a server's message in place, if the protocol does that. */
    public void scramble(byte[] message, int sequence, int reliableAcknowledge) {
        if (!protocol.modern()) {
            XorScrambler.apply(
                    message,
                    XorScrambler.SERVER_START,
                    scramblingKey(sequence),
                    clientCommands.text(reliableAcknowledge));
        }
    }

    /** The head of a message: so many 32-bit numbers. */
    public static int[] head(byte[] message, int count) {
        BitReader reader = new BitReader(Huffman.CODE, message);
        int[] head = new int[count];
        for (int i = 0; i < count; i++) {
            head[i] = reader.i32("head", 0);
        }
        return head;
    }
}
