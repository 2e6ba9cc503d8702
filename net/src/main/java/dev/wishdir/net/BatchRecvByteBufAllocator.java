package dev.wishdir.net;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelConfig;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.util.UncheckedBooleanSupplier;

/**
 * How a socket is read that takes several datagrams in one go: again where a go was full, and not
 * to be told that there is nothing more, which costs as much as a datagram. What comes meanwhile
 * the next look finds, as epoll tells of all that is still there.
 *
 * @param size of the buffer for one go, bytes
 * @param together so many datagrams are in a full go
 * @param most datagrams in a row
 */
record BatchRecvByteBufAllocator(int size, int together, int most) implements RecvByteBufAllocator {
    @Override
    public ExtendedHandle newHandle() {
        return new Reads();
    }

    private final class Reads implements ExtendedHandle {
        private int read;
        private int all;
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
            read = 0;
            all = 0;
        }

        @Override
        public void incMessagesRead(int messages) {
            read = messages;
            all += messages;
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
            return read >= together && all < most;
        }

        @Override
        public boolean continueReading(UncheckedBooleanSupplier maybeMore) {
            return continueReading();
        }

        @Override
        public void readComplete() {}
    }
}
