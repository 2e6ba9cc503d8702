package dev.wishdir.bedrock.protocol;

import dev.wishdir.game.proxy.ProxyRules;
import dev.wishdir.raknet.OfflineMessage;
import dev.wishdir.raknet.OfflineMessage.UnconnectedPong;
import dev.wishdir.raknet.RakNetSettings;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Writer;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Bedrock over RakNet through a proxy that does not decrypt: docs/protocols/raknet.md. Datagrams of
 * a connection come only after the client has returned the server's cookie, so they prove the
 * client's address. A pong names the server's ports.
 */
public final class BedrockProxyRules implements ProxyRules {
    /** Set in the first byte of all datagrams of a connection. */
    private static final int OF_CONNECTION = 0x80;

    /** The part of a pong's text with the port for IPv4; that for IPv6 follows. */
    private static final int PORT_PART = 10;

    /** Of a pong's text: after id, time, GUID and magic. */
    private static final int LENGTH_OFFSET = 33;

    private static final int TEXT_OFFSET = 35;
    private static final int MAX_TEXT_BYTES = 0xFFFF;
    private static final int MAX_REFUSAL_BYTES = 64;

    @Override
    public boolean isProof(int portOffset, byte[] fromServer) {
        return (fromServer[0] & OF_CONNECTION) != 0;
    }

    @Override
    public byte[] toClient(byte[] fromServer, int proxyPort) {
        if (fromServer[0] != OfflineMessage.UNCONNECTED_PONG) {
            return fromServer;
        }
        try {
            UnconnectedPong.wire(
                    new Reader(fromServer), UnconnectedPong.BLANK, RakNetSettings.MAGIC);
        } catch (MalformedPacketException e) {
            return fromServer;
        }
        return fromServer.length < TEXT_OFFSET ? fromServer : withPort(fromServer, proxyPort);
    }

    /** A pong with another port; all other bytes stay, whatever the encoding of the text. */
    private static byte[] withPort(byte[] pong, int port) {
        ByteBuffer read = ByteBuffer.wrap(pong);
        int length = Short.toUnsignedInt(read.getShort(LENGTH_OFFSET));
        String[] parts =
                new String(pong, TEXT_OFFSET, length, StandardCharsets.ISO_8859_1).split(";", -1);
        for (int i = PORT_PART; i < Math.min(PORT_PART + 2, parts.length); i++) {
            parts[i] = parts[i].isEmpty() ? "" : Integer.toString(port);
        }
        byte[] text = String.join(";", parts).getBytes(StandardCharsets.ISO_8859_1);
        if (text.length > MAX_TEXT_BYTES) {
            return pong;
        }
        int after = TEXT_OFFSET + length;
        return ByteBuffer.allocate(pong.length - length + text.length)
                .put(pong, 0, LENGTH_OFFSET)
                .putShort((short) text.length)
                .put(text)
                .put(pong, after, pong.length - after)
                .array();
    }

    /** The game has a text of its own for a server that is full. */
    @Override
    public Optional<byte[]> refusal(byte[] fromClient, String reason) {
        if (fromClient[0] != OfflineMessage.OPEN_CONNECTION_REQUEST_1) {
            return Optional.empty();
        }
        Writer w = new Writer(MAX_REFUSAL_BYTES);
        OfflineMessage.Refusal.wire(
                w,
                new OfflineMessage.Refusal(OfflineMessage.NO_FREE_INCOMING_CONNECTIONS, 0),
                RakNetSettings.MAGIC);
        return Optional.of(w.toByteArray());
    }
}
