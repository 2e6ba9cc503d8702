package dev.wishdir.sauerbraten.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.enet.EnetCapture;
import dev.wishdir.enet.EnetCapture.Packet;
import dev.wishdir.enet.EnetCommand;
import dev.wishdir.enet.EnetCommand.Connect;
import dev.wishdir.enet.EnetCommand.Disconnect;
import dev.wishdir.enet.EnetCommand.Fragment;
import dev.wishdir.enet.EnetCommand.SendFragment;
import dev.wishdir.enet.EnetCommand.SendReliable;
import dev.wishdir.enet.EnetCommand.SendUnreliable;
import dev.wishdir.enet.EnetCommand.VerifyConnect;
import dev.wishdir.enet.EnetDatagram;
import dev.wishdir.enet.EnetDisconnectReason;
import dev.wishdir.enet.EnetHost;
import dev.wishdir.enet.EnetListener;
import dev.wishdir.enet.EnetPeer;
import dev.wishdir.enet.EnetSettings;
import dev.wishdir.net.limit.AddressLimits;
import dev.wishdir.net.limit.AmplificationLimiter;
import dev.wishdir.net.loop.Counters;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.WireLaws;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.random.RandomGenerator;

/** The original's datagrams, given to either side of ours. */
class EnetReplayTest {
    record Message(InetSocketAddress peer, int channel, boolean reliable, Bytes payload) {}

    private final List<Message> received = new ArrayList<>();
    private final List<Long> reasons = new ArrayList<>();
    private final Counters counters = new Counters();

    private EnetHost host(EnetSettings settings, InetSocketAddress peer, Queue<Integer> numbers) {
        EnetListener listener =
                new EnetListener() {
                    @Override
                    public void onReceived(
                            long now, EnetPeer from, int channel, Bytes payload, boolean reliable) {
                        InetSocketAddress name = peer.getPort() == 0 ? from.address() : peer;
                        EnetReplayTest.this.received.add(
                                new Message(name, channel, reliable, payload));
                    }

                    @Override
                    public void onDisconnected(
                            long now, EnetPeer from, long data, EnetDisconnectReason cause) {
                        reasons.add(data);
                    }
                };
        RandomGenerator captured =
                new RandomGenerator() {
                    @Override
                    public long nextLong() {
                        return (long) numbers.remove() << 32;
                    }
                };
        return new EnetHost(
                settings,
                listener,
                (_, _, _, _) -> {},
                new AddressLimits(
                        8, List.of(), new AmplificationLimiter(1 << 30, 1 << 30, 1 << 30, 1), 1),
                counters,
                captured);
    }

    /** The messages that go one way in a capture, each once. */
    private static List<Message> messages(List<Packet> packets, boolean byReceiver) {
        List<Message> messages = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        ByteBuffer file = ByteBuffer.allocate(1 << 20);
        for (Packet packet : packets) {
            InetSocketAddress peer = byReceiver ? packet.to() : packet.from();
            for (EnetCommand command : packet.decoded().commands()) {
                if (command.acknowledge()
                        && !seen.add(peer + " " + command.channel() + " " + command.seq())) {
                    continue;
                }
                switch (command) {
                    case SendReliable c ->
                            messages.add(new Message(peer, c.channel(), true, c.payload()));
                    case SendUnreliable c ->
                            messages.add(new Message(peer, c.channel(), false, c.payload()));
                    case SendFragment c -> {
                        Fragment f = c.fragment();
                        file.put(f.payload().toArray());
                        if (f.num() == f.count() - 1) {
                            Bytes whole = Bytes.copyOf(file.array(), 0, file.position());
                            messages.add(new Message(peer, c.channel(), true, whole));
                            file.clear();
                        }
                    }
                    default -> {}
                }
            }
        }
        return messages;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "solo_walk",
                "two_clients",
                "coop_edit",
                "map_change_teams",
                "ramp_slide",
                "info_password_kick",
                "client_vanish_timeout",
                "missing_map",
                "combat_damage"
            })
    void writesEveryDatagramBack(String name) {
        for (Packet packet : EnetCapture.read(name).packets()) {
            assertThat(WireLaws.write(packet.decoded(), EnetDatagram::wire))
                    .isEqualTo(packet.data().toArray());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "solo_walk",
                "two_clients",
                "coop_edit",
                "map_change_teams",
                "ramp_slide",
                "info_password_kick",
                "client_vanish_timeout",
                "missing_map",
                "combat_damage"
            })
    void receivesEveryMessageOfOriginalClients(String name) {
        EnetCapture capture = EnetCapture.read(name);
        Queue<Integer> proofs = new ArrayDeque<>();
        for (Packet packet : capture.packets()) {
            if (packet.decoded().commands().getFirst() instanceof VerifyConnect) {
                // The lowest slot, the next sessions, and the proof: the original draws none of
                // them.
                proofs.addAll(List.of(0, 0, 0));
                proofs.add(1 << 16 | packet.decoded().header().sentTime());
            }
        }
        EnetHost host = host(SauerbratenTransport.server(16, 16), new InetSocketAddress(0), proofs);
        List<Packet> taken = new ArrayList<>();
        Set<InetSocketAddress> sentAway = new HashSet<>();
        for (Packet packet : capture.packets()) {
            EnetCommand last = packet.decoded().commands().getLast();
            if (packet.to().equals(capture.server())) {
                if (!sentAway.contains(packet.from())) {
                    taken.add(packet);
                    host.receive(packet.time(), packet.from(), packet.data().toArray());
                }
                if (last instanceof Disconnect) {
                    host.advance(packet.time());
                }
            } else if (last instanceof Disconnect) {
                sentAway.add(packet.to());
                peer(host, packet.to()).reset();
            }
        }
        assertThat(received).isEqualTo(messages(taken, false)).hasSizeGreaterThan(20);
        assertThat(reasons).allMatch(reason -> reason == 0);
        assertThat(counters.snapshot()).isEmpty();
    }

    private static EnetPeer peer(EnetHost host, InetSocketAddress address) {
        return host.peers().stream()
                .filter(peer -> peer.address().equals(address))
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "solo_walk",
                "two_clients",
                "coop_edit",
                "map_change_teams",
                "ramp_slide",
                "info_password_kick",
                "missing_map",
                "combat_damage"
            })
    void receivesEveryMessageOfOriginalServer(String name) {
        EnetCapture capture = EnetCapture.read(name);
        List<Long> expectedReasons = new ArrayList<>();
        for (Packet first : capture.packets()) {
            if (!(first.decoded().commands().getFirst() instanceof Connect connect)) {
                continue;
            }
            InetSocketAddress client = first.from();
            int connectID = (int) connect.terms().connectID();
            EnetHost host =
                    host(
                            SauerbratenTransport.client(),
                            client,
                            new ArrayDeque<>(List.of(connectID)));
            host.connect(capture.server(), 0);
            host.advance(first.time());
            List<Packet> toClient =
                    capture.packets().stream().filter(p -> p.to().equals(client)).toList();
            received.clear();
            for (Packet packet : toClient) {
                host.receive(packet.time(), packet.from(), packet.data().toArray());
                if (packet.decoded().commands().getLast() instanceof Disconnect goodbye) {
                    expectedReasons.add(goodbye.data());
                    host.advance(packet.time());
                }
            }
            assertThat(received).isEqualTo(messages(toClient, true)).isNotEmpty();
        }
        assertThat(reasons).isEqualTo(expectedReasons);
        assertThat(counters.snapshot()).isEmpty();
    }
}
