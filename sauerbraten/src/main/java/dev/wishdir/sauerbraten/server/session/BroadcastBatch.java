package dev.wishdir.sauerbraten.server.session;

import dev.wishdir.wire.Bytes;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/**
 * The messages of some players, encoded once for all viewers. Each viewer receives all parts but
 * its own, in packets that are cut between two players.
 */
final class BroadcastBatch {
    private final int limit;
    private final List<Bytes> parts = new ArrayList<>();
    private int[] owners = new int[16];
    private final List<Bytes> whole = new ArrayList<>();
    private boolean joined;

    /**
     * @param limit the most bytes of a packet; a longer part is a packet of its own
     */
    BroadcastBatch(int limit) {
        this.limit = limit;
    }

    void clear() {
        parts.clear();
        whole.clear();
        joined = false;
    }

    void add(int owner, Bytes part) {
        if (parts.size() == owners.length) {
            owners = Arrays.copyOf(owners, 2 * owners.length);
        }
        owners[parts.size()] = owner;
        parts.add(part);
        joined = false;
    }

    /** Passes the packets of a viewer to a consumer. */
    void forViewer(int viewer, Consumer<Bytes> send) {
        if (owns(viewer)) {
            packets(viewer, new ArrayList<>()).forEach(send);
            return;
        }
        if (!joined) {
            whole.clear();
            packets(-1, whole);
            joined = true;
        }
        for (int i = 0; i < whole.size(); i++) {
            send.accept(whole.get(i));
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

    private List<Bytes> packets(int without, List<Bytes> packets) {
        int from = 0;
        int length = 0;
        for (int i = 0; i <= parts.size(); i++) {
            boolean end = i == parts.size();
            int next = end || owners[i] == without ? 0 : parts.get(i).length();
            if (end || length + next > limit) {
                if (length > 0) {
                    packets.add(joined(from, i, without, length));
                }
                from = i;
                length = 0;
            }
            length += next;
        }
        return packets;
    }

    private Bytes joined(int from, int to, int without, int length) {
        byte[] packet = new byte[length];
        int at = 0;
        for (int i = from; i < to; i++) {
            if (owners[i] != without) {
                Bytes part = parts.get(i);
                part.copyTo(packet, at);
                at += part.length();
            }
        }
        return Bytes.wrap(packet);
    }
}
