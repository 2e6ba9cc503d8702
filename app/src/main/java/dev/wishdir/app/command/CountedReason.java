package dev.wishdir.app.command;

import dev.wishdir.app.terminal.Columns;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** A reason, and how many clients it concerns. */
public record CountedReason(long count, String reason) {
    /** Groups equal reasons, the most frequent first. */
    public static List<CountedReason> group(List<String> reasons) {
        Map<String, Long> counts =
                reasons.stream()
                        .collect(
                                Collectors.groupingBy(
                                        Columns::plain, LinkedHashMap::new, Collectors.counting()));
        return counts.entrySet().stream()
                .map(entry -> new CountedReason(entry.getValue(), entry.getKey()))
                .sorted(Comparator.comparingLong(CountedReason::count).reversed())
                .toList();
    }

    @Override
    public String toString() {
        return count + " × " + reason;
    }
}
