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
final class Backlog {
    /** What one player was when the viewer was last told, as far as it has changed since. */
    private static final class Change {
        boolean joined;
        boolean body;
        boolean hadBody;
        boolean restyled;
        boolean teleported;
        @Nullable String oldName;
        @Nullable Departure left;
    }

    private final Map<Player, Change> changes = new LinkedHashMap<>();
    private @Nullable String announced;
    private int missed;

    boolean isEmpty() {
        return changes.isEmpty() && missed == 0 && announced == null;
    }

    /** Whether what happens to a player must be kept too, so that it is told in order. */
    boolean holds(ArenaEvent event) {
        return event instanceof ArenaEvent.OfPlayer of && changes.containsKey(of.player());
    }

    /** Keeps what an event changed. */
    void keep(ArenaEvent event) {
        switch (event) {
            case ArenaEvent.Joined e -> change(e).joined = true;
            case ArenaEvent.Left e -> {
                Change change = change(e);
                change.left = e.why();
                if (change.joined) {
                    changes.remove(e.player());
                }
            }
            case ArenaEvent.Spawned e -> body(e, false);
            case ArenaEvent.Despawned e -> body(e, true);
            case ArenaEvent.Teleported e -> change(e).teleported = true;
            case ArenaEvent.Renamed e -> {
                Change change = change(e);
                change.oldName = change.oldName == null ? e.oldName() : change.oldName;
            }
            case ArenaEvent.Restyled e -> change(e).restyled = true;
            case ArenaEvent.Announced e -> announced = e.text();
            case ArenaEvent.Said _ -> missed++;
            case ArenaEvent.Moved _,
                    ArenaEvent.Verdict _,
                    ArenaEvent.ToPlayer _,
                    ArenaEvent.Refused _ -> {}
        }
    }

    /** Counts a deed that the viewer was not shown. */
    void miss() {
        missed++;
    }

    private Change change(ArenaEvent.OfPlayer event) {
        return changes.computeIfAbsent(event.player(), _ -> new Change());
    }

    private void body(ArenaEvent.OfPlayer event, boolean had) {
        Change change = change(event);
        if (!change.body) {
            change.body = true;
            change.hadBody = had;
        }
    }

    /** Tells a player's viewer what it has not been told, until it is behind again. */
    void tell(long now, Player self) {
        Viewer viewer = self.viewer();
        while (!changes.isEmpty() && self.isHere() && !viewer.isBehind()) {
            Map.Entry<Player, Change> first = changes.entrySet().iterator().next();
            changes.remove(first.getKey());
            events(now, first.getKey(), first.getValue()).forEach(viewer::told);
        }
        String said = announced;
        if (said != null && self.isHere() && !viewer.isBehind()) {
            announced = null;
            viewer.told(new ArenaEvent.Announced(now, said));
        }
        if (missed > 0 && self.isHere() && !viewer.isBehind()) {
            int deeds = missed;
            missed = 0;
            viewer.told(new ArenaEvent.Missed(now, self, deeds));
        }
    }

    private static List<ArenaEvent> events(long now, Player player, Change change) {
        List<ArenaEvent> events = new ArrayList<>();
        if (change.joined) {
            events.add(new ArenaEvent.Joined(now, player));
        }
        if (change.body && change.hadBody) {
            events.add(new ArenaEvent.Despawned(now, player));
        }
        Departure left = change.left;
        if (left != null) {
            events.add(new ArenaEvent.Left(now, player, left));
            return events;
        }
        String oldName = change.oldName;
        if (oldName != null && !change.joined && !oldName.equals(player.name())) {
            events.add(new ArenaEvent.Renamed(now, player, oldName, player.name()));
        }
        if (change.restyled && !change.joined) {
            events.add(new ArenaEvent.Restyled(now, player));
        }
        if (change.body && player.spawned()) {
            events.add(new ArenaEvent.Spawned(now, player, player.movement()));
        } else if (change.teleported && player.spawned()) {
            events.add(new ArenaEvent.Teleported(now, player, player.movement()));
        }
        return events;
    }
}
