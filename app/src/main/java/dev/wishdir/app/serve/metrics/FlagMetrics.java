package dev.wishdir.app.serve.metrics;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.FlagChange;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.Team;
import dev.wishdir.net.loop.Counters;

import java.util.concurrent.atomic.AtomicIntegerArray;

/** The measurements of a match with flags. The arena's thread writes; any thread may read. */
final class FlagMetrics {
    /** The game of a change that no player made. */
    static final String NO_GAME = "none";

    private static final double[] HELD_SECONDS = {1, 2.5, 5, 10, 15, 20, 30, 45, 60, 120, 300};

    private final Counters changes = new Counters();
    private final DurationHistogram held = new DurationHistogram(HELD_SECONDS);

    /** By team: 0 at home, 1 carried, 2 dropped. */
    private final AtomicIntegerArray states = new AtomicIntegerArray(Team.values().length);

    void onChanged(ArenaEvent.FlagChanged event) {
        changes.count(
                key(
                        event.flag(),
                        event.change(),
                        event.player().map(Player::game).orElse(NO_GAME)));
        states.set(
                event.flag().ordinal(),
                switch (event.change()) {
                    case TAKEN -> 1;
                    case DROPPED -> 2;
                    case RETURNED, RESET, CAPTURED -> 0;
                });
        if (!event.carried().isZero()) {
            held.record(event.carried().toNanos());
        }
    }

    /** A round has started or ended: all flags are at home. */
    void onRound() {
        for (Team team : Team.values()) {
            states.set(team.ordinal(), 0);
        }
    }

    private static String key(Team flag, FlagChange change, String game) {
        return flag + " " + change + " " + game;
    }

    long changes(Team flag, FlagChange change, String game) {
        return changes.get(key(flag, change, game));
    }

    int state(Team flag) {
        return states.get(flag.ordinal());
    }

    /** For how long players had a flag, each time. */
    DurationHistogram held() {
        return held;
    }
}
