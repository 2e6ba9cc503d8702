package dev.wishdir.bedrock.server.movement;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.bedrock.map.BlockWorld;
import dev.wishdir.bedrock.message.BedrockMessage;
import dev.wishdir.bedrock.message.LevelChunk;
import dev.wishdir.bedrock.server.view.ChunkSender;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.loop.DatagramHandler;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

class WorldTransferTest {
    private static final Movement THERE = Movement.at(new Vec3(1, 2, 3), 0);

    private final List<BedrockMessage> sent = new ArrayList<>();
    private final WorldTransfer transfer = new WorldTransfer(new ChunkSender(sent::add));

    private static List<LevelChunk> chunks(int count) {
        return IntStream.range(0, count).mapToObj(x -> BlockWorld.empty(x, 0)).toList();
    }

    @Test
    void hasNoDeadlineWithoutTransfer() {
        assertThat(transfer.deadline()).isEqualTo(DatagramHandler.NEVER);
        assertThat(transfer.isSendingChunks()).isFalse();
        assertThat(transfer.sendChunks()).isEmpty();
        assertThat(transfer.finish()).isEmpty();
    }

    @Test
    void sendsAllChunksBeforePlayerIsMoved() {
        transfer.start(0, chunks(9), THERE);
        Optional<Movement> place = Optional.empty();
        int parts = 0;
        while (place.isEmpty()) {
            assertThat(transfer.isSendingChunks()).isTrue();
            place = transfer.sendChunks();
            parts++;
        }
        assertThat(place).contains(THERE);
        assertThat(parts).isEqualTo(3);
        assertThat(sent).hasSize(9);
        assertThat(transfer.isSendingChunks()).isFalse();
    }

    @Test
    void endsWithArrival() {
        transfer.start(5, chunks(1), THERE);
        assertThat(transfer.deadline()).isEqualTo(60_000_000_005L);
        transfer.sendChunks();
        assertThat(transfer.deadline()).isEqualTo(60_000_000_005L);
        assertThat(transfer.finish()).contains(THERE);
        assertThat(transfer.deadline()).isEqualTo(DatagramHandler.NEVER);
        assertThat(transfer.finish()).isEmpty();
    }

    @Test
    void startsAgainForAnotherWorld() {
        transfer.start(0, chunks(1), THERE);
        transfer.sendChunks();
        transfer.start(7, chunks(2), Movement.ORIGIN);
        assertThat(transfer.isSendingChunks()).isTrue();
        assertThat(transfer.sendChunks()).contains(Movement.ORIGIN);
        assertThat(transfer.deadline()).isEqualTo(60_000_000_007L);
    }
}
