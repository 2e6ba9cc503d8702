package dev.wishdir.bedrock.server;

import dev.wishdir.bedrock.message.BedrockMessage;

import java.util.function.Consumer;

/** The world as one client has it: its view radius, and its chunks. */
record ClientWorld(ChunkRadius radius, ChunkSender chunks) {
    /**
     * @param output takes messages to the client
     */
    static ClientWorld of(Consumer<BedrockMessage> output) {
        return new ClientWorld(new ChunkRadius(output), new ChunkSender(output));
    }
}
