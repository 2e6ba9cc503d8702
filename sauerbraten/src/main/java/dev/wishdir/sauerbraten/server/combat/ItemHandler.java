package dev.wishdir.sauerbraten.server.combat;

import dev.wishdir.arena.combat.Combatant;
import dev.wishdir.arena.combat.Combatant.ItemClaim;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.ArenaListener;
import dev.wishdir.arena.event.RateLimitedAction;
import dev.wishdir.arena.event.ViolationRule;
import dev.wishdir.arena.item.Item;
import dev.wishdir.arena.item.ItemSpawns;
import dev.wishdir.arena.validation.ShotViolation;
import dev.wishdir.blocks.arena.ItemKind;
import dev.wishdir.blocks.arena.PlacedItem;
import dev.wishdir.motion.Vec3;
import dev.wishdir.sauerbraten.combat.ClientState;
import dev.wishdir.sauerbraten.message.EditMessage;
import dev.wishdir.sauerbraten.message.ItemMessage;
import dev.wishdir.sauerbraten.message.RelayMessage;
import dev.wishdir.sauerbraten.message.SauerbratenMessage;
import dev.wishdir.sauerbraten.movement.SauerbratenMotion;
import dev.wishdir.sauerbraten.protocol.SauerbratenCodec;
import dev.wishdir.sauerbraten.server.movement.PlaceHandler;
import dev.wishdir.sauerbraten.server.session.Broadcaster;
import dev.wishdir.sauerbraten.server.session.ClientTable;
import dev.wishdir.sauerbraten.server.session.CurrentMatch;
import dev.wishdir.sauerbraten.server.session.SauerbratenSession;
import dev.wishdir.sauerbraten.server.view.RunningLevel;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/**
 * The items of an arena in a match, which the map file of this game does not have: each client is
 * sent them as entities beyond those of the map, and asks for one that it touches.
 */
public final class ItemHandler implements ArenaListener {
    /** The index of the first item, above all entities of a generated map. */
    static final int FIRST = 1_000;

    /** Distance of the feet from an item that a client touches: 12 units. */
    private static final double TOUCH_METRES = 12 / SauerbratenMotion.SCALE;

    /** From the feet to what must be in sight of an item. */
    private static final Vec3 KNEE = new Vec3(0, 0, 0.5);

    /** Height of an item above its ground, as on most maps of the game. */
    private static final double HEIGHT_UNITS = 4;

    private static final int NO_ENTITY = 0;
    private static final int SHELLS = 8;
    private static final int BULLETS = 9;
    private static final int ROCKETS = 10;
    private static final int ROUNDS = 11;
    private static final int GRENADES = 12;
    private static final int HEALTH = 14;
    private static final int BOOST = 15;
    private static final int GREEN_ARMOUR = 16;
    private static final int YELLOW_ARMOUR = 17;
    private static final int QUAD = 18;

    private final ItemSpawns spawns;
    private final CurrentMatch match;
    private final ClientTable clients;
    private final Broadcaster broadcaster;
    private final RunningLevel geometry;
    private final PlaceHandler places;

    /** The numbers of absent items that clients have announced. */
    private final BitSet announced = new BitSet();

    public ItemHandler(
            ItemSpawns spawns,
            CurrentMatch match,
            ClientTable clients,
            Broadcaster broadcaster,
            RunningLevel geometry,
            PlaceHandler places) {
        this.spawns = spawns;
        this.match = match;
        this.clients = clients;
        this.broadcaster = broadcaster;
        this.geometry = geometry;
        this.places = places;
    }

    /** The type of entity of a kind. */
    private static int type(ItemKind kind) {
        return switch (kind) {
            case SMALL_HEALTH, HEALTH, LARGE_HEALTH -> HEALTH;
            case MEGA_HEALTH -> BOOST;
            case ARMOUR_SHARD, LIGHT_ARMOUR -> GREEN_ARMOUR;
            case HEAVY_ARMOUR -> YELLOW_ARMOUR;
            // Weapons of this game are their ammunition.
            case WEAPON_SHOTGUN, AMMO_SHOTGUN -> SHELLS;
            case WEAPON_MACHINE_GUN, AMMO_MACHINE_GUN -> BULLETS;
            case WEAPON_RIFLE, AMMO_RIFLE -> ROUNDS;
            case WEAPON_ROCKET, AMMO_ROCKET -> ROCKETS;
            case WEAPON_GRENADE, AMMO_GRENADE -> GRENADES;
            case QUAD -> QUAD;
        };
    }

    private List<Item> items() {
        return match.mode().items() ? spawns.of(SauerbratenCodec.GAME) : List.of();
    }

    /** Whether the arena has items. */
    boolean areThere() {
        return !items().isEmpty();
    }

    /**
     * Sends a client that begins a life the items, if it has not received them on this map. A
     * client that is sent the map has a life before, and forgets all entities when it loads it.
     */
    void show(SauerbratenSession to) {
        if (areThere() && !to.mapCopy.isFetching() && to.mapCopy.markItemsSent()) {
            to.viewer.publish(ItemHandler.class, () -> all(to));
        }
    }

    private List<SauerbratenMessage> all(SauerbratenSession to) {
        List<SauerbratenMessage> messages = new ArrayList<>();
        for (Item item : items()) {
            if (item.isPresent()) {
                messages.add(entity(to, item.number(), item.placed(), type(item.kind())));
                messages.add(new ItemMessage.ItemSpawn(FIRST + item.number()));
            }
        }
        return messages;
    }

    private SauerbratenMessage entity(
            SauerbratenSession to, int number, PlacedItem item, int type) {
        Vec3 at =
                geometry.motion()
                        .toNative(item.place())
                        .plus(new Vec3(0, 0, HEIGHT_UNITS))
                        .times(16);
        return new RelayMessage.Client(
                to.cn,
                SauerbratenCodec.V260.packet(
                        new EditMessage.EditEnt(
                                FIRST + number,
                                (int) Math.round(at.x()),
                                (int) Math.round(at.y()),
                                (int) Math.round(at.z()),
                                type,
                                0,
                                0,
                                0,
                                0,
                                0)));
    }

    /** A client asks for an item that it touches. */
    void pickUp(long now, SauerbratenSession from, int index) {
        if (from.life.state() != ClientState.ALIVE
                || !from.player().allows(now, RateLimitedAction.ACT, 1)) {
            return;
        }
        place(index - FIRST)
                .filter(place -> isReachable(now, from, place))
                .map(place ->
                        places.claim(now, from, place, TOUCH_METRES, ViolationRule.ITEM_DISTANCE))
                .ifPresentOrElse(
                        place -> place.whenProven(now, at -> claim(at, from, index)),
                        () -> claim(now, from, index));
    }

    private Optional<Vec3> place(int number) {
        List<Item> items = items();
        return number < 0 || number >= items.size() || !items.get(number).isPresent()
                ? Optional.empty()
                : Optional.of(items.get(number).placed().place());
    }

    /** Whether a player was at an item, or can have run there since its last position. */
    private boolean isReachable(long now, SauerbratenSession from, Vec3 place) {
        Combatant combatant = from.player().combatant();
        return combatant.distanceFromPath(now, place)
                        <= TOUCH_METRES + Combatant.ORIGIN_ALLOWANCE_METRES
                || combatant
                        .checkOrigin(
                                now,
                                place.plus(KNEE),
                                KNEE.z(),
                                SauerbratenMotion.LIMITS.speed(),
                                geometry.level().space())
                        .isEmpty();
    }

    private void claim(long now, SauerbratenSession from, int index) {
        ItemClaim claim =
                from.player()
                        .combatant()
                        .claimItem(
                                now,
                                index - FIRST,
                                TOUCH_METRES,
                                geometry.level().space(),
                                item -> take(now, from, item),
                                wrong -> report(now, from, from.itemClaims.add(wrong)));
        switch (claim) {
            case TAKEN -> broadcaster.publish(key(index), new ItemMessage.ItemAcc(index, from.cn));
            // It asks again as long as it touches the item.
            case NO_USE, IMPOSSIBLE -> from.answer(now, new ItemMessage.ItemAcc(index, -1));
            case GONE -> {
                // The client knows, or will.
            }
        }
    }

    private static void report(
            long now, SauerbratenSession from, Optional<ShotViolation> violation) {
        violation.ifPresent(it -> from.player().combatant().report(now, it));
    }

    private static boolean take(long now, SauerbratenSession from, Item item) {
        return ItemEffects.give(now, type(item.kind()), from);
    }

    private static Object key(int index) {
        return List.of(ItemHandler.class, index);
    }

    @Override
    public void onEvent(ArenaEvent event) {
        switch (event) {
            // A client gives an item's taker what it gives in this game, if it is one of its own.
            case ArenaEvent.ItemTaken taken
                    when isOfThisLevel(taken.number(), taken.item()) && !isOwn(taken) -> {
                if (taken.item().kind() == ItemKind.QUAD) {
                    showQuad(taken);
                }
                publish(taken.number(), taken.item());
            }
            case ArenaEvent.ItemVanished vanished
                    when isOfThisLevel(vanished.number(), vanished.item()) ->
                    publish(vanished.number(), vanished.item());
            case ArenaEvent.ItemReturned returned
                    when isOfThisLevel(returned.number(), returned.item()) ->
                    publish(returned.number(), returned.item());
            case ArenaEvent.RoundStarted _ -> {
                announced.clear();
                items().forEach(item -> publish(item.number(), item.placed()));
            }
            default -> {
                // It is about no item.
            }
        }
    }

    /**
     * Announces boosts and quad damage that are soon there.
     *
     * @return when to call again
     */
    public long advance(long now) {
        long next = Long.MAX_VALUE;
        for (Item item : items()) {
            int type = type(item.kind());
            long due = item.back() - ItemMessage.Announce.LEAD_NANOS;
            if (item.isPresent()) {
                announced.clear(item.number());
            } else if ((type == BOOST || type == QUAD) && !announced.get(item.number())) {
                if (now >= due) {
                    announced.set(item.number());
                    broadcaster.send(-1, new ItemMessage.Announce(type));
                } else {
                    next = Math.min(next, due);
                }
            }
        }
        return next;
    }

    /** Clients give the player of another game the quad damage that they show. */
    private void showQuad(ArenaEvent.ItemTaken taken) {
        int index = FIRST + taken.number();
        for (SauerbratenSession session : clients.joined()) {
            int cn = session.viewer.numberShown(taken.id());
            if (session.mapCopy.hasItems() && cn >= 0) {
                session.viewer.publish(
                        List.of(ItemMessage.ItemAcc.class, index),
                        () -> List.of(new ItemMessage.ItemAcc(index, cn)));
            }
        }
    }

    /** Whether a client of this server took it, of which {@link #pickUp} reports. */
    private static boolean isOwn(ArenaEvent.ItemTaken taken) {
        return taken.player().game().equals(SauerbratenCodec.GAME) && !taken.id().isMirrored();
    }

    private boolean isOfThisLevel(int number, PlacedItem item) {
        List<Item> items = items();
        return number < items.size() && items.get(number).placed().equals(item);
    }

    /** Sends all clients that have the items whether one is there. */
    private void publish(int number, PlacedItem placed) {
        broadcaster.flushRelayed();
        for (SauerbratenSession session : clients.joined()) {
            if (session.mapCopy.hasItems()) {
                session.viewer.publish(key(FIRST + number), () -> one(session, number, placed));
            }
        }
    }

    private List<SauerbratenMessage> one(SauerbratenSession to, int number, PlacedItem placed) {
        if (!isOfThisLevel(number, placed)) {
            return List.of();
        }
        return items().get(number).isPresent()
                ? List.of(
                        entity(to, number, placed, type(placed.kind())),
                        new ItemMessage.ItemSpawn(FIRST + number))
                : List.of(entity(to, number, placed, NO_ENTITY));
    }
}
