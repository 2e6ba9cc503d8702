package dev.wishdir.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.Level;
import dev.wishdir.game.BotController;
import dev.wishdir.game.BotController.PlayerInput;
import dev.wishdir.game.Client;
import dev.wishdir.game.ClientConfig;
import dev.wishdir.game.ClientListener;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.game.Game;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.netty.NettyLoop;
import dev.wishdir.quake2.Quake2Game;
import dev.wishdir.quake3.Quake3Game;
import dev.wishdir.sauerbraten.SauerbratenGame;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** The examples that change messages, between our clients and our server. */
@Timeout(120)
class InterceptorExamplesTest {
    private static final String WALKER = "walker";
    private static final BotController STANDING = (_, _) -> PlayerInput.look(0, 0);
    private static final BotController TO_AND_FRO =
            (now, _) -> PlayerInput.walk(now / 2_000_000_000L % 2 == 0 ? 0 : 180, 0, 0);

    private static InetSocketAddress serve(DutyCycle cycle, Game game) throws Exception {
        CompletableFuture<InetSocketAddress> address = new CompletableFuture<>();
        cycle.execute(() -> {
            Arena arena = new Arena(Level.BOX, 16);
            cycle.add(arena::advance);
            InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
            try {
                address.complete(
                        game.serve(EndpointContext.builder(cycle, any, arena).build()).address());
            } catch (Exception e) {
                address.completeExceptionally(e);
            }
        });
        return address.get(30, TimeUnit.SECONDS);
    }

    /** A client, what it heard, and where it saw the walker. */
    private static final class Player implements ClientListener {
        final CompletableFuture<Client> joined = new CompletableFuture<>();
        final BlockingQueue<Vec3> seen = new LinkedBlockingQueue<>();
        final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
        private final DutyCycle cycle;
        private volatile double way;
        private Vec3 last;

        Player(
                DutyCycle cycle,
                Game game,
                InetSocketAddress server,
                String name,
                BotController controller) {
            this.cycle = cycle;
            cycle.execute(() -> {
                try {
                    game.connect(
                            ClientConfig.builder(cycle, server)
                                    .name(name)
                                    .controller(controller)
                                    .listener(this)
                                    .build());
                } catch (Exception e) {
                    joined.completeExceptionally(e);
                }
            });
            joined.join();
        }

        @Override
        public void onJoined(Client self) {
            joined.complete(self);
        }

        @Override
        public void onMoved(Client self, long now, Client.RemotePlayer other) {
            if (!other.name().equals(WALKER)) {
                return;
            }
            Vec3 place = other.movement().position();
            way = last == null ? 0 : way + last.distance(place);
            last = place;
            seen.add(place);
        }

        @Override
        public void onChat(Client self, String name, String text) {
            heard.add(text);
        }

        void say(String text) {
            cycle.execute(() -> joined.join().say(text));
        }

        /** The metres that the other player moves in some sightings. */
        double wayOver(int sightings) throws Exception {
            seen.clear();
            double before = way;
            for (int i = 0; i < sightings; i++) {
                assertTrue(seen.poll(30, TimeUnit.SECONDS) != null, "sees the other player");
            }
            return way - before;
        }
    }

    @Test
    void freezesPlayerForClientsOfProxy() throws Exception {
        Game game = new Quake3Game();
        try (NettyLoop loop = new NettyLoop("examples")) {
            DutyCycle cycle = loop.cycle();
            InetSocketAddress server = serve(cycle, game);
            InetSocketAddress proxy = FreezePlayer.start(cycle, 0, server, WALKER).join().address();
            new Player(cycle, game, server, WALKER, TO_AND_FRO);
            Player direct = new Player(cycle, game, server, "direct", STANDING);
            Player proxied = new Player(cycle, game, proxy, "proxied", STANDING);
            assertTrue(direct.wayOver(100) > 1, "walks");
            Set<Vec3> places = new HashSet<>(proxied.seen);
            assertTrue(places.size() <= 1, places::toString);
            CompletableFuture<Boolean> sees = new CompletableFuture<>();
            cycle.execute(() ->
                    sees.complete(
                            proxied.joined.join().others().stream()
                                    .anyMatch(other -> other.name().equals(WALKER))));
            assertTrue(sees.get(30, TimeUnit.SECONDS), "the walker stands before it");
        }
    }

    @Test
    void logsChatOfBothDirections() throws Exception {
        Game game = new SauerbratenGame();
        try (NettyLoop loop = new NettyLoop("examples")) {
            DutyCycle cycle = loop.cycle();
            InetSocketAddress server = serve(cycle, game);
            BlockingQueue<String> lines = new LinkedBlockingQueue<>();
            InetSocketAddress proxy =
                    ChatLog.start(cycle, 28_795, server, lines::add).join().address();
            Player direct = new Player(cycle, game, server, "direct", STANDING);
            Player proxied = new Player(cycle, game, proxy, "proxied", STANDING);
            proxied.say("hello");
            await(direct.heard, "hello");
            await(lines, "says hello");
            direct.say("welcome");
            await(lines, "reads direct: welcome");
            await(proxied.heard, "welcome");
        }
    }

    private static void await(BlockingQueue<String> lines, String wanted) throws Exception {
        String line = lines.poll(30, TimeUnit.SECONDS);
        while (line != null && !line.equals(wanted)) {
            line = lines.poll(30, TimeUnit.SECONDS);
        }
        assertEquals(wanted, line);
    }

    @Test
    void slowsPlayersDown() throws Exception {
        Game game = new Quake2Game();
        try (NettyLoop loop = new NettyLoop("examples")) {
            DutyCycle cycle = loop.cycle();
            InetSocketAddress server = serve(cycle, game);
            InetSocketAddress proxy = SlowMotion.start(cycle, 0, server).join().address();
            double full = wayWatched(cycle, game, server, server);
            double half = wayWatched(cycle, game, server, proxy);
            assertTrue(half > full / 4 && half < full * 3 / 4, half + " and " + full);
        }
    }

    /** The way of a walker, as another client on the server sees it. */
    private static double wayWatched(
            DutyCycle cycle, Game game, InetSocketAddress server, InetSocketAddress walkers)
            throws Exception {
        Player watcher = new Player(cycle, game, server, "watcher", STANDING);
        Player walker = new Player(cycle, game, walkers, WALKER, TO_AND_FRO);
        watcher.wayOver(20);
        double way = watcher.wayOver(60);
        cycle.execute(walker.joined.join()::close);
        cycle.execute(watcher.joined.join()::close);
        return way;
    }
}
