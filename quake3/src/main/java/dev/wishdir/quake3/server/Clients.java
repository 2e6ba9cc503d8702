package dev.wishdir.quake3.server;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.ArenaEvent;
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

/** The clients of the endpoint in their slots, from the one's acceptance to its removal. */
final class Clients implements Iterable<Quake3Player> {
    /** How long a client that was sent away keeps its slot, to be told why. */
    private static final long ZOMBIE_NANOS = 2_000_000_000L;

    private final EndpointContext context;
    private final @Nullable Quake3Player[] slots;
    private final Map<PlayerId, Quake3Player> family = new HashMap<>();
    private final Entities entities;
    private final EntityDeltaCache made = new EntityDeltaCache();

    Clients(EndpointContext context) {
        this.context = context;
        entities = new Entities(context.cycle()::now);
        slots = new Quake3Player[Math.clamp(context.maxPlayers(), 1, EntityState.MAX_CLIENTS)];
    }

    /** Something has happened in the arena. */
    void onEvent(ArenaEvent event) {
        if (event instanceof ArenaEvent.Teleported teleported) {
            entities.teleported(teleported.id());
        } else if (event instanceof ArenaEvent.ActionPerformed acted) {
            entities.acted(acted.time(), acted.id(), acted.act());
        } else if (event instanceof ArenaEvent.Left left) {
            entities.forget(left.id());
        }
    }

    /** How many more there may be. */
    int room() {
        int free = 0;
        for (Quake3Player client : slots) {
            free += client == null ? 1 : 0;
        }
        return Math.min(free, arena().capacity() - arena().players().size());
    }

    /** How many play. */
    int playing() {
        return family.size();
    }

    /** Whether a client that plays sends from this address and port. */
    boolean hasPlayer(InetSocketAddress address) {
        return family.values().stream().anyMatch(client -> client.address().equals(address));
    }

    /** How players are seen. */
    Entities entities() {
        return entities;
    }

    /** What was made of how they differ from before. */
    EntityDeltaCache made() {
        return made;
    }

    /** Where the clients play. */
    Arena arena() {
        return context.arena();
    }

    /** All that are here; a client may go during the iteration. */
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

    /** The client that a packet in band comes from: its port may have changed. */
    @Nullable Quake3Player at(InetAddress address, int qport) {
        for (Quake3Player client : slots) {
            if (client != null && client.is(address, qport)) {
                return client;
            }
        }
        return null;
    }

    /** Whether a client has an address, at whatever port. */
    boolean isKnown(InetAddress address) {
        for (Quake3Player client : slots) {
            if (client != null && client.address().getAddress().equals(address)) {
                return true;
            }
        }
        return false;
    }

    /** A slot that nobody has, -1 where all are taken. */
    int free() {
        for (int slot = 0; slot < slots.length; slot++) {
            if (slots[slot] == null) {
                return slot;
            }
        }
        return -1;
    }

    /** Takes a client into its slot. It is in the arena once it has sent something. */
    void add(Quake3Player client) {
        slots[client.clientNum()] = client;
        context.memoryBudget().add(client);
    }

    /** Where a client that joins fetches files over HTTP, if anywhere. */
    Optional<String> files(long now, InetAddress client) {
        return context.httpDownloads().url(now, Quake3Codec.GAME, client);
    }

    /** Brings a client into the arena. Returns whether there was room. */
    boolean enter(long now, Quake3Player client) {
        Arena arena = context.arena();
        if (arena.isFull()) {
            return false;
        }
        Player player = arena.join(now, Quake3Codec.GAME, client.name(), client.news());
        client.entered(player.id());
        family.put(player.id(), client);
        for (Player other : arena.players()) {
            if (!other.id().equals(player.id())) {
                client.told().arrived(other.id());
            }
        }
        return true;
    }

    /** The client that a player is; null for one of elsewhere. */
    @Nullable Quake3Player of(PlayerId player) {
        return family.get(player);
    }

    /** The client that has waited longest of those that have sent nothing; null where all have. */
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

    /**
     * The client of an address that nothing has come from for longest, and for a while; or null.
     */
    @Nullable Quake3Player vanished(long now, InetAddress address) {
        Quake3Player longest = null;
        for (Quake3Player client : this) {
            if (!client.isZombie()
                    && client.silence(now) >= Arena.IDLE_TIMEOUT_NANOS
                    && client.address().getAddress().equals(address)
                    && (longest == null || client.silence(now) > longest.silence(now))) {
                longest = client;
            }
        }
        return longest;
    }

    /** Sends a client away: it is told why for a while, then its slot is free. */
    void drop(long now, Quake3Player client, LeaveReason why) {
        if (client.isZombie()) {
            return;
        }
        if (client.lacksFiles()) {
            context.httpDownloads().failed(now, client.address().getAddress());
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
            family.remove(id);
        }
    }
}
