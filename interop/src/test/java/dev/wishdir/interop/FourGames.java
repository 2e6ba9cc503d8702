package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.app.bot.FightingBot;
import dev.wishdir.app.serve.SimulatedServer;
import dev.wishdir.arena.match.MatchRules;
import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.blocks.reach.NavigationGraph;
import dev.wishdir.game.BotController;
import dev.wishdir.game.Game;
import dev.wishdir.net.limit.AddressRange;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.simulation.SimulatedNetwork;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** A server of all four games in virtual time, with clients that join it and laws that it holds. */
final class FourGames extends SimulatedServer {
    private static final long SECOND = 1_000_000_000;
    private static final String HERE = "127.0.0.1";

    private final SimulatedNetwork network;
    private final RandomGenerator random;
    private final ArenaLaws laws = new ArenaLaws();

    /**
     * One that trusts 127.0.0.1, from where any number may join.
     *
     * @param arenas that may be played, the first at first; the flat one if there are none
     */
    FourGames(SimulatedNetwork network, RandomGenerator random, int capacity, BlockArena... arenas)
            throws IOException {
        this(network, random, capacity, "", List.of(AddressRange.parse(HERE)), arenas);
    }

    /**
     * @param capacity of the arena, and of each game
     * @param password what players must give, empty for none
     * @param trusted from where any number may join
     * @param arenas that may be played, the first at first; the flat one if there are none
     */
    FourGames(
            SimulatedNetwork network,
            RandomGenerator random,
            int capacity,
            String password,
            List<AddressRange> trusted,
            BlockArena... arenas)
            throws IOException {
        this(network, random, capacity, password, trusted, MatchRules.NONE, arenas);
    }

    /**
     * @param rules of the match that all games play
     */
    FourGames(
            SimulatedNetwork network,
            RandomGenerator random,
            int capacity,
            String password,
            List<AddressRange> trusted,
            MatchRules rules,
            BlockArena... arenas)
            throws IOException {
        super(network, random, capacity, password, trusted, rules, arenas);
        this.network = network;
        this.random = random;
        arena().addListener(laws);
    }

    /** One that trusts 127.0.0.1, with a match. */
    FourGames(
            SimulatedNetwork network,
            RandomGenerator random,
            int capacity,
            MatchRules rules,
            BlockArena... arenas)
            throws IOException {
        this(network, random, capacity, "", List.of(AddressRange.parse(HERE)), rules, arenas);
    }

    /** A bot joins and fights; it tours the arena where it knows its paths. */
    FightingBot bot(
            DutyCycle cycle, Game game, String name, int skill, Optional<NavigationGraph> paths)
            throws IOException {
        return new FightingBot(cycle, address(game.name()), game, name, skill, random, () -> paths);
    }

    /** All bots come in, within half a minute. */
    void awaitBots(List<FightingBot> bots) {
        assertThat(
                        network.runUntil(
                                () -> bots.stream().allMatch(bot -> bot.client().joined()),
                                30 * SECOND))
                .isTrue();
    }

    ArenaLaws laws() {
        return laws;
    }

    /** A client from 127.0.0.1 joins and will walk in circles. */
    TestClient guest(Game game, String name) throws IOException {
        return guest(game, name, TestClient.CIRCLES);
    }

    /** A client from 127.0.0.1 joins. */
    TestClient guest(Game game, String name, BotController controller) throws IOException {
        return guest(game, HERE, name, "", controller);
    }

    /**
     * A client joins.
     *
     * @param from the address that it comes from
     * @param password that it gives
     */
    TestClient guest(Game game, String from, String name, String password, BotController controller)
            throws IOException {
        return new TestClient(
                network, random, this, game, from, name, password, Map.of(), controller);
    }

    /** A client from 127.0.0.1 joins and will walk in circles. */
    TestClient guest(GamePort port, String name) throws IOException {
        return guest(port, HERE, name);
    }

    /** A client from an address joins and will walk in circles. */
    TestClient guest(GamePort port, String from, String name) throws IOException {
        return guest(port, from, name, "");
    }

    /** A client from an address joins with a password and will walk in circles. */
    TestClient guest(GamePort port, String from, String name, String password) throws IOException {
        return new TestClient(
                network,
                random,
                this,
                port.game(),
                from,
                name,
                password,
                port.options(),
                TestClient.CIRCLES);
    }

    /** A Bedrock player from 127.0.0.1 comes over NetherNet. */
    TestClient nethernetGuest(String name, BotController controller) throws IOException {
        return new TestClient(
                network,
                random,
                this,
                ALL.getLast(),
                HERE,
                name,
                "",
                Map.of("transport", "nethernet"),
                controller);
    }

    /** All of them come in, within half a minute. */
    void await(List<TestClient> guests) {
        assertThat(network.runUntil(() -> guests.stream().allMatch(TestClient::in), 30 * SECOND))
                .as("%s", guests)
                .isTrue();
    }
}
