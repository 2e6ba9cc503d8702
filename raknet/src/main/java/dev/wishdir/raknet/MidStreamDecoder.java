package dev.wishdir.raknet;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Renumbers the frames of a connection whose start was not captured, as if it started with the
 * first readable one.
 */
final class MidStreamDecoder {
    private static final int UNKNOWN = -1;

    private final Set<Integer> complete = new HashSet<>();
    private final Map<Integer, Integer> orders = new HashMap<>();
    private int messages = UNKNOWN;

    /**
     * The frame with indices that count from 0; empty for a part of a message whose start was not
     * captured.
     */
    Optional<Frame> renumber(Frame frame) {
        if (frame.isPart()) {
            if (frame.splitIndex() == 0) {
                complete.add(frame.splitId());
            } else if (!complete.contains(frame.splitId())) {
                return Optional.empty();
            }
        }
        Reliability reliability = frame.reliability();
        if (reliability.reliable() && messages == UNKNOWN) {
            messages = frame.messageIndex();
        }
        boolean placed = reliability.ordered() || reliability.sequenced();
        int order = placed ? orders.computeIfAbsent(frame.channel(), _ -> frame.orderIndex()) : 0;
        return Optional.of(
                new Frame(
                        frame.flags(),
                        reliability.reliable() ? since(frame.messageIndex(), messages) : 0,
                        frame.sequenceIndex(),
                        placed ? since(frame.orderIndex(), order) : 0,
                        frame.channel(),
                        frame.splitCount(),
                        frame.splitId(),
                        frame.splitIndex(),
                        frame.payload()));
    }

    private static int since(int index, int first) {
        return index - first & RakNet.INDEX_MASK;
    }
}
