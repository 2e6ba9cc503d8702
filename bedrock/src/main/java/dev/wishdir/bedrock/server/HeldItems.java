package dev.wishdir.bedrock.server;

import dev.wishdir.arena.ArenaEvent;
import dev.wishdir.arena.PlayerId;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * What clients see in the hands and on the bodies of all players. The weapons of those of other
 * games are known by their hits only.
 */
final class HeldItems {
    private final Map<PlayerId, WeaponItem> items = new HashMap<>();

    /** The players that have drawn their bow. */
    private final Set<PlayerId> drawn = new HashSet<>();

    private final Map<PlayerId, ArmourSet> armour = new HashMap<>();
    private final PlayerIdentities identities;
    private final Consumer<PlayerId> relay;

    /**
     * @param relay shows what a player holds and wears to the clients of this game
     */
    HeldItems(PlayerIdentities identities, Consumer<PlayerId> relay) {
        this.identities = identities;
        this.relay = relay;
    }

    WeaponItem of(PlayerId id) {
        return items.getOrDefault(id, WeaponItem.NOTHING);
    }

    /** Whether a player has drawn its bow. */
    boolean isDrawn(PlayerId id) {
        return drawn.contains(id);
    }

    /** Sets whether a player has drawn its bow. */
    void draw(PlayerId id, boolean isDrawn) {
        if (isDrawn ? drawn.add(id) : drawn.remove(id)) {
            relay.accept(id);
        }
    }

    /** Sets what a player holds; what it has drawn stays drawn if that is the same. */
    void show(PlayerId id, WeaponItem item) {
        if (of(id) != item) {
            set(id, item);
        }
    }

    /** Sets what a player holds, which is not drawn. */
    void set(PlayerId id, WeaponItem item) {
        boolean isReleased = drawn.remove(id);
        if (of(id) != item || isReleased) {
            items.put(id, item);
            relay.accept(id);
        }
    }

    /** What a player wears. */
    ArmourSet armour(PlayerId id) {
        return armour.getOrDefault(id, ArmourSet.NONE);
    }

    /** Sets the armour of a player of any game, in the arena's scale. */
    void wear(PlayerId id, double points) {
        ArmourSet set = ArmourSet.of(points);
        if (armour(id) != set) {
            armour.put(id, set);
            relay.accept(id);
        }
    }

    /** A player of another game shows its weapon with each hit. */
    void onHit(ArenaEvent.Hit hit) {
        PlayerId attacker = hit.attacker().id();
        if (!identities.isClient(attacker)) {
            set(attacker, WeaponItem.of(hit.means()));
        }
    }

    void forget(PlayerId id) {
        items.remove(id);
        drawn.remove(id);
        armour.remove(id);
    }
}
