package dev.wishdir.arena;

import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.Movement;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

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
 * <p>Movement goes out as soon as coalescing allows. The first movement after a quiet time leaves
 * in the same turn; the next relay comes an interval later, with the newest movement of everyone
 * who moved meanwhile. The interval grows with the number of players, so that the datagrams a
 * second stay near {@link #RELAYS_PER_SECOND} however many play.
 *
 * <p>Not thread-safe: one thread owns it, that of the server's duty cycle, which calls {@link
 * #advance}. Times are nanoseconds of that cycle's clock.
 */
public final class Arena {
    /** What a relay to one viewer counts against: so many a second in all. */
    static final int RELAYS_PER_SECOND = 24_000;

    /** Nanoseconds between two relays at the least. */
    static final long SHORTEST_INTERVAL = 2_000_000;

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

    private final Bounds bounds;
    private final int capacity;
    private final Map<PlayerId, Player> players = new LinkedHashMap<>();
    private final Names names = new Names();
    private final Delivery delivery = new Delivery(players.values());
    private final List<Player> movers = new ArrayList<>();
    private final List<Player> relaying = new ArrayList<>();
    private final List<Player> waiting = new ArrayList<>();
    private int nextNumber = 1;
    private long lastRelay;
    private long nextSilenceCheck;
    private boolean relayed;

    /**
     * @param bounds where a body may be; movement outside is clamped to it
     * @param capacity the most players at once, of all games
     */
    public Arena(Bounds bounds, int capacity) {
        this.bounds = bounds;
        this.capacity = capacity;
    }

    /** Where a body may be, metres. */
    public Bounds bounds() {
        return bounds;
    }

    /** The most players at once. */
    public int capacity() {
        return capacity;
    }

    /** Whether nobody more may join. */
    public boolean isFull() {
        return players.size() >= capacity;
    }

    /** Everyone here, in the order of joining; a live view. */
    public Collection<Player> players() {
        return Collections.unmodifiableCollection(players.values());
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
     * take them from {@link #players}.
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
        Player player = new Player(id, game, place, viewer, now, delivery.events() + 1);
        names.take(player, name);
        if (players.isEmpty()) {
            nextSilenceCheck = now + SILENCE_CHECK;
        }
        players.put(id, player);
        delivery.tell(new ArenaEvent.Joined(now, player));
        return player;
    }

    /** A player leaves; does nothing if it has left. */
    public void leave(long now, Player player, Departure why) {
        if (!player.here) {
            return;
        }
        boolean seen = player.spawned();
        player.here = false;
        player.embodied = false;
        player.moved = false;
        players.remove(player.id());
        names.free(player);
        movers.remove(player);
        waiting.remove(player);
        if (seen) {
            delivery.tell(new ArenaEvent.Despawned(now, player));
        }
        delivery.tell(new ArenaEvent.Left(now, player, why));
    }

    /** Gives a player a body. If it has one, it gets a new one: others see it gone and back. */
    public void spawn(long now, Player player, Movement movement) {
        if (!player.here) {
            return;
        }
        despawn(now, player);
        player.movement = clamped(movement);
        player.nativeMovement = Player.NO_NATIVE;
        player.embodied = true;
        player.silent = false;
        player.heard = now;
        delivery.tell(new ArenaEvent.Spawned(now, player, player.movement));
    }

    /** Takes a player's body away: it died or became a spectator. */
    public void despawn(long now, Player player) {
        boolean seen = player.spawned();
        player.embodied = false;
        hide(now, player, seen);
    }

    private void hide(long now, Player player, boolean seen) {
        if (seen) {
            player.moved = false;
            movers.remove(player);
            delivery.tell(new ArenaEvent.Despawned(now, player));
        }
    }

    /**
     * A player gave a sign of life, whatever it was. One who gives none for {@link #SILENCE} has no
     * body for the others until it does.
     */
    public void heard(long now, Player player) {
        player.heard = now;
        if (player.silent && player.here) {
            player.silent = false;
            if (player.embodied) {
                delivery.tell(new ArenaEvent.Spawned(now, player, player.movement));
            }
        }
    }

    /**
     * A player moved. Ignored while it has no body, and where the movement is not valid; a position
     * outside the arena is clamped to it, the native form is passed on as it is.
     *
     * @param nativeMovement the movement as the player's game sent it, or {@link Player#NO_NATIVE}
     */
    public void move(long now, Player player, Movement movement, Object nativeMovement) {
        heard(now, player);
        carry(now, player, movement, nativeMovement);
    }

    /**
     * The level moved a player, or changed how it looks: as {@link #move}, but no sign of life of
     * the player.
     */
    public void carry(long now, Player player, Movement movement, Object nativeMovement) {
        if (!player.spawned() || !movement.isValid()) {
            return;
        }
        player.movement = clamped(movement);
        player.nativeMovement = nativeMovement;
        if (!player.moved) {
            player.moved = true;
            movers.add(player);
        }
        if (delivery.isObserved()) {
            delivery.tell(new ArenaEvent.Moved(now, player, player.movement));
        }
    }

    /**
     * A player is somewhere else of a sudden, with the body that it had. Ignored as {@link #move}
     * is; a move that says the same in the game's own form may follow.
     */
    public void teleport(long now, Player player, Movement movement) {
        if (player.spawned() && movement.isValid()) {
            player.movement = clamped(movement);
            delivery.tell(new ArenaEvent.Teleported(now, player, player.movement));
        }
    }

    /**
     * A player says something to all; control characters are dropped, a long text is cut.
     *
     * @return whether it was said: not where nothing is left of it, or the player talks too much
     */
    public boolean say(long now, Player player, String text) {
        String clean = Names.cleaned(text, TEXT_LENGTH);
        if (!player.here || clean.isEmpty() || !allows(now, player, Deed.TALK, 1)) {
            return false;
        }
        delivery.tell(new ArenaEvent.Said(now, player, clean));
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
    public void rename(long now, Player player, String name) {
        if (Names.cleaned(name, NAME_LENGTH).equals(player.name)) {
            player.purse().forget(ArenaEvent.Renamed.class);
            return;
        }
        change(
                now,
                player,
                ArenaEvent.Renamed.class,
                time -> {
                    String old = player.name;
                    names.free(player);
                    names.take(player, name);
                    if (!player.name.equals(old)) {
                        delivery.tell(new ArenaEvent.Renamed(time, player, old, player.name));
                    }
                });
    }

    /** What a player's own game shows of it has changed, as its endpoint knows. */
    public void restyle(long now, Player player) {
        change(
                now,
                player,
                ArenaEvent.Restyled.class,
                time -> delivery.tell(new ArenaEvent.Restyled(time, player)));
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
    public void change(long now, Player player, Object kind, Change change) {
        if (!player.here) {
            return;
        }
        if (allows(now, player, Deed.CHANGE, 1)) {
            player.purse().forget(kind);
            change.make(now);
        } else if (player.here) {
            if (!player.purse().hasWaiting()) {
                waiting.add(player);
            }
            player.purse().keep(kind, change);
        }
    }

    /**
     * Whether a player may do something that reaches others, which is paid for with this. A player
     * who may not is told so once, and sent away when it goes on for long.
     *
     * @param amount of {@link Deed#BUILD} bytes, of the others how often
     */
    public boolean allows(long now, Player player, Deed deed, int amount) {
        if (!player.here) {
            return false;
        }
        switch (player.purse().take(now, deed, amount)) {
            case GRANTED -> {
                return true;
            }
            case REFUSED -> {}
            case REFUSED_FIRST -> delivery.tell(new ArenaEvent.Limited(now, player, deed));
            case DISMISSED ->
                    delivery.tell(
                            new ArenaEvent.Dismissed(
                                    now, player, "You were " + deed.doing() + " too much."));
        }
        return false;
    }

    /** A player was not shown what another did, since its line was too busy. */
    public void missed(Player viewer) {
        delivery.missed(viewer);
    }

    /**
     * A player moved as its game's physics does not allow. Told at most once a second a player.
     *
     * @param rule what it broke
     * @param measured what it did
     * @param allowed what it may, in the same unit, with every allowance
     */
    public void judged(long now, Player player, String rule, double measured, double allowed) {
        if (player.here && now - player.judged >= VERDICTS) {
            player.judged = now;
            delivery.tell(new ArenaEvent.Verdict(now, player, rule, measured, allowed));
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
        long next = NEVER;
        if (!players.isEmpty()) {
            makeWaiting(now);
            next = Math.min(delivery.advance(now), watch(now));
            next = waiting.isEmpty() ? next : Math.min(next, now + SILENCE_CHECK);
        }
        if (movers.isEmpty()) {
            return next;
        }
        long due = lastRelay + interval();
        if (relayed && now < due && now >= lastRelay) {
            return Math.min(next, due);
        }
        relay(now);
        return next;
    }

    private void makeWaiting(long now) {
        for (int i = waiting.size() - 1; i >= 0; i--) {
            Player player = waiting.get(i);
            player.purse().makeWaiting(now);
            if (!player.purse().hasWaiting()) {
                waiting.remove(player);
            }
        }
    }

    /** Takes the bodies of those away who are silent; gives the time of the next look. */
    private long watch(long now) {
        if (now >= nextSilenceCheck || nextSilenceCheck - now > SILENCE_CHECK) {
            // Who could not be heard, since nobody listened or the clock jumped, is not silent.
            boolean listened = Math.abs(now - nextSilenceCheck) < SILENCE;
            nextSilenceCheck = now + SILENCE_CHECK;
            for (Player player : List.copyOf(players.values())) {
                if (!listened) {
                    player.heard = now;
                } else if (!player.silent && now - player.heard >= SILENCE) {
                    boolean seen = player.spawned();
                    player.silent = true;
                    hide(now, player, seen);
                }
            }
        }
        return nextSilenceCheck;
    }

    /** Relays at once whatever has moved, for a game that must show it before something else. */
    public void relay(long now) {
        if (movers.isEmpty()) {
            return;
        }
        relayed = true;
        lastRelay = now;
        relaying.clear();
        relaying.addAll(movers);
        movers.clear();
        for (int i = 0; i < relaying.size(); i++) {
            relaying.get(i).moved = false;
        }
        delivery.relay(Collections.unmodifiableList(relaying));
    }

    private long interval() {
        return Math.clamp(
                players.size() * (1_000_000_000L / RELAYS_PER_SECOND),
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
