package dev.wishdir.quake3.server;

import dev.wishdir.arena.Player;
import dev.wishdir.arena.PlayerId;
import dev.wishdir.quake3.message.EntityState;
import dev.wishdir.quake3.protocol.Configstrings;

import java.util.BitSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What is so in a level, as a client has been told it: configstrings, among them the players, whom
 * it knows by slots. It is told a change when its line is free, and then as it is.
 */
final class ClientConfigstrings {
    /** A configstring of so many characters goes in parts. */
    private static final int PART = 1_000;

    private final Clients clients;
    private final Quake3Player client;
    private final PlayerSlots visible;

    /** The configstrings that have changed since the client was told of them. */
    private final BitSet untold = new BitSet();

    /** The slots of whose holders the client has been told nothing. */
    private final BitSet strangers = new BitSet();

    /** Who has no slot: which one it gets depends on its game, known once it is in. */
    private final Set<PlayerId> arrivals = new LinkedHashSet<>();

    /**
     * By this count of the arena's all whom it is shown have a slot, and nobody else can be given
     * one; -1 where it has to be looked again.
     */
    private int settled = -1;

    /** The level has begun again since the client was told so. */
    private boolean restarted;

    /** The own name as the client has been told it. */
    private String ownName = "";

    ClientConfigstrings(Clients clients, Quake3Player client) {
        this.clients = clients;
        this.client = client;
        visible = client.visible();
    }

    private ClientChannel line() {
        return client.line();
    }

    /** The level has begun again for all who keep what they have loaded. */
    void restart() {
        restarted = true;
        untold.set(Configstrings.SYSTEMINFO);
        untold.set(Configstrings.LEVEL_START_TIME);
    }

    /** Something of a player has changed. */
    void changed(PlayerId player) {
        changed(visible.slot(player));
    }

    /** Something of the client itself has changed. */
    void changedSelf() {
        changed(client.clientNum());
    }

    private void changed(int slot) {
        if (slot >= 0) {
            untold.set(Configstrings.PLAYERS + slot);
        }
    }

    /**
     * A gamestate tells all that it holds.
     *
     * @param told the configstrings that it has
     */
    void gamestate(Set<Integer> told) {
        ownName = client.player().map(Player::name).orElse("");
        restarted = false;
        untold.clear();
        strangers.clear();
        for (int slot = 0; slot < EntityState.MAX_CLIENTS; slot++) {
            if (visible.at(slot) != null && !told.contains(Configstrings.PLAYERS + slot)) {
                changed(slot);
                strangers.set(slot);
            }
        }
    }

    /** Somebody is here. */
    void arrived(PlayerId other) {
        arrivals.add(other);
        settled = -1;
    }

    /** Somebody has left. */
    void left(PlayerId other) {
        arrivals.remove(other);
        changed(visible.remove(other));
        settled = -1;
    }

    /**
     * Gives a slot to those who are shown and have none, from others if need be, then to the rest,
     * as far as there are slots.
     */
    void settle(long now, List<Player> shown) {
        PlayerId self = client.id();
        int sight = self == null ? -1 : clients.arena().visibilityVersion(self);
        if (arrivals.isEmpty() || sight >= 0 && sight == settled) {
            return;
        }
        for (int i = 0; i < shown.size(); i++) {
            PlayerId other = shown.get(i).id();
            if (arrivals.contains(other) && !see(now, other)) {
                int slot = visible.unseen(now);
                PlayerId unseen = slot < 0 ? null : visible.at(slot);
                if (unseen != null) {
                    visible.remove(unseen);
                    see(now, other);
                    arrivals.add(unseen);
                }
            }
        }
        Iterator<PlayerId> rest = arrivals.iterator();
        while (rest.hasNext() && give(now, rest.next())) {
            rest.remove();
        }
        boolean complete = visible.isFull() && shown.stream().noneMatch(this::isWaiting);
        settled = complete ? sight : -1;
    }

    private boolean isWaiting(Player other) {
        return arrivals.contains(other.id());
    }

    private boolean see(long now, PlayerId other) {
        return give(now, other) && arrivals.remove(other);
    }

    /** Gives a player a slot and tells its name; false where there is none. */
    private boolean give(long now, PlayerId other) {
        Quake3Player same = clients.of(other);
        int slot = visible.add(now, other, same == null ? -1 : same.clientNum());
        changed(slot);
        if (slot >= 0) {
            strangers.set(slot);
        }
        return slot >= 0;
    }

    /** Whether the client knows whose body it sees in a slot. */
    boolean isKnown(int slot) {
        return !strangers.get(slot);
    }

    /** Tells what is not as the client has been told it, as far as it can hear it. */
    void tell(long now, RunningLevel running, List<Player> shown) {
        if (!line().hasGamestate()) {
            return;
        }
        settle(now, shown);
        String name = client.player().map(Player::name).orElse(ownName);
        if (!name.equals(ownName)) {
            ownName = name;
            changedSelf();
        }
        for (int index = untold.nextSetBit(0);
                index >= 0 && !line().isCongested();
                index = untold.nextSetBit(index + 1)) {
            untold.clear(index);
            if (index >= Configstrings.PLAYERS) {
                strangers.clear(index - Configstrings.PLAYERS);
            }
            configstring(index, value(index, running));
        }
        if (restarted && untold.isEmpty() && !line().isCongested()) {
            restarted = false;
            client.command("map_restart\n");
        }
    }

    private String value(int index, RunningLevel running) {
        return switch (index) {
            case Configstrings.SYSTEMINFO -> running.systeminfo().toString();
            case Configstrings.LEVEL_START_TIME -> Integer.toString(running.levelStart());
            default ->
                    PlayerConfigstring.of(
                            client.at(index - Configstrings.PLAYERS), clients, running.openArena());
        };
    }

    private void configstring(int index, String text) {
        if (text.length() < PART) {
            client.command("cs " + index + " \"" + text + "\"\n");
            return;
        }
        for (int from = 0; from < text.length(); from += PART - 1) {
            int to = Math.min(from + PART - 1, text.length());
            String part = from == 0 ? "bcs0" : to < text.length() ? "bcs1" : "bcs2";
            client.command(part + " " + index + " \"" + text.substring(from, to) + "\"\n");
        }
    }
}
