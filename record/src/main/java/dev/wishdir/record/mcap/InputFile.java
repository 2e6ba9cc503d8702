package dev.wishdir.record.mcap;

import dev.wishdir.record.mcap.McapException.Reason;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A file that is read at any place, and may grow meanwhile. */
final class InputFile implements Closeable {
    private final FileChannel channel;
    private long reads;

    private InputFile(FileChannel channel) {
        this.channel = channel;
    }

    static InputFile open(Path file) throws IOException {
        return new InputFile(FileChannel.open(file, StandardOpenOption.READ));
    }

    long size() throws IOException {
        return channel.size();
    }

    /** The number of reads so far. */
    long reads() {
        return reads;
    }

    /**
     * Reads {@code length} bytes into an array from {@code offset}.
     *
     * @throws McapException if the file ends before
     */
    void read(long position, byte[] into, int offset, int length) throws IOException {
        ByteBuffer buffer = ByteBuffer.wrap(into, offset, length);
        while (buffer.hasRemaining()) {
            int read = channel.read(buffer, position + length - buffer.remaining());
            reads++;
            if (read < 0) {
                throw new McapException(
                        Reason.TRUNCATED,
                        position,
                        "file",
                        "ends within the next " + length + " bytes");
            }
        }
    }

    byte[] read(long position, int length) throws IOException {
        byte[] data = new byte[length];
        read(position, data, 0, length);
        return data;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
