package dev.wishdir.quake2.server.view;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.ArenaListener;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.quake2.combat.QuadDamage;
import dev.wishdir.quake2.combat.Weapon;
import dev.wishdir.quake2.message.EntityState;
import dev.wishdir.quake2.message.PlayerState;
import dev.wishdir.quake2.message.ServerMessage.ConfigString;
import dev.wishdir.quake2.message.Triple;
import dev.wishdir.quake2.movement.PlayerHulls;
import dev.wishdir.quake2.movement.Quake2Motion;
import dev.wishdir.quake2.protocol.Quake2Codec;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** The arena's players as this game's clients see them: slot, name with skin, entity. */
public final class PlayerEntityTable implements ArenaListener {
    private final Arena arena;
    private final ConfigStrings strings;
    private final PlayerNumbers playerSlots = new PlayerNumbers();

    /** Players that have teleported, and the last frame that shows it. */
    private final Map<PlayerId, Integer> teleported = new HashMap<>();

    /** Animations that are being shown. */
    private final Map<PlayerId, Pose> poses = new HashMap<>();

    private final CorpseEntities corpses = new CorpseEntities();

    /**
     * A weapon that a player carries.
     *
     * @param sound index of the sound that it makes all the time, 0 for none
     */
    private record Carried(Weapon weapon, int sound) {}

    /** The weapons that players carry; of other games' known by their hits. */
    private final Map<PlayerId, Carried> weapons = new HashMap<>();

    private final MissileEntities missiles;
    private final ItemEntities items;
    private final FlagEntities flags;

    /** Entities that are no living players. */
    private final BitSet others = new BitSet();

    private int currentFrame;

    public PlayerEntityTable(
            Arena arena,
            ConfigStrings strings,
            MissileEntities missiles,
            ItemEntities items,
            FlagEntities flags) {
        this.flags = flags;
        this.items = items;
        this.arena = arena;
        this.strings = strings;
        this.missiles = missiles;
    }

    /** Updates skins, poses and teleports. */
    @Override
    public void onEvent(ArenaEvent event) {
        switch (event) {
            case ArenaEvent.Left e -> {
                poses.remove(e.id());
                corpses.remove(e.id());
                weapons.remove(e.id());
                disappear(e.id());
            }
            case ArenaEvent.Renamed e -> updateSkin(e.player());
            case ArenaEvent.AppearanceChanged e -> updateSkin(e.player());
            case ArenaEvent.TeamChanged e -> updateSkin(e.player());
            case ArenaEvent.Teleported e -> teleported.put(e.id(), currentFrame + 1);
            case ArenaEvent.ActionPerformed e ->
                    poses.merge(e.id(), Pose.of(act(e), currentFrame + 1), Pose::followedBy);
            case ArenaEvent.Hit e -> {
                if (e.damage() > 0) {
                    poses.merge(e.id(), Pose.of(Pose.Act.PAIN, currentFrame + 1), Pose::followedBy);
                }
                if (!e.attacker().game().equals(Quake2Codec.GAME)) {
                    Weapon.of(e.means())
                            .ifPresentOrElse(
                                    weapon -> carry(e.attacker().id(), weapon, 0),
                                    () -> weapons.remove(e.attacker().id()));
                }
            }
            case ArenaEvent.Died e -> {
                int slot = playerSlots.slot(e.id());
                if (slot >= 0) {
                    poses.remove(e.id());
                    corpses.add(
                            e.id(),
                            PlayerEntities.entity(e.player(), slot, currentFrame),
                            currentFrame + 1);
                }
            }
            default -> {}
        }
    }

    private Pose.Act act(ArenaEvent.ActionPerformed event) {
        Carried carried = weapons.get(event.id());
        return switch (event.action()) {
            case TAUNT -> Pose.Act.TAUNT;
            case ATTACK ->
                    carried != null && carried.weapon == Weapon.HAND_GRENADE
                            ? Pose.Act.THROW
                            : Pose.Act.ATTACK;
        };
    }

    /**
     * Sets the weapon that a player carries.
     *
     * @param sound index of the sound that it makes all the time, 0 for none
     */
    public void carry(PlayerId player, Weapon weapon, int sound) {
        weapons.put(player, new Carried(weapon, sound));
    }

    /** Moves the body of a dead player. */
    public void moveCorpse(PlayerId player, Triple origin) {
        corpses.move(player, origin);
    }

    /**
     * Entities of the last frame that are no living players: dead bodies, flags, missiles and
     * items.
     */
    BitSet others() {
        return others;
    }

    /** The slot of a player, -1 if none was free. */
    public int slot(PlayerId player) {
        return playerSlots.slot(player);
    }

    /**
     * Sets the bits of the entities of players.
     *
     * @param players players without a slot have no entity
     */
    public void mark(List<Player> players, BitSet entities) {
        for (Player player : players) {
            entities.set(playerSlots.slot(player.id()) + 1);
        }
    }

    /** Number of changes of slots so far. */
    int changes() {
        return playerSlots.changes();
    }

    /**
     * Takes a slot for a player of this server: a free one, else that of a mirrored player, which
     * is not shown any more.
     *
     * @return empty if players of this server have all slots
     */
    public OptionalInt take() {
        return take(new BitSet());
    }

    /**
     * Takes a free slot, else that of a mirrored player.
     *
     * @param except entities of players that keep their slots
     */
    private OptionalInt take(BitSet except) {
        OptionalInt free = playerSlots.take();
        Optional<PlayerId> mirrored =
                free.isPresent() ? Optional.empty() : playerSlots.anyMirrored(except);
        if (mirrored.isEmpty()) {
            return free;
        }
        disappear(mirrored.get());
        return playerSlots.take();
    }

    /** Whether all slots are taken, so that further players are not shown. */
    public boolean isFull() {
        return playerSlots.isFull();
    }

    /**
     * Gives players that a client sees the slots of mirrored players that no client sees.
     *
     * @param shown entities that clients see; those of new slots are added
     * @param max maximum number of slots that may change, as each sends all clients a skin
     * @return number of slots that have changed
     */
    public int prefer(List<Player> visible, BitSet shown, int max) {
        int changed = 0;
        for (int i = 0; i < visible.size() && changed < max; i++) {
            Player player = visible.get(i);
            if (playerSlots.slot(player.id()) < 0) {
                int slot = bind(player, take(shown));
                if (slot < 0) {
                    break;
                }
                shown.set(slot + 1);
                changed++;
            }
        }
        return changed;
    }

    /** Frees the slot of a client. */
    public void free(int slot) {
        playerSlots.free(slot);
    }

    /** Binds a client's new player to its slot. */
    public void enter(Player player, int slot, String skin) {
        playerSlots.bind(player.id(), slot);
        playerSlots.setSkin(player.id(), skin);
        updateSkin(player);
    }

    /** Unbinds a client's player; the client keeps its slot. */
    public void leave(PlayerId player, int slot) {
        if (playerSlots.unbind(player) >= 0) {
            strings.set(ConfigString.SKINS + slot, "");
        }
    }

    /**
     * Sets the skin that a player's client requests.
     *
     * @return whether it changed; the player's appearance must then be reported to the arena
     */
    public boolean setSkin(PlayerId player, String skin) {
        return playerSlots.setSkin(player, skin);
    }

    /** Begins a level, whose frames count from 1 again: without corpses and poses. */
    public void beginLevel() {
        teleported.clear();
        poses.clear();
        corpses.clear();
        arena.players().forEach(this::updateSkin);
    }

    private void updateSkin(Player player) {
        int slot = playerSlots.slot(player.id());
        if (slot >= 0) {
            strings.set(
                    ConfigString.SKINS + slot,
                    playerSlots.skin(player, arena.match().team(player.id())));
        }
    }

    /**
     * Gives a foreign player a slot and a skin.
     *
     * @return the slot, -1 if none was free
     */
    private int appear(Player player) {
        return bind(player, player.id().isMirrored() ? playerSlots.take() : take());
    }

    private int bind(Player player, OptionalInt taken) {
        int slot = taken.orElse(-1);
        if (slot >= 0) {
            playerSlots.bind(player.id(), slot);
            updateSkin(player);
        }
        return slot;
    }

    /** Frees the slot of a player; a client keeps its own. */
    private void disappear(PlayerId player) {
        int slot = playerSlots.unbind(player);
        if (slot >= 0) {
            strings.set(ConfigString.SKINS + slot, "");
            playerSlots.free(slot);
        }
    }

    /**
     * The bodies of players within a distance, which block this game's bodies; those of ghosts do
     * not.
     *
     * @param players players without a slot have no body
     * @param distance on each axis, eighths of a unit
     */
    public List<PlayerState> bodiesNear(List<Player> players, Triple origin, int distance) {
        List<PlayerState> near = new ArrayList<>();
        for (Player player : players) {
            Triple place = Quake2Motion.toNative(player.movement().position());
            if (!player.isGhost()
                    && PlayerHulls.isNear(origin, place, distance)
                    && playerSlots.slot(player.id()) >= 0) {
                near.add(PlayerEntities.state(player));
            }
        }
        return near;
    }

    private EntityState applyPose(Player player, EntityState entity, int frame) {
        Pose pose = poses.get(player.id());
        return pose == null
                ? entity
                : pose.apply(entity, frame, player.movement().stance().crouched());
    }

    /**
     * Puts all players with a body into the next frame.
     *
     * @param frame of the game's ten a second
     */
    public void compose(long now, FrameEntities frameEntities, int frame) {
        frameEntities.begin();
        currentFrame = frame;
        teleported.values().removeIf(last -> last < frame);
        poses.values().removeIf(pose -> pose.last() < frame);
        for (Player player : arena.players()) {
            int known = playerSlots.slot(player.id());
            int slot = known >= 0 ? known : appear(player);
            if (slot >= 0 && player.spawned()) {
                if (corpses.remove(player.id())) {
                    // It did not walk from there to here.
                    teleported.put(player.id(), frame);
                }
                EntityState body = PlayerEntities.entity(player, slot, frame);
                Carried carried = weapons.get(player.id());
                EntityState entity =
                        applyPose(
                                player,
                                carried == null
                                        ? body
                                        : body.carrying(carried.weapon.number(), carried.sound),
                                frame);
                if (QuadDamage.isVisible(
                        QuadDamage.frames(arena.match().quadLeft(now, player.id())))) {
                    entity = entity.withEffects(EntityState.QUAD);
                }
                int flag = flags.effects(player.id());
                if (flag != 0) {
                    entity = entity.withEffects(flag);
                }
                boolean hasTeleported = teleported.containsKey(player.id());
                frameEntities.put(
                        slot + 1, hasTeleported ? entity.with(EntityState.TELEPORTS) : entity);
            }
        }
        others.clear();
        corpses.compose(frameEntities, frame, others);
        flags.compose(frameEntities, playerSlots::slot);
        others.or(flags.numbers());
        missiles.compose(frameEntities);
        others.or(missiles.numbers());
        items.compose(frameEntities);
        others.or(items.numbers());
    }
}
