package dev.wishdir.sauerbraten.server;

import dev.wishdir.arena.PlayerId;
import dev.wishdir.arena.RateLimitedAction;
import dev.wishdir.sauerbraten.map.Ogz;
import dev.wishdir.sauerbraten.message.ItemMessage;
import dev.wishdir.sauerbraten.server.SauerbratenSession.Presence;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** The items of the current map, as the first client that loaded it reports them. */
final class SauerbratenItems {
    /** Maximum number of items: all that are present are sent to each client that joins. */
    private static final int MAX_ITEMS = 1000;

    private static final int FIRST_ITEM_TYPE = 8;
    private static final int LAST_ITEM_TYPE = 18;
    private static final int BOOST = 15;
    private static final int QUAD = 18;
    private static final int HEALTH = 14;
    private static final long PRESENT = Long.MIN_VALUE;

    /**
     * An item, and when it respawns, in time played.
     *
     * @param respawnsAt {@link #PRESENT} if it is present
     */
    private record Placed(int type, long respawnsAt) {
        boolean isPresent() {
            return respawnsAt == PRESENT;
        }
    }

    private final ClientRegistry registry;
    private final Map<Integer, Placed> items = new TreeMap<>();
    private boolean known;

    SauerbratenItems(ClientRegistry registry) {
        this.registry = registry;
    }

    /** Whether a client has reported the items. */
    boolean known() {
        return known;
    }

    /** Clears the items, as another map is played. */
    void clear() {
        items.clear();
        known = false;
    }

    /** The items that are present. */
    List<ItemMessage.Placed> present() {
        List<ItemMessage.Placed> present = new ArrayList<>();
        items.forEach((index, item) -> {
            if (item.isPresent()) {
                present.add(new ItemMessage.Placed(index, item.type()));
            }
        });
        return present;
    }

    /**
     * Respawns items that are due.
     *
     * @param played time played, nanoseconds
     * @return the time played at which to call again
     */
    long advance(long played) {
        long next = Long.MAX_VALUE;
        for (Map.Entry<Integer, Placed> entry : items.entrySet()) {
            Placed item = entry.getValue();
            if (!item.isPresent() && played >= item.respawnsAt()) {
                entry.setValue(new Placed(item.type(), PRESENT));
                registry.news(entry.getKey(), new ItemMessage.ItemSpawn(entry.getKey()));
            } else if (!item.isPresent()) {
                next = Math.min(next, item.respawnsAt());
            }
        }
        return next;
    }

    /** Sets the items that a client reports; only the first report counts. */
    void take(ItemMessage.ItemList list) {
        if (known) {
            return;
        }
        known = true;
        for (ItemMessage.Placed item : list.items()) {
            boolean isItem = item.type() >= FIRST_ITEM_TYPE && item.type() <= LAST_ITEM_TYPE;
            boolean isOfMap = item.item() >= 0 && item.item() < Ogz.MAX_ENTITIES;
            if (isItem && isOfMap && items.size() < MAX_ITEMS) {
                items.put(item.item(), new Placed(item.type(), PRESENT));
            }
        }
    }

    /** Picks up an item, if it is present and the client may. */
    void pickUp(long now, long played, SauerbratenSession from, int index) {
        Placed item = items.get(index);
        PlayerId player = from.player();
        if (item == null
                || !item.isPresent()
                || from.presence() != Presence.ALIVE
                || player == null
                || !registry.arena().allows(now, player, RateLimitedAction.ACT, 1)) {
            registry.answer(from, new ItemMessage.ItemAcc(index, -1));
            return;
        }
        items.put(index, new Placed(item.type(), played + respawnTime(item.type())));
        registry.news(index, new ItemMessage.ItemAcc(index, from.cn));
    }

    private static long respawnTime(int type) {
        return TimeUnit.SECONDS.toNanos(
                switch (type) {
                    case HEALTH -> 20;
                    case BOOST, QUAD -> 60;
                    default -> type < HEALTH ? 16 : 30;
                });
    }
}
