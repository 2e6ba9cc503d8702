package dev.wishdir.bedrock.server;

import dev.wishdir.bedrock.message.BedrockMessage;
import dev.wishdir.bedrock.message.BlockPos;
import dev.wishdir.bedrock.message.WorldMessage;
import dev.wishdir.net.TokenBucket;

import java.util.List;
import java.util.function.Consumer;

/** The view radius that is sent to one client; it may ask as long as it is in the world. */
final class ChunkRadius {
    private static final int MAX_RADIUS = 8;

    private final Consumer<BedrockMessage> output;
    private final TokenBucket bucket = new TokenBucket(3, 1);

    ChunkRadius(Consumer<BedrockMessage> output) {
        this.output = output;
    }

    void asked(long now, WorldMessage.RequestChunkRadius request) {
        if (bucket.tryAcquire(now)) {
            output.accept(
                    new WorldMessage.ChunkRadiusUpdated(
                            Math.clamp(request.radius(), 1, MAX_RADIUS)));
            output.accept(
                    new WorldMessage.NetworkChunkPublisherUpdate(
                            new BlockPos(0, 0, 0), MAX_RADIUS * 16, List.of()));
        }
    }
}
