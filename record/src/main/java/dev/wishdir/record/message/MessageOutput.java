package dev.wishdir.record.message;

/** Receives the messages of a recording in the order of their times. */
public interface MessageOutput {
    /**
     * Takes a message; the array may change after the call.
     *
     * @param timeNanos nanoseconds since 1970
     */
    void add(int channel, long timeNanos, byte[] data, int offset, int length);
}
