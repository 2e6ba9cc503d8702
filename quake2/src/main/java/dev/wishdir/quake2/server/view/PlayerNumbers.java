package dev.wishdir.quake2.server.view;

import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.event.Team;
import dev.wishdir.quake2.protocol.Quake2Codec;
import dev.wishdir.quake2.protocol.Quake2Text;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The slots by which this game's clients know the arena's players of all games: from 0, also the
 * index of their skin configstring; their entity number is one more.
 */
public final class PlayerNumbers {
    private static final int MAX_SKIN_CHARS = 40;

    private final boolean[] taken = new boolean[FrameEntities.MAX_PLAYERS];
    private final Map<PlayerId, Integer> slots = new HashMap<>();
    private final Map<PlayerId, String> skins = new HashMap<>();
    private int free = taken.length;
    private int changes;

    /** Takes a free slot; empty if there is none. */
    OptionalInt take() {
        for (int slot = 0; free > 0 && slot < taken.length; slot++) {
            if (!taken[slot]) {
                taken[slot] = true;
                free--;
                return OptionalInt.of(slot);
            }
        }
        return OptionalInt.empty();
    }

    /** Frees a slot. */
    void free(int slot) {
        if (taken[slot]) {
            taken[slot] = false;
            free++;
        }
    }

    /** Whether all slots are taken. */
    boolean isFull() {
        return free == 0;
    }

    /** Binds a player to a taken slot. */
    void bind(PlayerId player, int slot) {
        slots.put(player, slot);
        changes++;
    }

    /**
     * Unbinds a player; the slot stays taken.
     *
     * @return the slot, -1 for none
     */
    int unbind(PlayerId player) {
        skins.remove(player);
        Integer slot = slots.remove(player);
        changes++;
        return slot == null ? -1 : slot;
    }

    /** The slot of a player, -1 for none. */
    int slot(PlayerId player) {
        return slots.getOrDefault(player, -1);
    }

    /**
     * A mirrored player with a slot; empty if there is none.
     *
     * @param except entities whose players don't count
     */
    Optional<PlayerId> anyMirrored(BitSet except) {
        return slots.entrySet().stream()
                .filter(each -> each.getKey().isMirrored() && !except.get(each.getValue() + 1))
                .map(Map.Entry::getKey)
                .findAny();
    }

    /** Number of bindings and unbindings so far. */
    int changes() {
        return changes;
    }

    /**
     * Sets the skin that a player requests; an invalid one is ignored.
     *
     * @return whether it changed
     */
    boolean setSkin(PlayerId player, String skin) {
        return skin.length() <= MAX_SKIN_CHARS
                && skin.matches("[A-Za-z0-9_]+/[A-Za-z0-9_]+")
                && !skin.equals(skins.put(player, skin));
    }

    /** A player's name as this game's clients read it, with the tag of its game. */
    public static String name(Player player) {
        return name(player, player.name());
    }

    /** A former name of a player, formatted likewise. */
    static String name(Player player, String had) {
        return Quake2Text.name(player.gameTag(Quake2Codec.GAME), had);
    }

    /**
     * The skin configstring of a player: name, model and skin.
     *
     * @param team of which the player wears the skin; empty without teams
     */
    String skin(Player player, Optional<Team> team) {
        String wished = skins.get(player.id());
        String skin = wished == null ? Skins.of(player.game(), player.name()) : wished;
        return name(player) + "\\" + team.map(it -> Skins.of(it, skin)).orElse(skin);
    }
}
