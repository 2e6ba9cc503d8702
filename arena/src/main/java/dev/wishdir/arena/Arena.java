package dev.wishdir.arena;

import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.Movement;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Who is here and what everyone sees. It knows no protocol: the endpoints of the games bring
 * players in with a {@link Viewer} each, and report how they move; the arena tells every viewer of
 * it.
 *
 * <p>It changes first and tells afterwards, each {@link ArenaEvent} in order and once. What reaches
 * others is paid from the allowance of who does it ({@link Deed}): a change that can't be paid for
 * is kept, the newest of its kind, until it can; a deed is not passed on; who goes on and on is
 * {@linkplain ArenaEvent.Dismissed sent away}. A viewer that {@linkplain Viewer#isBehind is behind}
 * is told of changes when it can hear them, as they are by then.
 *
 * <p>A viewer is shown as many of the others as it has {@linkplain Viewer#places places} for, the
 * nearest; one that comes into sight is {@linkplain ArenaEvent.Spawned spawned} for it and one that
 * goes out of it {@linkplain ArenaEvent.Despawned despawned}. What else happens it is told of
 * everyone.
 *
 * <p>Movement goes out as soon as coalescing allows. The first movement after a quiet time leaves
 * in the same turn; the next relay to a viewer comes an interval later, with the newest movement of
 * everyone whom it is shown and who moved meanwhile. The interval is the viewer's own, and at least
 * one that grows with the number of players, so that the datagrams a second stay near {@link
 * #RELAYS_PER_SECOND} however many play. Who does not change is shown again five times a second.
 *
 * <p>Not thread-safe: one thread owns it, that of the server's duty cycle, which calls {@link
 * #advance}. Times are nanoseconds of that cycle's clock.
 */
public final class Arena {
    /** What a relay to one viewer counts against: so many a second in all. */
    static final int RELAYS_PER_SECOND = 24_000;

    /** Nanoseconds between two relays at the least. */
    static final long SHORTEST_INTERVAL = 2_000_000;

    /** Whom else a player is shown at once, unless the operator wishes otherwise. */
    public static final int SHOWN = 64;

    /** Relays to different viewers are this far apart, or together. */
    private static final long TICK = 1_000_000;

    /** Nanoseconds between two relays at the most: a thirtieth of a second. */
    static final long LONGEST_INTERVAL = 33_000_000;

    /** The most characters of a name. */
    public static final int NAME_LENGTH = 32;

    /** The most characters that a player says at once. */
    public static final int TEXT_LENGTH = 500;

    /** After so many nanoseconds without a sign of life nobody sees a body any more. */
    public static final long SILENCE = 5_000_000_000L;

    private static final long SILENCE_CHECK = 500_000_000;

    /** A player's verdicts by one rule are told this far apart. */
    private static final long VERDICTS = 1_000_000_000;

    private static final long NEVER = Long.MAX_VALUE;

    private final int capacity;
    private final int mostShown;
    private final Map<String, Level> levels = new LinkedHashMap<>();
    private final Map<PlayerId, Resident> residents = new LinkedHashMap<>();
    private final Names names = new Names();
    private final Delivery delivery = new Delivery(residents.values());
    private final List<Resident> waiting = new ArrayList<>();
    private final Level level;
    private Bounds bounds;
    private int nextNumber = 1;
    private long lastRelay;
    private long nextRelay = NEVER;
    private boolean relayed;
    private boolean moved;
    private long nextSilenceCheck;

    /**
     * @param level what is played by games that play nothing of their own
     * @param capacity the most players at once, of all games
     */
    public Arena(Level level, int capacity) {
        this(level, capacity, SHOWN);
    }

    /**
     * @param mostShown how many others a player is shown with a body at the most
     */
    public Arena(Level level, int capacity, int mostShown) {
        this.level = level;
        bounds = level.bounds();
        this.capacity = capacity;
        this.mostShown = mostShown;
    }

    /** What is played. */
    public Level level() {
        return level;
    }

    /** What a game plays: the arena's own level where it has said nothing else. */
    public Level level(String game) {
        return levels.getOrDefault(game, level);
    }

    /** Where a body of any game may be, metres; movement outside is clamped to it. */
    public Bounds bounds() {
        return bounds;
    }

    /** A game plays this from now on, perhaps the same that all play. */
    public void play(long now, String game, Level level) {
        Level before = levels.put(game, level);
        if (before != null && before.isSame(level)) {
            return;
        }
        bounds = this.level.bounds();
        for (Level each : levels.values()) {
            bounds = bounds.including(each.bounds());
        }
        delivery.tell(new ArenaEvent.LevelChanged(now, game, level, bounds));
    }

    /** The most players at once. */
    public int capacity() {
        return capacity;
    }

    /** Whether nobody more may join. */
    public boolean isFull() {
        return residents.size() >= capacity;
    }

    /** Everyone here, in the order of joining, as it is now. */
    public List<Player> players() {
        List<Player> players = new ArrayList<>(residents.size());
        for (Resident resident : residents.values()) {
            players.add(resident.snapshot());
        }
        return players;
    }

    /** A player as it is now; empty where it has left. */
    public Optional<Player> find(PlayerId id) {
        Resident resident = residents.get(id);
        return resident == null ? Optional.empty() : Optional.of(resident.snapshot());
    }

    /** Whether a player has not left. */
    public boolean isHere(PlayerId id) {
        return residents.containsKey(id);
    }

    /** Whom a player is shown with a body, as they are now; nobody where it has left. */
    public List<Player> shown(PlayerId viewer) {
        Resident resident = residents.get(viewer);
        return resident == null ? List.of() : resident.sight.players();
    }

    /** Tells a listener of all that happens from now on, without coalescing. */
    public void observe(ArenaListener observer) {
        delivery.observe(observer);
    }

    /** Ends what {@link #observe} began. */
    public void ignore(ArenaListener observer) {
        delivery.ignore(observer);
    }

    /**
     * Brings a player in, without a body. Its viewer is not told of those who are here already:
     * take them from {@link #players}, and those of them that it is shown from {@link #shown}.
     *
     * @param name wished for; the player's name is this, cleaned and made unique
     * @throws IllegalStateException if the arena is full: ask {@link #isFull} first
     */
    public Player join(long now, String game, String name, Viewer viewer) {
        if (isFull()) {
            throw new IllegalStateException("the arena is full");
        }
        PlayerId id = new PlayerId(0, nextNumber++);
        Movement place = Movement.at(bounds.center(), 0);
        Resident resident = new Resident(id, game, place, viewer, now, delivery.events() + 1);
        names.take(resident, name);
        if (residents.isEmpty()) {
            nextSilenceCheck = now + SILENCE_CHECK;
        }
        for (Resident other : residents.values()) {
            if (other.spawned()) {
                resident.sight.take(now, other, places(resident));
            }
        }
        residents.put(id, resident);
        delivery.tell(new ArenaEvent.Joined(now, resident.snapshot()), resident);
        return resident.snapshot();
    }

    private int places(Resident viewer) {
        return Math.min(mostShown, viewer.viewer.places());
    }

    /** A player leaves; does nothing if it has left. */
    public void leave(long now, PlayerId id, Departure why) {
        Resident player = residents.remove(id);
        if (player == null) {
            return;
        }
        boolean seen = player.spawned();
        player.here = false;
        player.embody(false);
        names.free(player);
        waiting.remove(player);
        hide(now, player, seen);
        for (Resident viewer : residents.values()) {
            viewer.sight.forget(player);
        }
        delivery.tell(new ArenaEvent.Left(now, player.snapshot(), why), player);
    }

    /** Gives a player a body. If it has one, it gets a new one: others see it gone and back. */
    public void spawn(long now, PlayerId id, Movement movement) {
        Resident player = residents.get(id);
        if (player == null) {
            return;
        }
        despawn(now, player);
        player.place(clamped(movement));
        player.embody(true);
        player.silence(false);
        player.heard = now;
        show(now, player);
    }

    /** Those who have a place for a player see its body. */
    private void show(long now, Resident player) {
        Player snapshot = player.snapshot();
        for (Resident viewer : residents.values()) {
            viewer.sight.take(now, player, places(viewer));
        }
        delivery.tellSeeing(new ArenaEvent.Spawned(now, snapshot, snapshot.movement()), player);
    }

    /** Takes a player's body away: it died or became a spectator. */
    public void despawn(long now, PlayerId id) {
        Resident player = residents.get(id);
        if (player != null) {
            despawn(now, player);
        }
    }

    private void despawn(long now, Resident player) {
        boolean seen = player.spawned();
        player.embody(false);
        hide(now, player, seen);
    }

    private void hide(long now, Resident player, boolean seen) {
        if (seen) {
            delivery.tellSeeing(new ArenaEvent.Despawned(now, player.snapshot()), player);
            for (Resident viewer : residents.values()) {
                viewer.sight.lose(player);
            }
        }
    }

    /**
     * A player gave a sign of life, whatever it was. One who gives none for {@link #SILENCE} has no
     * body for the others until it does.
     */
    public void heard(long now, PlayerId id) {
        Resident player = residents.get(id);
        if (player != null) {
            heard(now, player);
        }
    }

    private void heard(long now, Resident player) {
        player.heard = now;
        if (player.silent()) {
            player.silence(false);
            if (player.embodied()) {
                show(now, player);
            }
        }
    }

    /** An endpoint measured the round trip to a player, milliseconds. */
    public void ping(PlayerId id, int millis) {
        Resident player = residents.get(id);
        if (player != null) {
            player.ping(millis);
        }
    }

    /**
     * A player moved. Ignored while it has no body, and where the movement is not valid; a position
     * outside the arena is clamped to it, the native form is passed on as it is.
     *
     * @param nativeMovement the movement as the player's game sent it, or {@link
     *     NativeMovement.Stored#NONE}
     */
    public void move(long now, PlayerId id, Movement movement, NativeMovement nativeMovement) {
        heard(now, id);
        carry(now, id, movement, nativeMovement);
    }

    /**
     * The level moved a player, or changed how it looks: as {@link #move}, but no sign of life of
     * the player.
     */
    public void carry(long now, PlayerId id, Movement movement, NativeMovement nativeMovement) {
        Resident player = residents.get(id);
        if (player == null || !player.spawned() || !movement.isValid()) {
            return;
        }
        moved |= player.move(now, clamped(movement), nativeMovement);
        if (delivery.isObserved()) {
            Player snapshot = player.snapshot();
            delivery.tell(new ArenaEvent.Moved(now, snapshot, snapshot.movement()), player);
        }
    }

    /**
     * A player is somewhere else of a sudden, with the body that it had. Ignored as {@link #move}
     * is; a move that says the same in the game's own form may follow.
     */
    public void teleport(long now, PlayerId id, Movement movement) {
        Resident player = residents.get(id);
        if (player != null && player.spawned() && movement.isValid()) {
            player.place(clamped(movement));
            Player snapshot = player.snapshot();
            delivery.tellSeeing(
                    new ArenaEvent.Teleported(now, snapshot, snapshot.movement()), player);
        }
    }

    /**
     * A player says something to all; control characters are dropped, a long text is cut.
     *
     * @return whether it was said: not where nothing is left of it, or the player talks too much
     */
    public boolean say(long now, PlayerId id, String text) {
        String clean = Names.cleaned(text, TEXT_LENGTH);
        Resident player = residents.get(id);
        if (player == null || clean.isEmpty() || !allows(now, id, Deed.TALK, 1)) {
            return false;
        }
        delivery.tell(new ArenaEvent.Said(now, player.snapshot(), clean), player);
        return true;
    }

    /**
     * A player says something to another alone; paid for and cleaned as what it {@linkplain #say
     * says} to all.
     *
     * @return whether it was said: not to one who has left either
     */
    public boolean tell(long now, PlayerId from, PlayerId to, String text) {
        String clean = Names.cleaned(text, TEXT_LENGTH);
        Resident speaker = residents.get(from);
        Resident listener = residents.get(to);
        if (speaker == null
                || listener == null
                || clean.isEmpty()
                || !allows(now, from, Deed.TALK, 1)) {
            return false;
        }
        delivery.tell(
                new ArenaEvent.Told(now, listener.snapshot(), speaker.snapshot(), clean), listener);
        return true;
    }

    /** The server says something to all. */
    public void announce(long now, String text) {
        String clean = Names.cleaned(text, TEXT_LENGTH);
        if (!clean.isEmpty()) {
            delivery.tell(new ArenaEvent.Announced(now, clean));
        }
    }

    /** A player wishes another name; it gets it cleaned and made unique. */
    public void rename(long now, PlayerId id, String name) {
        Resident player = residents.get(id);
        if (player == null) {
            return;
        }
        if (Names.cleaned(name, NAME_LENGTH).equals(player.name())) {
            player.purse.forget(ArenaEvent.Renamed.class);
            return;
        }
        change(
                now,
                id,
                ArenaEvent.Renamed.class,
                time -> {
                    String old = player.name();
                    names.free(player);
                    names.take(player, name);
                    if (!player.name().equals(old)) {
                        delivery.tell(
                                new ArenaEvent.Renamed(time, player.snapshot(), old, player.name()),
                                player);
                    }
                });
    }

    /** What a player's own game shows of it has changed, as its endpoint knows. */
    public void restyle(long now, PlayerId id) {
        Resident player = residents.get(id);
        if (player != null) {
            change(
                    now,
                    id,
                    ArenaEvent.Restyled.class,
                    time ->
                            delivery.tell(
                                    new ArenaEvent.Restyled(time, player.snapshot()), player));
        }
    }

    /** A change that somebody wishes for. */
    @FunctionalInterface
    public interface Change {
        /**
         * @param now when it is made
         */
        void make(long now);
    }

    /**
     * Makes a change that reaches others, when its player may: at once, or later if no newer one of
     * the same kind has come until then.
     *
     * @param kind any value; of changes of the same kind only the newest counts
     */
    public void change(long now, PlayerId id, Object kind, Change change) {
        Resident player = residents.get(id);
        if (player == null) {
            return;
        }
        if (allows(now, id, Deed.CHANGE, 1)) {
            player.purse.forget(kind);
            change.make(now);
        } else if (player.here) {
            if (!player.purse.hasWaiting()) {
                waiting.add(player);
            }
            player.purse.keep(kind, change);
        }
    }

    /**
     * Whether a player may do something that reaches others, which is paid for with this. A player
     * who may not is told so once, and sent away when it goes on for long.
     *
     * @param amount of {@link Deed#BUILD} bytes, of the others how often
     */
    public boolean allows(long now, PlayerId id, Deed deed, int amount) {
        Resident player = residents.get(id);
        if (player == null) {
            return false;
        }
        switch (player.purse.take(now, deed, amount)) {
            case GRANTED -> {
                return true;
            }
            case REFUSED -> {}
            case REFUSED_FIRST ->
                    delivery.tell(new ArenaEvent.Limited(now, player.snapshot(), deed), player);
            case DISMISSED -> dismiss(now, id, "You were " + deed.doing() + " too much.");
        }
        return false;
    }

    /** A player must go: its endpoint sends it away with this reason. */
    public void dismiss(long now, PlayerId id, String reason) {
        Resident player = residents.get(id);
        if (player != null) {
            delivery.tell(new ArenaEvent.Dismissed(now, player.snapshot(), reason), player);
        }
    }

    /** A player was not shown what another did, since its line was too busy. */
    public void missed(PlayerId viewer) {
        Resident player = residents.get(viewer);
        if (player != null) {
            delivery.missed(player);
        }
    }

    /**
     * A player moved as its game's physics does not allow. Told at most once a second a player.
     *
     * @param rule what it broke
     * @param measured what it did
     * @param allowed what it may, in the same unit, with every allowance
     */
    public void judged(long now, PlayerId id, String rule, double measured, double allowed) {
        Resident player = residents.get(id);
        if (player != null && now - player.judged >= VERDICTS) {
            player.judged = now;
            delivery.tell(
                    new ArenaEvent.Verdict(now, player.snapshot(), rule, measured, allowed),
                    player);
        }
    }

    /**
     * An endpoint did not let somebody in who has proved its address.
     *
     * @param from the address, as text
     */
    public void refused(long now, String game, String from, String reason) {
        delivery.tell(new ArenaEvent.Refused(now, game, from, reason));
    }

    /**
     * Relays what is due, tells viewers what they could not be told before, and makes changes that
     * waited.
     *
     * @return when to call again, or {@link Long#MAX_VALUE} if nothing waits
     */
    public long advance(long now) {
        if (residents.isEmpty()) {
            return NEVER;
        }
        makeWaiting(now);
        long next = Math.min(delivery.advance(now), watch(now));
        next = waiting.isEmpty() ? next : Math.min(next, now + SILENCE_CHECK);
        if (!moved && (nextRelay == NEVER || now < nextRelay)) {
            return Math.min(next, nextRelay);
        }
        long due = lastRelay + TICK;
        if (relayed && now < due && now >= lastRelay) {
            return Math.min(next, due);
        }
        relay(now);
        return Math.min(next, nextRelay);
    }

    private void makeWaiting(long now) {
        for (int i = waiting.size() - 1; i >= 0; i--) {
            Resident player = waiting.get(i);
            player.purse.makeWaiting(now);
            if (!player.purse.hasWaiting()) {
                waiting.remove(player);
            }
        }
    }

    /** Takes the bodies of those away who are silent, and looks who is near whom. */
    private long watch(long now) {
        if (now >= nextSilenceCheck || nextSilenceCheck - now > SILENCE_CHECK) {
            // Who could not be heard, since nobody listened or the clock jumped, is not silent.
            boolean listened = Math.abs(now - nextSilenceCheck) < SILENCE;
            nextSilenceCheck = now + SILENCE_CHECK;
            for (Resident player : List.copyOf(residents.values())) {
                if (!listened) {
                    player.heard = now;
                } else if (!player.silent() && now - player.heard >= SILENCE) {
                    boolean seen = player.spawned();
                    player.silence(true);
                    hide(now, player, seen);
                }
            }
            for (Resident viewer : List.copyOf(residents.values())) {
                review(now, viewer);
            }
        }
        return nextSilenceCheck;
    }

    private void review(long now, Resident viewer) {
        for (Sight.Change change : viewer.sight.review(now, residents.values(), places(viewer))) {
            Resident other = change.who();
            if (!viewer.here || !other.here || !other.spawned()) {
                continue;
            }
            Player snapshot = other.snapshot();
            if (change.comes()) {
                if (viewer.sight.take(now, other, places(viewer))) {
                    delivery.tellOne(
                            viewer,
                            new ArenaEvent.Spawned(now, snapshot, snapshot.movement()),
                            other);
                }
            } else if (viewer.sight.lose(other)) {
                delivery.tellOne(viewer, new ArenaEvent.Despawned(now, snapshot), other);
            }
        }
    }

    private void relay(long now) {
        moved = false;
        relayed = true;
        lastRelay = now;
        nextRelay = delivery.relay(now, interval());
    }

    private long interval() {
        return Math.clamp(
                residents.size() * (1_000_000_000L / RELAYS_PER_SECOND),
                SHORTEST_INTERVAL,
                LONGEST_INTERVAL);
    }

    private Movement clamped(Movement movement) {
        if (!movement.isValid()) {
            return Movement.at(bounds.center(), 0);
        }
        return bounds.contains(movement.position())
                ? movement
                : new Movement(
                        bounds.clamp(movement.position()),
                        movement.yaw(),
                        movement.pitch(),
                        movement.velocity(),
                        movement.stance());
    }
}
