package dev.wishdir.sauerbraten.server.match;

import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.RateLimitedAction;
import dev.wishdir.enet.EnetSharedPayload;
import dev.wishdir.sauerbraten.map.Ogz;
import dev.wishdir.sauerbraten.message.EditMessage;
import dev.wishdir.sauerbraten.message.FlagMessage;
import dev.wishdir.sauerbraten.message.MatchMessage;
import dev.wishdir.sauerbraten.protocol.SauerbratenCodec;
import dev.wishdir.sauerbraten.protocol.SauerbratenTransport;
import dev.wishdir.sauerbraten.server.session.Broadcaster;
import dev.wishdir.sauerbraten.server.session.ClientTable;
import dev.wishdir.sauerbraten.server.session.CurrentMatch;
import dev.wishdir.sauerbraten.server.session.SauerbratenSession;
import dev.wishdir.sauerbraten.server.view.RunningLevel;
import dev.wishdir.wire.Bytes;

import org.jspecify.annotations.Nullable;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.BooleanSupplier;

/** The file of the current map: downloads, uploads, and the checksums that clients report. */
public final class SauerbratenMaps {
    /** The least that an uploaded map costs its sender, bytes: it is announced to all. */
    private static final String SENDING = "server sending map...";

    private static final int MIN_COST_BYTES = 8 << 10;

    /**
     * Interval at which a client that continues to modify its copy is sent the map, nanoseconds.
     */
    private static final long RESTORE_INTERVAL_NANOS = 10_000_000_000L;

    /** Time until another try if there was no memory. */
    private static final long RETRY_NANOS = 500_000_000;

    /** The checksum that a client without the map reports. */
    private static final int NO_MAP = 0;

    private final ClientTable clients;
    private final Broadcaster broadcaster;
    private final CurrentMatch match;
    private final RunningLevel geometry;
    private final BooleanSupplier memoryShort;

    /** The clients that are to be sent the map again, and the text for them. */
    private final Map<SauerbratenSession, String> toRestore = new LinkedHashMap<>();

    private ServedMap served;
    private String name;
    private @Nullable EnetSharedPayload file;

    /**
     * @param memoryShort whether no file may be sent now, for lack of memory
     * @param served the first map
     */
    public SauerbratenMaps(
            ClientTable clients,
            Broadcaster broadcaster,
            CurrentMatch match,
            RunningLevel geometry,
            BooleanSupplier memoryShort,
            ServedMap served) {
        this.clients = clients;
        this.broadcaster = broadcaster;
        this.match = match;
        this.geometry = geometry;
        this.memoryShort = memoryShort;
        this.served = served;
        name = served.name();
        file = encoded(served.file());
    }

    /** Whether the map that the server has is played. */
    boolean playsServed() {
        return name.equals(served.name());
    }

    /** The flags of the current map, as clients number them; empty if they are unknown. */
    List<FlagMessage.Placed> flags() {
        return playsServed() ? served.flags() : List.of();
    }

    /** A client reports the flags of its map, which are only compared with those of the server. */
    void compareFlags(long now, SauerbratenSession from, List<FlagMessage.Placed> reported) {
        List<FlagMessage.Placed> right = flags();
        if (!right.isEmpty() && !reported.equals(right)) {
            from.player().change(now, "map", _ -> broadcaster.sendText(modified(from)));
        }
    }

    /** Sets another map of the server, which is played from now on. */
    void serve(ServedMap next) {
        served = next;
        name = next.name();
        file = encoded(next.file());
        geometry.setMotion(next.motion());
    }

    /** The name of the current map; empty for the empty world that clients generate. */
    public String name() {
        return name;
    }

    /** Starts a map, or the same one again, and sets the level of this game in the arena. */
    public void start(long now, String next) {
        if (!next.equals(name)) {
            file = next.equals(served.name()) ? encoded(served.file()) : null;
        }
        name = next;
        Level level =
                playsServed()
                        ? served.level(geometry.motion().bounds(served.side()))
                        : new Level(name, geometry.motion().bounds(ServedMap.UNKNOWN_SIDE));
        geometry.start(now, level, playsServed() ? served.triggers() : Optional.empty());
    }

    /**
     * A client reports the map that it has loaded; a wrong one is corrected.
     *
     * @param shared whether other games play the same arena
     * @return whether the client had been sent the map, and is to spawn again in it
     */
    boolean onMapLoaded(
            long now, SauerbratenSession from, MatchMessage.MapCrc loaded, boolean shared) {
        boolean known = loaded.map().equals(name);
        from.mapCopy.setCrc(known ? OptionalInt.of(loaded.crc()) : OptionalInt.empty());
        if (!known) {
            return false;
        }
        OptionalInt right = rightCrc(from);
        boolean isRight = right.isPresent() && right.getAsInt() == loaded.crc();
        boolean isWrong = right.isPresent() && !isRight;
        if (isWrong && from.mapCopy.isSending()) {
            // It is of an earlier file. The client reports this one when it has loaded it.
            restoreAfterOther(now, from);
            return false;
        }
        boolean fetched = loaded.crc() != NO_MAP && from.mapCopy.isFetching();
        if (fetched || isRight) {
            from.mapCopy.onLoaded();
        }
        if (!isWrong) {
            return fetched;
        }
        if (!match.mode().coopEdit()) {
            from.player().change(now, "map", _ -> broadcaster.sendText(modified(from)));
        } else if (!from.mapCopy.isPushed() && file != null) {
            // In coop edit a client accepts a map unasked; it reports its CRC when it has loaded
            // it.
            if (sendFile(from, file)) {
                from.mapCopy.onPushed();
                from.mapCopy.startFetch(now);
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
        return clients.joined().stream()
                .filter(other -> other != but)
                .flatMapToInt(other -> other.mapCopy.crc().stream())
                .filter(crc -> crc != NO_MAP)
                .findFirst();
    }

    private String modified(SauerbratenSession session) {
        return session.name() + " has modified map \"" + name + "\"";
    }

    /** Reports to a client which clients have another file of the map. */
    void compare(long now, SauerbratenSession asker) {
        for (SauerbratenSession other : clients.joined()) {
            OptionalInt right = rightCrc(other);
            OptionalInt has = other.mapCopy.crc();
            if (has.isPresent() && right.isPresent() && !right.equals(has)) {
                asker.sendText(now, modified(other));
            }
        }
    }

    /** Sends a client the map's file. */
    void fetch(long now, SauerbratenSession to) {
        if (file == null) {
            to.sendText(now, "The server has no map file to send.");
        } else if (sendFile(to, file)) {
            to.mapCopy.startFetch(now);
            to.sendText(now, SENDING);
        } else if (!restoreAfterOther(now, to)) {
            to.sendText(
                    now,
                    "The server can't send the map now: another transfer is running, or memory"
                            + " is short. Ask again later.");
        }
    }

    /**
     * If the file of an earlier map is on its way to a client, sends that of this one after it.
     *
     * @return whether there is such a file
     */
    private boolean restoreAfterOther(long now, SauerbratenSession to) {
        boolean other = to.mapCopy.isSendingOther();
        if (other) {
            restore(now, to, SENDING);
        }
        return other;
    }

    /** Starts to send a file, if there is memory for it and no other file is in flight. */
    private boolean sendFile(SauerbratenSession to, EnetSharedPayload sent) {
        return !memoryShort.getAsBoolean()
                && to.connection.peer.sendFile(SauerbratenTransport.FILES, sent);
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
        int cost = uploadCost(sent.length());
        if (!from.player().allows(now, RateLimitedAction.BUILD, cost)) {
            return;
        }
        if (!Ogz.isMap(sent)) {
            from.sendText(now, "The file is not a map (.ogz).");
            return;
        }
        file = encoded(sent);
        geometry.onEdited();
        broadcaster.sendText(
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
        if (file != null && to.mapCopy.markModified()) {
            toRestore.put(to, notice);
            advance(now);
        }
    }

    /** Sends the maps that are due; returns when to call again. */
    long advance(long now) {
        long next = Long.MAX_VALUE;
        for (Iterator<Map.Entry<SauerbratenSession, String>> all = toRestore.entrySet().iterator();
                all.hasNext(); ) {
            Map.Entry<SauerbratenSession, String> one = all.next();
            SauerbratenSession to = one.getKey();
            EnetSharedPayload sent = file;
            if (!to.isJoined() || sent == null) {
                to.mapCopy.onRestored(now);
                all.remove();
            } else if (now < to.mapCopy.restoredAt() + RESTORE_INTERVAL_NANOS) {
                next = Math.min(next, to.mapCopy.restoredAt() + RESTORE_INTERVAL_NANOS);
            } else if (sendFile(to, sent)) {
                to.sendText(now, one.getValue());
                to.mapCopy.startFetch(now);
                to.mapCopy.onRestored(now);
                all.remove();
            } else {
                next = Math.min(next, now + RETRY_NANOS);
            }
        }
        return next;
    }
}
