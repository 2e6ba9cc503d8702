package dev.wishdir.app.bot;

import dev.wishdir.app.command.CommandFailedException;
import dev.wishdir.app.command.FaultOptions;
import dev.wishdir.app.command.JoinLimits;
import dev.wishdir.app.command.ShutdownSignal;
import dev.wishdir.app.command.TargetOptions;
import dev.wishdir.app.event.JsonEventWriter;
import dev.wishdir.app.log.AsyncLineWriter;
import dev.wishdir.app.log.LineSink;
import dev.wishdir.app.machine.DatagramCounters;
import dev.wishdir.app.machine.MeteredDutyCycle;
import dev.wishdir.blocks.reach.NavigationGraph;
import dev.wishdir.game.BotController;
import dev.wishdir.game.BotController.PlayerInput;
import dev.wishdir.game.Client;
import dev.wishdir.game.ClientConfig;
import dev.wishdir.game.ClientListener;
import dev.wishdir.game.Game;
import dev.wishdir.net.PortException;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.netty.NettyLoop;
import dev.wishdir.net.simulation.LinkEmulation;
import dev.wishdir.wire.Quantity;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** {@code bot}: connects headless players to any server of a game. */
@Command(
        name = "bot",
        sortOptions = false,
        description = "Connect headless players to a server and let them walk.")
public final class BotCommand implements Callable<Integer> {
    private final ShutdownSignal shutdown;

    @Spec private CommandSpec spec;

    @Mixin private final TargetOptions target;

    @Option(
            names = "--name",
            paramLabel = "N",
            description =
                    "The player's name. With --count, a number is appended. Default: one of a"
                            + " hundred names for each bot.",
            defaultValue = "")
    private String name = "";

    @Option(
            names = "--path",
            paramLabel = "PATH",
            description = "circle, square, random or still (default ${DEFAULT-VALUE}).",
            defaultValue = "circle")
    private BotPath path = BotPath.CIRCLE;

    @Option(
            names = "--fight",
            description =
                    "Hunt the nearest player with the weapon that is best at its distance, where"
                        + " the server has a match, run the course of a race, and play capture the"
                        + " flag. In an arena that is not shipped, and not a map of an installed"
                        + " game, the bot does not know the way, and walks --path while no player"
                        + " is near.")
    private boolean fight;

    @Option(
            names = "--skill",
            paramLabel = "N",
            description =
                    "With --fight: how well the bot aims, and how fast it reacts, 0 to 5 (default"
                            + " ${DEFAULT-VALUE}).",
            defaultValue = "2")
    private int skill;

    @Option(
            names = "--seconds",
            paramLabel = "S",
            description =
                    "Leave this number of seconds after all have joined. Without it, on Ctrl-C.",
            defaultValue = "0")
    private int seconds;

    @Option(
            names = "--count",
            paramLabel = "N",
            description = "Number of bots (default ${DEFAULT-VALUE}).",
            defaultValue = "1")
    private int count;

    @Option(
            names = "--say",
            paramLabel = "TEXT",
            description = "Chat text to send after joining.",
            defaultValue = "")
    private String say = "";

    @Mixin private final FaultOptions faults = new FaultOptions();

    @Option(names = "--json", description = "Print what the first bot sees as JSON lines.")
    private boolean json;

    private BotCommand(ShutdownSignal shutdown, TargetOptions target) {
        this.shutdown = shutdown;
        this.target = target;
    }

    /** The command, with the options that clients of these games have. */
    public static CommandLine commandLine(List<Game> games, ShutdownSignal shutdown) {
        TargetOptions target = new TargetOptions(games);
        CommandLine line = new CommandLine(new BotCommand(shutdown, target));
        target.addTo(line);
        return line;
    }

    /** Prints the events of one bot; called on the loop's thread. */
    private final class Bot implements ClientListener {
        private final boolean reporting;
        private final AsyncLineWriter lines;
        private final JsonEventWriter eventWriter;
        private final ConcurrentLinkedQueue<String> endings;
        private final CountDownLatch running;
        private final AtomicInteger joined;
        private final String name;
        private final BotController controller;
        @Nullable Client client;

        Bot(String name, boolean reporting, Shared shared) {
            this.name = name;
            this.reporting = reporting;
            this.lines = shared.lines;
            this.eventWriter = shared.eventWriter;
            this.endings = shared.endings;
            this.running = shared.running;
            this.joined = shared.joined;
            BotController pathController = fighting(path.controller(shared.random), shared);
            this.controller =
                    (now, self) -> {
                        Client here = client;
                        if (reporting && json && here != null && here.joined()) {
                            eventWriter.writeSeen(
                                    "move",
                                    gameName(),
                                    new Client.RemotePlayer(here.id(), name, self),
                                    true);
                        }
                        return pathController.steer(now, self);
                    };
        }

        private BotController fighting(BotController walk, Shared shared) {
            if (!fight) {
                return walk;
            }
            Supplier<Optional<NavigationGraph>> paths =
                    () -> {
                        Client here = client;
                        return here == null ? Optional.empty() : shared.paths.of(here.level());
                    };
            BotController tour =
                    new BotRace(paths, new BotTour(paths, walk, shared.random), shared.random);
            BotController fighting = new BotFight(() -> client, paths, tour, skill, shared.random);
            return (now, self) -> {
                PlayerInput input = fighting.steer(now, self);
                Client here = client;
                // Straight on there may be a void.
                return here != null && shared.paths.isPending(here.level())
                        ? PlayerInput.look(input.yaw(), input.pitch())
                        : input;
            };
        }

        @Override
        public void onJoined(Client self) {
            if (joined.incrementAndGet() <= count && !say.isEmpty()) {
                self.say(say);
            }
            if (reporting && json) {
                eventWriter.writeSeen(
                        "join",
                        gameName(),
                        new Client.RemotePlayer(self.id(), name, self.movement()),
                        true);
            } else if (reporting) {
                lines.accept("join " + name + " (self)");
            }
        }

        @Override
        public void onAppeared(Client self, Client.RemotePlayer other) {
            report("join", other, "sees " + other.name());
        }

        @Override
        public void onMoved(Client self, long now, Client.RemotePlayer other) {
            if (reporting && json) {
                eventWriter.writeSeen("move", gameName(), other, false);
            }
        }

        @Override
        public void onVanished(Client self, Client.RemotePlayer other) {
            report("leave", other, "no longer sees " + other.name());
        }

        @Override
        public void onDeath(Client self, long victim, long killer) {
            if (reporting && !json) {
                String name = nameOf(self, victim);
                lines.accept(
                        victim == killer
                                ? "death of " + name
                                : "death of " + name + " by " + nameOf(self, killer));
            }
        }

        private String nameOf(Client self, long player) {
            if (player == self.id()) {
                return name;
            }
            return self.others().stream()
                    .filter(other -> other.id() == player)
                    .map(Client.RemotePlayer::name)
                    .findFirst()
                    .orElse("another player");
        }

        @Override
        public void onChat(Client self, String author, String text) {
            if (reporting && json) {
                eventWriter.writeChat(gameName(), author, text);
            } else if (reporting) {
                lines.accept((author.isEmpty() ? "*" : author + ":") + " " + text);
            }
        }

        @Override
        public void onEnded(Client self, EndReason ending, String reason) {
            if (ending != EndReason.LEFT) {
                endings.add(reason);
            }
            running.countDown();
        }

        /** Reports that another player's body came or went, as it also does with each death. */
        private void report(String event, Client.RemotePlayer player, String text) {
            if (reporting && json) {
                eventWriter.writeSeen(event, gameName(), player, false);
            } else if (reporting) {
                lines.accept(text);
            }
        }
    }

    /** The state that all bots of one command share. */
    private final class Shared {
        final AsyncLineWriter lines =
                new AsyncLineWriter(LineSink.standard(spec.commandLine().getOut()));
        final JsonEventWriter eventWriter = new JsonEventWriter(lines, Clock.systemUTC());
        final ConcurrentLinkedQueue<String> endings = new ConcurrentLinkedQueue<>();
        final CountDownLatch running = new CountDownLatch(count);
        final AtomicInteger joined = new AtomicInteger();
        final SecureRandom random = new SecureRandom();
        final BotNames names = new BotNames(random);
        final LevelPaths paths = new LevelPaths(target.game());

        /** The name of a bot. */
        String name(int number) {
            if (name.isEmpty()) {
                return names.next();
            }
            return count == 1 ? name : name + (number + 1);
        }
    }

    private String gameName() {
        return target.game().name();
    }

    @Override
    public Integer call() throws CommandFailedException {
        if (count < 1 || count > 1000) {
            throw new CommandLine.ParameterException(
                    spec.commandLine(), "--count must be from 1 to 1000, is " + count);
        }
        if (skill < 0 || skill > BotFight.MAX_SKILL) {
            throw new CommandLine.ParameterException(
                    spec.commandLine(),
                    "--skill must be from 0 to " + BotFight.MAX_SKILL + ", is " + skill);
        }
        Map<String, String> options = target.options();
        InetSocketAddress server = target.resolve();
        Shared shared = new Shared();
        LinkEmulation links = faults.links();
        List<DutyCycle> cycles = new ArrayList<>();
        List<Bot> bots = new ArrayList<>();
        shutdown.listen();
        try (NettyLoop loop = new NettyLoop("bots")) {
            int joined = 0;
            List<DatagramCounters> counters = new ArrayList<>();
            SilenceNotice silence =
                    new SilenceNotice(PortException.text(server), System.nanoTime());
            long end = after(seconds == 0 ? Integer.MAX_VALUE : JoinLimits.TIMEOUT_SECONDS);
            do {
                if (seconds > 0 && joined < count && shared.joined.get() > joined) {
                    joined = shared.joined.get();
                    end = after(joined < count ? JoinLimits.TIMEOUT_SECONDS : seconds);
                }
                int finishedJoining = shared.joined.get() + shared.endings.size();
                for (int i = bots.size();
                        i < Math.min(count, finishedJoining + JoinLimits.MAX_JOINING);
                        i++) {
                    DatagramCounters counted = new DatagramCounters();
                    counters.add(counted);
                    DutyCycle cycle =
                            new MeteredDutyCycle(
                                    links.around(loop.cycle()), target.from(), counted);
                    cycles.add(cycle);
                    Bot bot = new Bot(shared.name(i), i == 0, shared);
                    bots.add(bot);
                    start(cycle, bot, server, options, shared);
                }
                long answers = counters.stream().mapToLong(it -> it.in().datagrams()).sum();
                silence.poll(System.nanoTime(), answers).ifPresent(this::report);
            } while (shared.running.getCount() > 0
                    && System.nanoTime() < end
                    && !shutdown.await(20, TimeUnit.MILLISECONDS));
            for (int i = 0; i < count; i++) {
                Client client = i < bots.size() ? bots.get(i).client : null;
                if (client != null) {
                    cycles.get(i).execute(client::close);
                } else {
                    shared.running.countDown();
                }
            }
            shared.running.await(3, TimeUnit.SECONDS);
            // The last datagrams of the bots are still on their links.
            shutdown.await(links.maxUpDelayNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailedException("interrupted", e);
        } finally {
            shared.lines.close();
        }
        if (!shared.endings.isEmpty()) {
            throw new CommandFailedException(
                    "disconnected: "
                            + shared.endings.size()
                            + " of "
                            + Quantity.of(count, "bot")
                            + JoinLimits.reasons(target.game(), List.copyOf(shared.endings)));
        }
        if (shared.lines.lost() > 0) {
            throw new CommandFailedException(
                    "output lost: " + Quantity.of(shared.lines.lost(), "line"));
        }
        if (shared.joined.get() < count) {
            throw new CommandFailedException(
                    "joined in time: only "
                            + shared.joined.get()
                            + " of "
                            + Quantity.of(count, "bot"));
        }
        return CommandLine.ExitCode.OK;
    }

    private void report(String text) {
        spec.commandLine().getErr().println(text);
        spec.commandLine().getErr().flush();
    }

    private static long after(long seconds) {
        return System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    }

    private void start(
            DutyCycle cycle,
            Bot bot,
            InetSocketAddress server,
            Map<String, String> options,
            Shared shared)
            throws CommandFailedException {
        CompletableFuture<@Nullable Void> started = new CompletableFuture<>();
        cycle.execute(() -> {
            try {
                bot.client =
                        target.game()
                                .connect(
                                        ClientConfig.builder(cycle, server)
                                                .name(bot.name)
                                                .password(target.password())
                                                .options(options)
                                                .controller(bot.controller)
                                                .listener(bot)
                                                .random(shared.random)
                                                .build());
                started.complete(null);
            } catch (IOException | RuntimeException e) {
                started.completeExceptionally(e);
            }
        });
        try {
            started.join();
        } catch (CompletionException e) {
            throw CommandFailedException.of("cannot start a bot", e);
        }
    }
}
