package dev.wishdir.examples;

import dev.wishdir.game.proxy.DatagramProxy;
import dev.wishdir.game.proxy.Interceptor;
import dev.wishdir.game.proxy.ProxyConfig;
import dev.wishdir.game.proxy.ProxyListener;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.netty.NettyLoop;
import dev.wishdir.quake2.Quake2Game;
import dev.wishdir.quake2.message.Move;
import dev.wishdir.quake2.message.Quake2Message;
import dev.wishdir.quake2.message.UserCmd;
import dev.wishdir.quake2.proxy.Quake2ProxyCodec;
import dev.wishdir.wire.dissect.Direction;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A proxy for Quake II, whose players move at half speed: the server moves a player for the time of
 * each of its commands, which the proxy halves.
 */
public final class SlowMotion implements Interceptor<Quake2Message> {
    @Override
    public List<Quake2Message> onMessage(Direction direction, Quake2Message message) {
        return List.of(message instanceof Move move ? move.with(SlowMotion::halved) : message);
    }

    private static UserCmd halved(UserCmd command) {
        return new UserCmd(
                command.angles(),
                command.forward(),
                command.side(),
                command.up(),
                command.buttons(),
                command.impulse(),
                command.msec() / 2,
                command.light());
    }

    /** Opens the proxy on a port of this machine, 0 for any. */
    static CompletableFuture<DatagramProxy> start(
            DutyCycle cycle, int port, InetSocketAddress server) {
        return DatagramProxy.start(
                cycle,
                ProxyConfig.local(
                        new Quake2Game().proxyRules(),
                        new Quake2ProxyCodec(),
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
                        server,
                        SlowMotion::new),
                ProxyListener.NONE);
    }

    /** PORT SERVER-HOST SERVER-PORT; clients connect to PORT of this machine. */
    public static void main(String[] arguments) throws InterruptedException {
        try (NettyLoop loop = new NettyLoop("proxy")) {
            InetSocketAddress server =
                    new InetSocketAddress(arguments[1], Integer.parseInt(arguments[2]));
            start(loop.cycle(), Integer.parseInt(arguments[0]), server).join();
            Thread.currentThread().join();
        }
    }
}
