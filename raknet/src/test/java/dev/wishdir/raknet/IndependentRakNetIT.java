package dev.wishdir.raknet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.net.limit.AddressLimits;
import dev.wishdir.net.loop.Counters;
import dev.wishdir.net.loop.DatagramSink;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.loop.MemoryBudget;
import dev.wishdir.net.netty.NettyLoop;
import dev.wishdir.wire.Bytes;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDatagramChannel;

import org.cloudburstmc.netty.channel.raknet.RakChannelFactory;
import org.cloudburstmc.netty.channel.raknet.RakReliability;
import org.cloudburstmc.netty.channel.raknet.config.RakChannelOption;
import org.cloudburstmc.netty.channel.raknet.packet.RakMessage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Ours against an implementation that others wrote, over real sockets, each as client and as
 * server. Datagrams are dropped on our side, both ways.
 */
@Timeout(180)
class IndependentRakNetIT {
    private static final InetSocketAddress ANY =
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    private static final int ROUNDS = 60;

    private final EventLoopGroup group =
            new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());

    @AfterEach
    void stop() {
        group.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }

    private static byte[] batch(int i) {
        byte[] bytes = new byte[i == 0 ? 40_000 : 1 + i * 37 % 1500];
        new Random(i).nextBytes(bytes);
        return bytes;
    }

    private static RakMessage message(byte[] batch) {
        return new RakMessage(
                Unpooled.wrappedBuffer(new byte[] {(byte) 0xFE}, batch),
                RakReliability.RELIABLE_ORDERED);
    }

    /** Collects batches at the foreign end, and sends them back if it is to. */
    private static final class Foreign extends SimpleChannelInboundHandler<RakMessage> {
        final BlockingQueue<byte[]> batches = new LinkedBlockingQueue<>();
        final boolean echo;

        Foreign(boolean echo) {
            this.echo = echo;
        }

        @Override
        public boolean isSharable() {
            return true;
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, RakMessage message) {
            byte[] bytes = ByteBufUtil.getBytes(message.content());
            byte[] batch = Arrays.copyOfRange(bytes, 1, bytes.length);
            batches.add(batch);
            if (echo) {
                context.channel().writeAndFlush(message(batch));
            }
        }
    }

    /** Our listener; what it hears may be awaited by the test's thread. */
    private static final class Ours implements RakNetPeer.Listener {
        final BlockingQueue<RakNetPeer> connected = new LinkedBlockingQueue<>();
        final BlockingQueue<byte[]> batches = new LinkedBlockingQueue<>();
        final BlockingQueue<RakNetPeer.EndReason> endings = new LinkedBlockingQueue<>();
        final boolean echo;

        Ours(boolean echo) {
            this.echo = echo;
        }

        @Override
        public void onConnected(long now, RakNetPeer peer) {
            connected.add(peer);
        }

        @Override
        public void onReceived(long now, RakNetPeer peer, Bytes message) {
            byte[] batch = message.slice(1, message.length() - 1).toArray();
            batches.add(batch);
            if (echo) {
                RakNetNetwork.say(peer, batch);
            }
        }

        @Override
        public void onEnded(long now, RakNetPeer peer, RakNetPeer.EndReason ending, String reason) {
            endings.add(ending);
        }
    }

    private static DatagramSink lossy(DatagramSink output, Random random, double loss) {
        return (to, data, offset, length) -> {
            if (random.nextDouble() >= loss) {
                output.send(to, data, offset, length);
            }
        };
    }

    private static List<byte[]> take(BlockingQueue<byte[]> queue) throws InterruptedException {
        List<byte[]> taken = new ArrayList<>();
        while (taken.size() < ROUNDS) {
            byte[] batch = queue.poll(60, TimeUnit.SECONDS);
            if (batch == null) {
                break;
            }
            taken.add(batch);
        }
        return taken;
    }

    private static List<byte[]> sent() {
        List<byte[]> sent = new ArrayList<>();
        for (int i = 0; i < ROUNDS; i++) {
            sent.add(batch(i));
        }
        return sent;
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 0.15})
    void acceptsIndependentClient(double loss) throws Exception {
        try (NettyLoop loop = new NettyLoop("ours");
                DutyCycle cycle = loop.cycle()) {
            Ours ours = new Ours(true);
            Random random = new Random(1);
            InetSocketAddress[] bound = new InetSocketAddress[1];
            cycle.open(
                    ANY,
                    socket -> {
                        bound[0] = socket.local();
                        return new RakNetServer(
                                RakNetSettings.server(10),
                                lossy(socket, random, loss),
                                AddressLimits.standard(1),
                                MemoryBudget.standard(new Counters()),
                                new Counters(),
                                ours,
                                random,
                                cycle.now());
                    });
            Foreign foreign = new Foreign(false);
            Channel channel =
                    new Bootstrap()
                            .group(group)
                            .channelFactory(RakChannelFactory.client(NioDatagramChannel.class))
                            .option(RakChannelOption.RAK_PROTOCOL_VERSION, 11)
                            .option(RakChannelOption.RAK_CONNECT_TIMEOUT, 20_000L)
                            .handler(
                                    new ChannelInitializer<Channel>() {
                                        @Override
                                        protected void initChannel(Channel channel) {
                                            channel.pipeline().addLast(foreign);
                                        }
                                    })
                            .connect(bound[0])
                            .sync()
                            .channel();
            for (byte[] batch : sent()) {
                channel.writeAndFlush(message(batch));
            }
            assertThat(take(foreign.batches)).containsExactlyElementsOf(sent());
            assertThat(ours.batches).containsExactlyElementsOf(sent());
            RakNetPeer peer = ours.connected.take();
            cycle.execute(peer::close);
            assertThat(channel.closeFuture().await(60, TimeUnit.SECONDS)).isTrue();
            assertThat(ours.endings.poll(60, TimeUnit.SECONDS))
                    .isEqualTo(RakNetPeer.EndReason.CLOSED);
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 0.15})
    void connectsToIndependentServer(double loss) throws Exception {
        ourClient(loss, false);
    }

    @Test
    void repeatsCookieOfIndependentServer() throws Exception {
        ourClient(0, true);
    }

    private void ourClient(double loss, boolean cookie) throws Exception {
        Foreign foreign = new Foreign(true);
        Channel server =
                new ServerBootstrap()
                        .group(group)
                        .channelFactory(RakChannelFactory.server(NioDatagramChannel.class))
                        .option(RakChannelOption.RAK_SUPPORTED_PROTOCOLS, new int[] {11})
                        .option(RakChannelOption.RAK_SEND_COOKIE, cookie)
                        .option(RakChannelOption.RAK_MAX_CONNECTIONS, 5)
                        .childHandler(
                                new ChannelInitializer<Channel>() {
                                    @Override
                                    protected void initChannel(Channel channel) {
                                        channel.pipeline().addLast(foreign);
                                    }
                                })
                        .bind(ANY)
                        .sync()
                        .channel();
        InetSocketAddress address = (InetSocketAddress) server.localAddress();
        try (NettyLoop loop = new NettyLoop("ours");
                DutyCycle cycle = loop.cycle()) {
            Ours ours = new Ours(false);
            Random random = new Random(2);
            RakNetClient client =
                    cycle.open(
                            ANY,
                            socket ->
                                    new RakNetClient(
                                            address,
                                            RakNetSettings.client(),
                                            lossy(socket, random, loss),
                                            ours,
                                            random));
            RakNetPeer peer = ours.connected.poll(60, TimeUnit.SECONDS);
            assertThat(peer).isNotNull();
            cycle.execute(() -> {
                for (byte[] batch : sent()) {
                    RakNetNetwork.say(peer, batch);
                }
            });
            assertThat(take(ours.batches)).containsExactlyElementsOf(sent());
            assertThat(foreign.batches).containsExactlyElementsOf(sent());
            cycle.execute(() -> client.close(cycle.now()));
            assertThat(ours.endings.poll(60, TimeUnit.SECONDS))
                    .isEqualTo(RakNetPeer.EndReason.CLOSED);
        }
    }
}
