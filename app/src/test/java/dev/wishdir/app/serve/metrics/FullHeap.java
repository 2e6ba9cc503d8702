package dev.wishdir.app.serve.metrics;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** A process whose heap a thread fills that catches every error, as a library's does. */
final class FullHeap {
    private FullHeap() {}

    public static void main(String[] arguments) throws InterruptedException {
        try (MemoryWatch _ = MemoryWatch.start()) {
            Thread library = Thread.ofPlatform().start(FullHeap::fill);
            library.join();
        }
    }

    private static void fill() {
        List<byte[]> kept = new ArrayList<>();
        while (kept.size() < Integer.MAX_VALUE) {
            try {
                kept.add(new byte[64 << 10]);
            } catch (OutOfMemoryError e) {
                LockSupport.parkNanos(1000);
            }
        }
    }
}
