package dev.wishdir.quake3.server.session;

import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.quake3.message.EntityState;

import org.jspecify.annotations.Nullable;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;

/** The sessions of an endpoint by slot, from {@code connect} until their slot is free again. */
public final class ClientTable implements Iterable<Quake3Session> {
    private final @Nullable Quake3Session[] slots;
    private final Map<PlayerId, Quake3Session> byPlayer = new HashMap<>();

    public ClientTable(int maxClients) {
        slots = new Quake3Session[Math.clamp(maxClients, 1, EntityState.MAX_CLIENTS)];
    }

    /** Adds a session in its slot. */
    void add(Quake3Session session) {
        slots[session.clientNum()] = session;
    }

    /** Frees a session's slot. */
    void remove(Quake3Session session) {
        slots[session.clientNum()] = null;
    }

    /** Adds a session under its player. */
    void addPlayer(PlayerId player, Quake3Session session) {
        byPlayer.put(player, session);
    }

    /** Removes the session of a player that has left. */
    void removePlayer(PlayerId player) {
        byPlayer.remove(player);
    }

    /** Whether a session still has its slot. */
    public boolean contains(Quake3Session session) {
        return slots[session.clientNum()] == session;
    }

    /** A free slot, or -1 if there is none. */
    public int freeSlot() {
        for (int slot = 0; slot < slots.length; slot++) {
            if (slots[slot] == null) {
                return slot;
            }
        }
        return -1;
    }

    /** The number of free slots. */
    public int freeSlots() {
        int free = 0;
        for (Quake3Session session : slots) {
            free += session == null ? 1 : 0;
        }
        return free;
    }

    /** The number of sessions in the arena. */
    public int players() {
        return byPlayer.size();
    }

    /** The session of a player; null for a foreign player. */
    public @Nullable Quake3Session find(PlayerId player) {
        return byPlayer.get(player);
    }

    /** The session of an in-band packet by qport: its port may have changed (NAT rebinding). */
    public @Nullable Quake3Session find(InetAddress address, int qport) {
        for (Quake3Session session : slots) {
            if (session != null && session.channel().transport().is(address, qport)) {
                return session;
            }
        }
        return null;
    }

    /** The player in the arena whose client has this address and port. */
    public Optional<ArenaPlayer> player(InetSocketAddress address) {
        return byPlayer.values().stream()
                .filter(session -> session.address().equals(address))
                .findFirst()
                .flatMap(Quake3Session::player);
    }

    /** Whether a session has this address, at any port. */
    public boolean isKnown(InetAddress address) {
        for (Quake3Session session : slots) {
            if (session != null && session.address().getAddress().equals(address)) {
                return true;
            }
        }
        return false;
    }

    /** The oldest session whose client has not sent a message since {@code connect}, or null. */
    public @Nullable Quake3Session oldestUnproven() {
        Quake3Session oldest = null;
        for (Quake3Session session : this) {
            if (session.state() instanceof Quake3Session.State.Connected
                    && session.player().isEmpty()
                    && (oldest == null
                            || session.activity().connectedAt()
                                    < oldest.activity().connectedAt())) {
                oldest = session;
            }
        }
        return oldest;
    }

    /** The longest idle session of an address, idle for the arena's time-out or longer; or null. */
    public @Nullable Quake3Session longestIdle(long now, InetAddress address) {
        Quake3Session longest = null;
        long most = Player.IDLE_TIMEOUT_NANOS - 1;
        for (Quake3Session session : this) {
            long idle = session.activity().idleNanos(now);
            if (!session.isZombie()
                    && idle > most
                    && session.address().getAddress().equals(address)) {
                longest = session;
                most = idle;
            }
        }
        return longest;
    }

    /** Iterates over all sessions; they may be removed meanwhile. */
    @Override
    public Iterator<Quake3Session> iterator() {
        return new Iterator<>() {
            private int slot;
            private @Nullable Quake3Session next = advance();

            private @Nullable Quake3Session advance() {
                while (slot < slots.length) {
                    Quake3Session session = slots[slot++];
                    if (session != null) {
                        return session;
                    }
                }
                return null;
            }

            @Override
            public boolean hasNext() {
                return next != null;
            }

            @Override
            public Quake3Session next() {
                Quake3Session session = next;
                if (session == null) {
                    throw new NoSuchElementException();
                }
                next = advance();
                return session;
            }
        };
    }
}
