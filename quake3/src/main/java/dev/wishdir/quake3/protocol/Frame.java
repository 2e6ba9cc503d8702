package dev.wishdir.quake3.protocol;

import dev.wishdir.quake3.message.EntityDelta;
import dev.wishdir.quake3.message.EntityState;
import dev.wishdir.quake3.message.FullSnapshot;
import dev.wishdir.quake3.message.PlayerState;
import dev.wishdir.quake3.message.ServerMessage.Snapshot;
import dev.wishdir.wire.Bytes;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The full state of one snapshot, and a delta base of later ones. Entities are sorted by number.
 * Immutable.
 */
public final class Frame {
    /** The delta base of a full snapshot. */
    public static final Frame EMPTY =
            new Frame(0, Bytes.EMPTY, PlayerState.ZERO, new int[0], new EntityState[0]);

    private final int serverTime;
    private final Bytes hiddenAreas;
    private final PlayerState player;
    private final int[] numbers;
    private final EntityState[] states;

    /**
     * @param hiddenAreas a bit for each area that is not visible
     * @param numbers ascending; neither array may change afterwards
     */
    public Frame(
            int serverTime,
            Bytes hiddenAreas,
            PlayerState player,
            int[] numbers,
            EntityState[] states) {
        this.serverTime = serverTime;
        this.hiddenAreas = hiddenAreas;
        this.player = player;
        this.numbers = numbers;
        this.states = states;
    }

    /** The frame of a full snapshot. */
    public static Frame of(FullSnapshot snapshot) {
        return new Frame(
                snapshot.serverTime(),
                snapshot.areabits(),
                snapshot.player(),
                snapshot.entities().keySet().stream().mapToInt(Integer::intValue).toArray(),
                snapshot.entities().values().toArray(EntityState[]::new));
    }

    /**
     * The frame as a snapshot that is not delta coded.
     *
     * @param flags of the snapshot
     */
    public FullSnapshot full(int flags) {
        SortedMap<Integer, EntityState> entities = new TreeMap<>();
        for (int i = 0; i < numbers.length; i++) {
            entities.put(numbers[i], states[i]);
        }
        return new FullSnapshot(serverTime, flags, hiddenAreas, player, entities);
    }

    /** The server time in milliseconds. */
    public int serverTime() {
        return serverTime;
    }

    public PlayerState player() {
        return player;
    }

    public int size() {
        return numbers.length;
    }

    /** The number of the entity at an index. */
    public int number(int index) {
        return numbers[index];
    }

    /** The state of the entity at an index. */
    public EntityState state(int index) {
        return states[index];
    }

    /** An entity's state, or null if it is not in the frame. */
    public @Nullable EntityState entity(int number) {
        int index = Arrays.binarySearch(numbers, number);
        return index < 0 ? null : states[index];
    }

    /**
     * The snapshot of this frame against a delta base.
     *
     * @param base {@link #EMPTY} with a {@code deltaNum} of 0
     * @param baselines by number, for entities that the base lacks
     * @param deltaCache shared by all connections
     */
    public Snapshot since(
            Frame base,
            int deltaNum,
            int flags,
            Map<Integer, EntityState> baselines,
            EntityDeltaCache deltaCache) {
        List<EntityDelta> deltas = new ArrayList<>(numbers.length);
        int from = 0;
        for (int i = 0; i < numbers.length; i++) {
            int number = numbers[i];
            while (from < base.numbers.length && base.numbers[from] < number) {
                deltas.add(EntityDelta.removed(base.numbers[from++]));
            }
            if (from < base.numbers.length && base.numbers[from] == number) {
                EntityState old = base.states[from++];
                if (!states[i].equals(old)) {
                    deltas.add(deltaCache.between(number, old, states[i]));
                }
            } else {
                EntityState baseline = baselines.getOrDefault(number, EntityState.ZERO);
                deltas.add(deltaCache.between(number, baseline, states[i]));
            }
        }
        while (from < base.numbers.length) {
            deltas.add(EntityDelta.removed(base.numbers[from++]));
        }
        return new Snapshot(
                serverTime, deltaNum, flags, hiddenAreas, player.since(base.player), deltas);
    }

    /** The frame of a snapshot whose delta base is this frame. */
    Frame apply(Snapshot snapshot, Map<Integer, EntityState> baselines) {
        int maxEntities = numbers.length + snapshot.entities().size();
        int[] newNumbers = new int[maxEntities];
        EntityState[] newStates = new EntityState[maxEntities];
        int count = 0;
        int from = 0;
        for (EntityDelta delta : snapshot.entities()) {
            int number = delta.number();
            while (from < numbers.length && numbers[from] < number) {
                newNumbers[count] = numbers[from];
                newStates[count++] = states[from++];
            }
            EntityState old =
                    from < numbers.length && numbers[from] == number
                            ? states[from++]
                            : baselines.getOrDefault(number, EntityState.ZERO);
            if (!delta.removed()) {
                newNumbers[count] = number;
                newStates[count++] = old.apply(delta.changes());
            }
        }
        while (from < numbers.length) {
            newNumbers[count] = numbers[from];
            newStates[count++] = states[from++];
        }
        return new Frame(
                snapshot.serverTime(),
                snapshot.areabits(),
                player.apply(snapshot.playerState()),
                Arrays.copyOf(newNumbers, count),
                Arrays.copyOf(newStates, count));
    }
}
