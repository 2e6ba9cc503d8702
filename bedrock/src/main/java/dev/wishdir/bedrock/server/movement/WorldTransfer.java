package dev.wishdir.bedrock.server.movement;

import dev.wishdir.bedrock.message.LevelChunk;
import dev.wishdir.bedrock.server.view.ChunkSender;
import dev.wishdir.motion.Movement;
import dev.wishdir.net.loop.DatagramHandler;

import java.util.List;
import java.util.Optional;

/**
 * Transfer of one client's player to another world: first its chunks, then the player's place
 * there, where the client has to arrive within a time-out.
 */
public final class WorldTransfer {
    private sealed interface State {
        record None() implements State {}

        /** The client is sent chunks. */
        record SendingChunks(long begun, Movement destination) implements State {}

        /** The client has all chunks. */
        record InTransfer(long begun, Movement destination) implements State {}
    }

    private static final State NONE = new State.None();
    private static final long TIMEOUT_NANOS = 60_000_000_000L;

    private final ChunkSender chunks;
    private State state = NONE;

    public WorldTransfer(ChunkSender chunks) {
        this.chunks = chunks;
    }

    void start(long now, List<LevelChunk> world, Movement destination) {
        chunks.show(world);
        state = new State.SendingChunks(now, destination);
    }

    /** Whether the client lacks chunks; its player must not move then. */
    public boolean isSendingChunks() {
        return state instanceof State.SendingChunks;
    }

    /**
     * Sends some more chunks.
     *
     * @return the player's place in the new world once all chunks are sent
     */
    Optional<Movement> sendChunks() {
        if (!(state instanceof State.SendingChunks(long begun, Movement destination))
                || chunks.sendPart()) {
            return Optional.empty();
        }
        state = new State.InTransfer(begun, destination);
        return Optional.of(destination);
    }

    /**
     * Ends the transfer, as the client has arrived.
     *
     * @return where it has arrived; empty if there was no transfer
     */
    Optional<Movement> finish() {
        State arrived = state;
        state = NONE;
        return arrived instanceof State.InTransfer(_, Movement destination)
                ? Optional.of(destination)
                : Optional.empty();
    }

    /** Time at which the client must have arrived, nanoseconds; never without a transfer. */
    public long deadline() {
        return switch (state) {
            case State.None _ -> DatagramHandler.NEVER;
            case State.SendingChunks(long begun, _) -> begun + TIMEOUT_NANOS;
            case State.InTransfer(long begun, _) -> begun + TIMEOUT_NANOS;
        };
    }
}
