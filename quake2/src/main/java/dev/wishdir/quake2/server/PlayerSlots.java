package dev.wishdir.quake2.server;

import dev.wishdir.arena.Player;
import dev.wishdir.arena.PlayerId;
import dev.wishdir.quake2.protocol.Quake2Codec;
import dev.wishdir.quake2.protocol.Quake2Text;

import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;

/**
 * The numbers by which clients of this game know everyone in the arena, whatever they play: a slot
 * from 0, which is also the number of their skin; their entity is one more.
 */
final class PlayerSlots {
    private static final int MAX_SKIN_CHARS = 40;

    private final boolean[] taken = new boolean[FrameEntities.MAX_PLAYERS];
    private final Map<PlayerId, Integer> slots = new HashMap<>();
    private final Map<PlayerId, String> skins = new HashMap<>();
    private int changes;

    /** Takes a free slot, if there is any. */
    OptionalInt take() {
        for (int slot = 0; slot < taken.length; slot++) {
            if (!taken[slot]) {
                taken[slot] = true;
                return OptionalInt.of(slot);
            }
        }
        return OptionalInt.empty();
    }

    /** Gives a slot back. */
    void free(int slot) {
        taken[slot] = false;
    }

    /** Binds a player to a slot that was taken. */
    void bind(PlayerId player, int slot) {
        slots.put(player, slot);
        changes++;
    }

    /**
     * Ends what {@link #bind} began; the slot stays taken.
     *
     * @return the slot, -1 where there was none
     */
    int unbind(PlayerId player) {
        skins.remove(player);
        Integer slot = slots.remove(player);
        changes++;
        return slot == null ? -1 : slot;
    }

    /** The slot of a player, -1 where it has none. */
    int slot(PlayerId player) {
        return slots.getOrDefault(player, -1);
    }

    /** Counts who was given a slot, and who lost it. */
    int changes() {
        return changes;
    }

    /**
     * The skin that a player wishes for; what is none is passed over.
     *
     * @return whether it is another than before
     */
    boolean wear(PlayerId player, String skin) {
        return skin.length() <= MAX_SKIN_CHARS
                && skin.matches("[A-Za-z0-9_]+/[A-Za-z0-9_]+")
                && !skin.equals(skins.put(player, skin));
    }

    /** The name of a player as clients of this game read it. */
    static String name(Player player) {
        return name(player, player.name());
    }

    /** A name that a player has had, as {@linkplain #name(Player) clients} read it. */
    static String name(Player player, String had) {
        return Quake2Text.name(player.gameTag(Quake2Codec.GAME), had);
    }

    /** What tells clients a player's name and skin. */
    String skin(Player player) {
        String skin = skins.get(player.id());
        return name(player) + "\\" + (skin == null ? Skins.of(player.game(), player.name()) : skin);
    }
}
