package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import static java.util.Objects.requireNonNull;

import dev.wishdir.game.Game;
import dev.wishdir.game.proxy.DatagramProxy;
import dev.wishdir.game.proxy.ProxiedDatagram;
import dev.wishdir.game.proxy.ProxyListener;
import dev.wishdir.game.proxy.ProxySession;
import dev.wishdir.interop.TestProxy.Guest;
import dev.wishdir.net.simulation.LinkConditions;
import dev.wishdir.net.simulation.LinkEmulation;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.TestEffort;
import dev.wishdir.wire.dissect.Direction;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Our clients of each game through the proxy on our server. */
@Tag("slow")
class ProxyTest {
    static final List<Game> GAMES = FourGames.ALL;

    private static final long SECOND = 1_000_000_000;

    private final SimulatedNetwork network = new SimulatedNetwork(5);
    private final Random random = new Random(6);
    private final TestProxy proxies = new TestProxy(network, random);
    private final List<ProxiedDatagram> observed = new ArrayList<>();

    /** The address towards the server by that of the client. */
    private final Map<InetSocketAddress, InetSocketAddress> sessions = new HashMap<>();

    private DatagramProxy open(Game game, InetSocketAddress server, LinkEmulation links)
            throws IOException {
        return proxies.open(
                game,
                server,
                links,
                ProxySession.Factory.UNCHANGED,
                new ProxyListener() {
                    @Override
                    public void onDatagram(ProxiedDatagram datagram) {
                        observed.add(datagram);
                    }

                    @Override
                    public void onConnected(InetSocketAddress client, InetSocketAddress toServer) {
                        sessions.put(client, toServer);
                    }
                });
    }

    private static LinkEmulation links(LinkConditions conditions) {
        return new LinkEmulation(conditions, conditions, 3);
    }

    private List<Guest> join(Game game, DatagramProxy proxy, int count) throws IOException {
        List<Guest> guests = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            guests.add(proxies.join(game, proxy.address(), "guest" + i));
        }
        assertThat(
                        network.runUntil(
                                () ->
                                        guests.stream()
                                                .allMatch(it ->
                                                        it.client.others().size() == count - 1),
                                60 * SECOND))
                .isTrue();
        return guests;
    }

    /** The datagrams of each client and direction, as one side of the proxy saw them. */
    private static Map<String, List<Bytes>> add(
            Map<String, List<Bytes>> all, InetSocketAddress client, Direction way, byte[] data) {
        all.computeIfAbsent(client.getPort() + " " + way, _ -> new ArrayList<>())
                .add(Bytes.wrap(data));
        return all;
    }

    @ParameterizedTest
    @FieldSource("GAMES")
    void passesSessionsOnSoThatBothSidesHaveTheSameDatagramsAndMessages(Game game)
            throws Exception {
        Map<String, List<Bytes>> atServer = new LinkedHashMap<>();
        Map<String, List<Bytes>> atClient = new LinkedHashMap<>();
        try (FourGames server = new FourGames(network, random, 16)) {
            InetSocketAddress address = server.address(game.name());
            DatagramProxy proxy = open(game, address, links(LinkConditions.NONE));
            network.tap((now, from, to, data) -> {
                if (from.equals(proxy.address())) {
                    add(atClient, to, Direction.S2C, data);
                } else if (to.equals(proxy.address())) {
                    add(atClient, from, Direction.C2S, data);
                } else if (from.equals(address)) {
                    add(atServer, to, Direction.S2C, data);
                } else if (to.equals(address)) {
                    add(atServer, from, Direction.C2S, data);
                }
            });
            List<Guest> guests = join(game, proxy, 3);
            guests.getFirst().client.say("hello");
            network.run(5 * SECOND);
            assertThat(guests).allSatisfy(it -> assertThat(it.ending).isEmpty());
            assertThat(guests.subList(1, 3))
                    .allSatisfy(it -> assertThat(it.heard("hello")).isNotEmpty());
            assertThat(server.laws().verdicts()).isEmpty();
            guests.forEach(guest -> guest.client.close());
        }
        network.run(2 * SECOND);
        assertThat(sessions).hasSize(3);
        sessions.forEach((client, toServer) -> {
            for (Direction way : Direction.values()) {
                List<Bytes> here = atClient.get(client.getPort() + " " + way);
                List<Bytes> there = atServer.get(toServer.getPort() + " " + way);
                assertThat(here).hasSizeGreaterThan(20).isEqualTo(there);
            }
        });
        List<String> messages = messages(game, observed);
        assertThat(messages).hasSizeGreaterThan(200);
        assertThat(messages).noneMatch(name -> name.contains("malformed"));
        assertThat(messages(game, asSeenByServer())).isEqualTo(messages);
    }

    /** The observed datagrams as between the proxy and the server. */
    private List<ProxiedDatagram> asSeenByServer() {
        return observed.stream()
                .filter(it -> sessions.containsKey(it.client()))
                .map(it -> {
                    InetSocketAddress client = requireNonNull(sessions.get(it.client()));
                    return new ProxiedDatagram(
                            it.nanos(), client, client, it.server(), it.direction(), it.data());
                })
                .toList();
    }

    private List<String> messages(Game game, List<ProxiedDatagram> datagrams) throws IOException {
        List<ProxiedDatagram> ofGuests =
                datagrams.stream()
                        .filter(it ->
                                sessions.containsKey(it.client())
                                        || sessions.containsValue(it.client()))
                        .toList();
        return TestProxy.messages(game, ofGuests).stream()
                .map(line -> line.direction() + " " + line.name())
                .toList();
    }

    /** As many datagrams arrive as were sent and not counted as lost. */
    @ParameterizedTest
    @FieldSource("GAMES")
    void keepsSessionsOnBadLinksAndCountsWhatIsLost(Game game) throws Exception {
        LinkEmulation links =
                links(new LinkConditions(0.05, 0.02, 0.02, SECOND / 50, SECOND / 25, 0));
        long[] counts = new long[2];
        try (FourGames server = new FourGames(network, random, 16)) {
            InetSocketAddress address = server.address(game.name());
            DatagramProxy proxy = open(game, address, links);
            network.tap((now, from, to, data) -> {
                counts[0] += to.equals(address) ? 1 : 0;
                counts[1] += to.equals(proxy.address()) ? 1 : 0;
            });
            List<Guest> guests = join(game, proxy, 3);
            network.run(20 * SECOND);
            assertThat(guests)
                    .allSatisfy(it -> {
                        assertThat(it.ending).isEmpty();
                        assertThat(it.client.others()).hasSize(2);
                    });
            assertThat(proxy.clients()).isEqualTo(3);
            guests.forEach(guest -> guest.client.close());
            network.run(20 * SECOND);
        }
        var up = links.upCounters();
        assertThat(up.sent()).isEqualTo(counts[1]);
        assertThat(up.lost()).isBetween(up.sent() / 25, up.sent() / 15);
        assertThat(counts[0]).isEqualTo(up.sent() - up.lost() + up.duplicated());
    }

    @Test
    void passesManyClientsOn() throws Exception {
        Game game = FourGames.game("quake3");
        int clients = Math.min(TestEffort.times(16), 64);
        try (FourGames server = new FourGames(network, random, 64)) {
            DatagramProxy proxy = open(game, server.address("quake3"), links(LinkConditions.NONE));
            List<Guest> guests = new ArrayList<>();
            for (int i = 0; i < clients; i++) {
                guests.add(proxies.join(game, proxy.address(), "guest" + i));
            }
            network.run(5 * SECOND);
            assertThat(proxy.clients()).isEqualTo(clients);
            assertThat(guests).allSatisfy(it -> assertThat(it.ending).isEmpty());
        }
    }
}
