package dev.wishdir.web;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
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
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/**
 * Texts without line ends, numbered from 0, compressed in a file that is gone with the program; in
 * memory are eight bytes for each {@link #BLOCK} of them. Filled by one thread, packed by one of
 * its own; {@link #finish}ed, it may be read by many.
 */
final class CompressedSpool implements AutoCloseable {
    /** Texts that are compressed together. */
    static final int BLOCK = 64;

    /** Blocks that wait to be packed. */
    private static final int MAX_WAITING_BLOCKS = 16;

    /** Behind the last block: no block is empty. */
    private static final String END = "";

    private final FileChannel channel;
    private final Deflater deflater = new Deflater(Deflater.BEST_SPEED);
    private final byte[] buffer = new byte[1 << 16];
    private final StringBuilder filling = new StringBuilder();
    private long[] starts = new long[1024];
    private int blocks;
    private int inBlock;
    private long end;
    private final BlockingQueue<String> waiting = new ArrayBlockingQueue<>(MAX_WAITING_BLOCKS);
    private final CompletableFuture<Void> packing;

    private CompressedSpool(FileChannel channel) {
        this.channel = channel;
        packing =
                CompletableFuture.runAsync(
                        this::pack, Thread.ofPlatform().daemon().name("spool")::start);
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
        filling.append(text).append('\n');
        if (++inBlock == BLOCK) {
            flush();
        }
    }

    /** Ends the filling. */
    void finish() throws IOException {
        if (inBlock > 0) {
            flush();
        }
        put(END);
        written(packing);
        deflater.end();
    }

    private void flush() throws IOException {
        String plain = filling.toString();
        filling.setLength(0);
        inBlock = 0;
        put(plain);
    }

    /** Gives a block to the thread that packs, unless that has failed. */
    private void put(String plain) throws IOException {
        try {
            while (!waiting.offer(plain, 100, TimeUnit.MILLISECONDS)) {
                if (packing.isDone()) {
                    written(packing);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private static void written(CompletableFuture<Void> packing) throws IOException {
        try {
            packing.join();
        } catch (CompletionException e) {
            throw new IOException("the explained lines can't be kept: " + e.getCause(), e);
        }
    }

    private void pack() {
        try {
            for (String plain = waiting.take(); !plain.equals(END); plain = waiting.take()) {
                pack(plain.getBytes(StandardCharsets.UTF_8));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void pack(byte[] plain) throws IOException {
        deflater.reset();
        deflater.setInput(plain);
        deflater.finish();
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        while (!deflater.finished()) {
            packed.write(buffer, 0, deflater.deflate(buffer));
        }
        if (blocks + 1 == starts.length) {
            starts = Arrays.copyOf(starts, 2 * starts.length);
        }
        starts[blocks++] = end;
        ByteBuffer out = ByteBuffer.wrap(packed.toByteArray());
        while (out.hasRemaining()) {
            end += channel.write(out, end);
        }
        starts[blocks] = end;
    }

    /** The texts from {@code number * BLOCK} on. */
    List<String> block(int number) throws IOException {
        return text(number).lines().toList();
    }

    /** The texts from {@code number * BLOCK} on, each with a line end. */
    String text(int number) throws IOException {
        ByteBuffer packed = ByteBuffer.allocate((int) (starts[number + 1] - starts[number]));
        while (packed.hasRemaining()) {
            if (channel.read(packed, starts[number] + packed.position()) < 0) {
                throw new EOFException("the file of explained lines was cut");
            }
        }
        Inflater inflater = new Inflater();
        try {
            inflater.setInput(packed.flip());
            ByteArrayOutputStream plain = new ByteArrayOutputStream();
            byte[] some = new byte[1 << 16];
            while (!inflater.finished()) {
                plain.write(some, 0, inflater.inflate(some));
            }
            return plain.toString(StandardCharsets.UTF_8);
        } catch (DataFormatException e) {
            throw new IOException("the file of explained lines was changed", e);
        } finally {
            inflater.end();
        }
    }

    String get(int number) throws IOException {
        return block(number / BLOCK).get(number % BLOCK);
    }

    @Override
    public void close() throws IOException {
        waiting.clear();
        if (!packing.isDone()) {
            put(END);
            packing.handle((_, _) -> true).join();
        }
        deflater.end();
        channel.close();
    }
}
