package dev.wishdir.net.netty;

import dev.wishdir.net.loop.UdpSocket;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.DatagramChannel;
import io.netty.channel.socket.DatagramPacket;

import java.net.InetSocketAddress;
import java.util.function.Consumer;

/**
 * A UDP socket over a Netty channel. The datagrams of one turn share one buffer until the turn
 * ends.
 */
final class NettySocket implements UdpSocket {
    private static final int MIN_BUFFER_BYTES = 2 << 10;
    private static final int MAX_BUFFER_BYTES = 256 << 10;

    /** Without Netty's leak detection, as one buffer is reused. */
    private static final ByteBufAllocator BUFFERS = new UnpooledByteBufAllocator(true, true);

    private final DatagramChannel channel;
    private final Consumer<NettySocket> onUnflushed;
    private ByteBuf unsent = BUFFERS.directBuffer(MIN_BUFFER_BYTES, MIN_BUFFER_BYTES);
    private boolean hasUnflushed;
    private boolean closed;

    /**
     * @param onUnflushed called at the first datagram after a {@link #flush}
     */
    NettySocket(DatagramChannel channel, Consumer<NettySocket> onUnflushed) {
        this.channel = channel;
        this.onUnflushed = onUnflushed;
        channel.closeFuture()
                .addListener(_ -> {
                    closed = true;
                    unsent.release();
                });
    }

    @Override
    public void checkThread(String action) {
        checkThread(channel.eventLoop(), action);
    }

    static void checkThread(EventLoop thread, String action) {
        if (!thread.inEventLoop()) {
            throw new IllegalStateException(
                    Thread.currentThread().getName()
                            + " "
                            + action
                            + ": only the cycle's thread may; run it there with execute");
        }
    }

    @Override
    public InetSocketAddress local() {
        return channel.localAddress();
    }

    @Override
    public void send(InetSocketAddress to, byte[] data, int offset, int length) {
        if (length == 0) {
            // Netty's batched send miscounts empty datagrams and would send a neighbour twice.
            throw new IllegalArgumentException(
                    "datagram of length 0 to " + to + ": length must be at least 1");
        }
        // Past the high-water mark the kernel's buffer is full: queueing would only grow memory.
        if (to.getPort() == 0 || closed || !channel.isWritable()) {
            return;
        }
        makeRoom(length);
        int start = unsent.writerIndex();
        unsent.writeBytes(data, offset, length);
        ByteBuf datagram = unsent.slice(start, length).retain();
        channel.write(new DatagramPacket(datagram, to), channel.voidPromise());
        if (!hasUnflushed) {
            onUnflushed.accept(this);
            hasUnflushed = true;
        }
    }

    /** Passes the queued datagrams to the system. */
    void flush() {
        hasUnflushed = false;
        channel.flush();
    }

    private void makeRoom(int length) {
        if (unsent.refCnt() == 1) {
            unsent.clear();
        }
        if (unsent.writableBytes() < length) {
            int size = Math.max(length, Math.min(2 * unsent.capacity(), MAX_BUFFER_BYTES));
            unsent.release();
            unsent = BUFFERS.directBuffer(size, size);
        }
    }

    @Override
    public void close() {
        // A loop that has ended has closed its channels, and takes no more tasks.
        if (!channel.eventLoop().isShutdown()) {
            channel.flush();
            channel.close();
        }
    }
}
