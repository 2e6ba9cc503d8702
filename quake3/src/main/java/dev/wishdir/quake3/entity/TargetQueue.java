package dev.wishdir.quake3.entity;

import dev.wishdir.quake3.movement.PlayerBody;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;

/** The named targets of a level and their pending uses. */
final class TargetQueue {
    /** Maximum number of pending uses, and of uses per step: targets may form a circle. */
    private static final int MAX_USES = 256;

    private final Map<String, List<Target>> byName = new HashMap<>();
    private final PriorityQueue<PendingUse> pending =
            new PriorityQueue<>(Comparator.comparingInt(PendingUse::when));

    /** An entity that can be used. */
    interface Target {
        /** Uses the entity on behalf of a player, which may be far away. */
        void use(int now, PlayerBody activator);
    }

    private record PendingUse(String target, PlayerBody activator, int when) {}

    /** Registers a target under a name; ignored if the name is empty. */
    void register(String targetname, Target target) {
        if (!targetname.isEmpty()) {
            byName.computeIfAbsent(targetname, _ -> new ArrayList<>()).add(target);
        }
    }

    /** Schedules the use of all targets of a name; ignored if there are none. */
    void fire(String target, PlayerBody activator, int when) {
        if (byName.containsKey(target) && pending.size() < MAX_USES) {
            pending.add(new PendingUse(target, activator, when));
        }
    }

    /** Uses the targets that are due. */
    void advance(int now) {
        for (int i = 0; i < MAX_USES; i++) {
            PendingUse next = pending.peek();
            if (next == null || next.when() > now) {
                return;
            }
            pending.remove();
            for (Target target : byName.getOrDefault(next.target(), List.of())) {
                target.use(now, next.activator());
            }
        }
    }
}
