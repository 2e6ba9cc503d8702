package dev.wishdir.game;

import dev.wishdir.net.DutyCycle;

import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * Configuration of a headless client.
 *
 * @param cycle this client's own duty cycle
 * @param server address of the server
 * @param name the player's name
 * @param password to join, empty for none
 * @param options the game's own settings by {@link Game.Option#name}
 * @param controller steers the player
 * @param listener receives the client's events
 * @param random for ids, ports, challenges; seeded in tests
 */
public record ClientConfig(
        DutyCycle cycle,
        InetSocketAddress server,
        String name,
        String password,
        Map<String, String> options,
        BotController controller,
        ClientListener listener,
        RandomGenerator random) {
    /**
     * Name of the option to join as a spectator, with any value. Games that have spectators list it
     * in {@link Game#clientOptions}.
     */
    public static final String SPECTATE = "spectate";

    public ClientConfig {
        options = Map.copyOf(options);
    }

    /** Whether to join as a spectator. */
    public boolean spectates() {
        return options.containsKey(SPECTATE);
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

        private Builder(DutyCycle cycle, InetSocketAddress server) {
            this.cycle = cycle;
            this.server = server;
        }

        /** Default: {@code wishdir}. */
        public Builder name(String name) {
            this.name = name;
            return this;
        }

        /** Password to join; default: none. */
        public Builder password(String password) {
            this.password = password;
            return this;
        }

        /** The game's own settings by {@link Game.Option#name}. */
        public Builder options(Map<String, String> options) {
            this.options = options;
            return this;
        }

        /** Steers the player; default: it stands still. */
        public Builder controller(BotController controller) {
            this.controller = controller;
            return this;
        }

        /** Receives the client's events; default: none. */
        public Builder listener(ClientListener listener) {
            this.listener = listener;
            return this;
        }

        /** Default: a secure one. */
        public Builder random(RandomGenerator random) {
            this.random = random;
            return this;
        }

        public ClientConfig build() {
            return new ClientConfig(
                    cycle, server, name, password, options, controller, listener, random);
        }
    }
}
