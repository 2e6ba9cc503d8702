package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.game.BotController;
import dev.wishdir.game.Client;
import dev.wishdir.game.ClientConfig;
import dev.wishdir.game.ClientListener;
import dev.wishdir.game.Game;
import dev.wishdir.motion.Movement;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.netty.NettyLoop;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** One headless player of ours and its events. */
final class Bot implements ClientListener {
    private static final Duration SOON = Duration.ofMinutes(2);

    final DutyCycle cycle;
    final Map<Long, Client.RemotePlayer> others = new ConcurrentHashMap<>();

    /** Others as they came and moved, in order. */
    final List<Client.RemotePlayer> path = new CopyOnWriteArrayList<>();

    /** {@code NAME: TEXT}, and why it ended. */
    final List<String> heard = new CopyOnWriteArrayList<>();

    /** {@code ENDING: REASON}. */
    final CompletableFuture<String> ended = new CompletableFuture<>();

    /** Where it began. */
    final CompletableFuture<Movement> joined = new CompletableFuture<>();

    final Client client;

    Bot(
            NettyLoop loop,
            Game game,
            InetSocketAddress server,
            String name,
            BotController controller) {
        this(loop, game, server, name, "", Map.of(), controller);
    }

    Bot(
            NettyLoop loop,
            Game game,
            InetSocketAddress server,
            String name,
            String password,
            Map<String, String> options,
            BotController controller) {
        this(loop.cycle(), game, server, name, password, options, controller);
    }

    Bot(
            DutyCycle cycle,
            Game game,
            InetSocketAddress server,
            String name,
            String password,
            Map<String, String> options,
            BotController controller) {
        this.cycle = cycle;
        client =
                on(
                        cycle,
                        () ->
                                game.connect(
                                        ClientConfig.builder(cycle, server)
                                                .name(name)
                                                .password(password)
                                                .controller(controller)
                                                .options(options)
                                                .listener(this)
                                                .random(new Random(name.hashCode()))
                                                .build()));
    }

    /** Runs something on a cycle's thread and waits for it. */
    static <T> T on(DutyCycle cycle, Callable<T> task) {
        CompletableFuture<T> done = new CompletableFuture<>();
        cycle.execute(() -> {
            try {
                done.complete(task.call());
            } catch (Exception e) {
                done.completeExceptionally(e);
            }
        });
        return done.join();
    }

    /** Waits until it is in. */
    Bot awaitJoined() {
        Peer.await("the bot joins", SOON, () -> joined.isDone() || ended.isDone());
        assertThat(joined).as("joined, or ended %s: %s", ended, heard).isDone();
        return this;
    }

    /** Waits until it is no more; how and why. */
    String awaitEnded() {
        Peer.await("the bot ends", SOON, ended::isDone);
        return ended.join();
    }

    long id() {
        return on(cycle, client::id);
    }

    Movement movement() {
        return on(cycle, client::movement);
    }

    void say(String text) {
        cycle.execute(() -> client.say(text));
    }

    void leave() {
        cycle.execute(client::close);
    }

    @Override
    public void onJoined(Client self) {
        joined.complete(self.movement());
    }

    @Override
    public void onAppeared(Client self, Client.RemotePlayer other) {
        others.put(other.id(), other);
        path.add(other);
    }

    @Override
    public void onMoved(Client self, long now, Client.RemotePlayer other) {
        others.put(other.id(), other);
        path.add(other);
    }

    @Override
    public void onVanished(Client self, Client.RemotePlayer other) {
        others.remove(other.id());
    }

    @Override
    public void onChat(Client self, String name, String text) {
        heard.add(name + ": " + text);
    }

    @Override
    public void onEnded(Client self, EndReason ending, String reason) {
        heard.add(reason);
        ended.complete(ending + ": " + reason);
    }
}
