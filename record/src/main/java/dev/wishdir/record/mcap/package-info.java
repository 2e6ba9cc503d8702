/**
 * MCAP, a container for time-stamped messages: writer, reader and repair. Source: mcap.dev/spec,
 * version 0.
 */
@NullMarked
package dev.wishdir.record.mcap;

import org.jspecify.annotations.NullMarked;
