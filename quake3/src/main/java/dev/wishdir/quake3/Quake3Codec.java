package dev.wishdir.quake3;

import dev.wishdir.quake3.message.ClientMessage;
import dev.wishdir.quake3.message.Huffman;
import dev.wishdir.quake3.message.ServerMessage;
import dev.wishdir.quake3.message.Usercmd;
import dev.wishdir.wire.BitReader;
import dev.wishdir.wire.BitWriter;

/**
 * Messages to bytes and back, for one connection: with what its protocol does to them. It holds
 * what both ends know and make keys of. Used by a client's end, a server's end, and whoever listens
 * to both.
 */
final class Quake3Codec {
    private final Protocol protocol;
    private final int challenge;
    private final Commands clientCommands = new Commands();
    private final Commands serverCommands = new Commands();
    private final BitWriter writer = new BitWriter(Huffman.CODE, ServerMessage.MAX_LENGTH);
    private int checksumFeed;

    Quake3Codec(Protocol protocol, int challenge) {
        this.protocol = protocol;
        this.challenge = challenge;
    }

    Protocol protocol() {
        return protocol;
    }

    /** The commands that the client has given. */
    Commands clientCommands() {
        return clientCommands;
    }

    /** The commands that the server has given. */
    Commands serverCommands() {
        return serverCommands;
    }

    /** What the level's gamestate says. */
    void checksumFeed(int feed) {
        checksumFeed = feed;
    }

    int checksumFeed() {
        return checksumFeed;
    }

    /** The key of a client message's usercmds. */
    int moveKey(int messageAcknowledge, int reliableAcknowledge) {
        return Usercmd.key(
                checksumFeed, messageAcknowledge, serverCommands.text(reliableAcknowledge));
    }

    /** The key that a client's message is scrambled with; its low eight bits count. */
    int scramblingKey(int serverId, int messageAcknowledge) {
        return challenge ^ serverId ^ messageAcknowledge;
    }

    /** The key that a server's message is scrambled with; its low eight bits count. */
    int scramblingKey(int sequence) {
        return challenge ^ sequence;
    }

    /**
     * A whole message in bytes. One more than the bits need where they fill their bytes, as every
     * program of the family sends; it is zero here and foreign memory elsewhere.
     */
    private byte[] written() {
        return writer.toByteArray((writer.position() >> 3) + 1);
    }

    /** The bytes of a client's message as the netchan carries them. */
    byte[] encode(ClientMessage message) {
        writer.reset();
        ClientMessage.wire(writer, message, this::moveKey);
        byte[] bytes = written();
        if (!protocol.modern()) {
            unscramble(
                    bytes,
                    message.serverId(),
                    message.messageAcknowledge(),
                    message.reliableAcknowledge());
        }
        return bytes;
    }

    /**
     * The bytes of a server's message as the netchan carries them.
     *
     * @param sequence the netchan's number of this message
     */
    byte[] encode(ServerMessage message, int sequence) {
        writer.reset();
        ServerMessage.wire(writer, message);
        byte[] bytes = written();
        if (!protocol.modern()) {
            unscramble(bytes, sequence, message.reliableAcknowledge());
        }
        return bytes;
    }

    /** Undoes the scrambling of a client's message, whose head is read already. */
    void unscramble(byte[] message, int serverId, int messageAcknowledge, int reliable) {
        Scrambling.apply(
                message,
                Scrambling.CLIENT_START,
                scramblingKey(serverId, messageAcknowledge),
                serverCommands.text(reliable));
    }

    /** Undoes the scrambling of a server's message, whose head is read already. */
    void unscramble(byte[] message, int sequence, int reliableAcknowledge) {
        Scrambling.apply(
                message,
                Scrambling.SERVER_START,
                scramblingKey(sequence),
                clientCommands.text(reliableAcknowledge));
    }

    /** The head of a message: so many 32-bit numbers. */
    static int[] head(byte[] message, int count) {
        BitReader reader = new BitReader(Huffman.CODE, message);
        int[] head = new int[count];
        for (int i = 0; i < count; i++) {
            head[i] = reader.i32("head", 0);
        }
        return head;
    }
}
