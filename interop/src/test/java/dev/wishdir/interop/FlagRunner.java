package dev.wishdir.interop;

import dev.wishdir.game.BotController.PlayerInput;
import dev.wishdir.game.Client;
import dev.wishdir.game.Game;
import dev.wishdir.game.RemoteFlag;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.netty.NettyLoop;

import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/** A headless client of ours that runs to the other team's flag, and with it to its own. */
final class FlagRunner {
    private final AtomicReference<Client> known = new AtomicReference<>();
    private volatile boolean runs;
    final Bot bot;

    FlagRunner(
            NettyLoop loop,
            Game game,
            InetSocketAddress server,
            String name,
            Map<String, String> options) {
        bot = new Bot(loop, game, server, name, "", options, (_, self) -> steer(self));
        known.set(bot.client);
    }

    /** Runs from now on, or stands. */
    void setRunning(boolean on) {
        runs = on;
    }

    /** Its own team. */
    String team() {
        return Bot.on(bot.cycle, () -> bot.client.teams().getOrDefault(bot.client.id(), ""));
    }

    /** Whether it has the other team's flag. */
    boolean carries() {
        return Bot.on(bot.cycle, () -> carries(bot.client));
    }

    /** The score of a team on its board. */
    int teamScore(String team) {
        return Bot.on(bot.cycle, () -> bot.client.teamFrags().getOrDefault(team, 0));
    }

    /** The number of the player that has the flag of a team. */
    long carrier(String team) {
        return Bot.on(
                bot.cycle,
                () ->
                        bot.client.flags().stream()
                                .filter(flag -> flag.team().equals(team))
                                .mapToLong(RemoteFlag::carrier)
                                .findFirst()
                                .orElse(-1));
    }

    private static Optional<RemoteFlag> flag(Client client, boolean own) {
        String team = client.teams().getOrDefault(client.id(), "");
        return client.flags().stream().filter(it -> it.team().equals(team) == own).findFirst();
    }

    private static boolean carries(Client client) {
        return flag(client, false).filter(it -> it.carrier() == client.id()).isPresent();
    }

    private PlayerInput steer(Movement self) {
        Client client = known.get();
        Optional<Vec3> goal =
                client == null || !runs
                        ? Optional.empty()
                        : carries(client)
                                ? flag(client, true).flatMap(RemoteFlag::home)
                                : flag(client, false).flatMap(RemoteFlag::place);
        if (goal.isEmpty()) {
            return PlayerInput.look(self.yaw(), 0);
        }
        Vec3 way = goal.get().minus(self.position());
        double yaw = Math.toDegrees(Math.atan2(way.y(), way.x()));
        return way.horizontal() < 0.3
                ? PlayerInput.look(self.yaw(), 0)
                : PlayerInput.walk(yaw, yaw, 0);
    }
}
