package dev.wishdir.game;

import dev.wishdir.arena.Arena;
import dev.wishdir.net.Budget;
import dev.wishdir.net.Counters;
import dev.wishdir.net.DutyCycle;

import java.net.InetSocketAddress;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * What an endpoint needs to serve.
 *
 * @param cycle the server's duty cycle; it runs the arena already
 * @param address where to listen
 * @param name what server lists show
 * @param map the map to play, empty for the game's generated arena
 * @param maxPlayers the most players of this game at once
 * @param password what players must give, empty for none
 * @param adminPassword what gives a player the rights of an operator, empty for nobody
 * @param options the game's own settings by {@link Game.Option#name}
 * @param budget the bytes for unproven addresses, shared by all endpoints of the server
 * @param random session ids, challenges; a secure one in a real server, seeded in tests
 */
public record Serving(
        DutyCycle cycle,
        InetSocketAddress address,
        Arena arena,
        String name,
        String map,
        int maxPlayers,
        String password,
        String adminPassword,
        Map<String, String> options,
        Budget budget,
        Counters counters,
        RandomGenerator random) {}
