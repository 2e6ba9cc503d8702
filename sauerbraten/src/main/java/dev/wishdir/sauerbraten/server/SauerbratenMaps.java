package dev.wishdir.sauerbraten.server;

import dev.wishdir.arena.Deed;
import dev.wishdir.arena.PlayerId;
import dev.wishdir.enet.EnetFile;
import dev.wishdir.sauerbraten.map.Ogz;
import dev.wishdir.sauerbraten.message.Edit;
import dev.wishdir.sauerbraten.message.Match;
import dev.wishdir.sauerbraten.protocol.SauerbratenCodec;
import dev.wishdir.wire.Bytes;

import org.jspecify.annotations.Nullable;

import java.util.OptionalInt;

/** The file of the map that is played: who has which, who fetches it, who sends another. */
final class SauerbratenMaps {
    /** What the smallest map costs whoever sends it, bytes: it is announced to all. */
    private static final int LEAST_PRICE = 8 << 10;

    /** What a client says that has not got the map. */
    private static final int NO_MAP = 0;

    private final SauerbratenRoom room;
    private final FirstMap first;
    private String name;
    private @Nullable EnetFile file;

    SauerbratenMaps(SauerbratenRoom room, FirstMap first) {
        this.room = room;
        this.first = first;
        name = first.name();
        file = encoded(first.file());
    }

    /** The name of the map that is played; empty for the empty world that clients make. */
    String name() {
        return name;
    }

    /** Another map is played, or the same again. */
    void change(String next) {
        if (!next.equals(name)) {
            file = next.equals(first.name()) ? encoded(first.file()) : null;
        }
        name = next;
    }

    /**
     * A client has loaded a map: whether it is the right one.
     *
     * @param fetches whether clients take a map from the server now, as in coop edit
     */
    void loaded(long now, SauerbratenSession from, Match.MapCrc loaded, boolean fetches) {
        boolean known = loaded.map().equals(name);
        from.loaded(known ? OptionalInt.of(loaded.crc()) : OptionalInt.empty());
        OptionalInt right = rightCrc(from);
        if (!known || right.isEmpty() || right.getAsInt() == loaded.crc()) {
            return;
        }
        PlayerId player = from.player();
        if (!fetches && player != null) {
            room.arena().change(now, player, "map", _ -> room.tellAll(modified(from)));
        } else if (!from.mapPushed() && file != null) {
            // A client takes a map unasked in coop edit; it says its new CRC when it has loaded it.
            from.setMapPushed(room.sendFile(from, file));
        }
    }

    /** The CRC that most clients have, or that of the server's own copy. */
    private OptionalInt rightCrc(SauerbratenSession but) {
        if (name.equals(first.name()) && first.crc().isPresent()) {
            return first.crc();
        }
        return room.joined().stream()
                .filter(other -> other != but)
                .flatMapToInt(other -> other.mapCrc().stream())
                .filter(crc -> crc != NO_MAP)
                .findFirst();
    }

    private String modified(SauerbratenSession who) {
        return who.name() + " has modified map \"" + name + "\"";
    }

    /** Tells a client who has another file of the map. */
    void compare(SauerbratenSession asker) {
        for (SauerbratenSession other : room.joined()) {
            OptionalInt right = rightCrc(other);
            OptionalInt has = other.mapCrc();
            if (has.isPresent() && right.isPresent() && !right.equals(has)) {
                room.tell(asker, modified(other));
            }
        }
    }

    /** Gives a client the map's file. */
    void fetch(SauerbratenSession to) {
        if (file == null) {
            room.tell(to, "no map to send");
        } else if (room.sendFile(to, file)) {
            room.tell(to, "server sending map...");
        } else {
            room.tell(to, "the server can't send you the map now: ask again in a while");
        }
    }

    /** The message with a file, which all who are sent it share; null for no file. */
    private static @Nullable EnetFile encoded(Bytes file) {
        return file.length() == 0
                ? null
                : new EnetFile(SauerbratenCodec.V260.packet(new Edit.SendMap(file)));
    }

    /** Keeps the map that a client has sent, for those who fetch it. */
    void store(long now, SauerbratenSession from, Bytes sent) {
        PlayerId player = from.player();
        int price = Math.max(sent.length(), LEAST_PRICE);
        if (player == null || !room.arena().allows(now, player, Deed.BUILD, price)) {
            return;
        }
        if (!Ogz.isMap(sent)) {
            room.tell(from, "that is no map");
            return;
        }
        file = encoded(sent);
        room.tellAll("[" + from.name() + " sent a map to server, \"/getmap\" to receive it]");
    }
}
