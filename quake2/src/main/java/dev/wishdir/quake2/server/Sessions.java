package dev.wishdir.quake2.server;

import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.LeaveReason;
import dev.wishdir.arena.Player;
import dev.wishdir.arena.PlayerId;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.net.AddressLimits;
import dev.wishdir.net.FailedAttemptLimiter;
import dev.wishdir.net.HalfOpenTable;
import dev.wishdir.quake2.netchan.InfoString;
import dev.wishdir.quake2.netchan.NetchanHeader;
import dev.wishdir.quake2.protocol.Quake2Codec;

import org.jspecify.annotations.Nullable;

import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Predicate;

/**
 * The table of all sessions: accepts clients, follows port changes (NAT rebinding), and expires
 * idle ones.
 */
final class Sessions {
    /** The server has its maximum number of players. */
    static final LeaveReason FULL = LeaveReason.of(LeaveReason.Code.SERVER_FULL);

    private static final int MAX_HALF_OPEN = 128;

    private final EndpointContext context;
    private final Quake2Endpoint endpoint;
    private final PlayerEntityTable entityTable;
    private final Map<InetSocketAddress, Quake2Session> byAddress = new LinkedHashMap<>();

    /** Sessions with a player; every other player of the arena is foreign, whatever it plays. */
    private final Map<PlayerId, Quake2Session> byPlayer = new HashMap<>();

    private final HalfOpenTable<Quake2Session> halfOpen;

    /** Limits packets from unknown ports of a network that continue no session of their address. */
    private final FailedAttemptLimiter portGuessLimiter;

    Sessions(EndpointContext context, Quake2Endpoint endpoint, PlayerEntityTable entityTable) {
        this.context = context;
        this.endpoint = endpoint;
        this.entityTable = entityTable;
        portGuessLimiter = context.addressLimits().portGuesses();
        halfOpen = context.addressLimits().halfOpen(MAX_HALF_OPEN);
    }

    /** A live view of all sessions. */
    Collection<Quake2Session> all() {
        return Collections.unmodifiableCollection(byAddress.values());
    }

    /** A copy of all sessions, as some may be removed during an iteration. */
    List<Quake2Session> snapshot() {
        return List.copyOf(byAddress.values());
    }

    /** The session of an address. */
    Optional<Quake2Session> find(InetSocketAddress address) {
        return Optional.ofNullable(byAddress.get(address));
    }

    /** The session of a player; empty for a foreign player. */
    Optional<Quake2Session> find(PlayerId player) {
        return Optional.ofNullable(byPlayer.get(player));
    }

    /** The session that a packet belongs to, by its address and header; null for none. */
    @Nullable Quake2Session sender(long now, InetSocketAddress from, NetchanHeader header) {
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
            } else if (session.allowsRebinding(now, header)) {
                endpoint.count("moved");
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

    /**
     * Accepts a client with a proven address.
     *
     * @return the reason to refuse it; empty if it was accepted
     */
    Optional<LeaveReason> accept(
            long now, InetSocketAddress from, int qport, int challenge, InfoString userInfo) {
        find(from).ifPresent(before -> remove(before, LeaveReason.LEFT));
        idle(now, from, session -> session.qport() == qport)
                .ifPresent(same -> remove(same, LeaveReason.TIMED_OUT));
        AddressLimits.Place place = context.addressLimits().enter(from.getAddress());
        if (place == null || isFull()) {
            // A client that reconnects must not be refused because of its own dead session.
            idle(now, from, _ -> true).ifPresent(removed -> remove(removed, LeaveReason.TIMED_OUT));
            place = place == null ? context.addressLimits().enter(from.getAddress()) : place;
        }
        if (place == null) {
            return Optional.of(LeaveReason.of(LeaveReason.Code.ADDRESS_LIMIT));
        }
        OptionalInt slot = isFull() ? OptionalInt.empty() : entityTable.take();
        if (slot.isEmpty()) {
            place.leave();
            return Optional.of(FULL);
        }
        Quake2Session session =
                new Quake2Session(
                        endpoint, from, place, slot.getAsInt(), qport, challenge, userInfo, now);
        byAddress.put(from, session);
        context.memoryBudget().add(session);
        Quake2Session removed = halfOpen.add(from.getAddress(), session);
        if (removed != null) {
            remove(removed, LeaveReason.TIMED_OUT);
        }
        return Optional.empty();
    }

    private boolean isFull() {
        return context.arena().isFull() || proven() >= context.maxPlayers();
    }

    private long proven() {
        return byAddress.values().stream().filter(Quake2Session::isProven).count();
    }

    /**
     * Of the idle sessions of an address, the one idle the longest, beyond the idle time-out of
     * bodies.
     */
    private Optional<Quake2Session> idle(
            long now, InetSocketAddress address, Predicate<Quake2Session> filter) {
        return byAddress.values().stream()
                .filter(session -> session.address().getAddress().equals(address.getAddress()))
                .filter(session -> session.idleNanos(now) >= ArenaPlayer.IDLE_TIMEOUT_NANOS)
                .filter(filter)
                .max(Comparator.comparingLong(session -> session.idleNanos(now)));
    }

    /** Handles that a client has proven its address, by the number of its map. */
    void onProven(Quake2Session session) {
        halfOpen.remove(session);
        // Others may have taken the last place meanwhile; this session is counted already.
        boolean full = context.arena().isFull() || proven() > context.maxPlayers();
        if (full && session.player().isEmpty()) {
            drop(session, FULL);
        }
    }

    /** Adds the session's player to the arena, if there is room. */
    Optional<PlayerId> join(long now, Quake2Session session, String name, String skin) {
        if (context.arena().isFull()) {
            return Optional.empty();
        }
        Player player =
                context.arena().join(now, Quake2Codec.GAME, name, session.viewer()).snapshot();
        entityTable.enter(player, session.slot(), skin);
        byPlayer.put(player.id(), session);
        return Optional.of(player.id());
    }

    /** Disconnects a client with a reason. */
    void drop(Quake2Session session, LeaveReason reason) {
        if (!session.isLeaving()) {
            endpoint.count("dropped");
            session.sendDisconnect(endpoint.now(), reason.text());
            leave(session, reason);
        }
    }

    /** Removes a session. */
    void remove(Quake2Session session, LeaveReason reason) {
        if (byAddress.remove(session.address(), session)) {
            session.close();
            halfOpen.remove(session);
            context.memoryBudget().remove(session);
            leave(session, reason);
            entityTable.free(session.slot());
        }
    }

    private void leave(Quake2Session session, LeaveReason reason) {
        session.player()
                .ifPresent(player -> {
                    byPlayer.remove(player);
                    entityTable.leave(player, session.slot());
                    context.arena().leave(endpoint.now(), player, reason);
                });
    }

    /** Removes sessions whose time-out has passed. */
    void expire(long now) {
        for (Quake2Session session : snapshot()) {
            if (session.isExpired(now)) {
                if (!session.isLeaving()) {
                    endpoint.count("timeout");
                }
                remove(session, LeaveReason.TIMED_OUT);
            }
        }
    }
}
