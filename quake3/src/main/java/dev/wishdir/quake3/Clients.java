package dev.wishdir.quake3;

import dev.wishdir.arena.Player;
import dev.wishdir.game.Serving;
import dev.wishdir.quake3.Quake3Player.State;

import org.jspecify.annotations.Nullable;

import java.net.InetAddress;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;

/** The clients of the endpoint in their slots, from the one's acceptance to its removal. */
final class Clients implements Iterable<Quake3Player> {
    /** How long a client that was sent away keeps its slot, to be told why. */
    private static final long ZOMBIE = 2_000_000_000L;

    private final Serving serving;
    private final Challenges challenges;
    private final @Nullable Quake3Player[] slots;
    private final Map<Player, Quake3Player> family = new HashMap<>();

    Clients(Serving serving, Challenges challenges) {
        this.serving = serving;
        this.challenges = challenges;
        slots = new Quake3Player[Math.clamp(serving.maxPlayers(), 1, VisiblePlayers.SLOTS)];
    }

    /** How many there may be. */
    int capacity() {
        return slots.length;
    }

    /** How many play. */
    int playing() {
        return family.size();
    }

    /** The players of this game, by who they are in the arena; a live view. */
    Map<Player, Quake3Player> family() {
        return family;
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
        return slots[client.clientNum] == client;
    }

    /** The client that a packet in band comes from: its port may have changed. */
    @Nullable Quake3Player at(InetAddress address, int qport) {
        for (Quake3Player client : slots) {
            if (client != null
                    && client.qport == qport
                    && client.address.getAddress().equals(address)) {
                return client;
            }
        }
        return null;
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

    /** Takes a client into its slot and into the arena. */
    void add(long now, Quake3Player client) {
        slots[client.clientNum] = client;
        Player player =
                serving.arena()
                        .join(
                                now,
                                Quake3Dissector.GAME,
                                Quake3Player.name(client.userinfo),
                                client);
        client.player = player;
        family.put(player, client);
        for (Player other : serving.arena().players()) {
            if (other != player) {
                Quake3Player same = family.get(other);
                client.visible.add(other, same == null ? -1 : same.clientNum);
            }
        }
        for (Quake3Player other : this) {
            if (other != client) {
                other.entered(player);
            }
        }
    }

    /** Tells everyone what a client looks like now. */
    void changed(Quake3Player client) {
        Player player = client.player;
        if (player == null) {
            return;
        }
        for (Quake3Player other : this) {
            if (other != client) {
                other.changed(player);
            }
        }
        client.tell(client.clientNum, Quake3Player.info(player, client));
    }

    /** Sends a client away: it is told why for a while, then its slot is free. */
    void drop(long now, Quake3Player client, String reason) {
        String why = Quake3Player.plain(reason, 200);
        // A client shows this in its console, but the reason of a disconnect in its menu alone.
        client.command("print \"" + why + "\n\"");
        client.command("disconnect \"" + why + "\"");
        client.state = State.ZOMBIE;
        client.zombieUntil = now + ZOMBIE;
        challenges.drop(now, client.address, client.challenge);
        client.nextSnapshot = now;
        client.download = null;
        leave(client);
    }

    /** Frees a client's slot. */
    void remove(Quake3Player client) {
        leave(client);
        slots[client.clientNum] = null;
    }

    private void leave(Quake3Player client) {
        Player player = client.player;
        if (player != null) {
            client.player = null;
            serving.arena().leave(player);
            family.remove(player);
        }
    }
}
