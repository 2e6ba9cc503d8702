package dev.wishdir.quake3.server.session;

import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.quake3.message.EntityState;
import dev.wishdir.quake3.protocol.Configstrings;
import dev.wishdir.quake3.server.view.LocalPlayer;
import dev.wishdir.quake3.server.view.MatchStrings;
import dev.wishdir.quake3.server.view.PlayerConfigstrings;
import dev.wishdir.quake3.server.view.PlayerSlots;
import dev.wishdir.quake3.server.view.RunningLevel;

import org.jspecify.annotations.Nullable;

import java.util.BitSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The configstrings of one client, including those of the players in its slots. Changes are sent
 * when the channel is not congested, always as the newest value.
 */
public final class ClientConfigstrings {
    /** Configstrings of this length or longer are split into {@code bcs0} to {@code bcs2}. */
    private static final int PART_CHARS = 1_000;

    /** The reliable commands of the client, in which changes are sent. */
    interface Commands {
        /** Whether too many commands are unacknowledged, so that changes wait. */
        boolean isCongested();

        void command(String text);
    }

    private final int clientNum;
    private final PlayerSlots slots;
    private final LocalPlayer.Lookup localPlayers;
    private final PlayerConfigstrings playerConfigstrings;
    private final Commands commands;

    /** Configstrings that have changed since they were last sent. */
    private final BitSet changed = new BitSet();

    /** Slots whose player's configstring the client does not have yet. */
    private final BitSet unknown = new BitSet();

    /** Players without a slot: which one they get depends on their game, known once they joined. */
    private final Set<PlayerId> withoutSlot = new LinkedHashSet<>();

    /** Visibility version at which all visible players had a slot and none was free, or -1. */
    private int assignedVersion = -1;

    /** Whether a {@code map_restart} must be sent. */
    private boolean restarted;

    /** The client's own name as last sent. */
    private String ownName = "";

    /**
     * @param clientNum the client's own slot
     * @param slots of the players that the client knows
     */
    ClientConfigstrings(
            int clientNum,
            PlayerSlots slots,
            LocalPlayer.Lookup localPlayers,
            PlayerConfigstrings playerConfigstrings,
            Commands commands) {
        this.clientNum = clientNum;
        this.slots = slots;
        this.localPlayers = localPlayers;
        this.playerConfigstrings = playerConfigstrings;
        this.commands = commands;
    }

    /** The slot of a player, or -1. */
    int slot(PlayerId player) {
        return slots.slot(player);
    }

    /** Whether a player is the client's own. */
    boolean isOwn(PlayerId player) {
        return player.equals(slots.at(clientNum));
    }

    /** The player in a slot, also the client's own; or null. */
    @Nullable PlayerId at(int slot) {
        return slots.at(slot);
    }

    /** Marks a restart of the level, after which clients keep what they have loaded. */
    public void restart() {
        restarted = true;
        changed.set(Configstrings.SYSTEMINFO);
        changed.set(Configstrings.LEVEL_START_TIME);
    }

    /** Marks the start of a round in the same level. */
    public void changedRound() {
        changed.set(Configstrings.LEVEL_START_TIME);
    }

    /** Marks a configstring of the match as changed. */
    public void changedString(int index) {
        changed.set(index);
    }

    /** Marks a player's configstring as changed. */
    void changed(PlayerId player) {
        changed(slots.slot(player));
    }

    /** Marks the client's own configstring as changed. */
    public void changedSelf() {
        changed(clientNum);
    }

    private void changed(int slot) {
        if (slot >= 0) {
            changed.set(Configstrings.PLAYERS + slot);
        }
    }

    /**
     * Records that a gamestate with these configstrings was sent.
     *
     * @param name of the client's player
     * @param sent indices of the gamestate's configstrings
     */
    void onGamestateSent(String name, Set<Integer> sent) {
        ownName = name;
        restarted = false;
        changed.clear();
        unknown.clear();
        for (int slot = 0; slot < EntityState.MAX_CLIENTS; slot++) {
            if (slots.at(slot) != null && !sent.contains(Configstrings.PLAYERS + slot)) {
                changed(slot);
                unknown.set(slot);
            }
        }
    }

    /** Records the client's own player. */
    void joined(PlayerId self) {
        slots.setOwn(self);
    }

    /** Adds another player of the arena. */
    void add(PlayerId other) {
        withoutSlot.add(other);
        assignedVersion = -1;
    }

    /** Removes a player that has left. */
    void remove(PlayerId other) {
        withoutSlot.remove(other);
        changed(slots.remove(other));
        assignedVersion = -1;
    }

    /**
     * Gives slots to visible players, if necessary those of invisible ones, then to others.
     *
     * @param version of the visible players
     */
    void assignSlots(long now, List<Player> visible, int version) {
        if (withoutSlot.isEmpty() || version >= 0 && version == assignedVersion) {
            return;
        }
        for (int i = 0; i < visible.size(); i++) {
            PlayerId other = visible.get(i).id();
            if (withoutSlot.contains(other) && !addVisible(now, other)) {
                int slot = slots.unseen(now);
                PlayerId unseen = slot < 0 ? null : slots.at(slot);
                if (unseen != null) {
                    slots.remove(unseen);
                    addVisible(now, other);
                    withoutSlot.add(unseen);
                }
            }
        }
        Iterator<PlayerId> rest = withoutSlot.iterator();
        while (rest.hasNext() && addSlot(now, rest.next())) {
            rest.remove();
        }
        boolean complete = slots.isFull() && visible.stream().noneMatch(this::isWaiting);
        assignedVersion = complete ? version : -1;
    }

    private boolean isWaiting(Player other) {
        return withoutSlot.contains(other.id());
    }

    private boolean addVisible(long now, PlayerId other) {
        return addSlot(now, other) && withoutSlot.remove(other);
    }

    /** Gives a player a slot and marks its configstring; false if no slot is free. */
    private boolean addSlot(long now, PlayerId other) {
        LocalPlayer local = localPlayers.find(other);
        int slot = slots.add(now, other, local == null ? -1 : local.clientNum());
        changed(slot);
        if (slot >= 0) {
            unknown.set(slot);
        }
        return slot >= 0;
    }

    /** Whether the client has the configstring of the player in a slot. */
    boolean isKnown(int slot) {
        return !unknown.get(slot);
    }

    /**
     * Sends changed configstrings until congested.
     *
     * @param name of the client's player
     */
    void sendChanges(String name, RunningLevel running) {
        if (!name.equals(ownName)) {
            ownName = name;
            changedSelf();
        }
        for (int index = changed.nextSetBit(0);
                index >= 0 && !commands.isCongested();
                index = changed.nextSetBit(index + 1)) {
            changed.clear(index);
            if (index >= Configstrings.PLAYERS) {
                unknown.clear(index - Configstrings.PLAYERS);
            }
            configstring(index, value(index, running));
        }
        if (restarted && changed.isEmpty() && !commands.isCongested()) {
            restarted = false;
            commands.command("map_restart\n");
        }
    }

    private String value(int index, RunningLevel running) {
        return switch (index) {
            case Configstrings.SYSTEMINFO -> running.systeminfo().toString();
            case Configstrings.LEVEL_START_TIME -> Integer.toString(running.levelStart());
            default ->
                    MatchStrings.has(index)
                            ? running.matchStrings().get(index)
                            : player(index - Configstrings.PLAYERS);
        };
    }

    /** The configstring of the player in a slot, also the own one; empty if there is none. */
    String player(int slot) {
        return playerConfigstrings.of(slots.at(slot));
    }

    private void configstring(int index, String text) {
        if (text.length() < PART_CHARS) {
            commands.command("cs " + index + " \"" + text + "\"\n");
            return;
        }
        for (int from = 0; from < text.length(); from += PART_CHARS - 1) {
            int to = Math.min(from + PART_CHARS - 1, text.length());
            String part = from == 0 ? "bcs0" : to < text.length() ? "bcs1" : "bcs2";
            commands.command(part + " " + index + " \"" + text.substring(from, to) + "\"\n");
        }
    }
}
