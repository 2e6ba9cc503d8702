package dev.wishdir.bedrock.server.view;

import dev.wishdir.bedrock.map.BlockWorld;
import dev.wishdir.bedrock.message.BedrockMessage;
import dev.wishdir.bedrock.message.LevelChunk;

import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.function.Consumer;

/** Sends the chunks of a world to one client: all at once, or part by part. */
public final class ChunkSender {
    /**
     * Number of chunks of a part: compression takes time, and many clients change the world
     * together.
     */
    private static final int CHUNKS_PER_PART = 4;

    private record Column(int x, int z) {}

    private final Consumer<BedrockMessage> output;

    /** The columns in which the client has blocks. */
    private final Set<Column> built = new HashSet<>();

    private final Queue<LevelChunk> waiting = new ArrayDeque<>();

    public ChunkSender(Consumer<BedrockMessage> output) {
        this.output = output;
    }

    /**
     * Queues the chunks of another world, and empty ones for columns that only the last world had.
     */
    public void show(List<LevelChunk> world) {
        waiting.clear();
        waiting.addAll(world);
        Set<Column> gone = new HashSet<>(built);
        world.forEach(chunk -> gone.remove(column(chunk)));
        gone.forEach(column -> waiting.add(BlockWorld.empty(column.x, column.z)));
    }

    private static Column column(LevelChunk chunk) {
        return new Column(chunk.x(), chunk.z());
    }

    /** Sends all queued chunks. */
    public void sendAll() {
        while (!waiting.isEmpty()) {
            send(waiting.remove());
        }
    }

    /**
     * Sends a part of the queued chunks.
     *
     * @return whether more are queued
     */
    public boolean sendPart() {
        for (int i = 0; i < CHUNKS_PER_PART && !waiting.isEmpty(); i++) {
            send(waiting.remove());
        }
        return !waiting.isEmpty();
    }

    private void send(LevelChunk chunk) {
        output.accept(chunk);
        if (chunk.count() == 0) {
            built.remove(column(chunk));
        } else {
            built.add(column(chunk));
        }
    }
}
