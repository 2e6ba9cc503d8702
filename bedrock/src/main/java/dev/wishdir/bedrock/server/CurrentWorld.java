package dev.wishdir.bedrock.server;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.Level;
import dev.wishdir.arena.PlayerId;
import dev.wishdir.bedrock.map.BlockWorld;
import dev.wishdir.bedrock.message.LevelChunk;
import dev.wishdir.bedrock.protocol.BedrockCodec;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.world.blocks.BlockArena;
import dev.wishdir.world.blocks.MoveTrigger;

import java.util.List;
import java.util.Optional;

/** The world that the players of this game are in. */
final class CurrentWorld {
    /**
     * @param chunks that are not empty
     */
    record World(Level level, List<LevelChunk> chunks, List<MoveTrigger> triggers) {
        static World of(BlockArena blocks) {
            return new World(
                    Level.of(blocks), BlockWorld.chunks(blocks.blocks()), blocks.passages());
        }
    }

    private final Arena arena;
    private World world;

    CurrentWorld(long now, Arena arena, World first) {
        this.arena = arena;
        world = first;
        arena.setLevel(now, BedrockCodec.NAME, first.level());
    }

    World get() {
        return world;
    }

    void change(long now, World next) {
        world = next;
        arena.setLevel(now, BedrockCodec.NAME, next.level());
    }

    /**
     * Chooses the spawn point of a player.
     *
     * @param player empty for a client that has not joined the arena
     */
    Movement spawnPoint(long now, Optional<PlayerId> player) {
        List<Movement> spawns = world.level().spawns();
        List<Vec3> places = spawns.stream().map(Movement::position).toList();
        return spawns.get(arena.chooseSpawnPoint(now, player, places));
    }
}
