package dev.wishdir.game;

import dev.wishdir.net.DutyCycle;

import java.net.InetSocketAddress;
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
 * @param pilot who steers
 * @param listener whom the client tells what happens
 * @param random ids, ports, challenges; seeded in tests
 */
public record Joining(
        DutyCycle cycle,
        InetSocketAddress server,
        String name,
        String password,
        Map<String, String> options,
        Pilot pilot,
        ClientListener listener,
        RandomGenerator random) {
    public Joining {
        options = Map.copyOf(options);
    }

    /** Without settings of the game's own. */
    public Joining(
            DutyCycle cycle,
            InetSocketAddress server,
            String name,
            String password,
            Pilot pilot,
            ClientListener listener,
            RandomGenerator random) {
        this(cycle, server, name, password, Map.of(), pilot, listener, random);
    }
}
