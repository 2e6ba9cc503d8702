package dev.wishdir.arena;

import java.util.ArrayList;
import java.util.List;

/**
 * What players may do that reaches others: it is paid for, and a change that can't be waits until
 * it can.
 */
final class Deeds {
    /** How soon to look again whether a change can be paid for. */
    private static final long RETRY = 500_000_000;

    private final Delivery delivery;
    private final List<Resident> waiting = new ArrayList<>();

    Deeds(Delivery delivery) {
        this.delivery = delivery;
    }

    /** As {@link Arena#change}. */
    void change(long now, Resident player, Object kind, Arena.Change change) {
        if (allows(now, player, Deed.CHANGE, 1)) {
            player.purse.forget(kind);
            change.make(now);
        } else if (player.isHere()) {
            if (!player.purse.hasWaiting()) {
                waiting.add(player);
            }
            player.purse.keep(kind, change);
        }
    }

    /** As {@link Arena#allows}. */
    boolean allows(long now, Resident player, Deed deed, int amount) {
        switch (player.purse.take(now, deed, amount)) {
            case GRANTED -> {
                return true;
            }
            case REFUSED -> {}
            case REFUSED_FIRST ->
                    delivery.tell(new ArenaEvent.Limited(now, player.snapshot(), deed), player);
            case DISMISSED ->
                    dismiss(
                            now,
                            player,
                            new Departure(
                                    Departure.Code.RATE_LIMIT,
                                    PlayerNotices.kickedByRateLimit(deed)));
        }
        return false;
    }

    /** As {@link Arena#dismiss}. */
    void dismiss(long now, Resident player, Departure why) {
        if (player.isHere()) {
            delivery.tell(new ArenaEvent.Dismissed(now, player.snapshot(), why), player);
        }
    }

    /** Somebody has left. */
    void forget(Resident player) {
        waiting.remove(player);
    }

    /** Makes the changes that waited, as far as they can be paid for now. */
    void makeWaiting(long now) {
        for (int i = waiting.size() - 1; i >= 0; i--) {
            Resident player = waiting.get(i);
            player.purse.makeWaiting(now);
            if (!player.purse.hasWaiting()) {
                waiting.remove(player);
            }
        }
    }

    /** When to {@link #makeWaiting} again, {@link Long#MAX_VALUE} where nothing waits. */
    long next(long now) {
        return waiting.isEmpty() ? Long.MAX_VALUE : now + RETRY;
    }
}
