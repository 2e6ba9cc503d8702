package dev.wishdir.sauerbraten.message;

import static dev.wishdir.sauerbraten.message.CubeWire.integer;
import static dev.wishdir.sauerbraten.message.CubeWire.named;

import dev.wishdir.wire.Wire;

import java.util.List;

/** Items on the map. */
public sealed interface ItemMessage extends SauerbratenMessage {
    /** {@code N_ITEMSPAWN}: an item has respawned. */
    record ItemSpawn(int item) implements ItemMessage {
        public static final ItemSpawn BLANK = new ItemSpawn(0);

        public static ItemSpawn wire(Wire w, ItemSpawn m) {
            return new ItemSpawn(integer(w, "item", m.item));
        }
    }

    /** {@code N_ITEMPICKUP}: the client touches an item. */
    record ItemPickup(int item) implements ItemMessage {
        public static final ItemPickup BLANK = new ItemPickup(0);

        public static ItemPickup wire(Wire w, ItemPickup m) {
            return new ItemPickup(integer(w, "item", m.item));
        }
    }

    /** {@code N_ITEMACC}: a player has taken an item; -1 for none, the item stays. */
    record ItemAcc(int item, int cn) implements ItemMessage {
        public static final ItemAcc BLANK = new ItemAcc(0, 0);

        public static ItemAcc wire(Wire w, ItemAcc m) {
            int item = integer(w, "item", m.item);
            int cn = integer(w, "cn", m.cn);
            return new ItemAcc(item, cn);
        }
    }

    /**
     * {@code N_ITEMLIST}: from a client the items of its map, from the server those that are
     * present.
     */
    record ItemList(List<Placed> items) implements ItemMessage {
        public static final ItemList BLANK = new ItemList(List.of());

        public static ItemList wire(Wire w, ItemList m) {
            List<Placed> items =
                    CubeWire.untilMinusOne(
                            w, "items", "item", m.items, Placed::item, Placed.BLANK, Placed::wire);
            return new ItemList(items);
        }

        public ItemList {
            items = List.copyOf(items);
        }
    }

    /** {@code N_ANNOUNCE}: a quad or a boost will respawn in ten seconds. */
    record Announce(int type) implements ItemMessage {
        /** Lead of this message over the return. */
        public static final long LEAD_NANOS = 10_000_000_000L;

        public static final Announce BLANK = new Announce(0);

        public static Announce wire(Wire w, Announce m) {
            return new Announce(named(w, "type", m.type, 0, ProtocolNames.ENTITIES));
        }
    }

    /**
     * An item of the map.
     *
     * @param item index among the entities of the map
     * @param type entity type, 8..18
     */
    record Placed(int item, int type) implements Fields.Tuple {
        public static final Placed BLANK = new Placed(0, 0);

        static Placed wire(Wire w, int item, Placed m) {
            return new Placed(item, named(w, "type", m.type, 0, ProtocolNames.ENTITIES));
        }
    }
}
