package dev.wishdir.bedrock.server;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.PlayerId;
import dev.wishdir.motion.Vec3;

import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * Parts of the endpoint that the weapons of all clients use.
 *
 * @param heldItems what clients see in the hands of all players
 * @param coolDown of hits between players of this game
 * @param criticals shows a critical hit on a player to the clients of this game
 * @param sounds plays a sound at a place for the clients of this game
 */
record CombatServices(
        Arena arena,
        CurrentWorld world,
        PlayerIdentities identities,
        HeldItems heldItems,
        HitCoolDown coolDown,
        Consumer<PlayerId> criticals,
        SoundOutput sounds,
        RandomGenerator random,
        DropCounter drops) {
    /** Plays a sound to all clients that hear it. */
    @FunctionalInterface
    interface SoundOutput {
        /**
         * @param name of the game's sounds
         * @param place metres
         */
        void play(String name, Vec3 place);
    }
}
