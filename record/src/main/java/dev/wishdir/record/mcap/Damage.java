package dev.wishdir.record.mcap;

/**
 * Bytes of a file that were skipped.
 *
 * @param offset of the first byte
 * @param length number of bytes
 */
public record Damage(long offset, long length, McapException.Reason reason) {}
