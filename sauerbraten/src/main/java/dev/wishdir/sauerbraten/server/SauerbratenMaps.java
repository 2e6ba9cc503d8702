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

/** The file of the current map: downloads, uploads, and the checksums that clients report. */
final class SauerbratenMaps {
    /** The least that an uploaded map costs its sender, bytes: it is announced to all. */
    private static final int MIN_COST_BYTES = 8 << 10;

    /** How often a client that continues to modify its copy is sent the map, nanoseconds. */
    private static final long RESTORE_INTERVAL_NANOS = 10_000_000_000L;

    /** When to try again if there was no memory. */
    private static final long RETRY_NANOS = 500_000_000;

    /** The checksum that a client without the map reports. */
    private static final int NO_MAP = 0;

    private final ClientRegistry registry;

    /** The clients that are to be sent the map again, and the text for them. */
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

    /** The map that the server has, even if another one is played. */
    ServedMap served() {
        return served;
    }

    /** Whether the map that the server has is played. */
    boolean playsServed() {
        return name.equals(served.name());
    }

    /** Sets another map of the server, which is played from now on. */
    void serve(ServedMap next) {
        served = next;
        name = next.name();
        file = encoded(next.file());
    }

    /** The name of the current map; empty for the empty world that clients generate. */
    String name() {
        return name;
    }

    /** Changes the map, or starts the same one again. */
    void change(String next) {
        if (!next.equals(name)) {
            file = next.equals(served.name()) ? encoded(served.file()) : null;
        }
        name = next;
    }

    /**
     * A client reports the map that it has loaded; a wrong one is corrected.
     *
     * @param fetches whether the mode lets clients fetch maps, as coop edit does
     * @param shared whether other games play the same arena
     * @return whether the client had been sent the map, and is to spawn again in it
     */
    boolean onMapLoaded(
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
            from.copy.onLoaded();
        }
        if (right.isEmpty() || isRight) {
            return fetched;
        }
        PlayerId player = from.player();
        if (!fetches && player != null) {
            registry.arena()
                    .change(now, player, "map", _ -> registry.broadcastText(modified(from)));
        } else if (!from.mapPushed() && file != null) {
            // In coop edit a client accepts a map unasked; it reports its CRC when it has loaded
            // it.
            from.setMapPushed(registry.sendFile(from, file));
            if (from.mapPushed()) {
                from.copy.startFetch(now);
                return false;
            }
        } else if (shared) {
            restore(now, from, "Your map is not the arena that is played here.");
        }
        return fetched;
    }

    /** The CRC of the server's copy, or else that of the first other client that has the map. */
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

    private String modified(SauerbratenSession session) {
        return session.name() + " has modified map \"" + name + "\"";
    }

    /** Reports to a client which clients have another file of the map. */
    void compare(SauerbratenSession asker) {
        for (SauerbratenSession other : registry.joined()) {
            OptionalInt right = rightCrc(other);
            OptionalInt has = other.mapCrc();
            if (has.isPresent() && right.isPresent() && !right.equals(has)) {
                registry.sendText(asker, modified(other));
            }
        }
    }

    /** Sends a client the map's file. */
    void fetch(long now, SauerbratenSession to) {
        if (file == null) {
            registry.sendText(to, "The server has no map file to send.");
        } else if (registry.sendFile(to, file)) {
            to.copy.startFetch(now);
            registry.sendText(to, "server sending map...");
        } else {
            registry.sendText(
                    to,
                    "The server can't send the map now: another transfer is running, or memory"
                            + " is short. Ask again later.");
        }
    }

    /** The message with a file, encoded once for all clients; null for an empty file. */
    private static @Nullable EnetSharedPayload encoded(Bytes file) {
        return file.length() == 0
                ? null
                : new EnetSharedPayload(
                        SauerbratenCodec.V260.packet(new EditMessage.SendMap(file)));
    }

    /** Stores the map that a client has sent, for clients that fetch it. */
    void store(long now, SauerbratenSession from, Bytes sent) {
        PlayerId player = from.player();
        if (player == null
                || !registry.arena()
                        .allows(now, player, RateLimitedAction.BUILD, uploadCost(sent.length()))) {
            return;
        }
        if (!Ogz.isMap(sent)) {
            registry.sendText(from, "The file is not a map (.ogz).");
            return;
        }
        file = encoded(sent);
        registry.onMapEdited();
        registry.broadcastText(
                "[" + from.name() + " sent a map to server, \"/getmap\" to receive it]");
    }

    /** The cost of an uploaded map for its sender, bytes. */
    static int uploadCost(int length) {
        return Math.max(length, MIN_COST_BYTES);
    }

    /**
     * Sends the map again to a client that has modified its copy; at most every 10 s.
     *
     * @param notice the text for the client
     */
    void restore(long now, SauerbratenSession to, String notice) {
        if (file != null && to.copy.markModified()) {
            spoiled.put(to, notice);
            advance(now);
        }
    }

    /** Sends the maps that are due; returns when to call again. */
    long advance(long now) {
        long next = Long.MAX_VALUE;
        for (Iterator<Map.Entry<SauerbratenSession, String>> all = spoiled.entrySet().iterator();
                all.hasNext(); ) {
            Map.Entry<SauerbratenSession, String> one = all.next();
            SauerbratenSession to = one.getKey();
            EnetSharedPayload sent = file;
            if (!to.joined() || sent == null) {
                to.copy.onRestored(now);
                all.remove();
            } else if (now < to.copy.restoredAt() + RESTORE_INTERVAL_NANOS) {
                next = Math.min(next, to.copy.restoredAt() + RESTORE_INTERVAL_NANOS);
            } else if (registry.sendFile(to, sent)) {
                registry.sendText(to, one.getValue());
                to.copy.startFetch(now);
                to.copy.onRestored(now);
                all.remove();
            } else {
                next = Math.min(next, now + RETRY_NANOS);
            }
        }
        return next;
    }
}
