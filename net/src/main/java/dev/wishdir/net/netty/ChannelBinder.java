package dev.wishdir.net.netty;

import dev.wishdir.net.PortException;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.EventLoop;

import java.net.InetSocketAddress;

/** Binds Netty channels synchronously. */
final class ChannelBinder {
    private ChannelBinder() {}

    /**
     * Binds a registered channel, also on the loop's thread, where Netty's own bind is
     * asynchronous.
     *
     * @param tcp whether the port is one of TCP
     * @throws PortException if the port can't be bound; the channel is then closed
     */
    static Channel bind(
            EventLoop thread, ChannelFuture registered, boolean tcp, InetSocketAddress local)
            throws PortException {
        ChannelFuture bound = registered;
        if (!thread.inEventLoop()) {
            bound.awaitUninterruptibly();
        }
        if (bound.isSuccess()) {
            bound = bound.channel().bind(local);
            if (!thread.inEventLoop()) {
                bound.awaitUninterruptibly();
            }
        }
        if (!bound.isSuccess()) {
            bound.channel().close();
            throw new PortException(tcp, local, bound.cause());
        }
        return bound.channel();
    }
}
