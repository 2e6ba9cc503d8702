package dev.wishdir.quake2.server;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.ArenaEvent;
import dev.wishdir.arena.Player;
import dev.wishdir.arena.PlayerId;
import dev.wishdir.quake2.message.EntityState;
import dev.wishdir.quake2.message.ServerMessage.ConfigString;

import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/** What everyone in the arena is to clients of this game: a slot, a name with a skin, an entity. */
final class PlayerEntityTable {
    private final Arena arena;
    private final ConfigStrings strings;
    private final PlayerSlots playerSlots = new PlayerSlots();

    /** Who has teleported, and the last frame that tells it. */
    private final Map<PlayerId, Integer> teleported = new HashMap<>();

    /** What bodies are seen to do. */
    private final Map<PlayerId, Pose> poses = new HashMap<>();

    private int composed;

    PlayerEntityTable(Arena arena, ConfigStrings strings) {
        this.arena = arena;
        this.strings = strings;
    }

    /** What everyone in the arena looks like changes with it. */
    void onEvent(ArenaEvent event) {
        switch (event) {
            case ArenaEvent.Left e -> {
                poses.remove(e.id());
                disappear(e.player());
            }
            case ArenaEvent.Renamed e -> dress(e.player());
            case ArenaEvent.AppearanceChanged e -> dress(e.player());
            case ArenaEvent.Teleported e -> teleported.put(e.id(), composed + 1);
            case ArenaEvent.ActionPerformed e ->
                    poses.merge(e.id(), Pose.of(e.act(), composed + 1), Pose::followedBy);
            default -> {}
        }
    }

    /** The slot by which clients know a player, -1 for one who found none free. */
    int slot(PlayerId player) {
        return playerSlots.slot(player);
    }

    /**
     * Sets the bits of the entities of players.
     *
     * @param players of the arena; who has no slot has no entity
     */
    void mark(List<Player> players, BitSet entities) {
        for (Player player : players) {
            entities.set(playerSlots.slot(player.id()) + 1);
        }
    }

    /** Counts who was given a slot, and who lost it. */
    int changes() {
        return playerSlots.changes();
    }

    /** Takes a slot for a client, if any is free. */
    OptionalInt take() {
        return playerSlots.take();
    }

    /** A client gives its slot back. */
    void free(int slot) {
        playerSlots.free(slot);
    }

    /** A client has a player now, who is known by the client's slot. */
    void enter(Player player, int slot, String skin) {
        playerSlots.bind(player.id(), slot);
        playerSlots.wear(player.id(), skin);
        dress(player);
    }

    /** A client has no player any more, and keeps its slot. */
    void leave(PlayerId player, int slot) {
        if (playerSlots.unbind(player) >= 0) {
            strings.set(ConfigString.SKINS + slot, "");
        }
    }

    /** A client wishes for another skin. */
    void wear(long now, PlayerId player, String skin) {
        if (playerSlots.wear(player, skin)) {
            arena.appearanceChanged(now, player);
        }
    }

    /** Tells who everyone is, as after a change of the map. */
    void dressAll() {
        arena.players().forEach(this::dress);
    }

    private void dress(Player player) {
        int slot = playerSlots.slot(player.id());
        if (slot >= 0) {
            strings.set(ConfigString.SKINS + slot, playerSlots.skin(player));
        }
    }

    /** Gives somebody who plays another game, or elsewhere, a number and a skin. */
    private void appear(Player player) {
        playerSlots
                .take()
                .ifPresent(slot -> {
                    playerSlots.bind(player.id(), slot);
                    dress(player);
                });
    }

    /** Nobody any more has a player's number, unless it is that of a client: it keeps its own. */
    private void disappear(Player player) {
        int slot = playerSlots.unbind(player.id());
        if (slot >= 0) {
            strings.set(ConfigString.SKINS + slot, "");
            playerSlots.free(slot);
        }
    }

    private EntityState posed(Player player, EntityState seen, int frame) {
        Pose pose = poses.get(player.id());
        return pose == null ? seen : pose.on(seen, frame, player.movement().stance().crouched());
    }

    /**
     * Puts everyone with a body into the next frame.
     *
     * @param frame of the game's ten a second
     */
    void compose(FrameEntities frameEntities, int frame) {
        frameEntities.begin();
        composed = frame;
        teleported.values().removeIf(last -> last < frame);
        poses.values().removeIf(pose -> pose.last() < frame);
        for (Player player : arena.players()) {
            if (playerSlots.slot(player.id()) < 0) {
                appear(player);
            }
            int slot = playerSlots.slot(player.id());
            if (slot >= 0 && player.spawned()) {
                EntityState seen = posed(player, PlayerEntities.seen(player, slot, frame), frame);
                boolean jumps = teleported.containsKey(player.id());
                frameEntities.put(slot + 1, jumps ? seen.with(EntityState.TELEPORTS) : seen);
            }
        }
    }
}
