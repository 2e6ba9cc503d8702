package dev.wishdir.quake3.server;

import dev.wishdir.arena.Player;
import dev.wishdir.motion.Vec3;
import dev.wishdir.quake3.entity.LevelEntities;
import dev.wishdir.quake3.message.EntityField;
import dev.wishdir.quake3.message.EntityState;
import dev.wishdir.quake3.message.PlayerField;
import dev.wishdir.quake3.message.PlayerState;
import dev.wishdir.quake3.movement.PlayerBody;
import dev.wishdir.quake3.movement.Quake3Motion;
import dev.wishdir.quake3.protocol.Frame;
import dev.wishdir.world.Obstacle;
import dev.wishdir.world.Vec3f;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;

/** What one client sees of the arena at a moment, and what is in its way. */
final class SnapshotBuilder {
    /** Farther than any step, units. */
    private static final float STEP = 64;

    /** Faster than anybody walks and jumps, units a second; half of what gravity adds in one. */
    private static final float WALK = 400;

    private static final int FOLLOW = 4096;

    private final Clients clients;
    private final PlayerSlots visible;
    private final PlayerBody body;
    private final SpectatorFollow following;
    private final int clientNum;
    private final boolean openArena;

    SnapshotBuilder(
            Clients clients,
            PlayerSlots visible,
            PlayerBody body,
            SpectatorFollow following,
            int clientNum,
            boolean openArena) {
        this.clients = clients;
        this.visible = visible;
        this.body = body;
        this.following = following;
        this.clientNum = clientNum;
        this.openArena = openArena;
    }

    /**
     * What the client sees at a moment.
     *
     * @param shown whom it is shown with a body
     * @param known whether it knows whose body it sees in a slot
     */
    Frame frame(
            long now, int serverTime, LevelEntities level, List<Player> shown, IntPredicate known) {
        @Nullable Player[] others = visible.inSlots(shown);
        int followedSlot = following.slot();
        Player followed = followedSlot < 0 ? null : others[followedSlot];
        int hidden = followed == null ? clientNum : followedSlot;
        PlayerState own =
                followed == null
                        ? body.playerState(clientNum, openArena)
                        : through(following.eyes(followed, serverTime), hidden);
        int count = 0;
        int most = EntityState.MAX_CLIENTS + level.told().size();
        int[] numbers = new int[most];
        EntityState[] states = new EntityState[most];
        for (int slot = 0; slot < EntityState.MAX_CLIENTS; slot++) {
            Player other = others[slot];
            if (other != null && slot != hidden && known.test(slot)) {
                visible.see(now, slot);
                numbers[count] = slot;
                EntityState seen = clients.entities().of(other, slot);
                states[count++] = body.meets(seen, 0) ? seen.with(EntityField.SOLID, 0) : seen;
            }
        }
        for (LevelEntities.Told each : level.told()) {
            numbers[count] = each.number();
            states[count++] = each.state().get();
        }
        Vec3f eye =
                new Vec3f(
                        own.real(PlayerField.ORIGIN_0),
                        own.real(PlayerField.ORIGIN_1),
                        own.real(PlayerField.ORIGIN_2) + own.get(PlayerField.VIEWHEIGHT));
        return new Frame(
                serverTime,
                level.hiddenAreas(eye),
                own,
                Arrays.copyOf(numbers, count),
                Arrays.copyOf(states, count));
    }

    private PlayerState through(PlayerBody eyes, int slot) {
        PlayerState seen = eyes.playerState(slot, openArena);
        return seen.with(PlayerField.PM_FLAGS, seen.get(PlayerField.PM_FLAGS) | FOLLOW);
    }

    /**
     * What is in the client's way beside the level itself.
     *
     * @param millis how long it is going to move
     * @param shown whom it is shown with a body
     * @param known whether it knows whose body it sees in a slot
     */
    List<Obstacle> obstacles(int millis, List<Player> shown, IntPredicate known) {
        List<Obstacle> near = new ArrayList<>();
        float seconds = Math.clamp(millis, 0, 1_000) / 1_000f;
        float reach = STEP + seconds * (body.velocity().length() + WALK + WALK * seconds);
        Vec3f origin = body.origin();
        Vec3 feet = Quake3Motion.feet(origin.x(), origin.y(), origin.z());
        for (Player other : shown) {
            double away = feet.distance(other.movement().position()) * Quake3Motion.SCALE;
            int slot = away > 2 * reach ? -1 : visible.slot(other.id());
            if (slot < 0 || !known.test(slot)) {
                continue;
            }
            EntityState seen = clients.entities().of(other, slot);
            // Two who stand in each other may part.
            if (body.meets(seen, reach) && !body.meets(seen, 0)) {
                near.add(PlayerBody.obstacle(slot, seen));
            }
        }
        return near;
    }
}
