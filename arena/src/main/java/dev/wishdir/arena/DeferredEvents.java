package dev.wishdir.arena;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a viewer that is behind has not been told: for each player at most one change of each kind,
 * told as it is when the viewer can hear it, and how many deeds it missed.
 */
final class DeferredEvents {
    /** What one player was when the viewer was last told, as far as it has changed since. */
    private static final class Change {
        boolean joined;
        boolean body;
        boolean hadBody;
        boolean restyled;
        boolean teleported;
        @Nullable String oldName;
        @Nullable LeaveReason left;

        boolean isEmpty() {
            return !joined && !body && !restyled && !teleported && oldName == null && left == null;
        }
    }

    private final Map<ActivePlayer, Change> changes = new LinkedHashMap<>();
    private final Map<String, ArenaEvent.LevelChanged> levels = new LinkedHashMap<>();
    private @Nullable String announced;
    private int missed;

    boolean isEmpty() {
        return changes.isEmpty() && levels.isEmpty() && missed == 0 && announced == null;
    }

    /** Whether what happens to a player must be kept too, so that it is told in order. */
    boolean holds(@Nullable ActivePlayer subject) {
        return subject != null && changes.containsKey(subject);
    }

    /** Keeps what an event changed of somebody, or of all. */
    void keep(ArenaEvent event, @Nullable ActivePlayer subject) {
        if (event instanceof ArenaEvent.Announcement said) {
            announced = said.text();
        } else if (event instanceof ArenaEvent.LevelChanged changed) {
            levels.put(changed.game(), changed);
        } else if (subject != null) {
            keepOf(event, subject, changes.computeIfAbsent(subject, _ -> new Change()));
        }
    }

    private void keepOf(ArenaEvent event, ActivePlayer subject, Change change) {
        switch (event) {
            case ArenaEvent.Joined _ -> change.joined = true;
            case ArenaEvent.Left e -> {
                change.left = e.why();
                if (change.joined) {
                    changes.remove(subject);
                }
            }
            case ArenaEvent.Spawned _ -> body(change, false);
            case ArenaEvent.Despawned _ -> body(change, true);
            case ArenaEvent.Teleported _ -> change.teleported = true;
            case ArenaEvent.Renamed e ->
                    change.oldName = change.oldName == null ? e.oldName() : change.oldName;
            case ArenaEvent.AppearanceChanged _ -> change.restyled = true;
            case ArenaEvent.Chat _ -> missed++;
            // Who could not see it at once need not know of it.
            case ArenaEvent.ActionPerformed _,
                    ArenaEvent.Announcement _,
                    ArenaEvent.LevelChanged _,
                    ArenaEvent.Moved _,
                    ArenaEvent.MovementViolation _,
                    ArenaEvent.ToPlayer _,
                    ArenaEvent.JoinRefused _ -> {}
        }
        if (change.isEmpty()) {
            changes.remove(subject);
        }
    }

    /** Counts a deed that the viewer was not shown. */
    void miss() {
        missed++;
    }

    private static void body(Change change, boolean had) {
        if (!change.body) {
            change.body = true;
            change.hadBody = had;
        }
    }

    /** Tells a player's viewer what it has not been told, until it is behind again. */
    void tell(long now, ActivePlayer self) {
        Viewer viewer = self.viewer;
        while (!levels.isEmpty() && self.isHere() && !viewer.isCongested()) {
            ArenaEvent.LevelChanged first = levels.values().iterator().next();
            levels.remove(first.game());
            viewer.onEvent(first);
        }
        while (!changes.isEmpty() && self.isHere() && !viewer.isCongested()) {
            Map.Entry<ActivePlayer, Change> first = changes.entrySet().iterator().next();
            changes.remove(first.getKey());
            events(now, self, first.getKey(), first.getValue()).forEach(viewer::onEvent);
        }
        String said = announced;
        if (said != null && self.isHere() && !viewer.isCongested()) {
            announced = null;
            viewer.onEvent(new ArenaEvent.Announcement(now, said));
        }
        if (missed > 0 && self.isHere() && !viewer.isCongested()) {
            int deeds = missed;
            missed = 0;
            viewer.onEvent(new ArenaEvent.EventsDropped(now, self.snapshot(), deeds));
        }
    }

    private static List<ArenaEvent> events(
            long now, ActivePlayer self, ActivePlayer subject, Change change) {
        List<ArenaEvent> events = new ArrayList<>();
        Player player = subject.snapshot();
        if (change.joined) {
            events.add(new ArenaEvent.Joined(now, player));
        }
        if (change.body && change.hadBody) {
            events.add(new ArenaEvent.Despawned(now, player));
        }
        LeaveReason left = change.left;
        if (left != null) {
            events.add(new ArenaEvent.Left(now, player, left));
            return events;
        }
        String oldName = change.oldName;
        if (oldName != null && !change.joined && !oldName.equals(player.name())) {
            events.add(new ArenaEvent.Renamed(now, player, oldName, player.name()));
        }
        if (change.restyled && !change.joined) {
            events.add(new ArenaEvent.AppearanceChanged(now, player));
        }
        boolean seen = player.spawned() && self.interestSet.shows(subject);
        if (change.body && seen) {
            events.add(new ArenaEvent.Spawned(now, player, player.movement()));
        } else if (change.teleported && seen) {
            events.add(new ArenaEvent.Teleported(now, player, player.movement()));
        }
        return events;
    }
}
