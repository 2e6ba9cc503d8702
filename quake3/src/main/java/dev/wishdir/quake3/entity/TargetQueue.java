package dev.wishdir.quake3.entity;

import dev.wishdir.quake3.movement.PlayerBody;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;

/** What is used when something is fired that names it, at once or after a while. */
final class TargetQueue {
    /** The maximum number of uses that wait, and of uses per step: names may form a circle. */
    private static final int MAX_USES = 256;

    private final Map<String, List<Target>> named = new HashMap<>();
    private final PriorityQueue<Shot> shots =
            new PriorityQueue<>(Comparator.comparingInt(Shot::when));

    /** What can be used. */
    interface Target {
        /** A player uses it, perhaps from afar. */
        void use(int now, PlayerBody activator);
    }

    private record Shot(String target, PlayerBody activator, int when) {}

    /** Gives something a name; an empty one is none. */
    void name(String targetname, Target target) {
        if (!targetname.isEmpty()) {
            named.computeIfAbsent(targetname, _ -> new ArrayList<>()).add(target);
        }
    }

    /** Has all of a name used at a moment; an empty one is none. */
    void fire(String target, PlayerBody activator, int when) {
        if (named.containsKey(target) && shots.size() < MAX_USES) {
            shots.add(new Shot(target, activator, when));
        }
    }

    /** Uses what is due. */
    void advance(int now) {
        for (int i = 0; i < MAX_USES; i++) {
            Shot next = shots.peek();
            if (next == null || next.when() > now) {
                return;
            }
            shots.remove();
            for (Target target : named.getOrDefault(next.target(), List.of())) {
                target.use(now, next.activator());
            }
        }
    }
}
