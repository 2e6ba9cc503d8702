package dev.wishdir.game;

import dev.wishdir.motion.Movement;
import dev.wishdir.net.PortException;
import dev.wishdir.net.Requirements;
import dev.wishdir.net.loop.DutyCycle;

import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.random.RandomGenerator;

/**
 * Configuration of a headless client.
 *
 * @param cycle this client's own duty cycle
 * @param server address of the server
 * @param name the player's name
 * @param password to join, empty for none
 * @param options the game's own settings by {@link Game.Option#name}
 * @param controller steers the player; what it throws goes to {@link DutyCycle#report}, and the
 *     player stands still
 * @param listener receives the client's events; what it throws goes to {@link DutyCycle#report}
 * @param random for ids, ports, challenges; seeded in tests
 * @param joinTimeout how long the client tries to join, without the download of a map
 */
public record ClientConfig(
        DutyCycle cycle,
        InetSocketAddress server,
        String name,
        String password,
        Map<String, String> options,
        BotController controller,
        ClientListener listener,
        RandomGenerator random,
        Duration joinTimeout) {
    /** Default of {@link #joinTimeout}: 30 s. */
    public static final Duration DEFAULT_JOIN_TIMEOUT = Duration.ofSeconds(30);

    /** Maximum of {@link #joinTimeout}: 24 h. */
    public static final Duration MAX_JOIN_TIMEOUT = Duration.ofHours(24);

    /**
     * Name of the option to join as a spectator: {@code on} or {@code off}, the default. Games that
     * have spectators list it in {@link Game#clientOptions}.
     */
    public static final String SPECTATE = "spectate";

    /** A controller whose player stands still while it throws. */
    private record GuardedController(DutyCycle cycle, BotController controller)
            implements BotController {
        /** The given controller if it is guarded already. */
        static BotController around(DutyCycle cycle, BotController controller) {
            return controller instanceof GuardedController
                    ? controller
                    : new GuardedController(cycle, controller);
        }

        @Override
        public PlayerInput steer(long now, Movement self) {
            try {
                return controller.steer(now, self);
            } catch (RuntimeException | Error e) {
                cycle.report(controller, e);
                return PlayerInput.look(self.yaw(), self.pitch());
            }
        }
    }

    /**
     * @throws IllegalArgumentException if the server's host is not resolved or has no port, the
     *     time-out is not positive or above its maximum, or the spectator option has a wrong value
     */
    public ClientConfig {
        Objects.requireNonNull(cycle, "cycle");
        Requirements.destination("server", server);
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(password, "password");
        options = Map.copyOf(Objects.requireNonNull(options, "options"));
        Game.Option.isOn(options, SPECTATE, false);
        controller =
                GuardedController.around(cycle, Objects.requireNonNull(controller, "controller"));
        listener =
                GuardedClientListener.around(cycle, Objects.requireNonNull(listener, "listener"));
        Objects.requireNonNull(random, "random");
        Requirements.positive("joinTimeout", joinTimeout, MAX_JOIN_TIMEOUT);
    }

    /** The reason of a client that gave up joining. */
    public String joinTimedOut() {
        long millis = joinTimeout.toMillis();
        return PortException.text(server)
                + " did not let the client in within "
                + (millis % 1000 == 0
                        ? Long.toString(millis / 1000)
                        : Double.toString(millis / 1e3))
                + " s";
    }

    /** Whether to join as a spectator. */
    public boolean spectates() {
        return Game.Option.isOn(options, SPECTATE, false);
    }

    /**
     * A builder with defaults for all but these.
     *
     * @param cycle this client's own
     */
    public static Builder builder(DutyCycle cycle, InetSocketAddress server) {
        return new Builder(cycle, server);
    }

    public static final class Builder {
        private final DutyCycle cycle;
        private final InetSocketAddress server;
        private String name = "wishdir";
        private String password = "";
        private Map<String, String> options = Map.of();
        private BotController controller =
                (_, self) -> BotController.PlayerInput.look(self.yaw(), self.pitch());
        private ClientListener listener = new ClientListener() {};
        private RandomGenerator random = new SecureRandom();
        private Duration joinTimeout = DEFAULT_JOIN_TIMEOUT;

        private Builder(DutyCycle cycle, InetSocketAddress server) {
            this.cycle = Objects.requireNonNull(cycle, "cycle");
            this.server = Requirements.destination("server", server);
        }

        /** Default: {@code wishdir}. */
        public Builder name(String name) {
            this.name = Objects.requireNonNull(name, "name");
            return this;
        }

        /** Password to join; default: none. */
        public Builder password(String password) {
            this.password = Objects.requireNonNull(password, "password");
            return this;
        }

        /** The game's own settings by {@link Game.Option#name}. */
        public Builder options(Map<String, String> options) {
            this.options = Map.copyOf(Objects.requireNonNull(options, "options"));
            return this;
        }

        /** Steers the player; default: it stands still. */
        public Builder controller(BotController controller) {
            this.controller = Objects.requireNonNull(controller, "controller");
            return this;
        }

        /** Receives the client's events; default: none. */
        public Builder listener(ClientListener listener) {
            this.listener = Objects.requireNonNull(listener, "listener");
            return this;
        }

        /** Default: a secure one. */
        public Builder random(RandomGenerator random) {
            this.random = Objects.requireNonNull(random, "random");
            return this;
        }

        /**
         * Time for which the client tries to join; default: {@link #DEFAULT_JOIN_TIMEOUT}, at most
         * {@link #MAX_JOIN_TIMEOUT}.
         */
        public Builder joinTimeout(Duration joinTimeout) {
            this.joinTimeout = Requirements.positive("joinTimeout", joinTimeout, MAX_JOIN_TIMEOUT);
            return this;
        }

        public ClientConfig build() {
            return new ClientConfig(
                    cycle,
                    server,
                    name,
                    password,
                    options,
                    controller,
                    listener,
                    random,
                    joinTimeout);
        }
    }
}
