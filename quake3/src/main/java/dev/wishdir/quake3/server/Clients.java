package dev.wishdir.quake3.server;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.ArenaEvent;
import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.LeaveReason;
import dev.wishdir.arena.Player;
import dev.wishdir.arena.PlayerId;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.quake3.message.EntityState;
import dev.wishdir.quake3.protocol.EntityDeltaCache;
import dev.wishdir.quake3.protocol.Quake3Codec;
import dev.wishdir.quake3.protocol.Quake3Text;
import dev.wishdir.quake3.server.Quake3Player.State;

import org.jspecify.annotations.Nullable;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;

/** The clients of an endpoint by slot, from {@code connect} until their slot is free again. */
final class Clients implements Iterable<Quake3Player> {
    /** Time for which a dropped client keeps its slot, so that the reason reaches it. */
    private static final long ZOMBIE_NANOS = 2_000_000_000L;

    private final EndpointContext context;
    private final @Nullable Quake3Player[] slots;
    private final Map<PlayerId, Quake3Player> byPlayer = new HashMap<>();
    private final Entities entities;
    private final EntityDeltaCache deltaCache = new EntityDeltaCache();

    Clients(EndpointContext context) {
        this.context = context;
        entities = new Entities(context.cycle()::now);
        slots = new Quake3Player[Math.clamp(context.maxPlayers(), 1, EntityState.MAX_CLIENTS)];
    }

    /** Updates the entities of players. */
    void onEvent(ArenaEvent event) {
        if (event instanceof ArenaEvent.Teleported teleported) {
            entities.teleported(teleported.id());
        } else if (event instanceof ArenaEvent.ActionPerformed acted) {
            entities.acted(acted.time(), acted.id(), acted.action());
        } else if (event instanceof ArenaEvent.Left left) {
            entities.forget(left.id());
        }
    }

    /** The number of clients that may still join. */
    int room() {
        int free = 0;
        for (Quake3Player client : slots) {
            free += client == null ? 1 : 0;
        }
        return Math.min(free, arena().capacity() - arena().players().size());
    }

    /** The number of clients in the arena. */
    int playing() {
        return byPlayer.size();
    }

    /** Whether a client in the arena has this address and port. */
    boolean hasPlayer(InetSocketAddress address) {
        return byPlayer.values().stream().anyMatch(client -> client.address().equals(address));
    }

    /** The entity states of players. */
    Entities entities() {
        return entities;
    }

    /** The entity deltas that all clients share. */
    EntityDeltaCache made() {
        return deltaCache;
    }

    Arena arena() {
        return context.arena();
    }

    /** All clients; they may be removed during the iteration. */
    @Override
    public Iterator<Quake3Player> iterator() {
        return new Iterator<>() {
            private int slot;
            private @Nullable Quake3Player next = find();

            private @Nullable Quake3Player find() {
                while (slot < slots.length) {
                    Quake3Player client = slots[slot++];
                    if (client != null) {
                        return client;
                    }
                }
                return null;
            }

            @Override
            public boolean hasNext() {
                return next != null;
            }

            @Override
            public Quake3Player next() {
                Quake3Player client = next;
                if (client == null) {
                    throw new NoSuchElementException();
                }
                next = find();
                return client;
            }
        };
    }

    /** Whether a client still has its slot. */
    boolean has(Quake3Player client) {
        return slots[client.clientNum()] == client;
    }

    /** The client of an in-band packet by qport: its port may have changed (NAT rebinding). */
    @Nullable Quake3Player at(InetAddress address, int qport) {
        for (Quake3Player client : slots) {
            if (client != null && client.is(address, qport)) {
                return client;
            }
        }
        return null;
    }

    /** Whether a client has this address, at any port. */
    boolean isKnown(InetAddress address) {
        for (Quake3Player client : slots) {
            if (client != null && client.address().getAddress().equals(address)) {
                return true;
            }
        }
        return false;
    }

    /** A free slot, or -1 if there is none. */
    int free() {
        for (int slot = 0; slot < slots.length; slot++) {
            if (slots[slot] == null) {
                return slot;
            }
        }
        return -1;
    }

    /** Adds a client in its slot. It joins the arena with its first message. */
    void add(Quake3Player client) {
        slots[client.clientNum()] = client;
        context.memoryBudget().add(client);
    }

    /** The URL from which a client that joins downloads files over HTTP, if any. */
    Optional<String> files(long now, InetAddress client) {
        return context.httpDownloads().url(now, Quake3Codec.GAME, client);
    }

    /** Joins a client to the arena. Returns false if the arena is full. */
    boolean enter(long now, Quake3Player client) {
        Arena arena = context.arena();
        if (arena.isFull()) {
            return false;
        }
        Player player = arena.join(now, Quake3Codec.GAME, client.name(), client.news()).snapshot();
        client.entered(player.id());
        byPlayer.put(player.id(), client);
        for (Player other : arena.players()) {
            if (!other.id().equals(player.id())) {
                client.configstrings().arrived(other.id());
            }
        }
        return true;
    }

    /** The client of a player; null for a foreign player. */
    @Nullable Quake3Player of(PlayerId player) {
        return byPlayer.get(player);
    }

    /** The oldest client that has not sent a message since {@code connect}, or null. */
    @Nullable Quake3Player silent() {
        Quake3Player oldest = null;
        for (Quake3Player client : this) {
            if (client.state() == State.CONNECTED
                    && client.id() == null
                    && (oldest == null || client.connectedAt() < oldest.connectedAt())) {
                oldest = client;
            }
        }
        return oldest;
    }

    /** The longest idle client of an address, idle for the arena's time-out or longer; or null. */
    @Nullable Quake3Player vanished(long now, InetAddress address) {
        Quake3Player longest = null;
        for (Quake3Player client : this) {
            if (!client.isZombie()
                    && client.silence(now) >= ArenaPlayer.IDLE_TIMEOUT_NANOS
                    && client.address().getAddress().equals(address)
                    && (longest == null || client.silence(now) > longest.silence(now))) {
                longest = client;
            }
        }
        return longest;
    }

    /** Drops a client: it leaves the arena, is sent the reason for 2 s, then its slot is free. */
    void drop(long now, Quake3Player client, LeaveReason why) {
        if (client.isZombie()) {
            return;
        }
        if (client.lacksFiles()) {
            context.httpDownloads().reportFailure(now, client.address().getAddress());
        }
        String reason =
                why.text().isEmpty()
                        ? why.code() == LeaveReason.Code.LEFT ? "disconnected" : "timed out"
                        : Quake3Text.line(why.text(), 200);
        client.sendAway(now, reason, now + ZOMBIE_NANOS);
        leave(now, client, why);
    }

    /** Frees a client's slot. */
    void remove(long now, Quake3Player client, LeaveReason why) {
        leave(now, client, why);
        slots[client.clientNum()] = null;
    }

    private void leave(long now, Quake3Player client, LeaveReason why) {
        PlayerId id = client.id();
        client.left();
        context.memoryBudget().remove(client);
        if (id != null) {
            context.arena().leave(now, id, why);
            byPlayer.remove(id);
        }
    }
}
