package dev.wishdir.sauerbraten.server;

import dev.wishdir.wire.Bytes;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/**
 * A batch of parts from several players, encoded once: each viewer gets all parts but its own, in
 * packets that are split between parts.
 */
final class BroadcastBatch {
    private final int limit;
    private final List<Bytes> parts = new ArrayList<>();
    private int[] owners = new int[16];
    private final List<Bytes> forOthers = new ArrayList<>();
    private boolean isBuilt;

    /**
     * @param limit maximum packet size, bytes; a longer part is a packet of its own
     */
    BroadcastBatch(int limit) {
        this.limit = limit;
    }

    void clear() {
        parts.clear();
        forOthers.clear();
        isBuilt = false;
    }

    boolean isEmpty() {
        return parts.isEmpty();
    }

    void add(int owner, Bytes part) {
        if (parts.size() == owners.length) {
            owners = Arrays.copyOf(owners, 2 * owners.length);
        }
        owners[parts.size()] = owner;
        parts.add(part);
        isBuilt = false;
    }

    /** Passes a viewer its packets. */
    void forViewer(int viewer, Consumer<Bytes> send) {
        if (owns(viewer)) {
            packets(viewer, new ArrayList<>()).forEach(send);
            return;
        }
        if (!isBuilt) {
            forOthers.clear();
            packets(-1, forOthers);
            isBuilt = true;
        }
        for (int i = 0; i < forOthers.size(); i++) {
            send.accept(forOthers.get(i));
        }
    }

    private boolean owns(int viewer) {
        for (int i = 0; i < parts.size(); i++) {
            if (owners[i] == viewer) {
                return true;
            }
        }
        return false;
    }

    private List<Bytes> packets(int excluded, List<Bytes> packets) {
        int from = 0;
        int length = 0;
        for (int i = 0; i <= parts.size(); i++) {
            boolean end = i == parts.size();
            int next = end || owners[i] == excluded ? 0 : parts.get(i).length();
            if (end || length + next > limit) {
                if (length > 0) {
                    packets.add(join(from, i, excluded, length));
                }
                from = i;
                length = 0;
            }
            length += next;
        }
        return packets;
    }

    private Bytes join(int from, int to, int excluded, int length) {
        byte[] packet = new byte[length];
        int at = 0;
        for (int i = from; i < to; i++) {
            if (owners[i] != excluded) {
                Bytes part = parts.get(i);
                part.copyTo(packet, at);
                at += part.length();
            }
        }
        return Bytes.wrap(packet);
    }
}
