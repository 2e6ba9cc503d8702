package dev.wishdir.quake3.server.view;

import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.idtech.IntermissionView;
import dev.wishdir.idtech.Obstacle;
import dev.wishdir.motion.Vec3;
import dev.wishdir.motion.Vec3f;
import dev.wishdir.quake3.entity.LevelEntities;
import dev.wishdir.quake3.message.EntityField;
import dev.wishdir.quake3.message.EntityState;
import dev.wishdir.quake3.message.PlayerField;
import dev.wishdir.quake3.message.PlayerState;
import dev.wishdir.quake3.movement.PlayerBody;
import dev.wishdir.quake3.movement.Quake3Motion;
import dev.wishdir.quake3.protocol.Frame;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.function.ToIntFunction;

/** Builds the frames of one client's snapshots, and the obstacles of its movement. */
public final class SnapshotBuilder {
    /** Margin of the reach, larger than any step, units. */
    private static final float STEP = 64;

    /** Above walking and jumping speed, units/s; also half of what gravity adds in a second. */
    private static final float WALK = 400;

    private static final int FOLLOW = 4096;

    /** Maximum number of entities of a snapshot. */
    private static final int MAX_ENTITIES = 256;

    private final MovementCache movementCache;
    private final CombatEntities combatEntities;
    private final PlayerSlots slots;
    private final PlayerBody body;
    private final SpectatorFollow following;
    private final int clientNum;
    private final boolean openArena;

    public SnapshotBuilder(
            MovementCache movementCache,
            CombatEntities combatEntities,
            PlayerSlots slots,
            PlayerBody body,
            SpectatorFollow following,
            int clientNum,
            boolean openArena) {
        this.movementCache = movementCache;
        this.combatEntities = combatEntities;
        this.slots = slots;
        this.body = body;
        this.following = following;
        this.clientNum = clientNum;
        this.openArena = openArena;
    }

    /**
     * The frame of the client's next snapshot.
     *
     * @param isIntermission whether the board is shown, also to those who watch
     * @param intermission the level's own view between two rounds
     * @param players the players visible to the client
     * @param known whether the client has the configstring of the player in a slot
     * @param slotOf the slot of a player, the client's own included; -1 if it does not know it
     */
    public Frame frame(
            long now,
            int serverTime,
            LevelEntities level,
            boolean isIntermission,
            Optional<IntermissionView> intermission,
            List<Player> players,
            IntPredicate known,
            ToIntFunction<PlayerId> slotOf) {
        @Nullable Player[] others = slots.inSlots(players);
        Player followed = following.player().filter(_ -> following.slot() >= 0).orElse(null);
        int hidden = followed == null ? clientNum : following.slot();
        PlayerBody eyes = followed == null ? body : following.eyes(followed, serverTime);
        PlayerId viewer = slots.at(hidden);
        PlayerState unmarked = eyes.playerState(hidden, openArena);
        PlayerState state =
                viewer == null ? unmarked : movementCache.marks().mark(viewer, unmarked);
        PlayerState self = followed == null ? state : asFollowed(state);
        PlayerState own =
                isIntermission || eyes.isInIntermission()
                        ? PlayerBody.inIntermission(
                                intermission.map(view -> seenFrom(self, view)).orElse(self))
                        : self;
        int count = 0;
        int maxEntities = MAX_ENTITIES;
        int[] numbers = new int[maxEntities];
        EntityState[] states = new EntityState[maxEntities];
        for (int slot = 0; slot < EntityState.MAX_CLIENTS; slot++) {
            Player other = others[slot];
            if (other != null && slot != hidden && known.test(slot)) {
                slots.see(now, slot);
                numbers[count] = slot;
                EntityState seen = movementCache.of(other, slot);
                states[count++] = body.meets(seen, 0) ? seen.with(EntityField.SOLID, 0) : seen;
            }
        }
        for (LevelEntities.NetworkedEntity each : level.networkedEntities()) {
            numbers[count] = each.number();
            states[count++] = each.state().get();
        }
        Vec3f eye =
                new Vec3f(
                        own.real(PlayerField.ORIGIN_0),
                        own.real(PlayerField.ORIGIN_1),
                        own.real(PlayerField.ORIGIN_2) + own.get(PlayerField.VIEWHEIGHT));
        if (viewer != null) {
            for (CombatEntities.Visible each :
                    combatEntities.visible(viewer, eye, slotOf, maxEntities - count)) {
                numbers[count] = each.number();
                states[count++] = each.state();
            }
        }
        return new Frame(
                serverTime,
                level.hiddenAreas(eye),
                own,
                Arrays.copyOf(numbers, count),
                Arrays.copyOf(states, count));
    }

    private static PlayerState asFollowed(PlayerState seen) {
        return seen.with(PlayerField.PM_FLAGS, seen.get(PlayerField.PM_FLAGS) | FOLLOW);
    }

    /** Only what the client is shown: its body stays where it is. */
    private static PlayerState seenFrom(PlayerState self, IntermissionView view) {
        return self.withReal(PlayerField.ORIGIN_0, view.eye().x())
                .withReal(PlayerField.ORIGIN_1, view.eye().y())
                .withReal(PlayerField.ORIGIN_2, view.eye().z())
                .withReal(PlayerField.VIEWANGLES_0, view.angles().x())
                .withReal(PlayerField.VIEWANGLES_1, view.angles().y())
                .withReal(PlayerField.VIEWANGLES_2, view.angles().z())
                .with(PlayerField.VIEWHEIGHT, 0);
    }

    /**
     * The visible players that the client's body can reach during a move, without ghosts.
     *
     * @param millis duration of the move
     * @param players the players visible to the client
     * @param known whether the client has the configstring of the player in a slot
     */
    public List<Obstacle> obstacles(int millis, List<Player> players, IntPredicate known) {
        List<Obstacle> obstacles = new ArrayList<>();
        float seconds = Math.clamp(millis, 0, 1_000) / 1_000f;
        float reach = STEP + seconds * (body.velocity().length() + WALK + WALK * seconds);
        Vec3f origin = body.origin();
        Vec3 feet = Quake3Motion.feet(origin.x(), origin.y(), origin.z());
        for (Player other : players) {
            double distance = feet.distance(other.movement().position()) * Quake3Motion.SCALE;
            int slot = distance > 2 * reach ? -1 : slots.slot(other.id());
            if (slot < 0 || other.isGhost() || !known.test(slot)) {
                continue;
            }
            EntityState seen = movementCache.of(other, slot);
            // Players that overlap must be able to separate.
            if (body.meets(seen, reach) && !body.meets(seen, 0)) {
                obstacles.add(PlayerBody.obstacle(slot, seen));
            }
        }
        return obstacles;
    }
}
