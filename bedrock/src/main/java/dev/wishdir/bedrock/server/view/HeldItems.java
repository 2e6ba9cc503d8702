package dev.wishdir.bedrock.server.view;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.bedrock.combat.ArmourSet;
import dev.wishdir.bedrock.combat.Weapon;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Items that clients see in the hands and on the bodies of all players. The weapons of those of
 * other games are known by their hits only.
 */
public final class HeldItems {
    private final Map<PlayerId, Weapon> items = new HashMap<>();

    /** The players that have drawn their bow. */
    private final Set<PlayerId> drawn = new HashSet<>();

    private final Map<PlayerId, ArmourSet> armour = new HashMap<>();
    private final PlayerIdentities identities;
    private final Consumer<PlayerId> relay;

    /**
     * @param relay shows what a player holds and wears to the clients of this game
     */
    public HeldItems(PlayerIdentities identities, Consumer<PlayerId> relay) {
        this.identities = identities;
        this.relay = relay;
    }

    public Weapon of(PlayerId id) {
        return items.getOrDefault(id, Weapon.NOTHING);
    }

    /** Whether a player has drawn its bow. */
    public boolean isDrawn(PlayerId id) {
        return drawn.contains(id);
    }

    /** Sets whether a player has drawn its bow. */
    public void draw(PlayerId id, boolean isDrawn) {
        if (isDrawn ? drawn.add(id) : drawn.remove(id)) {
            relay.accept(id);
        }
    }

    /** Sets what a player holds; what it has drawn stays drawn if that is the same. */
    public void show(PlayerId id, Weapon item) {
        if (of(id) != item) {
            set(id, item);
        }
    }

    /** Sets what a player holds, which is not drawn. */
    public void set(PlayerId id, Weapon item) {
        boolean isReleased = drawn.remove(id);
        if (of(id) != item || isReleased) {
            items.put(id, item);
            relay.accept(id);
        }
    }

    /** Armour of a player. */
    public ArmourSet armour(PlayerId id) {
        return armour.getOrDefault(id, ArmourSet.NONE);
    }

    /** Sets the armour of a player of any game, in the arena's scale. */
    public void wear(PlayerId id, double points) {
        ArmourSet set = ArmourSet.of(points);
        if (armour(id) != set) {
            armour.put(id, set);
            relay.accept(id);
        }
    }

    /** A player of another game shows its weapon with each hit. */
    public void onHit(ArenaEvent.Hit hit) {
        PlayerId attacker = hit.attacker().id();
        if (!identities.isClient(attacker)) {
            set(attacker, Weapon.of(hit.means()));
        }
    }

    public void forget(PlayerId id) {
        items.remove(id);
        drawn.remove(id);
        armour.remove(id);
    }
}
