package dev.wishdir.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.netty.NettyLoop;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.net.simulation.SimulatedNetwork.Conditions;
import dev.wishdir.raknet.RakNetSettings;
import dev.wishdir.raknet.RakNetSocket;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDatagramChannel;

import org.cloudburstmc.netty.channel.raknet.RakChannelFactory;
import org.cloudburstmc.netty.channel.raknet.RakReliability;
import org.cloudburstmc.netty.channel.raknet.config.RakChannelOption;
import org.cloudburstmc.netty.channel.raknet.packet.RakMessage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** The chat, in virtual time with loss, and with a client that others wrote. */
class RakNetChatTest {
    private static final long SECOND = 1_000_000_000L;
    private static final InetSocketAddress ANY =
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    @Test
    void relaysChatToAll() throws IOException {
        SimulatedNetwork network = new SimulatedNetwork(1);
        network.conditions(new Conditions(0.1, 0.1, 10_000_000, 10_000_000));
        RakNetSocket room =
                RakNetSocket.listen(
                        network.cycle(), ANY, RakNetSettings.server(10), new RakNetChat.Room());
        List<String> ann = new ArrayList<>();
        List<String> bob = new ArrayList<>();
        guest(network, room.local(), "Ann: hello", ann);
        assertTrue(network.runUntil(() -> ann.contains("Ann: hello"), 10 * SECOND));
        RakNetSocket leaver = guest(network, room.local(), "Bob: hi", bob);
        assertTrue(network.runUntil(() -> ann.contains("Bob: hi"), 10 * SECOND));
        leaver.close();
        network.run(15 * SECOND);
        assertEquals(4, ann.size(), ann::toString);
        assertTrue(ann.getLast().contains("went"), ann::toString);
        assertEquals("Bob: hi", bob.getFirst());
        room.close();
        network.run(15 * SECOND);
        assertTrue(ann.getLast().matches("(LEFT|TIMED_OUT): .*"), ann::toString);
    }

    private static RakNetSocket guest(
            SimulatedNetwork network, InetSocketAddress server, String says, List<String> screen)
            throws IOException {
        return RakNetSocket.connect(
                network.cycle(),
                server,
                RakNetSettings.client(),
                new RakNetChat.Guest(says, screen::add));
    }

    @Test
    @Timeout(60)
    void acceptsIndependentClient() throws Exception {
        EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        BlockingQueue<String> screen = new LinkedBlockingQueue<>();
        try (NettyLoop loop = new NettyLoop("chat")) {
            DutyCycle cycle = loop.cycle();
            CompletableFuture<InetSocketAddress> bound = new CompletableFuture<>();
            cycle.execute(() -> {
                try {
                    RakNetSettings settings = RakNetSettings.server(10);
                    bound.complete(
                            RakNetSocket.listen(cycle, ANY, settings, new RakNetChat.Room())
                                    .local());
                } catch (IOException e) {
                    bound.completeExceptionally(e);
                }
            });
            Channel channel =
                    new Bootstrap()
                            .group(group)
                            .channelFactory(RakChannelFactory.client(NioDatagramChannel.class))
                            .option(RakChannelOption.RAK_PROTOCOL_VERSION, 11)
                            .handler(new Screen(screen))
                            .connect(bound.get(20, TimeUnit.SECONDS))
                            .sync()
                            .channel();
            channel.writeAndFlush(
                    new RakMessage(
                            Unpooled.wrappedBuffer(RakNetChat.line("Eve: hey").toArray()),
                            RakReliability.RELIABLE_ORDERED));
            assertEquals("Eve: hey", screen.poll(20, TimeUnit.SECONDS));
            channel.close().await(20, TimeUnit.SECONDS);
        } finally {
            group.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
        }
    }

    private static final class Screen extends SimpleChannelInboundHandler<RakMessage> {
        private final BlockingQueue<String> lines;

        Screen(BlockingQueue<String> lines) {
            this.lines = lines;
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, RakMessage message) {
            byte[] bytes = ByteBufUtil.getBytes(message.content());
            lines.add(new String(bytes, 1, bytes.length - 1, StandardCharsets.UTF_8));
        }
    }
}
