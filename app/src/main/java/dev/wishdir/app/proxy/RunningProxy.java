package dev.wishdir.app.proxy;

import dev.wishdir.bedrock.proxy.BedrockProxy;
import dev.wishdir.game.proxy.DatagramProxy;
import dev.wishdir.net.loop.Counters;

import java.net.InetSocketAddress;
import java.util.function.IntSupplier;
import java.util.function.LongConsumer;

/**
 * A running proxy of either kind, as the command uses it. Used only by the thread of its cycle.
 *
 * @param address where clients of the game reach the proxy
 * @param clients number of clients that have proved their address
 * @param halfOpen number of half-open sessions
 * @param counters of what was not passed on
 * @param stop notifies the clients that the proxy stops, if it can
 */
record RunningProxy(
        InetSocketAddress address,
        IntSupplier clients,
        IntSupplier halfOpen,
        Counters counters,
        LongConsumer stop) {
    static RunningProxy of(DatagramProxy proxy) {
        return new RunningProxy(
                proxy.address(), proxy::clients, proxy::halfOpen, proxy.counters(), _ -> {});
    }

    static RunningProxy of(BedrockProxy proxy) {
        return new RunningProxy(
                proxy.address(),
                proxy::clients,
                proxy::halfOpen,
                proxy.counters(),
                now -> proxy.close(now, "The proxy stops."));
    }
}
