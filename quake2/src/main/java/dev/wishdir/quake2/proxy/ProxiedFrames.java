package dev.wishdir.quake2.proxy;

import dev.wishdir.quake2.message.EntityDelta;
import dev.wishdir.quake2.message.EntityState;
import dev.wishdir.quake2.message.Frame;
import dev.wishdir.quake2.message.FullFrame;
import dev.wishdir.quake2.message.PlayerDelta;
import dev.wishdir.quake2.message.ServerMessage;
import dev.wishdir.quake2.protocol.FrameHistory;
import dev.wishdir.quake2.protocol.FrameHistory.Numbered;
import dev.wishdir.quake2.protocol.FrameHistory.Snapshot;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** The frames of one connection through a proxy: as the server sent them, and as the client has. */
final class ProxiedFrames {
    private final FrameHistory server = new FrameHistory(FrameHistory.FAST_REMEMBERED_FRAMES);
    private final FrameHistory client = new FrameHistory(FrameHistory.FAST_REMEMBERED_FRAMES);

    /** Whether the client's baselines differ. */
    private boolean rebased;

    /** Another map starts. */
    void reset() {
        server.reset();
        client.reset();
        rebased = false;
    }

    /** Adds a baseline of the server. */
    void onServer(ServerMessage.SpawnBaseline baseline) {
        server.baseline(baseline.entity());
    }

    /** Adds a baseline that the client is sent. */
    void onClient(ServerMessage.SpawnBaseline baseline) {
        client.baseline(baseline.entity());
    }

    /** The client is not sent a baseline, or another. */
    void onChangedBaseline() {
        rebased = true;
    }

    /**
     * The state of a frame; null if its delta base is lost, which the client can't have either, or
     * an entity's number is invalid.
     */
    @Nullable FullFrame full(Frame frame) {
        Snapshot snapshot = server.apply(frame);
        if (!snapshot.usable()) {
            return null;
        }
        if (frame.delta() > 0) {
            server.freeBefore(frame.delta());
            client.freeBefore(frame.delta());
        }
        SortedMap<Integer, EntityState> entities = new TreeMap<>();
        snapshot.entities().forEach(entity -> entities.put(entity.number(), entity.state()));
        if (!entities.isEmpty() && entities.lastKey() > FullFrame.MAX_ENTITY) {
            return null;
        }
        return new FullFrame(
                frame.number(), frame.suppressed(), frame.areaBits(), snapshot.player(), entities);
    }

    /**
     * The delta that the client is sent for a frame.
     *
     * @param received the server's delta
     * @param same whether the state is unchanged
     */
    Frame sent(Frame received, FullFrame full, boolean same) {
        Snapshot base = client.base(received);
        boolean hasBase = base.number() > 0;
        List<Numbered> entities = new ArrayList<>();
        full.entities().forEach((number, state) -> entities.add(new Numbered(number, state)));
        client.put(new Snapshot(received.number(), true, full.player(), List.copyOf(entities)));
        if (same && !rebased && base.equals(server.base(received))) {
            return received;
        }
        return new Frame(
                received.number(),
                hasBase ? received.delta() : -1,
                full.suppressed(),
                full.areaBits(),
                PlayerDelta.between(base.player(), full.player()),
                deltas(base, full));
    }

    private List<EntityDelta> deltas(Snapshot base, FullFrame full) {
        SortedMap<Integer, EntityState> before = new TreeMap<>();
        base.entities().forEach(entity -> before.put(entity.number(), entity.state()));
        SortedMap<Integer, EntityDelta> deltas = new TreeMap<>();
        full.entities()
                .forEach((number, state) -> {
                    EntityState old = before.remove(number);
                    EntityState from = old == null ? client.baseline(number) : old;
                    EntityDelta delta =
                            EntityDelta.between(
                                    number, from, state, !state.oldOrigin().equals(from.origin()));
                    if (old == null || !delta.isEmpty()) {
                        deltas.put(number, delta);
                    }
                });
        before.keySet().forEach(number -> deltas.put(number, EntityDelta.removal(number)));
        return List.copyOf(deltas.values());
    }
}
