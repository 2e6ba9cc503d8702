/**
 * One arena on many servers. Each server is a node: it publishes what its own players do, and
 * mirrors the players of the other nodes in its arena. NATS carries the messages.
 */
@NullMarked
package dev.wishdir.cluster;

import org.jspecify.annotations.NullMarked;
