package dev.wishdir.net.simulation;

import dev.wishdir.net.Requirements;

/**
 * Conditions of one direction of a link, with the meaning that they have in Linux's netem, except
 * that jitter keeps the order.
 *
 * @param loss probability that a datagram is lost, 0..1
 * @param duplication probability that a datagram arrives twice, 0..1
 * @param reordering probability that a datagram has no delay and no jitter, so that it overtakes
 *     those before it, 0..1
 * @param delayNanos delay of each datagram
 * @param jitterNanos maximum random extra delay of each datagram
 * @param bytesPerSecond maximum rate, headers of IP and UDP included; 0 for no maximum
 */
public record LinkConditions(
        double loss,
        double duplication,
        double reordering,
        long delayNanos,
        long jitterNanos,
        long bytesPerSecond) {
    /** A link without faults. */
    public static final LinkConditions NONE = new LinkConditions(0, 0, 0, 0, 0, 0);

    /** Maximum of the delay and of the jitter: 10 s. */
    public static final long MAX_DELAY_NANOS = 10_000_000_000L;

    /**
     * @throws IllegalArgumentException if a value is out of its range
     */
    public LinkConditions {
        Requirements.probability("loss", loss);
        Requirements.probability("duplication", duplication);
        Requirements.probability("reordering", reordering);
        checkDelay("delay", delayNanos);
        checkDelay("jitter", jitterNanos);
        Requirements.notNegative("bytesPerSecond", bytesPerSecond);
    }

    private static void checkDelay(String name, long nanos) {
        if (nanos < 0 || nanos > MAX_DELAY_NANOS) {
            throw new IllegalArgumentException(
                    name + " must be from 0 to " + MAX_DELAY_NANOS + " ns, is " + nanos);
        }
    }
}
