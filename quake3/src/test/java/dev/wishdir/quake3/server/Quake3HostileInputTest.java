package dev.wishdir.quake3.server;

import static dev.wishdir.quake3.server.session.ScriptedClient.SECOND;
import static dev.wishdir.quake3.server.session.ScriptedClient.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.RateLimitedAction;
import dev.wishdir.game.BotController;
import dev.wishdir.game.ClientConfig;
import dev.wishdir.game.ClientListener;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.limit.AddressLimits;
import dev.wishdir.net.limit.AddressRange;
import dev.wishdir.net.loop.Counters;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.quake3.client.Quake3Client;
import dev.wishdir.quake3.map.Quake3MapCatalog;
import dev.wishdir.quake3.message.ClientMessage;
import dev.wishdir.quake3.message.PlayerField;
import dev.wishdir.quake3.message.Usercmd;
import dev.wishdir.quake3.movement.Quake3Motion;
import dev.wishdir.quake3.netchan.InfoString;
import dev.wishdir.quake3.netchan.Netchan;
import dev.wishdir.quake3.netchan.OutOfBand;
import dev.wishdir.quake3.netchan.Side;
import dev.wishdir.quake3.server.session.ScriptedClient;
import dev.wishdir.quake3.server.session.SnapshotPacer;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Writer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * What may be sent to a running endpoint. An honest player walks and another watches all the time;
 * after each test it still does, a newcomer joins within two seconds, and no address that proved
 * nothing was sent more than its budget.
 */
@Tag("slow")
class Quake3HostileInputTest {
    private static final InetSocketAddress SERVER =
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 27_960);

    private final SimulatedNetwork network = new SimulatedNetwork(3);
    private final Arena arena = new Arena(Level.BOX, 100);
    private final Counters counters = new Counters();
    private final List<String> said = new ArrayList<>();
    private final List<Movement> movements = new ArrayList<>();
    private final List<byte[]> ofAlice = new ArrayList<>();
    private final Map<InetSocketAddress, Integer> toStrangers = new HashMap<>();
    private InetSocketAddress aliceAddress = SERVER;
    private Quake3Client alice;
    private Quake3Client bob;
    private int nextPort = 40_000;
    private long began;

    @BeforeEach
    void serve() throws IOException {
        DutyCycle cycle = network.cycle();
        cycle.add(arena::advance);
        arena.addListener(event -> {
            switch (event) {
                case ArenaEvent.Chat e -> said.add(e.text());
                case ArenaEvent.Moved e -> movements.add(e.movement());
                default -> {}
            }
        });
        Quake3Endpoint.open(
                EndpointContext.builder(cycle, SERVER, arena)
                        .name("test")
                        .maxPlayers(64)
                        .adminPassword("secret")
                        .addressLimits(
                                AddressLimits.trusting(List.of(AddressRange.parse("127.0.0.1")), 1))
                        .counters(counters)
                        .random(new Random(5))
                        .build(),
                new Quake3MapCatalog(Optional.empty()),
                "baseoa",
                List.of(),
                List.of());
        network.tap((_, from, to, data) -> {
            if (to.equals(SERVER)) {
                aliceAddress = aliceAddress.equals(SERVER) ? from : aliceAddress;
                if (from.equals(aliceAddress)) {
                    ofAlice.add(data);
                }
            } else if (to.getAddress().getAddress()[0] != 127) {
                toStrangers.merge(to, data.length, Integer::sum);
            }
        });
        alice = player("alice", (now, _) -> walk(now));
        bob = player("bob", (_, _) -> BotController.PlayerInput.look(0, 0));
        began = network.now();
    }

    private static BotController.PlayerInput walk(long now) {
        double direction = now * 60.0 / SECOND % 360;
        return BotController.PlayerInput.walk(direction, direction, 0);
    }

    private Quake3Client player(String name, BotController controller) throws IOException {
        Quake3Client client =
                Quake3Client.connect(
                        ClientConfig.builder(network.cycle(), SERVER)
                                .name(name)
                                .controller(controller)
                                .listener(new ClientListener() {})
                                .random(new Random(name.hashCode()))
                                .build());
        assertThat(network.runUntil(client::joined, 2 * SECOND)).as("%s joins", name).isTrue();
        return client;
    }

    @AfterEach
    void allGoesOn() throws IOException {
        player("newcomer", (_, _) -> BotController.PlayerInput.look(0, 0));
        network.run(SECOND);
        assertThat(alice.joined() && bob.joined()).isTrue();
        // A player may stand in her way for a while.
        assertThat(network.runUntil(() -> alice.movement().velocity().horizontal() > 9, 6 * SECOND))
                .isTrue();
        Vec3 there = here("alice");
        assertThat(bob.others().stream().filter(remote -> remote.name().equals("alice")))
                .singleElement()
                .satisfies(remote ->
                        assertThat(remote.movement().position().distance(there)).isLessThan(1));
        assertThat(movements).allMatch(Movement::isValid);
        assertThat(movements).allMatch(movement -> arena.bounds().contains(movement.position()));
        double seconds = (network.now() - began) / 1e9;
        assertThat(toStrangers.values().stream().mapToInt(i -> i).sum())
                .isLessThanOrEqualTo((int) ((64 << 10) * (1 + seconds)));
    }

    private Vec3 here(String name) {
        return arena.players().stream()
                .filter(player -> player.name().equals(name))
                .findFirst()
                .orElseThrow()
                .movement()
                .position();
    }

    private ScriptedClient client(int number) {
        return new ScriptedClient(network, SERVER, nextPort++, number);
    }

    private ScriptedClient joined(int number) {
        return client(number).join("mallory");
    }

    private boolean isHere(String name) {
        return arena.players().stream().anyMatch(player -> player.name().equals(name));
    }

    /** Checks that a client still walks where it wants to. */
    private void stillPlays(ScriptedClient client) {
        int before = client.snapshots.size();
        Vec3 from = here("mallory");
        for (int i = 0; i < 10; i++) {
            network.run(SECOND / 20);
            client.walk(127);
        }
        network.run(SECOND / 10);
        assertThat(client.snapshots.size()).isGreaterThan(before);
        assertThat(here("mallory").distance(from)).isGreaterThan(0.5);
    }

    private static InetSocketAddress stranger(int i) {
        try {
            byte[] address = {20, (byte) (i >> 14), (byte) (i >> 6), (byte) (i << 2)};
            return new InetSocketAddress(InetAddress.getByAddress(address), 1 + i % 60_000);
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    @DisplayName("A3: datagrams as long as they come")
    void survivesLongDatagrams() {
        ScriptedClient mallory = joined(71);
        for (int length : new int[] {1399, 1400, 1401, 16_384, 16_400, 65_507}) {
            byte[] data = new byte[length];
            data[0] = (byte) 200;
            data[4] = (byte) mallory.qport;
            data[5] = (byte) (mallory.qport >> 8);
            mallory.inject(data);
            byte[] question = new byte[length];
            byte[] start = new OutOfBand("getstatus ").datagram().toArray();
            System.arraycopy(start, 0, question, 0, start.length);
            java.util.Arrays.fill(question, start.length, length, (byte) 'x');
            mallory.answers.clear();
            mallory.inject(question);
            network.run(SECOND / 10);
            assertThat(mallory.answers).isEmpty();
        }
        stillPlays(mallory);
    }

    @Test
    @DisplayName("A7, D7: garbage from a player's own address, with its qport and any sequence")
    void ignoresForgeries() {
        ScriptedClient old = joined(68);
        Random random = new Random(9);
        for (InetSocketAddress victim : List.of(aliceAddress, old.address)) {
            int qport =
                    victim.equals(old.address)
                            ? old.qport
                            : ofAlice.getLast()[4] & 0xFF | (ofAlice.getLast()[5] & 0xFF) << 8;
            for (int i = 0; i < 2_000; i++) {
                Writer w = new Writer(100);
                w.i32le("sequence", random.nextInt(60_000) + 1);
                w.u16le("qport", random.nextInt(20) == 0 ? random.nextInt(65_536) : qport);
                byte[] garbage = new byte[random.nextInt(60)];
                random.nextBytes(garbage);
                w.append(garbage, 0, garbage.length);
                network.inject(victim, SERVER, w.toByteArray());
                network.run(SECOND / 1000);
            }
        }
        stillPlays(old);
    }

    @Test
    @DisplayName("A7: garbage before a client's first packet does not choose its protocol")
    void ignoresForgedFirstPacket() {
        for (int number : new int[] {68, 71}) {
            ScriptedClient client = client(number).connect("\\name\\mallory");
            for (int i = 0; i < 20; i++) {
                byte[] garbage = new byte[30];
                new Random(i).nextBytes(garbage);
                garbage[3] = 0;
                garbage[4] = (byte) client.qport;
                garbage[5] = (byte) (client.qport >> 8);
                client.inject(garbage);
            }
            network.run(SECOND / 10);
            client.send();
            network.run(SECOND / 2);
            assertThat(client.gamestates).as("%d", number).isEqualTo(1);
        }
    }

    @Test
    @DisplayName("D1: every question word, in turn; one budget, and answers are no questions")
    void boundsAnswersToQuestions() {
        InetSocketAddress one = stranger(7);
        List<String> words =
                List.of("getstatus", "getinfo", "getchallenge", "rcon a b", "connect \"\"");
        for (int i = 0; i < 5_000; i++) {
            network.inject(
                    one, SERVER, new OutOfBand(words.get(i % words.size())).datagram().toArray());
            network.run(SECOND / 1000);
        }
        assertThat(toStrangers.get(one)).isLessThanOrEqualTo((4 << 10) + 5 * (2 << 10));
        ScriptedClient asker = client(71);
        for (String word :
                List.of(
                        "statusResponse\n\\a\\b",
                        "infoResponse\n\\a\\b",
                        "disconnect",
                        "ipAuthorize 1",
                        "print\nx",
                        "echo x",
                        "challengeResponse 1",
                        "connectResponse",
                        "",
                        "\n",
                        "\"",
                        "/*")) {
            assertThat(asker.ask(word)).as(word).isEmpty();
        }
    }

    @Test
    @DisplayName("D2: tokens of 127, 128, 129 and 8000 characters, quotes and backslashes")
    void boundsTokens() {
        ScriptedClient asker = client(71);
        for (String word : List.of("getinfo ", "getstatus ")) {
            assertThat(asker.ask(word + "x".repeat(127))).contains("x".repeat(127));
            network.run(5 * SECOND);
            assertThat(asker.ask(word + "x".repeat(128))).contains("x".repeat(128));
            network.run(5 * SECOND);
            assertThat(asker.ask(word + "x".repeat(129))).isEmpty();
            assertThat(asker.ask(word + "x".repeat(8_000))).isEmpty();
            // No info string can hold it.
            assertThat(asker.ask(word + "a\\hostname\\evil;c"))
                    .contains("\\mapname\\")
                    .doesNotContain("challenge", "evil");
            assertThat(asker.ask(word + "\"a b\\c\""))
                    .contains("\\mapname\\")
                    .doesNotContain("challenge");
            network.run(5 * SECOND);
        }
    }

    @Test
    @DisplayName("D3: a connect that is empty, cut, endless, or longer than it may be")
    void refusesBadConnects() {
        ScriptedClient client = client(71);
        String long1 = "\"" + "\\a\\b".repeat(300) + "\"";
        List<Bytes> packets = new ArrayList<>();
        for (String hex :
                List.of("", "00", "ffff00", "0005", "0401000000", "03ff" + "00".repeat(40))) {
            packets.add(Bytes.ofHex("ffffffff636f6e6e65637420" + hex));
        }
        packets.add(new OutOfBand("connect " + long1).datagram());
        Bytes whole = new OutOfBand("connect \"\\protocol\\71\\qport\\1\"").datagram();
        for (int length = 12; length < whole.length() - 1; length++) {
            packets.add(whole.slice(0, length));
        }
        for (Bytes packet : packets) {
            client.answers.clear();
            client.inject(packet.toArray());
            network.run(SECOND / 10);
            assertThat(client.answers).as(packet.hex()).isEmpty();
        }
        assertThat(arena.players()).hasSize(2);
    }

    @Test
    @DisplayName("D5: messages of nothing but escape symbols")
    void refusesEscapeFloods() {
        ScriptedClient mallory = joined(71);
        mallory.written(w -> {
            for (int i = 0; i < 900; i++) {
                w.raw("escape", 1 << 8, 11);
            }
        });
        network.run(SECOND / 10);
        assertThat(counters.get("quake3.drop.malformed")).isEqualTo(1);
        stillPlays(mallory);
    }

    @Test
    @DisplayName("D6: fragments with holes, and a message whose end never comes")
    void survivesFragmentsWithHoles() {
        ScriptedClient mallory = joined(68);
        for (int sequence = mallory.netchan.outgoing(); sequence < 1_000; sequence++) {
            for (int start : new int[] {0, 1_300, 3_900, 7}) {
                Writer w = new Writer(1_400);
                w.i32le("sequence", sequence | 1 << 31);
                w.u16le("qport", mallory.qport);
                w.u16le("start", start);
                w.u16le("length", sequence % 3 == 0 ? 65_535 : 1_300);
                w.append(new byte[1_300], 0, 1_300);
                mallory.inject(w.toByteArray());
            }
        }
        network.run(SECOND / 10);
        stillPlays(mallory);
    }

    @Test
    @DisplayName("D7: sequences that were, that are far ahead; another qport; a wrong checksum")
    void ignoresWrongSequences() {
        ScriptedClient mallory = joined(71);
        mallory.say("say once");
        network.run(SECOND / 10);
        long drops = counters.get("quake3.drop.packet");
        Netchan again = new Netchan(Side.CLIENT, true, mallory.qport, mallory.challenge);
        byte[] message =
                mallory.codec.encode(
                        new ClientMessage(
                                mallory.serverId,
                                mallory.netchan.incoming(),
                                mallory.codec.serverCommands().last(),
                                List.of(new ClientMessage.ClientCommand(2, "say twice"))));
        again.send(message, (data, offset, length) -> mallory.inject(data));
        Netchan other = new Netchan(Side.CLIENT, true, mallory.qport, mallory.challenge + 1);
        for (int i = 0; i < 20; i++) {
            other.send(message, (data, offset, length) -> mallory.inject(data));
        }
        byte[] ahead = new byte[20];
        ahead[3] = 0x7F;
        ahead[4] = (byte) mallory.qport;
        ahead[5] = (byte) (mallory.qport >> 8);
        mallory.inject(ahead);
        network.run(SECOND / 10);
        assertThat(counters.get("quake3.drop.packet")).isEqualTo(drops + 22);
        Netchan stranger = new Netchan(Side.CLIENT, true, mallory.qport + 1, mallory.challenge);
        for (int i = 0; i < 20; i++) {
            stranger.send(message, (data, offset, length) -> mallory.inject(data));
        }
        network.run(SECOND / 10);
        assertThat(said).containsExactly("once");
        stillPlays(mallory);
    }

    @Test
    @DisplayName("D8: levels and acknowledgements that never were")
    void ignoresInventedLevelsAndAcknowledgements() {
        for (int number : new int[] {68, 71}) {
            ScriptedClient mallory = joined(number);
            int[] wild = {-1, Integer.MIN_VALUE, Integer.MAX_VALUE, 1 << 20};
            for (int id : new int[] {0, 1, -1, mallory.serverId - 1, Integer.MAX_VALUE}) {
                mallory.send(
                        id,
                        mallory.netchan.incoming(),
                        mallory.codec.serverCommands().last(),
                        new ClientMessage.Move(true, List.of(command(0, 0, 127))));
            }
            long drops = counters.get("quake3.drop.packet");
            for (int acknowledge : wild) {
                mallory.send(mallory.serverId, acknowledge, mallory.codec.serverCommands().last());
                mallory.send(mallory.serverId, mallory.netchan.incoming(), acknowledge);
            }
            mallory.send(
                    mallory.serverId,
                    mallory.netchan.incoming(),
                    mallory.codec.serverCommands().last() - 65);
            int[] bytes = {0};
            network.tap(
                    (_, _, to, data) -> bytes[0] += to.equals(mallory.address) ? data.length : 0);
            network.run(SECOND);
            assertThat(counters.get("quake3.drop.packet")).isEqualTo(drops + 9);
            assertThat(mallory.gamestates).isEqualTo(1);
            assertThat(bytes[0]).isLessThan(20_000);
            stillPlays(mallory);
            mallory.say("disconnect");
            network.run(3 * SECOND);
        }
    }

    @Test
    @DisplayName("D9: 0, 33 and 255 commands, and more than the data holds")
    void refusesWrongCounts() {
        ScriptedClient mallory = joined(71);
        long drops = counters.get("quake3.drop.malformed");
        for (int count : new int[] {0, 33, 255, 32}) {
            mallory.written(w -> {
                w.u8("op", 2);
                w.u8("count", count);
            });
        }
        network.run(SECOND / 10);
        assertThat(counters.get("quake3.drop.malformed")).isEqualTo(drops + 4);
        Vec3 from = here("mallory");
        int time = mallory.serverTime();
        mallory.move(
                IntStream.rangeClosed(1, 32)
                        .mapToObj(i -> command(time + i, 0, 127))
                        .toArray(Usercmd[]::new));
        network.run(SECOND / 10);
        assertThat(here("mallory").distance(from)).isGreaterThan(0);
        stillPlays(mallory);
    }

    @Test
    @DisplayName("D10: a wrong key makes wild commands; they move a body as any others would")
    void survivesWrongKeys() {
        ScriptedClient mallory = joined(71);
        mallory.codec.checksumFeed(mallory.codec.checksumFeed() ^ 0x5A5A5A5A);
        double fastest = 0;
        Vec3 last = here("mallory");
        for (int i = 0; i < 100; i++) {
            int time = mallory.serverTime();
            mallory.move(command(time + 1, 77 * i, 127), command(time + 2, 55 * i, -127));
            network.run(SECOND / 20);
            Vec3 now = here("mallory");
            fastest = Math.max(fastest, now.distance(last) * 20);
            last = now;
        }
        assertThat(fastest).as("metres a second").isBetween(0.1, 320 / Quake3Motion.SCALE + 8);
        mallory.codec.checksumFeed(mallory.codec.checksumFeed() ^ 0x5A5A5A5A);
        stillPlays(mallory);
    }

    @Test
    @DisplayName("D11: times that go back, jump ahead, or stand; extreme angles and moves")
    void survivesExtremeTimesAndAngles() {
        ScriptedClient mallory = joined(71);
        Vec3 from = here("mallory");
        long start = network.now();
        int time = mallory.serverTime();
        for (int i = 0; i < 200; i++) {
            // Ten times as fast as the clock, then an hour ahead, then back.
            int ahead = i == 100 ? 3_600_000 : 0;
            mallory.move(
                    command(time + i * 100 + ahead, 0, 127),
                    command(time + i * 100 + ahead + 50, 0x8000, -127));
            network.run(SECOND / 100);
        }
        Usercmd same = command(mallory.serverTime() + 100, 0, 127);
        mallory.move(Collections.nCopies(32, same).toArray(Usercmd[]::new));
        network.run(SECOND / 10);
        double seconds = (network.now() - start) / 1e9 + 1.2;
        assertThat(here("mallory").distance(from))
                .isLessThan(seconds * 320 / Quake3Motion.SCALE + 1);
        assertThat(mallory.frame.player().get(PlayerField.COMMAND_TIME))
                .isLessThanOrEqualTo(mallory.serverTime() + 300);
        assertThat(counters.get("quake3.implausible")).isPositive();
        for (int value : new int[] {-127, 127}) {
            mallory.move(
                    new Usercmd(
                            mallory.serverTime() + 1,
                            0xFFFF,
                            0x8000,
                            0x7FFF,
                            value,
                            value,
                            value,
                            0xFFFF,
                            255));
            network.run(SECOND / 20);
        }
        network.run(SECOND);
        stillPlays(mallory);
    }

    @Test
    @DisplayName("D11: an hour that passes is caught up with by a second")
    void catchesUpWithinASecond() {
        ScriptedClient mallory = joined(71);
        network.run(30 * SECOND);
        int before = mallory.serverTime();
        mallory.move(command(before - 20_000, 0, 127));
        // A client that acknowledged nothing for long gets two frames a second.
        network.run(SECOND * 6 / 10);
        assertThat(mallory.frame.player().get(PlayerField.COMMAND_TIME))
                .isBetween(before - 1_100, before + 600);
        stillPlays(mallory);
    }

    @Test
    @DisplayName("D12: commands with a gap, twice, 64 at once, too long, nested, too many")
    void refusesBadCommands() {
        ScriptedClient mallory = joined(71);
        mallory.say("say one");
        ClientMessage.ClientCommand first = new ClientMessage.ClientCommand(1, "say one");
        for (int i = 0; i < 5; i++) {
            network.run(2 * SECOND);
            mallory.send(first);
        }
        network.run(SECOND);
        assertThat(said).containsExactly("one");
        said.clear();
        String[] many = new String[64];
        for (int i = 0; i < many.length; i++) {
            many[i] = "say " + i;
        }
        mallory.say(many);
        network.run(SECOND);
        assertThat(said).as("a burst").hasSize((int) RateLimitedAction.CHAT.burst()).endsWith("11");
        said.clear();
        network.run(10 * SECOND);
        mallory.say("say \"a \"b\" \\\" ; quit\"", "userinfo \"\\name\\x\"y\\z\"");
        network.run(SECOND);
        assertThat(said).hasSize(1);
        network.run(2 * SECOND);
        said.clear();
        mallory.say("say " + "y".repeat(1_019));
        network.run(SECOND);
        assertThat(said).hasSize(1);
        assertThat(said.getFirst()).hasSize(Arena.MAX_TEXT_CHARS);
        said.clear();
        for (int i = 0; i < 1_000; i++) {
            mallory.say("say flood " + i, "userinfo \"\\name\\mallory" + i % 100 + "\"");
            network.run(SECOND / 1000);
            mallory.walk(0);
        }
        assertThat(said).hasSizeBetween(10, 15);
        network.run(2 * SECOND);
        mallory.send(new ClientMessage.ClientCommand(mallory.lastClientCommand + 2, "say never"));
        network.run(SECOND);
        assertThat(said).doesNotContain("never");
        assertThat(mallory.commands).contains("disconnect \"Lost reliable commands\"");
        assertThat(arena.players()).hasSize(2);
    }

    @Test
    @DisplayName("D12: a client that acknowledges nothing while all talk is sent away")
    void endsClientOnCommandOverflow() {
        ScriptedClient mallory = joined(71);
        for (int i = 0; i < 70; i++) {
            alice.say("x".repeat(140));
            network.run(2 * SECOND);
            mallory.send(mallory.serverId, mallory.netchan.incoming(), 0);
        }
        network.run(3 * SECOND);
        assertThat(isHere("mallory")).isFalse();
    }

    @Test
    @DisplayName("D13: userinfo that is nonsense")
    void survivesBadUserinfo() {
        List<String> nonsense =
                List.of(
                        "\\rate\\0\\snaps\\0\\name\\a",
                        "\\rate\\-1\\snaps\\1000\\name\\a",
                        "\\rate\\2147483648\\snaps\\x\\name\\a",
                        "",
                        "\\name\\",
                        "\\name\\" + "^1".repeat(18),
                        "\\name\\a\\ip\\1.2.3.4\\cl_guid\\FORGED",
                        "\\name\\a\\b",
                        "\\",
                        "\\\\\\\\\\",
                        "\\name\\" + "\u0001\u007f;%s%n",
                        "\\name\\" + "x".repeat(300) + "\\model\\" + "../".repeat(100));
        for (String userinfo : nonsense) {
            ScriptedClient client = client(71).connect(userinfo);
            client.send();
            network.run(SECOND / 2);
            client.walk(0);
            network.run(SECOND / 2);
            assertThat(client.playing()).as(userinfo).isTrue();
            client.say("userinfo name", "userinfo", "userinfo \"" + userinfo + "\"");
            int before = client.snapshots.size();
            network.run(SECOND);
            assertThat(client.snapshots.size() - before)
                    .as("snapshots a second of " + userinfo)
                    .isBetween(1, SnapshotPacer.MAX_SNAPSHOTS_PER_SECOND);
            InfoString own = client.configstrings.player(client.clientNum);
            assertThat(own.get("ip") + own.get("cl_guid")).isEmpty();
            for (Player player : arena.players()) {
                assertThat(player.name()).isNotBlank().hasSizeLessThanOrEqualTo(32);
            }
            client.say("disconnect");
            network.run(3 * SECOND);
            assertThat(arena.players()).hasSize(2);
        }
    }

    @Test
    @DisplayName("D14: downloads of what is not offered, blocks that are not due, long pure lists")
    void refusesBadDownloads() {
        ScriptedClient mallory = joined(71);
        for (String name :
                List.of(
                        "../server.cfg",
                        "baseoa/../../etc/passwd",
                        "/etc/passwd",
                        "baseoa/pak0.pk3",
                        "baseoa\\\\wishdir.pk3",
                        "",
                        "c:x",
                        "x".repeat(900))) {
            mallory.blocks.clear();
            mallory.say("download \"" + name + "\"");
            network.run(SECOND / 10);
            assertThat(mallory.blocks).as(name).hasSize(1);
            assertThat(mallory.blocks.getFirst().size()).as(name).isNegative();
        }
        mallory.blocks.clear();
        mallory.say("nextdl 0", "nextdl -1", "nextdl 99999999999", "stopdl", "donedl", "nextdl");
        network.run(SECOND);
        assertThat(mallory.blocks).isEmpty();
        assertThat(mallory.gamestates).as("while playing").isEqualTo(1);
        mallory.say("cp " + "1 ".repeat(500), "cp @ @ @", "vdr");
        network.run(SECOND);
        mallory.written(w -> {
            w.u8("op", 4);
            w.i32("id", mallory.lastClientCommand + 1);
            for (int i = 0; i < 10_000; i++) {
                w.u8("text", '1');
            }
            w.u8("text", 0);
            w.u8("op", 5);
        });
        network.run(SECOND);
        stillPlays(mallory);
        String pak = mallory.configstrings.system().get("sv_referencedPakNames") + ".pk3";
        mallory.blocks.clear();
        mallory.say("download " + pak);
        network.run(SECOND / 2);
        assertThat(mallory.blocks).isNotEmpty();
        int blocks = mallory.blocks.size();
        mallory.say("nextdl 5", "nextdl 40000", "nextdl 1");
        network.run(SECOND / 4);
        assertThat(mallory.blocks.size() - blocks)
                .as("blocks that are not due bring no others")
                .isLessThanOrEqualTo(11);
        mallory.say("stopdl");
        network.run(SECOND / 2);
        stillPlays(mallory);
    }

    @Test
    @DisplayName("D16: a gamestate of many long configstrings is cut, and the rest sent later")
    void cutsLongGamestate() {
        String skin = "m".repeat(40);
        List<ScriptedClient> crowd = new ArrayList<>();
        for (int i = 0; i < 55; i++) {
            ScriptedClient client = client(71);
            client.connect(
                    "\\name\\%s%d\\model\\%s\\headmodel\\%s\\color1\\%s\\color2\\%s"
                            .formatted("n".repeat(29), i, skin, skin, skin, skin));
            client.send();
            network.run(SECOND / 50);
            crowd.add(client);
        }
        ScriptedClient last = crowd.getLast();
        network.run(SECOND);
        assertThat(last.gamestates).isEqualTo(1);
        for (int i = 0; i < 20; i++) {
            last.walk(0);
            network.run(SECOND / 10);
        }
        assertThat(last.playing()).isTrue();
        assertThat(last.configstrings.player(last.clientNum).get("n")).endsWith("54");
        for (int slot = 0; slot < 57; slot++) {
            assertThat(last.configstrings.player(slot).get("n")).as("%d", slot).isNotEmpty();
        }
        for (ScriptedClient client : crowd) {
            client.send();
            network.run(SECOND / 10);
            client.say("disconnect");
        }
        network.run(3 * SECOND);
        assertThat(arena.players()).hasSize(2);
    }

    @Test
    @DisplayName("D17: voices that were not offered are passed over; unknown codes drop a message")
    void ignoresUnknownVoicesAndCodes() {
        ScriptedClient mallory = joined(71);
        for (int code : new int[] {6, 7}) {
            int time = mallory.serverTime();
            Vec3 from = here("mallory");
            mallory.send(
                    new ClientMessage.ClientCommand(++mallory.lastClientCommand, "say " + code),
                    new ClientMessage.Voip(
                            code, 1, 2, 3, Bytes.of(new byte[8]), 0, Bytes.of(new byte[600])),
                    new ClientMessage.Move(true, List.of(command(time + 30, 0, 127))));
            network.run(2 * SECOND);
            assertThat(said).contains(Integer.toString(code));
            assertThat(here("mallory").distance(from)).isGreaterThan(0);
        }
        long drops = counters.get("quake3.drop.malformed");
        for (int code = 8; code < 256; code++) {
            int c = code;
            mallory.written(w -> w.u8("op", c));
            network.run(SECOND / 1000);
        }
        mallory.written(w -> {
            w.u8("op", 7);
            w.u8("generation", 1);
            w.i32("sequence", 1);
            w.u8("frames", 1);
            for (int i = 0; i < 8; i++) {
                w.u8("targets", 0);
            }
            w.u8("flags", 0);
            w.i16("size", -1);
        });
        network.run(SECOND / 10);
        assertThat(counters.get("quake3.drop.malformed")).isEqualTo(drops + 249);
        stillPlays(mallory);
    }
}
