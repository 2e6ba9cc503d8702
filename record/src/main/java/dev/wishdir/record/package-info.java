/**
 * Recordings of an arena: what happened, written to MCAP files and read back as {@link
 * dev.wishdir.arena.ArenaEvent}s. docs/recording-format.md describes the files.
 */
@NullMarked
package dev.wishdir.record;

import org.jspecify.annotations.NullMarked;
