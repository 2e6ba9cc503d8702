package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import static java.util.Objects.requireNonNull;

import dev.wishdir.game.Client;
import dev.wishdir.game.ClientConfig;
import dev.wishdir.game.ClientListener;
import dev.wishdir.game.Game;
import dev.wishdir.game.proxy.DatagramProxy;
import dev.wishdir.game.proxy.ProxiedDatagram;
import dev.wishdir.game.proxy.ProxyConfig;
import dev.wishdir.game.proxy.ProxyListener;
import dev.wishdir.net.AddressLimits;
import dev.wishdir.net.AddressRange;
import dev.wishdir.net.DutyCycle;
import dev.wishdir.net.LinkConditions;
import dev.wishdir.net.LinkEmulation;
import dev.wishdir.net.SimulatedNetwork;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.dissect.Datagram;
import dev.wishdir.wire.dissect.Direction;
import dev.wishdir.wire.dissect.Dissector;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/** Our clients of each game through the proxy on our server. */
class ProxyTest {
    static final List<Game> GAMES = FourGames.ALL;

    private static final long SECOND = 1_000_000_000;
    private static final int SHIFT = 100;

    private final SimulatedNetwork network = new SimulatedNetwork(5);
    private final Random random = new Random(6);
    private final List<ProxiedDatagram> observed = new ArrayList<>();

    /** The address towards the server by that of the client. */
    private final Map<InetSocketAddress, InetSocketAddress> sessions = new HashMap<>();

    /** A walking client that says one line, and what it heard. */
    private final class Guest implements ClientListener {
        final Client client;
        final List<String> heard = new ArrayList<>();
        String ending = "";

        Guest(Game game, InetSocketAddress server, String name) throws IOException {
            client =
                    game.connect(
                            ClientConfig.builder(network.cycle(), server)
                                    .name(name)
                                    .controller(TestClient.CIRCLES)
                                    .listener(this)
                                    .random(random)
                                    .build());
        }

        @Override
        public void onChat(Client self, String author, String text) {
            heard.add(text);
        }

        @Override
        public void onEnded(Client self, EndReason reason, String text) {
            ending = reason + ": " + text;
        }

        boolean sees(int others) {
            return client.joined() && client.others().size() == others;
        }
    }

    private DatagramProxy open(Game game, InetSocketAddress server, LinkEmulation links)
            throws IOException {
        DutyCycle cycle = network.cycle();
        return DatagramProxy.open(
                cycle,
                links.around(cycle),
                new ProxyConfig(
                        game.proxyRules(),
                        new InetSocketAddress(
                                InetAddress.getLoopbackAddress(), game.port() + SHIFT),
                        server,
                        ProxyConfig.DEFAULT_MAX_CLIENTS,
                        AddressLimits.trusting(List.of(AddressRange.parse("127.0.0.1")), 5),
                        Optional::empty),
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
            Guest guest = new Guest(game, proxy.address(), "guest" + i);
            guests.add(guest);
            assertThat(network.runUntil(guest.client::joined, 60 * SECOND))
                    .as("%s %s", game.name(), guest.ending)
                    .isTrue();
        }
        assertThat(
                        network.runUntil(
                                () -> guests.stream().allMatch(it -> it.sees(count - 1)),
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
                    .allSatisfy(it -> assertThat(it.heard).contains("hello"));
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
        Dissector dissector = game.dissector(false, Optional.empty());
        List<String> names = new ArrayList<>();
        long frame = 0;
        for (ProxiedDatagram proxied : datagrams) {
            if (sessions.containsKey(proxied.client())
                    || sessions.containsValue(proxied.client())) {
                Datagram datagram = proxied.captured(++frame, 0);
                dissector.recognise(datagram);
                dissector.datagram(
                        datagram,
                        proxied.direction(),
                        line -> names.add(line.direction() + " " + line.name()));
            }
        }
        return names;
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
            network.run(60 * SECOND);
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
    void passesSixtyFourClientsOn() throws Exception {
        Game game = FourGames.game("quake3");
        try (FourGames server = new FourGames(network, random, 64)) {
            DatagramProxy proxy = open(game, server.address("quake3"), links(LinkConditions.NONE));
            List<Guest> guests = new ArrayList<>();
            for (int i = 0; i < 64; i++) {
                Guest guest = new Guest(game, proxy.address(), "guest" + i);
                guests.add(guest);
                assertThat(network.runUntil(guest.client::joined, 60 * SECOND)).isTrue();
            }
            network.run(5 * SECOND);
            assertThat(proxy.clients()).isEqualTo(64);
            assertThat(guests).allSatisfy(it -> assertThat(it.ending).isEmpty());
        }
    }
}
