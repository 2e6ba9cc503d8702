package dev.wishdir.quake2.server.session;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.Player;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.net.limit.FailedAttemptLimiter;
import dev.wishdir.net.limit.HalfOpenTable;
import dev.wishdir.net.loop.MemoryBudget;
import dev.wishdir.quake2.netchan.NetchanHeader;
import dev.wishdir.quake2.protocol.Quake2Codec;
import dev.wishdir.quake2.server.view.PlayerEntityTable;

import org.jspecify.annotations.Nullable;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Predicate;

/**
 * The sessions of all clients by address: follows port changes (NAT rebinding), and removes expired
 * sessions.
 */
public final class ClientTable {
    private static final int MAX_HALF_OPEN = 128;

    private final EndpointContext context;
    private final Arena arena;
    private final int maxPlayers;
    private final MemoryBudget memoryBudget;
    private final PlayerEntityTable entityTable;
    private final Quake2Counters counters;
    private final Map<InetSocketAddress, Quake2Session> byAddress = new LinkedHashMap<>();
    private final HalfOpenTable<Quake2Session> halfOpen;

    /** Limits packets from unknown ports of a network that continue no session of their address. */
    private final FailedAttemptLimiter portGuessLimiter;

    public ClientTable(
            EndpointContext context, PlayerEntityTable entityTable, Quake2Counters counters) {
        this.context = context;
        arena = context.arena();
        maxPlayers = context.maxPlayers();
        memoryBudget = context.memoryBudget();
        this.entityTable = entityTable;
        this.counters = counters;
        portGuessLimiter = context.addressLimits().portGuesses();
        halfOpen = context.addressLimits().halfOpen(MAX_HALF_OPEN);
    }

    /** A live view of all sessions. */
    public Collection<Quake2Session> all() {
        return Collections.unmodifiableCollection(byAddress.values());
    }

    /** The session of an address. */
    public Optional<Quake2Session> find(InetSocketAddress address) {
        return Optional.ofNullable(byAddress.get(address));
    }

    /** The session that a packet belongs to, by its address and header; null for none. */
    public @Nullable Quake2Session sender(long now, InetSocketAddress from, NetchanHeader header) {
        Quake2Session session = byAddress.get(from);
        if (session == null) {
            session = findRebound(now, from, header);
        }
        return session != null && session.qport() == header.qport() ? session : null;
    }

    /** The session whose client has another port now, after NAT rebinding. */
    private @Nullable Quake2Session findRebound(
            long now, InetSocketAddress from, NetchanHeader header) {
        if (!portGuessLimiter.isAllowed(now, from.getAddress())) {
            return null;
        }
        boolean isGuess = false;
        for (Quake2Session session : byAddress.values()) {
            if (!session.address().getAddress().equals(from.getAddress())) {
                continue;
            }
            if (session.qport() != header.qport() || !session.continues(now, header)) {
                isGuess = true;
            } else if (session.allowsRebinding(now)) {
                counters.count("moved");
                byAddress.remove(session.address());
                session.rebind(from);
                byAddress.put(from, session);
                return session;
            } else {
                return null;
            }
        }
        if (isGuess) {
            portGuessLimiter.recordFailure(now, from.getAddress());
        }
        return null;
    }

    /** Whether there is no room for another player. */
    public boolean isFull() {
        return arena.isFull() || proven() >= maxPlayers;
    }

    private long proven() {
        return byAddress.values().stream().filter(Quake2Session::isProven).count();
    }

    /**
     * Of the idle sessions of an address, the one idle the longest, beyond the idle time-out of
     * bodies.
     */
    public Optional<Quake2Session> findIdle(
            long now, InetAddress address, Predicate<Quake2Session> filter) {
        return byAddress.values().stream()
                .filter(session -> session.address().getAddress().equals(address))
                .filter(session -> session.idleNanos(now) >= Player.IDLE_TIMEOUT_NANOS)
                .filter(filter)
                .max(Comparator.comparingLong(session -> session.idleNanos(now)));
    }

    /** Takes a slot for a new session; empty if the server is full. */
    public OptionalInt takeSlot() {
        return isFull() ? OptionalInt.empty() : entityTable.take();
    }

    /** Adds a session with a taken slot, whose address is unproven. */
    public void add(Quake2Session session) {
        InetSocketAddress address = session.address();
        byAddress.put(address, session);
        memoryBudget.add(session);
        Quake2Session evicted = halfOpen.add(address.getAddress(), session);
        if (evicted != null) {
            remove(evicted, LeaveReason.TIMED_OUT);
        }
    }

    /** The reason to refuse a client while the server has its maximum number of players. */
    public LeaveReason full() {
        return context.full(Quake2Codec.GAME);
    }

    /** Handles that a client has proven its address, by the number of its map. */
    public void onProven(Quake2Session session) {
        halfOpen.remove(session);
        // Others may have taken the last place meanwhile; this session is counted already.
        boolean full = arena.isFull() || proven() > maxPlayers;
        if (full && session.player().id().isEmpty()) {
            session.drop(full());
        }
    }

    /** Removes a session, and frees its slot. */
    public void remove(Quake2Session session, LeaveReason reason) {
        if (byAddress.remove(session.address(), session)) {
            halfOpen.remove(session);
            memoryBudget.remove(session);
            session.close(reason);
            entityTable.free(session.player().slot());
        }
    }

    /** Removes sessions whose time-out has passed. */
    public void expire(long now) {
        List<Quake2Session> expired =
                byAddress.values().stream().filter(session -> session.isExpired(now)).toList();
        for (Quake2Session session : expired) {
            if (session.state() != SessionState.ZOMBIE) {
                counters.count("timeout");
            }
            remove(session, LeaveReason.TIMED_OUT);
        }
    }
}
