package dev.wishdir.web.explore;

import dev.wishdir.net.simulation.LinkCounters;

import java.util.List;
import java.util.Map;

/** Controls of an {@link Explorer} over a running session. Called by the threads of its server. */
public interface LiveControl {
    /** A fault of links that can be set, from 0 to a maximum. */
    record FaultRange(String name, double max, String unit) {}

    /**
     * The present faults and counts.
     *
     * @param up value of each fault towards the server, by name
     * @param down value of each fault towards the clients, by name
     * @param missed number of datagrams that were not observed, as there were too many at once
     */
    record State(
            List<FaultRange> faults,
            Map<String, Double> up,
            Map<String, Double> down,
            LinkCounters upCount,
            LinkCounters downCount,
            int clients,
            long missed) {}

    /**
     * @throws IllegalStateException if the session has ended
     */
    State state();

    /**
     * Changes the faults.
     *
     * @param line such as {@code up loss=5}
     * @return the state after it
     * @throws IllegalArgumentException if the line is none of these; the message is for the user
     * @throws IllegalStateException if the session has ended
     */
    State change(String line);
}
