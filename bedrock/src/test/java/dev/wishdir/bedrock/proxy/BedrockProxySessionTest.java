package dev.wishdir.bedrock.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.Level;
import dev.wishdir.bedrock.client.BedrockClient;
import dev.wishdir.bedrock.inspect.BedrockDissector;
import dev.wishdir.bedrock.protocol.BedrockCodec;
import dev.wishdir.bedrock.proxy.BedrockProxyConfig.ServerTransport;
import dev.wishdir.bedrock.server.BedrockEndpoint;
import dev.wishdir.game.BotController.PlayerInput;
import dev.wishdir.game.Client;
import dev.wishdir.game.ClientConfig;
import dev.wishdir.game.ClientListener;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.net.limit.AddressLimits;
import dev.wishdir.net.limit.AddressRange;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.simulation.LinkConditions;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.dissect.Datagram;
import dev.wishdir.wire.dissect.Direction;
import dev.wishdir.wire.dissect.DissectedMessage;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/** Our clients and our server, with the proxy between them. */
@Tag("slow")
class BedrockProxySessionTest {
    private static final long SECOND = ProxyNetwork.SECOND;
    private static final LinkConditions BAD =
            new LinkConditions(0.05, 0.02, 0.02, SECOND / 50, SECOND / 25, 0);

    private record Sent(long nanos, InetSocketAddress from, InetSocketAddress to, Bytes data) {}

    private final ProxyNetwork net = new ProxyNetwork();
    private final List<String> keys = new ArrayList<>();
    private final List<Sent> sent = new ArrayList<>();

    @TempDir private Path folder = Path.of("");

    /** A walking client, and what it heard. */
    private final class Guest implements ClientListener {
        final List<String> heard = new ArrayList<>();
        final BedrockClient client;
        String ending = "";

        Guest(ServerTransport transport, BedrockCodec codec, String name) throws IOException {
            client =
                    BedrockClient.connect(
                            ClientConfig.builder(net.network.cycle(), ProxyNetwork.LISTEN)
                                    .name(name)
                                    .options(
                                            Map.of(
                                                    "transport",
                                                    transport.name().toLowerCase(Locale.ROOT)))
                                    .controller((now, _) ->
                                            new PlayerInput(
                                                    now / 1e8 % 360, 5, 0.5, 0, false, false))
                                    .listener(this)
                                    .random(new Random(name.hashCode()))
                                    .build(),
                            codec,
                            InstantSource.system());
        }

        @Override
        public void onSessionKey(Client self, String line) {
            keys.add(line);
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

    private BedrockEndpoint serve() throws IOException {
        DutyCycle cycle = net.network.cycle();
        Arena arena = new Arena(Level.BOX, 150);
        cycle.add(arena::advance);
        return BedrockEndpoint.open(
                EndpointContext.builder(cycle, ProxyNetwork.SERVER, arena)
                        .name("Hall")
                        .maxPlayers(20)
                        .addressLimits(
                                AddressLimits.trusting(
                                        List.of(AddressRange.parse("127.0.0.0/8")), 1))
                        .keys(keys::add)
                        .random(new Random(5))
                        .build());
    }

    private Guest join(ServerTransport transport, BedrockCodec codec, String name)
            throws IOException {
        Guest guest = new Guest(transport, codec, name);
        assertThat(net.network.runUntil(guest.client::joined, 30 * SECOND))
                .as("%s %s", guest.ending, net.closed)
                .isTrue();
        return guest;
    }

    @ParameterizedTest
    @CsvSource({
        "RAKNET, RAKNET, false",
        "RAKNET, RAKNET, true",
        "RAKNET, NETHERNET, true",
        "NETHERNET, RAKNET, true",
        "NETHERNET, NETHERNET, false",
        "NETHERNET, NETHERNET, true",
    })
    void keepsSessionsOfAMinuteOnAnyLink(
            ServerTransport ofClient, ServerTransport ofServer, boolean isBad) throws IOException {
        net.faults = isBad ? BAD : LinkConditions.NONE;
        net.transport = ofServer;
        serve();
        BedrockProxy proxy = net.open();
        Guest ann = join(ofClient, BedrockCodec.V748, "Ann");
        Guest bob = join(ofClient, BedrockCodec.NEWEST, "Bob");
        net.network.run(30 * SECOND);
        ann.client.say("hello");
        net.network.run(30 * SECOND);
        assertThat(ann.ending + bob.ending).isEmpty();
        assertThat(bob.heard).contains("hello");
        assertThat(ann.client.others()).hasSize(1);
        assertThat(bob.client.others()).hasSize(1);
        assertThat(proxy.clients()).isEqualTo(2);
        assertThat(net.dissected())
                .extracting(DissectedMessage::name)
                .contains("start_game", "player_auth_input", "add_player", "move_player", "text")
                .doesNotContain("malformed", "encrypted_batch");
    }

    /** Both are decrypted with the keys of their sessions, which differ. */
    @ParameterizedTest
    @CsvSource({"false", "true"})
    void hasTheSameMessagesOnBothEncryptedSides(boolean isBad) throws IOException {
        net.faults = isBad ? BAD : LinkConditions.NONE;
        net.network.tap((now, from, to, data) -> sent.add(new Sent(now, from, to, Bytes.of(data))));
        serve();
        net.open();
        Guest ann = join(ServerTransport.RAKNET, BedrockCodec.V748, "Ann");
        net.network.run(20 * SECOND);
        ann.client.say("hello");
        net.network.run(10 * SECOND);
        assertThat(ann.ending).isEmpty();
        ann.client.close();
        net.network.run(5 * SECOND);

        assertThat(keys).hasSize(2).doesNotHaveDuplicates();
        List<String> atClient = messages(ProxyNetwork.LISTEN);
        List<String> atServer = messages(ProxyNetwork.SERVER);
        for (Direction direction : Direction.values()) {
            List<String> here = ofDirection(atClient, direction);
            List<String> there = ofDirection(atServer, direction);
            assertThat(here).hasSizeGreaterThan(50);
            // What the server sent as the client left does not reach it any more.
            List<String> passed = direction == Direction.C2S ? there : here;
            List<String> all = direction == Direction.C2S ? here : there;
            assertThat(all.subList(0, passed.size())).isEqualTo(passed);
            assertThat(all.size() - passed.size()).isLessThan(20);
        }
    }

    private static List<String> ofDirection(List<String> messages, Direction direction) {
        return messages.stream().filter(line -> line.startsWith(direction.name())).toList();
    }

    /** The messages between a port and its peer that pass through the proxy. */
    private List<String> messages(InetSocketAddress port) throws IOException {
        Path file = Files.write(folder.resolve("keys.jsonl"), keys);
        BedrockDissector dissector =
                new BedrockDissector(false, Optional.of(file), BedrockCodec.V748);
        List<DissectedMessage> lines = new ArrayList<>();
        for (Sent each : sent) {
            boolean down = each.from.equals(port);
            if (down || each.to.equals(port)) {
                Datagram datagram =
                        new Datagram(1, each.nanos / 1e9, each.from, each.to, each.data);
                dissector.recognise(datagram);
                dissector.datagram(datagram, down ? Direction.S2C : Direction.C2S, lines::add);
            }
        }
        assertThat(lines)
                .extracting(DissectedMessage::name)
                .contains("server_to_client_handshake")
                .doesNotContain("malformed", "encrypted_batch");
        return lines.stream()
                .filter(line -> line.layer() == DissectedMessage.Layer.MESSAGE)
                .filter(line -> !line.name().matches("login|.*network_settings|.*handshake"))
                .map(line -> line.direction() + " " + line.name() + " " + line.fields())
                .toList();
    }
}
