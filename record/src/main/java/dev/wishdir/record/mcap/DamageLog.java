package dev.wishdir.record.mcap;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The damage of one file, each place once; what follows one another as one. */
final class DamageLog {
    private final TreeMap<Long, Damage> byOffset = new TreeMap<>();

    void add(long offset, long length, McapException.Reason reason) {
        Map.Entry<Long, Damage> entry = byOffset.floorEntry(offset);
        Damage before = entry == null ? null : entry.getValue();
        long end = before == null ? 0 : before.offset() + before.length();
        if (before != null && end == offset && before.reason() == reason) {
            byOffset.put(
                    before.offset(), new Damage(before.offset(), before.length() + length, reason));
        } else if (end <= offset && byOffset.size() < McapLimits.MAX_DAMAGE) {
            byOffset.putIfAbsent(offset, new Damage(offset, length, reason));
        }
    }

    void clear() {
        byOffset.clear();
    }

    /** In order of the file. */
    List<Damage> all() {
        return List.copyOf(byOffset.values());
    }
}
