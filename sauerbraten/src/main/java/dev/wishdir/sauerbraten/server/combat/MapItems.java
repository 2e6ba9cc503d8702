package dev.wishdir.sauerbraten.server.combat;

import dev.wishdir.arena.event.RateLimitedAction;
import dev.wishdir.sauerbraten.combat.ClientState;
import dev.wishdir.sauerbraten.map.Ogz;
import dev.wishdir.sauerbraten.message.ItemMessage;
import dev.wishdir.sauerbraten.protocol.DisconnectReason;
import dev.wishdir.sauerbraten.server.session.Broadcaster;
import dev.wishdir.sauerbraten.server.session.CurrentMatch;
import dev.wishdir.sauerbraten.server.session.SauerbratenSession;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** The items of the current map, as reported by the first client that loaded it. */
public final class MapItems {
    /** The most items of a map: each newcomer is sent all that are present. */
    private static final int MAX_ITEMS = 1000;

    private static final int FIRST = 8;
    private static final int LAST = 18;
    private static final int BOOST = 15;
    private static final int QUAD = 18;
    private static final int HEALTH = 14;
    private static final long THERE = Long.MIN_VALUE;

    /**
     * An item of the map.
     *
     * @param back the played time at which it is present again, nanoseconds; {@link #THERE} if it
     *     is present
     * @param announced whether clients know that it will be present soon
     */
    private record Placed(int type, long back, boolean announced) {
        boolean isThere() {
            return back == THERE;
        }

        /** The played time at which something is due. */
        long due() {
            boolean waits = (type == BOOST || type == QUAD) && !announced;
            return waits ? back - ItemMessage.Announce.LEAD_NANOS : back;
        }
    }

    private final CurrentMatch match;
    private final Broadcaster broadcaster;
    private final ItemHandler arenaItems;
    private final Map<Integer, Placed> items = new TreeMap<>();
    private boolean known;

    /**
     * @param arenaItems those that the arena gives this game's map in a match
     */
    public MapItems(CurrentMatch match, Broadcaster broadcaster, ItemHandler arenaItems) {
        this.arenaItems = arenaItems;
        this.match = match;
        this.broadcaster = broadcaster;
    }

    public void handle(long now, SauerbratenSession from, ItemMessage message) {
        switch (message) {
            case ItemMessage.ItemList list -> {
                if (match.mode().items()) {
                    setItems(list, match.played(now));
                }
            }
            case ItemMessage.ItemPickup pickup
                    when pickup.item() >= ItemHandler.FIRST && arenaItems.areThere() ->
                    arenaItems.pickUp(now, from, pickup.item());
            case ItemMessage.ItemPickup pickup -> pickUp(now, from, pickup.item());
            default -> from.connection.disconnect(DisconnectReason.MESSAGE_ERROR);
        }
    }

    /** Whether a client has reported the items. */
    public boolean known() {
        return known;
    }

    /** Another map is played. */
    public void clear() {
        items.clear();
        known = false;
    }

    /** The items that are present. */
    public List<ItemMessage.Placed> present() {
        List<ItemMessage.Placed> present = new ArrayList<>();
        items.forEach((index, item) -> {
            if (item.isThere()) {
                present.add(new ItemMessage.Placed(index, item.type()));
            }
        });
        return present;
    }

    /**
     * Brings items back that are due, and announces those that are soon.
     *
     * @param played the time played until now, nanoseconds
     * @return the played time at which to call again
     */
    public long advance(long played) {
        long next = Long.MAX_VALUE;
        for (Map.Entry<Integer, Placed> entry : items.entrySet()) {
            Placed item = entry.getValue();
            if (!item.isThere() && played >= item.back()) {
                entry.setValue(new Placed(item.type(), THERE, false));
                broadcaster.publish(entry.getKey(), new ItemMessage.ItemSpawn(entry.getKey()));
            } else if (!item.isThere()) {
                if (played >= item.due()) {
                    item = new Placed(item.type(), item.back(), true);
                    entry.setValue(item);
                    broadcaster.send(-1, new ItemMessage.Announce(item.type()));
                }
                next = Math.min(next, item.due());
            }
        }
        return next;
    }

    /** A client reports the items; the first report counts. */
    private void setItems(ItemMessage.ItemList list, long played) {
        if (known) {
            return;
        }
        known = true;
        for (ItemMessage.Placed item : list.items()) {
            boolean isItem = item.type() >= FIRST && item.type() <= LAST;
            boolean isOfMap = item.item() >= 0 && item.item() < Ogz.MAX_ENTITIES;
            if (isItem && isOfMap && items.size() < MAX_ITEMS) {
                // Quad damage does not lie there from the start, as in the original.
                long back = item.type() == QUAD ? played + respawnTime(QUAD) : THERE;
                items.put(item.item(), new Placed(item.type(), back, false));
            }
        }
    }

    /** A client picks up an item, if it is present and the client may. */
    private void pickUp(long now, SauerbratenSession from, int index) {
        Placed item = items.get(index);
        if (from.player().combatant().isAlive()) {
            pickUpInMatch(now, from, index, item);
            return;
        }
        if (item == null
                || !item.isThere()
                || from.life.state() != ClientState.ALIVE
                || !from.player().allows(now, RateLimitedAction.ACT, 1)) {
            from.answer(now, new ItemMessage.ItemAcc(index, -1));
            return;
        }
        give(now, from, index, item);
    }

    /** An item that another player got first is not answered: all clients know it by then. */
    private void pickUpInMatch(
            long now, SauerbratenSession from, int index, @Nullable Placed item) {
        if (item == null
                || !item.isThere()
                || from.life.state() != ClientState.ALIVE
                || !from.player().allows(now, RateLimitedAction.ACT, 1)) {
            return;
        }
        if (ItemEffects.give(now, item.type(), from)) {
            give(now, from, index, item);
        } else {
            from.answer(now, new ItemMessage.ItemAcc(index, -1));
        }
    }

    private void give(long now, SauerbratenSession from, int index, Placed item) {
        long back = match.played(now) + respawnTime(item.type());
        items.put(index, new Placed(item.type(), back, false));
        broadcaster.publish(index, new ItemMessage.ItemAcc(index, from.cn));
    }

    private static long respawnTime(int type) {
        return TimeUnit.SECONDS.toNanos(
                switch (type) {
                    case HEALTH -> 20;
                    case BOOST -> 60;
                    case QUAD -> 70;
                    default -> type < HEALTH ? 16 : 30;
                });
    }
}
