package dev.wishdir.sauerbraten.server;

import dev.wishdir.arena.PlayerId;
import dev.wishdir.arena.RateLimitedAction;
import dev.wishdir.enet.EnetSharedPayload;
import dev.wishdir.sauerbraten.map.Ogz;
import dev.wishdir.sauerbraten.message.EditMessage;
import dev.wishdir.sauerbraten.message.MatchMessage;
import dev.wishdir.sauerbraten.protocol.SauerbratenCodec;
import dev.wishdir.wire.Bytes;

import org.jspecify.annotations.Nullable;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalInt;

/** The file of the current map: checks the clients' copies, sends it, and accepts uploads. */
final class SauerbratenMaps {
    /** Rate-limit cost of the smallest upload, as it is announced to all. */
    private static final int MIN_COST_BYTES = 8 << 10;

    /** Minimum interval between two restores of a client's copy. */
    private static final long RESTORE_INTERVAL_NANOS = 10_000_000_000L;

    /** Interval of retries when there was no memory to send. */
    private static final long RETRY_NANOS = 500_000_000;

    /** CRC that a client without the map reports. */
    private static final int NO_MAP = 0;

    private final ClientRegistry registry;

    /** Clients whose copies must be restored, with the notice for each. */
    private final Map<SauerbratenSession, String> spoiled = new LinkedHashMap<>();

    private ServedMap served;
    private String name;
    private @Nullable EnetSharedPayload file;

    SauerbratenMaps(ClientRegistry registry, ServedMap served) {
        this.registry = registry;
        this.served = served;
        name = served.name();
        file = encoded(served.file());
    }

    /** The map that the server provides, whether it is played or not. */
    ServedMap served() {
        return served;
    }

    /** Whether the map that the server provides is played. */
    boolean playsServed() {
        return name.equals(served.name());
    }

    /** Provides another map, which is played from now on. */
    void serve(ServedMap next) {
        served = next;
        name = next.name();
        file = encoded(next.file());
    }

    /** The name of the current map; empty for the empty world that clients make. */
    String name() {
        return name;
    }

    /** Changes or restarts the map. */
    void change(String next) {
        if (!next.equals(name)) {
            file = next.equals(served.name()) ? encoded(served.file()) : null;
        }
        name = next;
    }

    /**
     * A client has loaded a map: whether it is the right one.
     *
     * @param fetches whether clients take a map from the server now, as in coop edit
     * @param shared whether it is the arena of other games too
     * @return whether the server has sent it, so that the client is to appear in it
     */
    boolean loaded(
            long now,
            SauerbratenSession from,
            MatchMessage.MapCrc loaded,
            boolean fetches,
            boolean shared) {
        boolean known = loaded.map().equals(name);
        from.loaded(known ? OptionalInt.of(loaded.crc()) : OptionalInt.empty());
        if (!known) {
            return false;
        }
        boolean fetched = loaded.crc() != NO_MAP && from.copy.takeFetched();
        OptionalInt right = rightCrc(from);
        boolean isRight = right.isPresent() && right.getAsInt() == loaded.crc();
        if (fetched || isRight) {
            from.copy.loaded();
        }
        if (right.isEmpty() || isRight) {
            return fetched;
        }
        PlayerId player = from.player();
        if (!fetches && player != null) {
            registry.arena().change(now, player, "map", _ -> registry.tellAll(modified(from)));
        } else if (!from.mapPushed() && file != null) {
            // A client takes a map unasked in coop edit; it says its new CRC when it has loaded it.
            from.setMapPushed(registry.sendFile(from, file));
            if (from.mapPushed()) {
                from.copy.fetches(now);
                return false;
            }
        } else if (shared) {
            restore(now, from, "Your map is not the arena that is played here.");
        }
        return fetched;
    }

    /** The expected CRC: that of the server's copy, or that of another client. */
    private OptionalInt rightCrc(SauerbratenSession but) {
        if (playsServed() && served.crc().isPresent()) {
            return served.crc();
        }
        return registry.joined().stream()
                .filter(other -> other != but)
                .flatMapToInt(other -> other.mapCrc().stream())
                .filter(crc -> crc != NO_MAP)
                .findFirst();
    }

    private String modified(SauerbratenSession who) {
        return who.name() + " has modified map \"" + name + "\"";
    }

    /** Sends a client the names of those with another file of the map. */
    void compare(SauerbratenSession asker) {
        for (SauerbratenSession other : registry.joined()) {
            OptionalInt right = rightCrc(other);
            OptionalInt has = other.mapCrc();
            if (has.isPresent() && right.isPresent() && !right.equals(has)) {
                registry.tell(asker, modified(other));
            }
        }
    }

    /** Sends a client the map file, at its request. */
    void fetch(long now, SauerbratenSession to) {
        if (file == null) {
            registry.tell(to, "There is no map to send.");
        } else if (registry.sendFile(to, file)) {
            to.copy.fetches(now);
            registry.tell(to, "server sending map...");
        } else {
            registry.tell(to, "The server can't send the map now. Ask again later.");
        }
    }

    /** The message with a file, shared by all recipients; null for no file. */
    private static @Nullable EnetSharedPayload encoded(Bytes file) {
        return file.length() == 0
                ? null
                : new EnetSharedPayload(
                        SauerbratenCodec.V260.packet(new EditMessage.SendMap(file)));
    }

    /** Stores an uploaded map, for others to download. */
    void store(long now, SauerbratenSession from, Bytes sent) {
        PlayerId player = from.player();
        if (player == null
                || !registry.arena()
                        .allows(now, player, RateLimitedAction.BUILD, price(sent.length()))) {
            return;
        }
        if (!Ogz.isMap(sent)) {
            registry.tell(from, "That file is not a map.");
            return;
        }
        file = encoded(sent);
        registry.built();
        registry.tellAll("[" + from.name() + " sent a map to server, \"/getmap\" to receive it]");
    }

    /** Rate-limit cost of an upload. */
    static int price(int length) {
        return Math.max(length, MIN_COST_BYTES);
    }

    /**
     * Restores a client's edited copy of the map, now or, if it was restored recently, later.
     *
     * @param why notice for the client
     */
    void restore(long now, SauerbratenSession to, String why) {
        if (file != null && to.copy.spoil()) {
            spoiled.put(to, why);
            advance(now);
        }
    }

    /**
     * Restores copies that are due.
     *
     * @return when to call again
     */
    long advance(long now) {
        long next = Long.MAX_VALUE;
        for (Iterator<Map.Entry<SauerbratenSession, String>> all = spoiled.entrySet().iterator();
                all.hasNext(); ) {
            Map.Entry<SauerbratenSession, String> one = all.next();
            SauerbratenSession to = one.getKey();
            EnetSharedPayload sent = file;
            if (!to.joined() || sent == null) {
                to.copy.restored(now);
                all.remove();
            } else if (now < to.copy.restoredAt() + RESTORE_INTERVAL_NANOS) {
                next = Math.min(next, to.copy.restoredAt() + RESTORE_INTERVAL_NANOS);
            } else if (registry.sendFile(to, sent)) {
                registry.tell(to, one.getValue());
                to.copy.fetches(now);
                to.copy.restored(now);
                all.remove();
            } else {
                next = Math.min(next, now + RETRY_NANOS);
            }
        }
        return next;
    }
}
