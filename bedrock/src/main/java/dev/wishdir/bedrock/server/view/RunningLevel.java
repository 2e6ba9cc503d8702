package dev.wishdir.bedrock.server.view;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.event.Level;
import dev.wishdir.bedrock.map.BlockWorld;
import dev.wishdir.bedrock.message.LevelChunk;
import dev.wishdir.bedrock.protocol.BedrockCodec;
import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.blocks.arena.MoveTrigger;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;

import java.util.List;

/** The world that the players of this game are in. */
public final class RunningLevel {
    /**
     * @param chunks that are not empty
     */
    public record World(Level level, List<LevelChunk> chunks, List<MoveTrigger> triggers) {
        public static World of(BlockArena blocks) {
            return new World(
                    Level.of(blocks), BlockWorld.chunks(blocks.blocks()), blocks.moveTriggers());
        }
    }

    private final Arena arena;
    private World world;

    public RunningLevel(long now, Arena arena, World first) {
        this.arena = arena;
        world = first;
        arena.setLevel(now, BedrockCodec.NAME, first.level());
    }

    public World get() {
        return world;
    }

    public void change(long now, World next) {
        world = next;
        arena.setLevel(now, BedrockCodec.NAME, next.level());
    }

    /** Chooses a spawn point for a client that has not joined the arena. */
    public Movement spawnPoint(long now) {
        return spawn(arena.chooseSpawnPoint(now, places()));
    }

    /** Chooses the spawn point of a player. */
    public Movement spawnPoint(long now, ArenaPlayer player) {
        return spawn(player.chooseSpawnPoint(now, places()));
    }

    private List<Vec3> places() {
        return world.level().spawns().stream().map(Movement::position).toList();
    }

    private Movement spawn(int index) {
        return world.level().spawns().get(index);
    }
}
