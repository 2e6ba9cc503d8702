package dev.wishdir.raknet;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Counts the frames of a connection whose beginning was not seen as if it began with the first one
 * that can be read.
 */
final class MidStreamDecoder {
    private static final int UNKNOWN = -1;

    private final Set<Integer> whole = new HashSet<>();
    private final Map<Integer, Integer> orders = new HashMap<>();
    private int messages = UNKNOWN;

    /**
     * The frame with indices that count from 0; nothing where it is a part of what began before.
     */
    Optional<Frame> count(Frame frame) {
        if (frame.isPart()) {
            if (frame.splitIndex() == 0) {
                whole.add(frame.splitId());
            } else if (!whole.contains(frame.splitId())) {
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
