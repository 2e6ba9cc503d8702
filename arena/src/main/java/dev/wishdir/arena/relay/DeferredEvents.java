package dev.wishdir.arena.relay;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.Team;
import dev.wishdir.arena.player.ActivePlayer;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The events that a congested viewer has not been sent: at most one change of each kind per player,
 * sent later with the state of that time, and the number of dropped chat lines and actions.
 */
final class DeferredEvents {
    /** Changes of one player since the viewer was last notified. */
    private static final class Change {
        boolean joined;
        boolean body;
        boolean hadBody;
        boolean appearance;
        boolean teleported;
        ArenaEvent.@Nullable Hit hit;
        ArenaEvent.@Nullable Scored scored;
        ArenaEvent.@Nullable TeamChanged team;
        @Nullable String oldName;
        @Nullable LeaveReason left;

        boolean isEmpty() {
            return !joined
                    && !body
                    && !appearance
                    && !teleported
                    && hit == null
                    && scored == null
                    && team == null
                    && oldName == null
                    && left == null;
        }
    }

    private final ActivePlayer self;
    private final Viewer viewer;
    private final InterestSet interestSet;
    private final Map<ActivePlayer, Change> changes = new LinkedHashMap<>();
    private final Map<String, ArenaEvent.LevelChanged> levels = new LinkedHashMap<>();

    /** The newest start or end of a round. */
    private @Nullable ArenaEvent round;

    /** The newest change of each flag since. */
    private final Map<Team, ArenaEvent.FlagChanged> flags = new EnumMap<>(Team.class);

    private @Nullable String announcement;
    private int dropped;

    DeferredEvents(ActivePlayer self, Viewer viewer, InterestSet interestSet) {
        this.self = self;
        this.viewer = viewer;
        this.interestSet = interestSet;
    }

    boolean isEmpty() {
        return changes.isEmpty()
                && levels.isEmpty()
                && dropped == 0
                && announcement == null
                && round == null
                && flags.isEmpty();
    }

    /** Whether events of a player must be deferred too, to keep their order. */
    boolean isDeferred(@Nullable ActivePlayer subject) {
        return subject != null && changes.containsKey(subject);
    }

    /** Keeps what an event changed of a player, or of all. */
    void defer(ArenaEvent event, @Nullable ActivePlayer subject) {
        if (event instanceof ArenaEvent.Announcement said) {
            announcement = said.text();
        } else if (event instanceof ArenaEvent.LevelChanged changed) {
            levels.put(changed.game(), changed);
        } else if (event instanceof ArenaEvent.RoundStarted
                || event instanceof ArenaEvent.RoundEnded) {
            round = event;
            flags.clear();
            changes.values().forEach(change -> change.hit = null);
            changes.values().removeIf(Change::isEmpty);
        } else if (event instanceof ArenaEvent.FlagChanged changed) {
            flags.put(changed.flag(), changed);
        } else if (subject != null) {
            deferOf(event, subject, changes.computeIfAbsent(subject, _ -> new Change()));
        }
    }

    private void deferOf(ArenaEvent event, ActivePlayer subject, Change change) {
        switch (event) {
            case ArenaEvent.Joined _ -> change.joined = true;
            case ArenaEvent.Left e -> {
                change.left = e.reason();
                if (change.joined) {
                    changes.remove(subject);
                }
            }
            case ArenaEvent.Spawned _ -> body(change, false);
            case ArenaEvent.Despawned _ -> body(change, true);
            case ArenaEvent.Teleported _ -> change.teleported = true;
            case ArenaEvent.Renamed e ->
                    change.oldName = change.oldName == null ? e.oldName() : change.oldName;
            case ArenaEvent.AppearanceChanged _ -> change.appearance = true;
            // Only what the victim has left counts later, which a push does not change.
            case ArenaEvent.Hit e -> change.hit = e.damage() > 0 ? e : change.hit;
            case ArenaEvent.Died _ -> change.hit = null;
            case ArenaEvent.Scored e -> change.scored = e;
            case ArenaEvent.TeamChanged e -> change.team = e;
            case ArenaEvent.Chat _ -> dropped++;
            // An action is worth nothing later.
            case ArenaEvent.ActionPerformed _,
                    ArenaEvent.Announcement _,
                    ArenaEvent.FlagChanged _,
                    ArenaEvent.ItemTaken _,
                    ArenaEvent.ItemVanished _,
                    ArenaEvent.ItemReturned _,
                    ArenaEvent.LevelChanged _,
                    ArenaEvent.Moved _,
                    ArenaEvent.MovementViolation _,
                    ArenaEvent.Proved _,
                    ArenaEvent.RoundStarted _,
                    ArenaEvent.RoundEnded _,
                    ArenaEvent.ToPlayer _,
                    ArenaEvent.JoinRefused _ -> {}
        }
        if (change.isEmpty()) {
            changes.remove(subject);
        }
    }

    /** Counts a dropped event. */
    void countDropped() {
        dropped++;
    }

    private static void body(Change change, boolean had) {
        if (!change.body) {
            change.body = true;
            change.hadBody = had;
        }
    }

    /** Sends the viewer the deferred events until it is congested again. */
    void deliver(long now) {
        while (!levels.isEmpty() && self.isHere() && !viewer.isCongested()) {
            ArenaEvent.LevelChanged first = levels.values().iterator().next();
            levels.remove(first.game());
            viewer.onEvent(first);
        }
        ArenaEvent newest = round;
        if (newest != null && self.isHere() && !viewer.isCongested()) {
            round = null;
            viewer.onEvent(newest);
        }
        while (!changes.isEmpty() && self.isHere() && !viewer.isCongested()) {
            Map.Entry<ActivePlayer, Change> first = changes.entrySet().iterator().next();
            changes.remove(first.getKey());
            events(now, first.getKey(), first.getValue()).forEach(viewer::onEvent);
        }
        while (changes.isEmpty() && !flags.isEmpty() && self.isHere() && !viewer.isCongested()) {
            ArenaEvent.FlagChanged first = flags.values().iterator().next();
            flags.remove(first.flag());
            viewer.onEvent(first);
        }
        String said = announcement;
        if (said != null && self.isHere() && !viewer.isCongested()) {
            announcement = null;
            viewer.onEvent(new ArenaEvent.Announcement(now, said));
        }
        if (dropped > 0 && self.isHere() && !viewer.isCongested()) {
            int count = dropped;
            dropped = 0;
            viewer.onEvent(new ArenaEvent.EventsDropped(now, self.snapshot(), count));
        }
    }

    private List<ArenaEvent> events(long now, ActivePlayer subject, Change change) {
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
        if (change.appearance && !change.joined) {
            events.add(new ArenaEvent.AppearanceChanged(now, player));
        }
        if (change.team != null) {
            events.add(change.team);
        }
        if (change.scored != null) {
            events.add(change.scored);
        }
        if (change.hit != null) {
            events.add(change.hit);
        }
        boolean visible = player.spawned() && interestSet.contains(subject);
        if (change.body && visible) {
            events.add(new ArenaEvent.Spawned(now, player, player.movement()));
        } else if (change.teleported && visible) {
            events.add(new ArenaEvent.Teleported(now, player, player.movement()));
        }
        return events;
    }
}
