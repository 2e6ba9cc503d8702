package dev.wishdir.bedrock.server.combat;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.bedrock.combat.HitCoolDown;
import dev.wishdir.bedrock.server.movement.DropCounter;
import dev.wishdir.bedrock.server.view.HeldItems;
import dev.wishdir.bedrock.server.view.PlayerIdentities;
import dev.wishdir.bedrock.server.view.RunningLevel;
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
public record CombatServices(
        Arena arena,
        RunningLevel world,
        PlayerIdentities identities,
        HeldItems heldItems,
        HitCoolDown coolDown,
        Consumer<PlayerId> criticals,
        SoundOutput sounds,
        RandomGenerator random,
        DropCounter drops) {
    /** Plays a sound to all clients that hear it. */
    @FunctionalInterface
    public interface SoundOutput {
        /**
         * @param name of the game's sounds
         * @param place metres
         */
        void play(String name, Vec3 place);
    }
}
