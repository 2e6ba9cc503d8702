package dev.wishdir.cluster.bus;

/**
 * Traffic of a bus since its start.
 *
 * @param sent messages that were published
 * @param received messages
 * @param dropped messages that were not published: not connected, queue full, or too long
 * @param discarded received messages for which the queue had no room
 * @param sentBytes of the messages that were published
 * @param receivedBytes of the messages that were received
 */
public record BusCounters(
        long sent,
        long received,
        long dropped,
        long discarded,
        long sentBytes,
        long receivedBytes) {}
