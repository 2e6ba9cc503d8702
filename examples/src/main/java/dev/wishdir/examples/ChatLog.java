package dev.wishdir.examples;

import dev.wishdir.game.proxy.DatagramProxy;
import dev.wishdir.game.proxy.Interceptor;
import dev.wishdir.game.proxy.ProxyConfig;
import dev.wishdir.game.proxy.ProxyListener;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.netty.NettyLoop;
import dev.wishdir.sauerbraten.SauerbratenGame;
import dev.wishdir.sauerbraten.message.ChatMessage;
import dev.wishdir.sauerbraten.message.RelayMessage.Relayed;
import dev.wishdir.sauerbraten.message.RosterMessage;
import dev.wishdir.sauerbraten.message.SauerbratenMessage;
import dev.wishdir.sauerbraten.proxy.SauerbratenProxyCodec;
import dev.wishdir.wire.dissect.Direction;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** A proxy for Sauerbraten that prints what its players say and read, and changes nothing. */
public final class ChatLog implements Interceptor<SauerbratenMessage> {
    private final Consumer<String> lines;
    private final Map<Integer, String> names = new HashMap<>();

    /**
     * @param lines gets each line of chat, on the proxy's thread
     */
    ChatLog(Consumer<String> lines) {
        this.lines = lines;
    }

    @Override
    public List<SauerbratenMessage> onMessage(Direction direction, SauerbratenMessage message) {
        switch (message) {
            case RosterMessage.InitClient player -> names.put(player.cn(), player.name());
            case ChatMessage.Text said -> lines.accept("says " + said.text());
            case ChatMessage.ClientSayTeam said -> lines.accept("says to team " + said.text());
            case ChatMessage.SayTeam read -> read(read.cn(), read.text());
            case ChatMessage.ServMsg read -> lines.accept("reads " + read.text());
            case Relayed(int cn, ChatMessage.Text read) -> read(cn, read.text());
            default -> {}
        }
        return List.of(message);
    }

    private void read(int cn, String text) {
        lines.accept("reads " + names.getOrDefault(cn, "player " + cn) + ": " + text);
    }

    /** Opens the proxy on a port of this machine and the one after it. */
    static CompletableFuture<DatagramProxy> start(
            DutyCycle cycle, int port, InetSocketAddress server, Consumer<String> lines) {
        return DatagramProxy.start(
                cycle,
                ProxyConfig.local(
                        new SauerbratenGame().proxyRules(),
                        new SauerbratenProxyCodec(),
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
                        server,
                        () -> new ChatLog(lines)),
                ProxyListener.NONE);
    }

    /** PORT SERVER-HOST SERVER-PORT; clients connect to PORT of this machine. */
    public static void main(String[] arguments) throws InterruptedException {
        try (NettyLoop loop = new NettyLoop("proxy")) {
            InetSocketAddress server =
                    new InetSocketAddress(arguments[1], Integer.parseInt(arguments[2]));
            start(loop.cycle(), Integer.parseInt(arguments[0]), server, System.out::println).join();
            Thread.currentThread().join();
        }
    }
}
