package dev.wishdir.bedrock.server.view;

import dev.wishdir.bedrock.message.BedrockMessage;
import dev.wishdir.bedrock.message.BlockPos;
import dev.wishdir.bedrock.message.WorldMessage;
import dev.wishdir.net.limit.TokenBucket;

import java.util.List;
import java.util.function.Consumer;

/** Answers one client's requests for a view radius, with a rate limit. */
public final class ChunkRadius {
    private static final int MAX_RADIUS = 8;

    private final Consumer<BedrockMessage> output;
    private final TokenBucket bucket = new TokenBucket(3, 1);

    ChunkRadius(Consumer<BedrockMessage> output) {
        this.output = output;
    }

    public void handle(long now, WorldMessage.RequestChunkRadius request) {
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
