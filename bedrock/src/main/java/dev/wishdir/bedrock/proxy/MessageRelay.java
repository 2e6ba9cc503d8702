package dev.wishdir.bedrock.proxy;

import dev.wishdir.bedrock.message.BedrockMessage;
import dev.wishdir.bedrock.message.Encoding;
import dev.wishdir.bedrock.message.Unknown;
import dev.wishdir.bedrock.protocol.BedrockCodec;
import dev.wishdir.game.Interceptor;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Writer;
import dev.wishdir.wire.dissect.Direction;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
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
    private final @Nullable Interceptor<BedrockMessage> interceptor;
    private final Consumer<String> problems;
    private boolean failed;

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
        this.interceptor = interceptor;
        this.problems = problems;
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
        List<BedrockMessage> decided = decide(direction, message);
        List<Bytes> encoded = new ArrayList<>(decided.size());
        try {
            for (BedrockMessage each : decided) {
                // Identity: an equal message may have been encoded otherwise by its sender.
                encoded.add(isSame(each, message) ? bytes : encode(each, message, unread));
            }
        } catch (RuntimeException e) {
            report(e);
            output.send(message, bytes);
            return;
        }
        for (int i = 0; i < decided.size(); i++) {
            output.send(decided.get(i), encoded.get(i));
        }
    }

    @SuppressWarnings("ReferenceEquality") // As said where it is used.
    private static boolean isSame(BedrockMessage one, BedrockMessage other) {
        return one == other;
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

    private List<BedrockMessage> decide(Direction direction, BedrockMessage message) {
        if (interceptor == null) {
            return List.of(message);
        }
        try {
            return interceptor.onMessage(direction, message);
        } catch (RuntimeException e) {
            report(e);
            return List.of(message);
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

    private void report(RuntimeException defect) {
        if (!failed) {
            failed = true;
            problems.accept("the interceptor failed, messages pass unchanged then: " + defect);
        }
    }
}
