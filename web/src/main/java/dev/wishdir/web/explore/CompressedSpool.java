package dev.wishdir.web.explore;

import dev.wishdir.web.DeflatedText;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.zip.Deflater;

/**
 * A numbered list of one-line texts in a compressed temporary file, which is deleted on close. It
 * needs eight bytes of memory per {@link #BLOCK} texts. One thread adds texts, and another
 * compresses them; after {@link #finish}, any thread may read.
 */
final class CompressedSpool implements AutoCloseable {
    /** Number of texts that are compressed together. */
    static final int BLOCK = 64;

    /** Maximum number of blocks that wait for compression. */
    private static final int MAX_QUEUED_BLOCKS = 16;

    /** Marks the end of the queue, as no block is empty. */
    private static final String END = "";

    private final FileChannel channel;
    private final Deflater deflater = new Deflater(Deflater.BEST_SPEED);
    private final StringBuilder block = new StringBuilder();
    private long[] starts = new long[1024];
    private int blocks;
    private int inBlock;
    private long end;
    private final BlockingQueue<String> queue = new ArrayBlockingQueue<>(MAX_QUEUED_BLOCKS);
    private final CompletableFuture<Void> compression;

    private CompressedSpool(FileChannel channel) {
        this.channel = channel;
        compression =
                CompletableFuture.runAsync(
                        this::compressAll, Thread.ofPlatform().daemon().name("spool")::start);
    }

    static CompressedSpool open() throws IOException {
        Path file = Files.createTempFile("wishdir-explore", ".spool");
        return new CompressedSpool(
                FileChannel.open(
                        file,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE,
                        StandardOpenOption.DELETE_ON_CLOSE));
    }

    void add(String text) throws IOException {
        block.append(text).append('\n');
        if (++inBlock == BLOCK) {
            flush();
        }
    }

    /** Writes the remaining texts. No text may be added after this. */
    void finish() throws IOException {
        if (inBlock > 0) {
            flush();
        }
        put(END);
        join(compression);
        deflater.end();
    }

    private void flush() throws IOException {
        String plain = block.toString();
        block.setLength(0);
        inBlock = 0;
        put(plain);
    }

    /** Queues a block for compression. */
    private void put(String plain) throws IOException {
        try {
            while (!queue.offer(plain, 100, TimeUnit.MILLISECONDS)) {
                if (compression.isDone()) {
                    join(compression);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private static void join(CompletableFuture<Void> compression) throws IOException {
        try {
            compression.join();
        } catch (CompletionException e) {
            throw new IOException(
                    "cannot write the temporary file of decoded messages: " + e.getCause(), e);
        }
    }

    private void compressAll() {
        try {
            for (String plain = queue.take(); !plain.equals(END); plain = queue.take()) {
                compress(plain);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void compress(String plain) throws IOException {
        byte[] compressed = DeflatedText.deflate(deflater, plain);
        if (blocks + 1 == starts.length) {
            starts = Arrays.copyOf(starts, 2 * starts.length);
        }
        starts[blocks++] = end;
        ByteBuffer out = ByteBuffer.wrap(compressed);
        while (out.hasRemaining()) {
            end += channel.write(out, end);
        }
        starts[blocks] = end;
    }

    /** The texts of a block, from {@code number * BLOCK} on. */
    List<String> block(int number) throws IOException {
        return text(number).lines().toList();
    }

    /** The texts of a block, each with a line break. */
    String text(int number) throws IOException {
        ByteBuffer compressed = ByteBuffer.allocate((int) (starts[number + 1] - starts[number]));
        while (compressed.hasRemaining()) {
            if (channel.read(compressed, starts[number] + compressed.position()) < 0) {
                throw new EOFException("the temporary file of decoded messages was truncated");
            }
        }
        return DeflatedText.inflate(compressed.array());
    }

    String get(int number) throws IOException {
        return block(number / BLOCK).get(number % BLOCK);
    }

    @Override
    public void close() throws IOException {
        queue.clear();
        if (!compression.isDone()) {
            put(END);
            compression.handle((_, _) -> true).join();
        }
        deflater.end();
        channel.close();
    }
}
