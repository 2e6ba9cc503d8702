package dev.wishdir.arena;

import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.Movement;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Who is here and what everyone sees. It knows no protocol: the endpoints of the games bring
 * players in with a {@link Viewer} each, and report how they move; the arena tells every viewer of
 * it.
 *
 * <p>Movement goes out as soon as coalescing allows. The first movement after a quiet time leaves
 * in the same turn; the next relay comes an interval later, with the newest movement of everyone
 * who moved meanwhile. The interval grows with the number of players, so that the datagrams a
 * second stay near {@link #RELAYS_PER_SECOND} however many play.
 *
 * <p>Not thread-safe: one thread owns it, that of the server's duty cycle, which calls {@link
 * #advance}.
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

    private static final long NEVER = Long.MAX_VALUE;

    private final Bounds bounds;
    private final int capacity;
    private final Map<Integer, Player> players = new LinkedHashMap<>();
    private final Map<String, Player> names = new LinkedHashMap<>();
    private final List<Observer> observers = new ArrayList<>();
    private final List<Player> movers = new ArrayList<>();
    private final List<Player> relaying = new ArrayList<>();
    private int nextId = 1;
    private long lastRelay;
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

    public void observe(Observer observer) {
        observers.add(observer);
    }

    /** Ends what {@link #observe} began. */
    public void ignore(Observer observer) {
        observers.remove(observer);
    }

    /**
     * Brings a player in, without a body. Its viewer is not told of those who are here already:
     * take them from {@link #players}.
     *
     * @param now nanoseconds
     * @param name wished for; the player's name is this, cleaned and made unique
     * @throws IllegalStateException if the arena is full: ask {@link #isFull} first
     */
    public Player join(long now, String game, String name, Viewer viewer) {
        if (isFull()) {
            throw new IllegalStateException("the arena is full");
        }
        Player player =
                new Player(nextId++, game, "", Movement.at(bounds.center(), 0), viewer, now);
        takeName(player, name);
        for (Player other : players.values()) {
            other.viewer().joined(player);
        }
        players.put(player.id(), player);
        observers.forEach(observer -> observer.joined(player));
        return player;
    }

    /** A player leaves; does nothing if it has left. */
    public void leave(Player player) {
        if (players.remove(player.id()) == null) {
            return;
        }
        names.remove(key(player.name), player);
        movers.remove(player);
        player.spawned = false;
        for (Player other : players.values()) {
            other.viewer().left(player);
        }
        observers.forEach(observer -> observer.left(player));
    }

    /** Gives a player a body. If it has one, it gets a new one: others see it gone and back. */
    public void spawn(Player player, Movement movement) {
        if (!isHere(player)) {
            return;
        }
        if (player.spawned) {
            despawn(player);
        }
        player.movement = clamped(movement);
        player.nativeMovement = Player.NO_NATIVE;
        player.spawned = true;
        for (Player other : players.values()) {
            if (other != player) {
                other.viewer().spawned(player);
            }
        }
        observers.forEach(observer -> observer.spawned(player));
    }

    /** Takes a player's body away: it died or became a spectator. */
    public void despawn(Player player) {
        if (!isHere(player) || !player.spawned) {
            return;
        }
        player.spawned = false;
        player.moved = false;
        movers.remove(player);
        for (Player other : players.values()) {
            if (other != player) {
                other.viewer().despawned(player);
            }
        }
        observers.forEach(observer -> observer.despawned(player));
    }

    /**
     * A player moved. Ignored while it has no body, and where the movement is not valid; a position
     * outside the arena is clamped to it, the native form is passed on as it is.
     *
     * @param nativeMovement the movement as the player's game sent it, or {@link Player#NO_NATIVE}
     */
    public void move(Player player, Movement movement, Object nativeMovement) {
        if (!player.spawned || !movement.isValid()) {
            return;
        }
        player.movement = clamped(movement);
        player.nativeMovement = nativeMovement;
        if (!player.moved) {
            player.moved = true;
            movers.add(player);
        }
        for (int i = 0; i < observers.size(); i++) {
            observers.get(i).moved(player);
        }
    }

    /**
     * A player is somewhere else of a sudden, with the body that it had. Ignored as {@link #move}
     * is; a move that says the same in the game's own form may follow.
     */
    public void teleport(Player player, Movement movement) {
        if (!player.spawned || !movement.isValid()) {
            return;
        }
        player.movement = clamped(movement);
        for (Player other : players.values()) {
            if (other != player) {
                other.viewer().teleported(player);
            }
        }
    }

    /** A player says something to all; control characters are dropped, a long text is cut. */
    public void say(Player player, String text) {
        String clean = cleaned(text, TEXT_LENGTH);
        if (!isHere(player) || clean.isEmpty()) {
            return;
        }
        for (Player other : players.values()) {
            if (other != player) {
                other.viewer().said(player, clean);
            }
        }
        observers.forEach(observer -> observer.said(player, clean));
    }

    /** The server says something to all. */
    public void announce(String text) {
        String clean = cleaned(text, TEXT_LENGTH);
        players.values().forEach(player -> player.viewer().announced(clean));
    }

    /** A player wishes another name; it gets it cleaned and made unique. */
    public void rename(Player player, String name) {
        if (!isHere(player) || cleaned(name, NAME_LENGTH).equals(player.name)) {
            return;
        }
        String old = player.name;
        names.remove(key(old), player);
        takeName(player, name);
        if (player.name.equals(old)) {
            return;
        }
        for (Player other : players.values()) {
            if (other != player) {
                other.viewer().renamed(player, old);
            }
        }
        observers.forEach(observer -> observer.renamed(player, old));
    }

    /**
     * Relays what is due.
     *
     * @param now nanoseconds
     * @return when to call again, or {@link Long#MAX_VALUE} if nobody moved
     */
    public long advance(long now) {
        if (movers.isEmpty()) {
            return NEVER;
        }
        long due = lastRelay + interval();
        if (relayed && now < due && now >= lastRelay) {
            return due;
        }
        relay(now);
        return NEVER;
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
        List<Player> view = Collections.unmodifiableList(relaying);
        for (Player player : players.values()) {
            player.viewer().moved(view);
        }
    }

    private long interval() {
        return Math.clamp(
                players.size() * (1_000_000_000L / RELAYS_PER_SECOND),
                SHORTEST_INTERVAL,
                LONGEST_INTERVAL);
    }

    private boolean isHere(Player player) {
        return players.get(player.id()) == player;
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

    private void takeName(Player player, String wished) {
        String clean = cleaned(wished, NAME_LENGTH);
        String base = clean.isEmpty() ? "unnamed" : clean;
        String name = base;
        for (int i = 2; names.containsKey(key(name)); i++) {
            String suffix = "(" + i + ")";
            name = cut(base, NAME_LENGTH - suffix.length()) + suffix;
        }
        names.put(key(name), player);
        player.name = name;
    }

    private static String key(String name) {
        return name.toLowerCase(Locale.ROOT);
    }

    /** Text as every game may show it: no control or format characters, single blanks, cut. */
    static String cleaned(String text, int length) {
        StringBuilder clean = new StringBuilder(Math.min(text.length(), length));
        boolean blank = false;
        for (int i = 0, c;
                i < text.length() && clean.length() < length;
                i += Character.charCount(c)) {
            c = text.codePointAt(i);
            if (Character.isWhitespace(c) || Character.isSpaceChar(c)) {
                blank = !clean.isEmpty();
            } else if (!isUnseen(Character.getType(c))) {
                if (blank) {
                    clean.append(' ');
                    blank = false;
                }
                clean.appendCodePoint(c);
            }
        }
        return cut(clean.toString(), length).strip();
    }

    private static boolean isUnseen(int type) {
        return type == Character.CONTROL
                || type == Character.FORMAT
                || type == Character.SURROGATE
                || type == Character.PRIVATE_USE
                || type == Character.UNASSIGNED;
    }

    private static String cut(String text, int length) {
        if (text.length() <= length) {
            return text;
        }
        return text.substring(
                0, Character.isHighSurrogate(text.charAt(length - 1)) ? length - 1 : length);
    }
}
