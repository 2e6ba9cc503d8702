package dev.wishdir.game;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.Level;
import dev.wishdir.net.DutyCycle;
import dev.wishdir.world.blocks.BlockArena;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The arena of blocks that all games of a server play, and how it becomes another: for all of them
 * at once, on the word of an operator, in whichever game that is given. Used on the thread of the
 * duty cycle alone.
 */
public final class SharedArena {
    /** What somebody is told who would have one game play something else. */
    public static final String REFUSAL =
            "This arena is shared with players of other games: only the operator changes it.";

    /** What the names of the generated maps begin with, in all games. */
    public static final String PREFIX = "wishdir_";

    /** A game that plays what is on the stage. */
    @FunctionalInterface
    public interface Participant {
        /**
         * Makes what the game's clients need of an arena. Called by another thread, as it may take
         * seconds, and once an arena.
         *
         * @return what has the clients play it
         * @throws IOException if the game can't have it
         */
        PreparedMap prepare(BlockArena arena) throws IOException;
    }

    /** An arena as a game has it, ready to be played. */
    @FunctionalInterface
    public interface PreparedMap {
        /** Everybody who is here, and who comes, plays it from now on. May be called again. */
        void activate(long now);
    }

    private static final Logger LOG = LoggerFactory.getLogger(SharedArena.class);

    private final DutyCycle cycle;
    private final Arena arena;
    private final Map<String, BlockArena> offered = new LinkedHashMap<>();
    private final Set<Participant> guests = new LinkedHashSet<>();
    private final Map<Participant, Map<String, PreparedMap>> ready = new HashMap<>();
    private BlockArena played;

    /** The name of the one that is being prepared. */
    private Optional<String> wanted = Optional.empty();

    /**
     * @param cycle of the server
     * @param first what is played at first
     * @param others what may be played, too
     */
    public SharedArena(
            DutyCycle cycle, Arena arena, BlockArena first, Collection<BlockArena> others) {
        this.cycle = cycle;
        this.arena = arena;
        played = first;
        offered.put(first.name(), first);
        others.forEach(other -> offered.putIfAbsent(other.name(), other));
    }

    /** What is played. */
    public BlockArena blocks() {
        return played;
    }

    /**
     * A game plays it, too, and what follows.
     *
     * @param preparedMap to what is played now
     */
    public void enter(Participant participant, PreparedMap preparedMap) {
        guests.add(participant);
        keep(participant, played.name(), preparedMap);
    }

    private void keep(Participant participant, String name, PreparedMap preparedMap) {
        ready.computeIfAbsent(participant, _ -> new HashMap<>()).put(name, preparedMap);
    }

    /** A game plays something else. */
    public void leave(Participant participant) {
        guests.remove(participant);
        ready.remove(participant);
    }

    /** Whether a game plays it together with others, and so does not choose alone. */
    public boolean isShared(Participant participant) {
        return guests.size() > 1 && guests.contains(participant);
    }

    /**
     * Whether it is for the stage what an operator of a game wants to be played: that is of all who
     * share it, and of who plays it alone if it offers this arena, or the map that is made of one.
     */
    public boolean controls(Participant participant, String name) {
        return isShared(participant) || guests.contains(participant) && provides(name);
    }

    /** Whether it can be played by all, by its own name or that of the map that is made of it. */
    public boolean provides(String name) {
        return offered.containsKey(plain(name));
    }

    private static String plain(String name) {
        return name.startsWith(PREFIX) ? name.substring(PREFIX.length()) : name;
    }

    /**
     * The operator wants another arena, or the same anew. All games begin it at once, when the last
     * has made its map.
     *
     * @return what to tell the operator
     */
    public String change(long now, String name) {
        BlockArena next = offered.get(plain(name));
        if (next == null) {
            return "There is no arena '" + name + "' here: " + String.join(", ", offered.keySet());
        }
        String soon = "All play " + next.name() + " as soon as its maps are made.";
        if (wanted.filter(next.name()::equals).isPresent()) {
            return soon + " " + progress(next.name());
        }
        List<Participant> lacking = unprepared(next.name());
        if (lacking.isEmpty()) {
            activate(now, next);
            return "All play " + next.name() + ".";
        }
        wanted = Optional.of(next.name());
        lacking.forEach(participant -> prepare(participant, next));
        if (wanted.isEmpty()) {
            return "The maps of " + next.name() + " can't be made now: try again in a while.";
        }
        arena.announce(now, "Preparing the arena " + next.name() + " ...");
        return soon;
    }

    /** How far an arena is prepared, for the operator. */
    private String progress(String name) {
        return guests.size() - unprepared(name).size() + " of " + guests.size() + " games have it.";
    }

    private List<Participant> unprepared(String name) {
        return guests.stream()
                .filter(participant -> !ready.getOrDefault(participant, Map.of()).containsKey(name))
                .toList();
    }

    private void prepare(Participant participant, BlockArena next) {
        boolean begun =
                cycle.offloadLong(
                        () -> participant.prepare(next),
                        preparedMap -> prepared(participant, next, preparedMap),
                        thrown -> failed(next.name(), String.valueOf(thrown.getMessage())));
        if (!begun) {
            wanted = Optional.empty();
        }
    }

    private void prepared(Participant participant, BlockArena next, PreparedMap preparedMap) {
        if (!guests.contains(participant)) {
            return;
        }
        keep(participant, next.name(), preparedMap);
        if (wanted.filter(next.name()::equals).isEmpty()) {
            return;
        }
        LOG.info("arena {}: {}", next.name(), progress(next.name()));
        if (unprepared(next.name()).isEmpty()) {
            arena.announce(cycle.now(), "The arena " + next.name() + " begins.");
            activate(cycle.now(), next);
        }
    }

    private void failed(String name, String why) {
        if (wanted.filter(name::equals).isPresent()) {
            wanted = Optional.empty();
            arena.announce(cycle.now(), "The arena " + name + " can't be played: " + why);
        }
    }

    private void activate(long now, BlockArena next) {
        wanted = Optional.empty();
        played = next;
        arena.setLevel(Level.of(next));
        for (Participant participant : List.copyOf(guests)) {
            PreparedMap preparedMap = ready.getOrDefault(participant, Map.of()).get(next.name());
            if (preparedMap != null) {
                preparedMap.activate(now);
            }
        }
    }
}
