package dev.wishdir.quake3.server.view;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.ArenaListener;
import dev.wishdir.arena.event.DamageMeans;
import dev.wishdir.arena.event.NativeMovement;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerAction;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.motion.Movement;
import dev.wishdir.quake3.combat.Weapon;
import dev.wishdir.quake3.message.EntityField;
import dev.wishdir.quake3.message.EntityState;
import dev.wishdir.quake3.movement.PlayerBody;
import dev.wishdir.quake3.movement.Quake3Motion;
import dev.wishdir.quake3.movement.Quake3Movement;
import dev.wishdir.quake3.protocol.EntityDeltaCache;
import dev.wishdir.quake3.protocol.Quake3Codec;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;

/**
 * Encodings shared by all viewers of this game: entity states of players by movement and slot, and
 * their deltas.
 */
public final class MovementCache implements ArenaListener {
    /**
     * An action of a foreign player.
     *
     * @param number counts the actions of its player
     * @param until end of the animation, nanoseconds
     */
    private record ActiveAction(PlayerAction action, int number, long until) {
        EntityState apply(long now, EntityState state) {
            return Quake3Motion.withAction(state, action, number, now < until);
        }
    }

    private static final long NEVER = Long.MAX_VALUE;

    private static final class CachedState {
        final Movement movement;
        final NativeMovement nativeMovement;
        final EntityState state;
        final @Nullable EntityState[] bySlot = new EntityState[EntityState.MAX_CLIENTS];

        /** Time at which the state must be built again, nanoseconds. */
        final long until;

        /** Powerups besides those of its own state. */
        final int powerups;

        /** The flag of an award. */
        final int award;

        /**
         * @param flags the teleport bit, set after an odd number of teleports
         * @param weapon in the hand of a foreign player
         * @param powerups besides those of its own state
         * @param award flag of an award
         */
        CachedState(
                Player player,
                int flags,
                Weapon weapon,
                @Nullable ActiveAction action,
                int powerups,
                int award,
                long now) {
            movement = player.movement();
            nativeMovement = player.nativeMovement();
            until = action != null && now < action.until ? action.until : NEVER;
            Optional<EntityState> own = Quake3Movement.state(nativeMovement);
            this.powerups = powerups;
            this.award = award;
            EntityState shown =
                    own.orElseGet(() -> {
                        EntityState foreign = Quake3Motion.entity(movement);
                        int old = foreign.get(EntityField.E_FLAGS);
                        EntityState armed =
                                Quake3Motion.withWeapon(
                                        foreign.with(EntityField.E_FLAGS, old | flags), weapon);
                        return action == null ? armed : action.apply(now, armed);
                    });
            EntityState marked =
                    with(with(shown, EntityField.POWERUPS, powerups), EntityField.E_FLAGS, award);
            state = player.isGhost() ? marked.with(EntityField.SOLID, 0) : marked;
        }

        /** A state with more bits in a field; the same without any. */
        private static EntityState with(EntityState state, EntityField field, int bits) {
            return bits == 0 ? state : state.with(field, state.get(field) | bits);
        }
    }

    private final LongSupplier clock;
    private final ToLongFunction<PlayerId> quadLeft;
    private final PlayerMarks marks;
    private final EntityDeltaCache deltas = new EntityDeltaCache();
    private final Map<PlayerId, CachedState> cache = new HashMap<>();
    private final Map<PlayerId, ActiveAction> actions = new HashMap<>();

    /** Foreign players that have teleported an odd number of times. */
    private final Set<PlayerId> teleportBit = new HashSet<>();

    /** The weapons of foreign players, which are known by their hits. */
    private final Map<PlayerId, Weapon> weapons = new HashMap<>();

    /**
     * @param clock of the cycle, nanoseconds
     * @param quadLeft time for which a player has quad damage, nanoseconds
     * @param marks of players of all games
     */
    public MovementCache(LongSupplier clock, ToLongFunction<PlayerId> quadLeft, PlayerMarks marks) {
        this.clock = clock;
        this.quadLeft = quadLeft;
        this.marks = marks;
    }

    /** The flags and awards of players. */
    public PlayerMarks marks() {
        return marks;
    }

    @Override
    public void onEvent(ArenaEvent event) {
        switch (event) {
            case ArenaEvent.Teleported e -> toggleTeleportBit(e.id());
            case ArenaEvent.ActionPerformed e -> startAction(e.time(), e.id(), e.action());
            case ArenaEvent.Hit e -> showWeapon(e.attacker(), e.means());
            case ArenaEvent.Left e -> forget(e.id());
            default -> {}
        }
    }

    /** The entity deltas that all clients share. */
    public EntityDeltaCache deltas() {
        return deltas;
    }

    /** The entity state of a player in a slot; that of a ghost is not solid. */
    EntityState of(Player player, int slot) {
        CachedState cached = cache.get(player.id());
        // Quad damage of this game's players is in their own state.
        boolean quad =
                !player.game().equals(Quake3Codec.GAME) && quadLeft.applyAsLong(player.id()) > 0;
        int powerups = marks.powerups(player.id()) | (quad ? Quake3Motion.QUAD_BIT : 0);
        int award = marks.entityFlags(player.id());
        if (cached == null
                || cached.powerups != powerups
                || cached.award != award
                || cached.until != NEVER && clock.getAsLong() >= cached.until
                || !cached.nativeMovement.equals(player.nativeMovement())
                || !cached.movement.equals(player.movement())) {
            cached =
                    new CachedState(
                            player,
                            teleportBit.contains(player.id()) ? PlayerBody.EF_TELEPORT_BIT : 0,
                            weapons.getOrDefault(player.id(), Weapon.GAUNTLET),
                            actions.get(player.id()),
                            powerups,
                            award,
                            clock.getAsLong());
            cache.put(player.id(), cached);
        }
        EntityState state = cached.bySlot[slot];
        if (state == null) {
            state = cached.state.with(EntityField.CLIENT_NUM, slot);
            cached.bySlot[slot] = state;
        }
        return state;
    }

    /** Toggles the teleport bit of a player, so that clients do not interpolate. */
    private void toggleTeleportBit(PlayerId player) {
        if (!teleportBit.remove(player)) {
            teleportBit.add(player);
        }
        cache.remove(player);
    }

    /** Starts an action of a foreign player; players of this game have it in their own state. */
    private void startAction(long now, PlayerId player, PlayerAction action) {
        ActiveAction before = actions.get(player);
        int number = before == null ? 1 : before.number + 1;
        actions.put(
                player, new ActiveAction(action, number, now + Quake3Motion.durationNanos(action)));
        cache.remove(player);
    }

    private void showWeapon(Player attacker, DamageMeans means) {
        if (means != DamageMeans.SUICIDE && !attacker.game().equals(Quake3Codec.GAME)) {
            Weapon weapon = Weapon.of(means);
            if (weapons.put(attacker.id(), weapon) != weapon) {
                cache.remove(attacker.id());
            }
        }
    }

    /** Removes a player that has left. */
    public void forget(PlayerId player) {
        teleportBit.remove(player);
        actions.remove(player);
        weapons.remove(player);
        cache.remove(player);
    }
}
