package dev.wishdir.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.netty.NettyLoop;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.net.simulation.SimulatedNetwork.Conditions;
import dev.wishdir.nethernet.NetherNetSocket;
import dev.wishdir.nethernet.identity.IdentityKey;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** The chat, in virtual time with loss, and over real sockets. */
class NetherNetChatTest {
    private static final long SECOND = 1_000_000_000L;
    private static final InetSocketAddress ANY =
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    private static NetherNetSocket listen(DutyCycle cycle) throws IOException {
        NetherNetChat.Room room = new NetherNetChat.Room();
        return NetherNetSocket.listen(cycle, ANY, 10, IdentityKey.generate(), room::status, room);
    }

    private static NetherNetSocket guest(
            DutyCycle cycle, InetSocketAddress server, NetherNetChat.Guest guest)
            throws IOException {
        return NetherNetSocket.connect(cycle, server, IdentityKey.generate(), guest);
    }

    @Test
    void relaysChatToAll() throws IOException {
        SimulatedNetwork network = new SimulatedNetwork(1);
        network.conditions(new Conditions(0.1, 0.1, 10_000_000, 10_000_000));
        NetherNetSocket room = listen(network.cycle());
        List<String> ann = new ArrayList<>();
        List<String> bob = new ArrayList<>();
        guest(network.cycle(), room.local(), new NetherNetChat.Guest("Ann: hello", ann::add));
        assertTrue(network.runUntil(() -> ann.contains("Ann: hello"), 10 * SECOND));
        NetherNetSocket leaver =
                guest(network.cycle(), room.local(), new NetherNetChat.Guest("Bob: hi", bob::add));
        assertTrue(
                network.runUntil(
                        () -> ann.contains("Bob: hi") && bob.contains("Bob: hi"), 10 * SECOND));
        leaver.close();
        network.run(40 * SECOND);
        assertEquals(4, ann.size(), ann::toString);
        assertTrue(ann.getLast().contains("went"), ann::toString);
        assertEquals("Bob: hi", bob.getFirst());
        room.close();
        network.run(40 * SECOND);
        assertTrue(ann.getLast().matches("(LEFT|TIMED_OUT): .*"), ann::toString);
    }

    @Test
    @Timeout(60)
    void talksOverRealSockets() throws Exception {
        BlockingQueue<String> screen = new LinkedBlockingQueue<>();
        try (NettyLoop loop = new NettyLoop("chat")) {
            DutyCycle cycle = loop.cycle();
            CompletableFuture<InetSocketAddress> bound = new CompletableFuture<>();
            NetherNetChat.Guest eve = new NetherNetChat.Guest("Eve: hey", screen::add);
            cycle.execute(() -> {
                try {
                    NetherNetSocket room = listen(cycle);
                    guest(cycle, room.local(), eve);
                    bound.complete(room.local());
                } catch (IOException e) {
                    bound.completeExceptionally(e);
                }
            });
            bound.get(20, TimeUnit.SECONDS);
            assertEquals("Eve: hey", screen.poll(20, TimeUnit.SECONDS));
            cycle.execute(() -> eve.say("Eve: you?"));
            assertEquals("Eve: you?", screen.poll(20, TimeUnit.SECONDS));
        }
    }
}
