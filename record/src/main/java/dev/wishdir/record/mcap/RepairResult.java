package dev.wishdir.record.mcap;

import java.util.List;

/**
 * Result of a repair.
 *
 * @param complete whether the file was complete already and was left as it is
 * @param keptBytes size of the part of the file that was kept
 * @param cutBytes size of the part that was cut off its end
 * @param statistics what the file has now
 * @param damage what is in the part that was kept, but not in the summary
 */
public record RepairResult(
        boolean complete,
        long keptBytes,
        long cutBytes,
        Statistics statistics,
        List<Damage> damage) {
    public RepairResult {
        damage = List.copyOf(damage);
    }
}
