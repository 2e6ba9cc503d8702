package dev.wishdir.net.netty;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelConfig;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.util.UncheckedBooleanSupplier;

/**
 * Netty receive allocator for batched reads (recvmmsg): reads again only after a full batch. A read
 * that returns nothing costs as much as a datagram, and epoll (level-triggered) reports whatever is
 * left.
 *
 * @param size of the buffer of one batch, bytes
 * @param batchSize datagrams of a full batch
 * @param maxDatagrams maximum datagrams in a row
 */
record BatchRecvByteBufAllocator(int size, int batchSize, int maxDatagrams)
        implements RecvByteBufAllocator {
    @Override
    public ExtendedHandle newHandle() {
        return new Reads();
    }

    private final class Reads implements ExtendedHandle {
        private int lastBatch;
        private int total;
        private int attempted;
        private int bytes;

        @Override
        public ByteBuf allocate(ByteBufAllocator buffers) {
            return buffers.ioBuffer(size);
        }

        @Override
        public int guess() {
            return size;
        }

        @Override
        public void reset(ChannelConfig config) {
            lastBatch = 0;
            total = 0;
        }

        @Override
        public void incMessagesRead(int messages) {
            lastBatch = messages;
            total += messages;
        }

        @Override
        public void lastBytesRead(int count) {
            bytes = count;
        }

        @Override
        public int lastBytesRead() {
            return bytes;
        }

        @Override
        public void attemptedBytesRead(int count) {
            attempted = count;
        }

        @Override
        public int attemptedBytesRead() {
            return attempted;
        }

        @Override
        public boolean continueReading() {
            return lastBatch >= batchSize && total < maxDatagrams;
        }

        @Override
        public boolean continueReading(UncheckedBooleanSupplier maybeMore) {
            return continueReading();
        }

        @Override
        public void readComplete() {}
    }
}
