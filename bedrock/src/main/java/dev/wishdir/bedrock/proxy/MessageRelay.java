package dev.wishdir.bedrock.proxy;

import dev.wishdir.bedrock.message.BedrockMessage;
import dev.wishdir.bedrock.message.Encoding;
import dev.wishdir.bedrock.message.Unknown;
import dev.wishdir.bedrock.protocol.BedrockCodec;
import dev.wishdir.game.proxy.GuardedInterceptor;
import dev.wishdir.game.proxy.Interceptor;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Writer;
import dev.wishdir.wire.dissect.Direction;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.function.Consumer;

/**
 * Passes the messages of a session on: those that the interceptor leaves as they are by their
 * bytes, also if they can't be decoded; others encoded again.
 */
final class MessageRelay {
    /** Takes what is passed on. */
    @FunctionalInterface
    interface Output {
        /**
         * @param encoded the message with its header
         */
        void send(BedrockMessage message, Bytes encoded);
    }

    /** Maximum size of an encoded message with its header, bytes. */
    static final int MAX_MESSAGE_BYTES = BedrockMessage.MAX_BYTES;

    private final BedrockCodec codec;
    private final @Nullable GuardedInterceptor<BedrockMessage> interceptor;

    /**
     * @param codec reads what the interceptor or the output needs; all else stays bytes
     * @param interceptor null to pass all messages
     * @param problems takes the first failure of the interceptor
     */
    MessageRelay(
            BedrockCodec codec,
            @Nullable Interceptor<BedrockMessage> interceptor,
            Consumer<String> problems) {
        this.codec = codec;
        this.interceptor =
                interceptor == null ? null : new GuardedInterceptor<>(interceptor, problems);
    }

    /**
     * Passes a message on.
     *
     * @param reader of its bytes, with the header
     * @throws MalformedPacketException if it is too large to be passed on
     */
    void pass(Direction direction, Reader reader, Output output) {
        if (reader.remaining() > MAX_MESSAGE_BYTES) {
            throw reader.malformed(
                    "message",
                    "has " + reader.remaining() + " bytes, at most " + MAX_MESSAGE_BYTES);
        }
        Bytes bytes = reader.slice(0, reader.remaining());
        BedrockMessage message = read(bytes, reader);
        Bytes unread = bytes.slice(bytes.length() - reader.remaining(), reader.remaining());
        List<BedrockMessage> results =
                interceptor == null
                        ? List.of(message)
                        : interceptor.onMessage(
                                direction, message, result -> encode(result, message, unread));
        for (BedrockMessage result : results) {
            // Its sender may have encoded it otherwise.
            boolean same = result.equals(message);
            output.send(result, same ? bytes : encode(result, message, unread));
        }
    }

    /** Reads a message; one that this codec reads otherwise than its sender meant is unknown. */
    private BedrockMessage read(Bytes bytes, Reader reader) {
        try {
            return codec.read(reader);
        } catch (MalformedPacketException _) {
            Reader again = new Reader(bytes);
            int header;
            try {
                header = Encoding.uvarint(again, "header", 0);
            } catch (MalformedPacketException e) {
                return new Unknown(0, bytes);
            }
            return Unknown.wire(again, new Unknown(header, Bytes.EMPTY));
        }
    }

    /**
     * Encodes a message of the interceptor. One of the same kind as the message that it replaces
     * keeps the bytes that no walk reads.
     *
     * @throws RuntimeException if it is not a message of this version
     */
    private Bytes encode(BedrockMessage message, BedrockMessage replaced, Bytes unread) {
        Writer w = new Writer(MAX_MESSAGE_BYTES);
        codec.write(w, message);
        if (message.getClass() == replaced.getClass() && !(message instanceof Unknown)) {
            w.bytes("unread", unread, unread.length());
        }
        return w.toBytes();
    }
}
