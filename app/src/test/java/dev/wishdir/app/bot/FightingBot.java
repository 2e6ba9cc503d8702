package dev.wishdir.app.bot;

import dev.wishdir.blocks.reach.NavigationGraph;
import dev.wishdir.game.BotController;
import dev.wishdir.game.BotController.PlayerInput;
import dev.wishdir.game.Client;
import dev.wishdir.game.ClientConfig;
import dev.wishdir.game.ClientListener;
import dev.wishdir.game.Game;
import dev.wishdir.motion.Movement;
import dev.wishdir.net.loop.DutyCycle;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/** A headless client that fights by {@link BotFight} until it is stopped; then it stands still. */
public final class FightingBot implements ClientListener, BotController {
    private final Game game;
    private final String name;
    private final BotFight fight;
    private final Client client;
    private boolean fights = true;
    private boolean ended;
    private String reason = "";
    private double damageTaken;

    /** Victims and killers, by its ids. */
    private final List<Death> deaths = new ArrayList<>();

    public record Death(long victim, long killer) {}

    /**
     * Connects to a server.
     *
     * @param skill 0 to {@link BotFight#MAX_SKILL}
     */
    public FightingBot(
            DutyCycle cycle,
            InetSocketAddress server,
            Game game,
            String name,
            int skill,
            RandomGenerator random)
            throws IOException {
        this(cycle, server, game, name, skill, random, Optional::empty);
    }

    /**
     * As above, in an arena that it knows.
     *
     * @param paths of the arena
     */
    public FightingBot(
            DutyCycle cycle,
            InetSocketAddress server,
            Game game,
            String name,
            int skill,
            RandomGenerator random,
            Supplier<Optional<NavigationGraph>> paths)
            throws IOException {
        this.game = game;
        this.name = name;
        fight =
                new BotFight(
                        this::client,
                        paths,
                        new BotTour(paths, BotPath.RANDOM.controller(random), random),
                        skill,
                        random);
        client =
                game.connect(
                        ClientConfig.builder(cycle, server)
                                .name(name)
                                .controller(this)
                                .listener(this)
                                .random(random)
                                .build());
    }

    public Client client() {
        return client;
    }

    public Game game() {
        return game;
    }

    public String name() {
        return name;
    }

    /** From now on it stands still. */
    public void stop() {
        fights = false;
    }

    /** It fights on. */
    public void resume() {
        fights = true;
    }

    /** Whether its connection is over. */
    public boolean ended() {
        return ended;
    }

    /** Why its connection is over; empty if it is not. */
    public String reason() {
        return reason;
    }

    @Override
    public PlayerInput steer(long now, Movement self) {
        return fights ? fight.steer(now, self) : PlayerInput.look(0, 0);
    }

    /** Damage that it was shown of itself. */
    public double damageTaken() {
        return damageTaken;
    }

    public List<Death> deaths() {
        return deaths;
    }

    @Override
    public void onHit(Client self, long victim, long attacker, double damage, double health) {
        damageTaken += victim == self.id() ? damage : 0;
    }

    @Override
    public void onDeath(Client self, long victim, long killer) {
        deaths.add(new Death(victim, killer));
    }

    @Override
    public void onEnded(Client self, EndReason ending, String reason) {
        ended = true;
        this.reason = ending + ": " + reason;
    }
}
