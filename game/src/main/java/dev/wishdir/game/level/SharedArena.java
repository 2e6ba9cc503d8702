package dev.wishdir.game.level;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.match.Match;
import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.net.loop.DutyCycle;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The arena of blocks that all games of a server play. An operator changes it for all games at
 * once, from any of them. Used only on the thread of the duty cycle.
 */
public final class SharedArena {
    /** Notice to a player that requests another map while the arena is shared. */
    public static final String REFUSAL =
            "This arena is shared with players of other games. Only the operator changes it.";

    /** A game that plays the shared arena. */
    @FunctionalInterface
    public interface Participant {
        /**
         * Makes what the game's clients need of an arena. Called on another thread, as it may take
         * seconds, and once per arena.
         *
         * @throws IOException if the game can't have the arena
         */
        PreparedMap prepare(BlockArena arena) throws IOException;
    }

    /** A game's maps of an arena, ready to be played. */
    @FunctionalInterface
    public interface PreparedMap {
        /** Starts it for all current and later players of the game. May be called again. */
        void activate(long now);
    }

    private static final Logger LOG = LoggerFactory.getLogger(SharedArena.class);

    /** Maximum number of other servers that a text names, as games cut long ones. */
    private static final int MAX_NAMED_SERVERS = 4;

    private final DutyCycle cycle;
    private final Arena arena;
    private final Map<String, BlockArena> available = new LinkedHashMap<>();
    private final Set<Participant> participants = new LinkedHashSet<>();
    private final Map<Participant, Map<String, PreparedMap>> ready = new HashMap<>();

    /** The games that are preparing an arena, by its name. */
    private final Map<String, Set<Participant>> preparing = new HashMap<>();

    /** Arenas that were prepared ahead: once each, also if that failed. */
    private final Set<String> preparedAhead = new HashSet<>();

    private BlockArena current;

    /** The names of the arenas of the rounds, in their order. */
    private List<String> rotation;

    private Consumer<String> onStart = _ -> {};
    private Function<String, List<String>> awaitedServers = _ -> List.of();

    /** Name of the arena that starts when it is prepared. */
    private Optional<String> pending = Optional.empty();

    /**
     * @param cycle of the server
     * @param first current at first
     * @param others available besides it
     */
    public SharedArena(
            DutyCycle cycle, Arena arena, BlockArena first, Collection<BlockArena> others) {
        this.cycle = Objects.requireNonNull(cycle, "cycle");
        this.arena = Objects.requireNonNull(arena, "arena");
        current = Objects.requireNonNull(first, "first");
        available.put(first.name(), first);
        others.forEach(other -> available.putIfAbsent(other.name(), other));
        rotation = List.copyOf(available.keySet());
        arena.match().setRotation(this::playNext);
    }

    /**
     * Sets the arenas in which the rounds of a match are played, one after another. Without it, all
     * that are available.
     *
     * @param names of available arenas; at least one
     */
    public void setRotation(List<String> names) {
        if (names.isEmpty() || !available.keySet().containsAll(names)) {
            throw new IllegalArgumentException(
                    "the rotation " + names + " must name some of " + available.keySet());
        }
        rotation = List.copyOf(names);
    }

    /** Plays the next arena of the rotation after a round of the match, or the same again. */
    private void playNext(long now) {
        String next = rotation.get((rotation.indexOf(current.name()) + 1) % rotation.size());
        // An arena that an operator has chosen meanwhile is the next one.
        if (pending.isEmpty() && !next.equals(current.name())) {
            change(now, next);
        }
        beginIfWaiting(now);
    }

    /** Begins the next round here, unless an arena is being prepared for it. */
    private void beginIfWaiting(long now) {
        if (pending.isEmpty() && arena.match().phase() == Match.Phase.INTERMISSION) {
            arena.match().begin(now);
        }
    }

    /** Sets the listener of arenas that start, by their names; called before a game starts it. */
    public void onStart(Consumer<String> listener) {
        onStart = listener;
    }

    /**
     * Sets which other servers an arena waits for once it is ready here, so that all start it
     * together.
     *
     * @param servers the names, as players read them, of the servers that do not have the arena of
     *     the given name ready; empty to start it. Asked with the arena {@link #pending}, and again
     *     by {@link #startPending}
     */
    public void setAwaitedServers(Function<String, List<String>> servers) {
        awaitedServers = servers;
    }

    /** The names of the arenas that can be played. */
    public Set<String> names() {
        return Set.copyOf(available.keySet());
    }

    /** The current arena. */
    public BlockArena blocks() {
        return current;
    }

    /**
     * Adds a game that plays the current arena and all later ones.
     *
     * @param preparedMap of the current arena
     */
    public void enter(Participant participant, PreparedMap preparedMap) {
        participants.add(participant);
        store(participant, current.name(), preparedMap);
    }

    private void store(Participant participant, String name, PreparedMap preparedMap) {
        ready.computeIfAbsent(participant, _ -> new HashMap<>()).put(name, preparedMap);
    }

    /** Removes a game, as it plays something else. */
    public void leave(Participant participant) {
        participants.remove(participant);
        ready.remove(participant);
    }

    /** Whether a game plays it together with others, and so can't change maps by itself. */
    public boolean isShared(Participant participant) {
        return participants.size() > 1 && participants.contains(participant);
    }

    /**
     * Whether a map change that an operator of one game requests changes the shared arena: always
     * if several games share it; for a single game only if the name is an available arena or its
     * generated map.
     */
    public boolean controls(Participant participant, String name) {
        return isShared(participant) || participants.contains(participant) && provides(name);
    }

    /** Whether an arena of this name is available, or one whose generated map has it. */
    public boolean provides(String name) {
        return available.containsKey(BlockArena.nameOfMap(name));
    }

    /**
     * Changes the arena, or restarts the current one. All games start it at once, when the last has
     * prepared its maps, here and on the {@linkplain #setAwaitedServers other servers}.
     *
     * @return the answer for the operator
     */
    public String change(long now, String name) {
        BlockArena next = available.get(BlockArena.nameOfMap(name));
        if (next == null) {
            return "Arena '"
                    + name
                    + "' can't be played here. Arenas: "
                    + String.join(", ", available.keySet());
        }
        String soon = "All play " + next.name() + " as soon as its maps are ready.";
        boolean isPending = pending.filter(next.name()::equals).isPresent();
        pending = Optional.of(next.name());
        if (!isPending) {
            unprepared(next.name()).forEach(participant -> prepare(participant, next));
            if (pending.isEmpty()) {
                return "The server is too busy to prepare " + next.name() + ". Try again later.";
            }
        }
        String waiting = waitingText(next.name());
        if (waiting.isEmpty() && unprepared(next.name()).isEmpty()) {
            activate(now, next);
            return "All play " + next.name() + ".";
        }
        if (isPending) {
            return soon + " " + progress(next.name()) + waiting;
        }
        arena.announce(now, "Preparing the arena " + next.name() + " ...");
        return soon + waiting;
    }

    /** The other servers that an arena waits for, as a further sentence; empty for none. */
    private String waitingText(String name) {
        List<String> servers = awaitedServers.apply(name);
        if (servers.isEmpty()) {
            return "";
        }
        int more = servers.size() - MAX_NAMED_SERVERS;
        return " Waiting for "
                + servers.stream().limit(MAX_NAMED_SERVERS).collect(Collectors.joining(", "))
                + (more > 0 ? " and " + more + " more." : ".");
    }

    /**
     * Starts the {@linkplain #pending pending} arena if it is ready here and on all servers that it
     * waits for. To be called when that may have changed on another server.
     *
     * @return whether it starts
     */
    public boolean startPending(long now) {
        BlockArena next = pending.map(available::get).orElse(null);
        if (next == null
                || !unprepared(next.name()).isEmpty()
                || !awaitedServers.apply(next.name()).isEmpty()) {
            return false;
        }
        arena.announce(now, "The arena " + next.name() + " starts.");
        activate(now, next);
        return true;
    }

    /**
     * Name of the arena that starts when all games have prepared it, here and on other servers;
     * empty for none.
     */
    public Optional<String> pending() {
        return pending;
    }

    /**
     * Prepares an arena that is going to be played, so that {@link #change} to it starts it without
     * delay. Only the first call for an arena has an effect.
     *
     * @param name may name no available arena
     */
    public void prepareAhead(String name) {
        BlockArena next = available.get(name);
        if (next != null && preparedAhead.add(name)) {
            unprepared(name).forEach(participant -> prepare(participant, next));
        }
    }

    /** Whether games prepare an arena. */
    public boolean isPreparing(String name) {
        return !preparing.getOrDefault(name, Set.of()).isEmpty();
    }

    /** Progress of the preparation, for the operator. */
    private String progress(String name) {
        return participants.size()
                - unprepared(name).size()
                + " of "
                + participants.size()
                + " games have it.";
    }

    private List<Participant> unprepared(String name) {
        return participants.stream()
                .filter(participant -> !ready.getOrDefault(participant, Map.of()).containsKey(name))
                .toList();
    }

    private void prepare(Participant participant, BlockArena next) {
        Set<Participant> underWay = preparing.computeIfAbsent(next.name(), _ -> new HashSet<>());
        if (!underWay.add(participant)) {
            return;
        }
        boolean started =
                cycle.offloadLong(
                        () -> participant.prepare(next),
                        preparedMap -> {
                            underWay.remove(participant);
                            prepared(participant, next, preparedMap);
                        },
                        thrown -> {
                            underWay.remove(participant);
                            failed(next.name(), String.valueOf(thrown.getMessage()));
                        });
        if (!started) {
            underWay.remove(participant);
            pending = pending.filter(it -> !it.equals(next.name()));
        }
    }

    private void prepared(Participant participant, BlockArena next, PreparedMap preparedMap) {
        if (!participants.contains(participant)) {
            return;
        }
        store(participant, next.name(), preparedMap);
        if (pending.filter(next.name()::equals).isEmpty()) {
            return;
        }
        LOG.info("arena {}: {}{}", next.name(), progress(next.name()), waitingText(next.name()));
        if (!startPending(cycle.now()) && unprepared(next.name()).isEmpty()) {
            arena.announce(
                    cycle.now(),
                    "The arena " + next.name() + " is ready." + waitingText(next.name()));
        }
    }

    private void failed(String name, String reason) {
        if (pending.filter(name::equals).isPresent()) {
            pending = Optional.empty();
            arena.announce(cycle.now(), "The arena " + name + " can't be played: " + reason);
            beginIfWaiting(cycle.now());
        }
    }

    private void activate(long now, BlockArena next) {
        pending = Optional.empty();
        current = next;
        arena.setLevel(Level.of(next));
        // First, so that other servers start it before they receive what follows from it.
        onStart.accept(next.name());
        for (Participant participant : List.copyOf(participants)) {
            PreparedMap preparedMap = ready.getOrDefault(participant, Map.of()).get(next.name());
            if (preparedMap != null) {
                preparedMap.activate(now);
            }
        }
        arena.match().begin(now);
    }
}
