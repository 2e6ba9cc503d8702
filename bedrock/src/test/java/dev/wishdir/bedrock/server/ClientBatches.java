package dev.wishdir.bedrock.server;

import dev.wishdir.bedrock.message.BedrockMessage;
import dev.wishdir.bedrock.message.LoginMessage;
import dev.wishdir.bedrock.protocol.BatchCodec;
import dev.wishdir.bedrock.protocol.Batches;
import dev.wishdir.bedrock.protocol.BedrockCodec;
import dev.wishdir.bedrock.protocol.Compression.Algorithm;
import dev.wishdir.bedrock.protocol.login.EncryptionHandshake;
import dev.wishdir.bedrock.protocol.login.LoginIdentity;
import dev.wishdir.bedrock.protocol.login.LoginKeys;
import dev.wishdir.bedrock.protocol.login.LoginRejectedException;
import dev.wishdir.bedrock.protocol.login.Skins;
import dev.wishdir.wire.Writer;

import java.util.UUID;
import java.util.function.Consumer;

/** The batches of a client in tests: compressed and encrypted as the server asks for. */
public final class ClientBatches {
    private static final int MAX_MESSAGE_BYTES = 16 << 20;

    final BatchCodec batches = new BatchCodec(32 << 20, 8192);
    private final BedrockCodec codec;
    private final LoginKeys keys;

    ClientBatches(BedrockCodec codec, LoginKeys keys) {
        this.codec = codec;
        this.keys = keys;
    }

    /** A batch of messages. */
    public byte[] pack(BedrockMessage... messages) {
        byte[][] encoded = new byte[messages.length][];
        for (int i = 0; i < messages.length; i++) {
            Writer w = new Writer(MAX_MESSAGE_BYTES);
            codec.write(w, messages[i]);
            encoded[i] = w.toByteArray();
        }
        return Batches.pack(batches, encoded);
    }

    /**
     * Reads a batch of the server, and follows what it says of compression and encryption.
     *
     * @throws dev.wishdir.wire.MalformedPacketException if the server sent what is malformed
     */
    void read(byte[] batch, Consumer<BedrockMessage> handler) {
        batches.read(
                batch,
                reader -> {
                    BedrockMessage message = codec.read(reader);
                    follow(message);
                    handler.accept(message);
                });
    }

    private void follow(BedrockMessage message) {
        if (message instanceof LoginMessage.NetworkSettings settings) {
            batches.compress(Algorithm.ofSetting(settings.algorithm()), settings.threshold());
        } else if (message instanceof LoginMessage.ServerToClientHandshake handshake) {
            try {
                batches.encrypt(
                        EncryptionHandshake.accept(keys, handshake.token()).key().toArray());
            } catch (LoginRejectedException e) {
                throw new AssertionError(e);
            }
        }
    }

    /** A login without an account. */
    LoginMessage.Login login(String name, UUID id) {
        return LoginIdentity.selfSigned(
                codec.protocol(),
                keys,
                name,
                id,
                Skins.clientData(codec.game(), name, "s"),
                System.currentTimeMillis() / 1000);
    }
}
