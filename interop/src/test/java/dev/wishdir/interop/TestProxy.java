package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.game.Client;
import dev.wishdir.game.ClientConfig;
import dev.wishdir.game.ClientListener;
import dev.wishdir.game.Game;
import dev.wishdir.game.proxy.DatagramProxy;
import dev.wishdir.game.proxy.ProxiedDatagram;
import dev.wishdir.game.proxy.ProxyConfig;
import dev.wishdir.game.proxy.ProxyListener;
import dev.wishdir.game.proxy.ProxySession;
import dev.wishdir.net.limit.AddressLimits;
import dev.wishdir.net.limit.AddressRange;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.simulation.LinkEmulation;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.wire.dissect.Datagram;
import dev.wishdir.wire.dissect.DissectedMessage;
import dev.wishdir.wire.dissect.Dissector;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** Proxies in virtual time, and clients that join through them. */
record TestProxy(SimulatedNetwork network, Random random) {
    private static final long JOIN_NANOS = 60_000_000_000L;
    private static final int SHIFT = 100;

    /** A walking client, and what it heard. */
    static final class Guest implements ClientListener {
        final Client client;
        private final List<String> heard = new ArrayList<>();
        String ending = "";

        private Guest(TestProxy proxy, Game game, InetSocketAddress server, String name)
                throws IOException {
            client =
                    game.connect(
                            ClientConfig.builder(proxy.network.cycle(), server)
                                    .name(name)
                                    .controller(TestClient.CIRCLES)
                                    .listener(this)
                                    .random(proxy.random)
                                    .build());
        }

        /** The texts of chat that begin so. */
        List<String> heard(String start) {
            return heard.stream().filter(text -> text.startsWith(start)).toList();
        }

        @Override
        public void onChat(Client self, String author, String text) {
            heard.add(text);
        }

        @Override
        public void onEnded(Client self, EndReason reason, String text) {
            ending = reason + ": " + text;
        }
    }

    /** Opens a proxy at the game's port and {@value #SHIFT}. */
    DatagramProxy open(
            Game game,
            InetSocketAddress server,
            LinkEmulation links,
            ProxySession.Factory sessions,
            ProxyListener listener)
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
                        Optional::empty,
                        sessions),
                listener);
    }

    /** A client that has joined. */
    Guest join(Game game, InetSocketAddress server, String name) throws IOException {
        Guest guest = new Guest(this, game, server, name);
        assertThat(network.runUntil(guest.client::joined, JOIN_NANOS))
                .as("%s %s", game.name(), guest.ending)
                .isTrue();
        return guest;
    }

    /** The messages of datagrams, in order. */
    static List<DissectedMessage> messages(Game game, List<ProxiedDatagram> datagrams)
            throws IOException {
        Dissector dissector = game.dissector(false, Optional.empty());
        List<DissectedMessage> messages = new ArrayList<>();
        long frame = 0;
        for (ProxiedDatagram proxied : datagrams) {
            Datagram datagram = proxied.captured(++frame, 0);
            dissector.recognise(datagram);
            dissector.datagram(datagram, proxied.direction(), messages::add);
        }
        return messages;
    }
}
