package dev.wishdir.bedrock.server.view;

import dev.wishdir.bedrock.message.BedrockMessage;

import java.util.function.Consumer;

/** The world as one client has it: its view radius, and its chunks. */
public record ClientWorld(ChunkRadius radius, ChunkSender chunks) {
    /**
     * @param output takes messages to the client
     */
    public static ClientWorld of(Consumer<BedrockMessage> output) {
        return new ClientWorld(new ChunkRadius(output), new ChunkSender(output));
    }
}
