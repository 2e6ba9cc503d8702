package dev.wishdir.quake2.server;

import dev.wishdir.arena.Arena;
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

/** Who is connected: how clients come in, go on from another port, and are forgotten. */
final class Sessions {
    /** More players than the server has places for. */
    static final LeaveReason FULL = LeaveReason.of(LeaveReason.Code.SERVER_FULL);

    private static final int MAX_HALF_OPEN = 128;

    private final EndpointContext context;
    private final Quake2Endpoint endpoint;
    private final PlayerEntityTable entityTable;
    private final Map<InetSocketAddress, Quake2Session> byAddress = new LinkedHashMap<>();

    /** Those who have a player: all others in the arena are foreign, whatever they play. */
    private final Map<PlayerId, Quake2Session> byPlayer = new HashMap<>();

    private final HalfOpenTable<Quake2Session> halfOpen;

    /** Packets of a network's unknown ports that continue no session of their address. */
    private final FailedAttemptLimiter guesses;

    Sessions(EndpointContext context, Quake2Endpoint endpoint, PlayerEntityTable entityTable) {
        this.context = context;
        this.endpoint = endpoint;
        this.entityTable = entityTable;
        guesses = context.addressLimits().portGuesses();
        halfOpen = context.addressLimits().halfOpen(MAX_HALF_OPEN);
    }

    /** All of them as they are now and will be. */
    Collection<Quake2Session> all() {
        return Collections.unmodifiableCollection(byAddress.values());
    }

    /** All of them as they are now: some may go meanwhile. */
    List<Quake2Session> now() {
        return List.copyOf(byAddress.values());
    }

    /** The client of an address. */
    Optional<Quake2Session> of(InetSocketAddress address) {
        return Optional.ofNullable(byAddress.get(address));
    }

    /** The client of a player; empty for a foreign one. */
    Optional<Quake2Session> of(PlayerId player) {
        return Optional.ofNullable(byPlayer.get(player));
    }

    /** Whose packet it is, by its address and header; null where it is nobody's. */
    @Nullable Quake2Session sender(long now, InetSocketAddress from, NetchanHeader header) {
        Quake2Session session = byAddress.get(from);
        if (session == null) {
            session = moved(now, from, header);
        }
        return session != null && session.qport() == header.qport() ? session : null;
    }

    /** The client that has another port of its address now, as a router may give it. */
    private @Nullable Quake2Session moved(long now, InetSocketAddress from, NetchanHeader header) {
        if (!guesses.isAllowed(now, from.getAddress())) {
            return null;
        }
        boolean guess = false;
        for (Quake2Session session : byAddress.values()) {
            if (!session.address().getAddress().equals(from.getAddress())) {
                continue;
            }
            if (session.qport() != header.qport() || !session.continues(now, header)) {
                guess = true;
            } else if (session.mayMove(now, header)) {
                endpoint.count("moved");
                byAddress.remove(session.address());
                session.moveTo(from);
                byAddress.put(from, session);
                return session;
            } else {
                return null;
            }
        }
        if (guess) {
            guesses.recordFailure(now, from.getAddress());
        }
        return null;
    }

    /**
     * Takes a client in that has proved its address.
     *
     * @return why not, empty if it is in
     */
    Optional<LeaveReason> accept(
            long now, InetSocketAddress from, int qport, int challenge, InfoString userInfo) {
        of(from).ifPresent(before -> remove(before, LeaveReason.LEFT));
        silent(now, from, session -> session.qport() == qport)
                .ifPresent(same -> remove(same, LeaveReason.TIMED_OUT));
        AddressLimits.Place place = context.addressLimits().enter(from.getAddress());
        if (place == null || isFull()) {
            // Who comes back is not kept out by what was left of him.
            silent(now, from, _ -> true).ifPresent(gone -> remove(gone, LeaveReason.TIMED_OUT));
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
        Quake2Session gone = halfOpen.add(from.getAddress(), session);
        if (gone != null) {
            remove(gone, LeaveReason.TIMED_OUT);
        }
        return Optional.empty();
    }

    private boolean isFull() {
        return context.arena().isFull() || proven() >= context.maxPlayers();
    }

    private long proven() {
        return byAddress.values().stream().filter(Quake2Session::isProven).count();
    }

    /** Who of an address has been silent the longest, so long that nobody sees him any more. */
    private Optional<Quake2Session> silent(
            long now, InetSocketAddress of, Predicate<Quake2Session> which) {
        return byAddress.values().stream()
                .filter(session -> session.address().getAddress().equals(of.getAddress()))
                .filter(session -> session.silence(now) >= Arena.IDLE_TIMEOUT_NANOS)
                .filter(which)
                .max(Comparator.comparingLong(session -> session.silence(now)));
    }

    /** A client has named the number that it was sent. */
    void proved(Quake2Session session) {
        halfOpen.remove(session);
        // Who came in meanwhile may have taken the last place; this one is counted by now.
        boolean full = context.arena().isFull() || proven() > context.maxPlayers();
        if (full && session.player().isEmpty()) {
            drop(session, FULL);
        }
    }

    /** Brings a client into the arena, if it has room. */
    Optional<PlayerId> join(long now, Quake2Session session, String name, String skin) {
        if (context.arena().isFull()) {
            return Optional.empty();
        }
        Player player = context.arena().join(now, Quake2Codec.GAME, name, session.viewing());
        entityTable.enter(player, session.slot(), skin);
        byPlayer.put(player.id(), session);
        return Optional.of(player.id());
    }

    /** Sends a client away with a reason. */
    void drop(Quake2Session session, LeaveReason why) {
        if (!session.isLeaving()) {
            endpoint.count("dropped");
            session.dismiss(endpoint.now(), why.text());
            leave(session, why);
        }
    }

    /** Forgets a client. */
    void remove(Quake2Session session, LeaveReason why) {
        if (byAddress.remove(session.address(), session)) {
            session.close();
            halfOpen.remove(session);
            context.memoryBudget().remove(session);
            leave(session, why);
            entityTable.free(session.slot());
        }
    }

    private void leave(Quake2Session session, LeaveReason why) {
        session.player()
                .ifPresent(player -> {
                    byPlayer.remove(player);
                    entityTable.leave(player, session.slot());
                    context.arena().leave(endpoint.now(), player, why);
                });
    }

    /** Forgets those of whom nothing came for too long. */
    void expire(long now) {
        for (Quake2Session session : now()) {
            if (session.isOver(now)) {
                if (!session.isLeaving()) {
                    endpoint.count("timeout");
                }
                remove(session, LeaveReason.TIMED_OUT);
            }
        }
    }
}
