package dev.wishdir.quake3.server.combat;

import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.ArenaListener;
import dev.wishdir.arena.item.Item;
import dev.wishdir.arena.item.ItemReach;
import dev.wishdir.arena.item.ItemSpawns;
import dev.wishdir.blocks.arena.ItemKind;
import dev.wishdir.blocks.arena.PlacedItem;
import dev.wishdir.motion.Vec3;
import dev.wishdir.motion.Vec3f;
import dev.wishdir.quake3.combat.PickupItem;
import dev.wishdir.quake3.message.EntityField;
import dev.wishdir.quake3.message.EntityState;
import dev.wishdir.quake3.movement.PlayerBody;
import dev.wishdir.quake3.movement.Quake3Motion;
import dev.wishdir.quake3.protocol.Configstrings;
import dev.wishdir.quake3.protocol.Quake3Codec;
import dev.wishdir.quake3.server.session.Quake3Session;
import dev.wishdir.quake3.server.view.CombatEntities;
import dev.wishdir.quake3.server.view.CombatEntities.Content;
import dev.wishdir.quake3.server.view.RunningLevel;
import dev.wishdir.quake3.server.view.TempEvent;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The items of the level: shown as entities, and taken by the bodies that touch them. */
public final class ItemHandler implements ArenaListener {
    /** From the base of an item's box to its origin, units. */
    private static final double BASE_UNITS = 15;

    /** The game's own rule, from origin to origin; a client predicts by the same. */
    static final ItemReach REACH =
            new ItemReach(
                    new Vec3(-50, -36, -36 - Quake3Motion.FEET + BASE_UNITS)
                            .times(1 / Quake3Motion.SCALE),
                    new Vec3(44, 36, 36 - Quake3Motion.FEET + BASE_UNITS)
                            .times(1 / Quake3Motion.SCALE));

    private static final int ET_ITEM = 2;
    private static final int ITEM_RESPAWN = 40;

    private final ItemSpawns spawns;
    private final RunningLevel running;
    private final CombatEntities entities;

    /** The items that the entities show. */
    private List<Item> shown = List.of();

    private int first;

    /** Items that have returned, and when that is not shown any more. */
    private final Map<Integer, Integer> events = new HashMap<>();

    /** Counts returns: their event is only seen if it differs from the last one. */
    private int returns;

    public ItemHandler(ItemSpawns spawns, RunningLevel running, CombatEntities entities) {
        this.spawns = spawns;
        this.running = running;
        this.entities = entities;
    }

    /** Takes the items that a body touches after a usercmd. */
    void touch(long now, Quake3Session client, ArenaPlayer player) {
        PlayerBody body = client.body();
        Vec3f origin = body.origin();
        player.combatant()
                .takeItems(
                        now,
                        Quake3Motion.feet(origin.x(), origin.y(), origin.z()),
                        REACH,
                        item -> take(now, client, player, item));
    }

    private boolean take(long now, Quake3Session client, ArenaPlayer player, Item item) {
        PlayerBody body = client.body();
        boolean predicts = client.userinfo().number("cg_predictItems", 0) != 0;
        if (!body.take(PickupItem.of(item.placed()), predicts, running.time(now))) {
            return false;
        }
        player.combatant().setVitals(HitHandler.vitals(body.health(), body.combat().armour()));
        int quad = body.quadLeft(running.time(now));
        if (quad > 0) {
            player.combatant().setQuad(now + TimeUnit.MILLISECONDS.toNanos(quad));
        }
        return true;
    }

    /** Shows the items of a level, and no entity of the previous one. */
    void beginLevel() {
        entities.clear();
        showAll();
    }

    /** Shows the items of another level, and ends events that are over. */
    void advance(int time) {
        if (!spawns.of(Quake3Codec.GAME).equals(shown)) {
            showAll();
        }
        if (!events.isEmpty()) {
            events.entrySet()
                    .removeIf(event -> {
                        if (time < event.getValue()) {
                            return false;
                        }
                        Item item = shown.get(event.getKey());
                        if (item.isPresent()) {
                            entities.item(first + item.number(), state(item.placed()).build());
                        }
                        return true;
                    });
        }
    }

    private void showAll() {
        for (Item item : shown) {
            hide(item.number());
        }
        events.clear();
        shown = spawns.of(Quake3Codec.GAME);
        first = running.entities().firstFree();
        for (Item item : shown) {
            if (item.isPresent() && hasNumber(item.number())) {
                entities.item(first + item.number(), state(item.placed()).build());
            }
        }
    }

    private void hide(int item) {
        if (hasNumber(item)) {
            entities.remove(first + item);
        }
    }

    /** Whether there is a number for it; further numbers are those of events. */
    private boolean hasNumber(int item) {
        return first + item < CombatEntities.FIRST_EVENT;
    }

    private static EntityState.Builder state(PlacedItem item) {
        return CombatEntities.at(origin(item))
                .set(EntityField.E_TYPE, ET_ITEM)
                .set(EntityField.MODELINDEX, PickupItem.of(item).number())
                .set(EntityField.GROUND_ENTITY_NUM, EntityState.WORLD);
    }

    /** The origin of an item's entity, units. */
    static Vec3f origin(PlacedItem item) {
        Vec3f base = ShotGeometry.units(item.place());
        return base.withZ(base.z() + (float) BASE_UNITS);
    }

    @Override
    public void onEvent(ArenaEvent event) {
        switch (event) {
            case ArenaEvent.ItemTaken taken -> {
                if (isShown(taken.number(), taken.item())) {
                    hide(taken.number());
                }
                if (taken.item().kind() == ItemKind.QUAD) {
                    announce(
                            taken.time(),
                            TempEvent.GLOBAL_ITEM_PICKUP,
                            PickupItem.QUAD.number(),
                            taken.item());
                }
            }
            case ArenaEvent.ItemVanished vanished -> {
                if (isShown(vanished.number(), vanished.item())) {
                    hide(vanished.number());
                }
            }
            case ArenaEvent.ItemReturned returned -> {
                if (isShown(returned.number(), returned.item()) && hasNumber(returned.number())) {
                    returns++;
                    events.put(
                            returned.number(),
                            running.time(returned.time()) + CombatEntities.EVENT_MILLIS);
                    entities.item(
                            first + returned.number(),
                            state(returned.item())
                                    .set(EntityField.EVENT, ITEM_RESPAWN | (returns & 3) << 8)
                                    .build());
                    if (returned.item().kind() == ItemKind.QUAD) {
                        announce(
                                returned.time(),
                                TempEvent.GLOBAL_SOUND,
                                Configstrings.POWERUP_RETURNS,
                                returned.item());
                    }
                }
            }
            case ArenaEvent.RoundStarted _ -> showAll();
            case ArenaEvent.LevelChanged changed when changed.game().equals(Quake3Codec.GAME) ->
                    showAll();
            default -> {
                // It is about no item.
            }
        }
    }

    /** An event that all clients hear, wherever they are. */
    private void announce(long now, TempEvent event, int parameter, PlacedItem item) {
        entities.event(
                running.time(now),
                event,
                new Content(
                                CombatEntities.at(origin(item))
                                        .set(EntityField.EVENT_PARM, parameter)
                                        .build())
                        .toAll());
    }

    /** Whether an event is about an item of this game's level. */
    private boolean isShown(int number, PlacedItem item) {
        return number < shown.size() && shown.get(number).placed().equals(item);
    }
}
