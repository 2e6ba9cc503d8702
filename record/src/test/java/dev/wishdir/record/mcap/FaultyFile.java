package dev.wishdir.record.mcap;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file in memory whose disk fails or fills. */
final class FaultyFile implements OutputFile {
    private final ByteArrayOutputStream content = new ByteArrayOutputStream();
    private int writes;
    private int failAt = Integer.MAX_VALUE;
    private int failures;
    private int partBytes;
    private boolean cutsFail;
    private long capacity = Long.MAX_VALUE;
    private boolean closed;

    /**
     * @param write number of the write that fails, from 0
     * @param failures number of writes that fail from there
     * @param partBytes how many bytes of a failing write reach the file
     */
    void failAt(int write, int failures, int partBytes) {
        failAt = write;
        this.failures = failures;
        this.partBytes = partBytes;
    }

    void failCuts(boolean fail) {
        cutsFail = fail;
    }

    void capacity(long bytes) {
        capacity = bytes;
    }

    int writes() {
        return writes;
    }

    boolean isClosed() {
        return closed;
    }

    byte[] content() {
        return content.toByteArray();
    }

    void save(Path path) throws IOException {
        Files.write(path, content());
    }

    @Override
    public void write(byte[] data, int offset, int length) throws IOException {
        int number = writes++;
        if (number >= failAt && number < failAt + failures) {
            content.write(data, offset, Math.min(partBytes, length));
            throw new IOException("input/output error");
        }
        long room = capacity - content.size();
        content.write(data, offset, (int) Math.min(room, length));
        if (length > room) {
            throw new IOException("no space left on device");
        }
    }

    @Override
    public void truncate(long size) throws IOException {
        if (cutsFail) {
            throw new IOException("can't be cut");
        }
        byte[] kept = content();
        content.reset();
        content.write(kept, 0, (int) size);
    }

    @Override
    public void force() {}

    @Override
    public void close() {
        closed = true;
    }
}
