package dev.wishdir.game;

import dev.wishdir.net.DutyCycle;

import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * What a headless client needs to join.
 *
 * @param cycle this client's own duty cycle
 * @param server where the server listens
 * @param name the player's name
 * @param password what the server asks for, empty for none
 * @param options the game's own settings by {@link Game.Option#name}
 * @param controller who steers
 * @param listener whom the client tells what happens
 * @param random ids, ports, challenges; seeded in tests
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
    public ClientConfig {
        options = Map.copyOf(options);
    }

    /**
     * Settings with defaults for all but these.
     *
     * @param cycle this client's own
     */
    public static Builder builder(DutyCycle cycle, InetSocketAddress server) {
        return new Builder(cycle, server);
    }

    /** Settings that are being made; what is not set has a default. */
    public static final class Builder {
        private final DutyCycle cycle;
        private final InetSocketAddress server;
        private String name = "wishdir";
        private String password = "";
        private Map<String, String> options = Map.of();
        private BotController pilot =
                (_, self) -> BotController.PlayerInput.look(self.yaw(), self.pitch());
        private ClientListener listener = new ClientListener() {};
        private RandomGenerator random = new SecureRandom();

        private Builder(DutyCycle cycle, InetSocketAddress server) {
            this.cycle = cycle;
            this.server = server;
        }

        /** The player's name; {@code wishdir} if not set. */
        public Builder name(String name) {
            this.name = name;
            return this;
        }

        /** What the server asks for; nothing if not set. */
        public Builder password(String password) {
            this.password = password;
            return this;
        }

        /** The game's own settings by {@link Game.Option#name}. */
        public Builder options(Map<String, String> options) {
            this.options = options;
            return this;
        }

        /** Who steers; the player stands still if not set. */
        public Builder controller(BotController pilot) {
            this.pilot = pilot;
            return this;
        }

        /** Whom the client tells what happens; nobody if not set. */
        public Builder listener(ClientListener listener) {
            this.listener = listener;
            return this;
        }

        /** A secure one if not set. */
        public Builder random(RandomGenerator random) {
            this.random = random;
            return this;
        }

        public ClientConfig build() {
            return new ClientConfig(
                    cycle, server, name, password, options, pilot, listener, random);
        }
    }
}
