package dev.wishdir.quake2.server;

import static dev.wishdir.quake2.server.Quake2EndpointTest.SECOND;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.Player;
import dev.wishdir.game.BotController;
import dev.wishdir.game.Client;
import dev.wishdir.game.ClientConfig;
import dev.wishdir.game.ClientListener;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.game.RecordingClientListener;
import dev.wishdir.game.operator.RecordingViewer;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.loop.Counters;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.loop.MemoryBudget;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.quake2.client.Quake2Client;
import dev.wishdir.quake2.map.Quake2MapCatalog;
import dev.wishdir.quake2.message.ClientMessage;
import dev.wishdir.quake2.message.ClientText;
import dev.wishdir.quake2.message.ServerMessage.Print;
import dev.wishdir.quake2.netchan.Netchan;
import dev.wishdir.quake2.netchan.NetchanHeader;
import dev.wishdir.quake2.netchan.OutOfBand;
import dev.wishdir.quake2.protocol.Quake2Codec;
import dev.wishdir.quake2.server.session.Quake2Session;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Writer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/**
 * What one client of this game does costs only itself. Two honest clients and a player of another
 * game are there all the time: they stay, one sees the other walk, and a newcomer joins within two
 * seconds.
 */
@Tag("slow")
class Quake2AbuseTest {
    private static final long MILLI = 1_000_000;

    private final SimulatedNetwork network = new SimulatedNetwork(5);
    private final Arena arena = new Arena(Level.BOX, 250);
    private final Counters counters = new Counters();
    private final List<ArenaEvent> events = new ArrayList<>();

    /** Bytes that the server sent, by address. */
    private final Map<InetSocketAddress, Integer> sent = new HashMap<>();

    private final RecordingViewer foreigner = new RecordingViewer();
    private MemoryBudget memoryBudget = MemoryBudget.standard(counters);
    private Quake2Endpoint endpoint;
    private RecordingClientListener told = new RecordingClientListener();
    private Quake2Client alice;

    /** The address of alice. */
    private InetSocketAddress witness;

    private ArenaPlayer stranger;

    @BeforeEach
    void serve() throws IOException {
        DutyCycle cycle = network.cycle();
        cycle.add(arena::advance);
        arena.addListener(event -> {
            if (!(event instanceof ArenaEvent.Moved)) {
                events.add(event);
            }
        });
        open(cycle);
        network.tap((_, from, to, data) -> {
            if (from.equals(endpoint.address())) {
                sent.merge(to, data.length, Integer::sum);
            }
        });
        honest();
        witness = sent.keySet().iterator().next();
        stranger = arena.join(network.now(), "bedrock", "stranger", foreigner);
        stranger.spawn(network.now(), Movement.at(new Vec3(3, 3, 0), 0));
        run(SECOND);
    }

    private void honest() throws IOException {
        alice = player("alice", Quake2EndpointTest::still, told);
        player(
                "bob",
                (now, _) -> BotController.PlayerInput.walk(now / 1e9 * 60 % 360, 0, 0),
                new ClientListener() {});
    }

    /** Another endpoint, with what was set meanwhile. */
    private void reopen() throws IOException {
        endpoint.close("with other settings");
        run(SECOND);
        open(network.cycle());
        honest();
    }

    private void open(DutyCycle cycle) throws IOException {
        cycle.add(memoryBudget);
        endpoint =
                Quake2Endpoint.open(
                        EndpointContext.builder(cycle, new InetSocketAddress(27910), arena)
                                .maxPlayers(64)
                                .adminPassword("secret")
                                .memoryBudget(memoryBudget)
                                .counters(counters)
                                .random(new Random(2))
                                .build(),
                        new Quake2MapCatalog(Optional.empty()),
                        60);
    }

    @AfterEach
    void nobodyElseWasHarmed() throws IOException {
        assertThat(alice.joined()).isTrue();
        assertThat(names()).contains("alice", "bob", "stranger");
        Set<Vec3> places = new HashSet<>();
        boolean walks =
                network.runUntil(
                        () -> {
                            alice.others().stream()
                                    .filter(other -> other.name().equals("bob"))
                                    .forEach(bob -> places.add(bob.movement().position()));
                            return places.size() > 3;
                        },
                        SECOND);
        assertThat(walks).as("alice sees bob walk").isTrue();
        long before = network.now();
        RawClient newcomer = raw(address(200, 5000), 77);
        newcomer.join("newcomer", "");
        assertThat(newcomer.lastFrame).isPositive();
        assertThat(network.now() - before).isLessThan(2 * SECOND);
    }

    private Quake2Client player(String name, BotController controller, ClientListener listener)
            throws IOException {
        Quake2Client client =
                Quake2Client.connect(
                        ClientConfig.builder(network.cycle(), endpoint.address())
                                .name(name)
                                .controller(controller)
                                .listener(listener)
                                .random(new Random(name.hashCode()))
                                .build());
        assertThat(network.runUntil(client::joined, 10 * SECOND)).as("%s joins", name).isTrue();
        return client;
    }

    /** An address of a prefix of its own. */
    private static InetSocketAddress address(int number, int port) {
        return new InetSocketAddress("10." + number / 200 + "." + number % 200 + ".7", port);
    }

    private RawClient raw(InetSocketAddress local, int qport) throws IOException {
        return RawClient.open(network, local, endpoint.address(), qport);
    }

    private RawClient joined(int number, String name) throws IOException {
        return raw(address(number, 5000), 100 + number).join(name, "");
    }

    private List<String> names() {
        return arena.players().stream().map(Player::name).toList();
    }

    private long count(String what) {
        return counters.get("quake2." + what);
    }

    /** Lets time pass; the stranger gives signs of life, as its own endpoint would say. */
    private void run(long nanos) {
        long end = network.now() + nanos;
        while (network.now() < end) {
            network.run(Math.min(SECOND, end - network.now()));
            stranger.recordActivity(network.now());
        }
    }

    /** Bytes a second that alice is sent, while something is done fifty times a second. */
    private double bytesASecond(int seconds, Runnable each) {
        int before = sentTo(witness);
        for (int i = 0; i < 50 * seconds; i++) {
            each.run();
            run(20 * MILLI);
        }
        return (sentTo(witness) - before) / (double) seconds;
    }

    /** Bytes that an address was sent. */
    private int sentTo(InetSocketAddress address) {
        return sent.getOrDefault(address, 0);
    }

    /** What waits for all clients, bytes of heap. */
    private long held() {
        return endpoint.sessions().stream().mapToLong(Quake2Session::retainedBytes).sum();
    }

    private static ClientMessage.UserInfo info(String text) {
        return new ClientMessage.UserInfo(ClientText.of(text));
    }

    private static ClientMessage.StringCmd command(String text) {
        return new ClientMessage.StringCmd(text);
    }

    private static byte[] body(ClientMessage... messages) {
        Writer w = new Writer(4000);
        for (ClientMessage message : messages) {
            Quake2Codec.write(w, message);
        }
        return w.toByteArray();
    }

    @Test
    @DisplayName("G1 a datagram of 110 user infos with new names, and a thousand a second")
    void limitsUserInfos() throws IOException {
        RawClient carl = joined(1, "carl");
        RawClient viewer = joined(2, "viewer");
        ClientMessage[] infos = new ClientMessage[110];
        for (int i = 0; i < infos.length; i++) {
            infos[i] = info("\\name\\c" + (char) ('a' + i % 26) + (char) ('a' + i / 26));
        }
        byte[] datagram = body(infos);
        assertThat(datagram.length).isLessThan(Netchan.MAX_PACKET_BYTES - 10);
        carl.body(datagram);
        long most = 0;
        for (int i = 0; i < 100; i++) {
            ClientMessage[] ten = new ClientMessage[10];
            for (int k = 0; k < ten.length; k++) {
                ten[k] =
                        info(
                                "\\name\\d"
                                        + i
                                        + "x"
                                        + k
                                        + "\\skin\\male/s"
                                        + k
                                        + "\\spectator\\"
                                        + k % 2);
            }
            carl.say(ten);
            network.run(8 * MILLI);
            viewer.move(RawClient.STILL);
            most = Math.max(most, held());
        }
        assertThat(most).as("what waits for all").isLessThan(8 << 10);
        carl.say(info("\\name\\final\\skin\\female/last\\spectator\\0"));
        keepAlive(40, carl, viewer);
        assertThat(names()).contains("final", "viewer");
        assertThat(endpoint.configString(1312 + carl.slot())).isEqualTo("final\\female/last");
        assertThat(viewer.configString(1312 + carl.slot())).isEqualTo("final\\female/last");
        assertThat(foreigner.told(ArenaEvent.Renamed.class).size()).isBetween(2, 50);
        assertThat(alice.others()).extracting(Client.RemotePlayer::name).contains("final");
        assertThat(carl.prints()).anyMatch(line -> line.startsWith("Rate limit exceeded: changes"));
    }

    /** Honest packets of clients for some seconds. */
    private void keepAlive(int seconds, RawClient... clients) {
        for (int i = 0; i < 10 * seconds; i++) {
            for (RawClient client : clients) {
                client.move(RawClient.STILL);
            }
            run(100 * MILLI - 2 * MILLI * clients.length);
        }
    }

    @Test
    @DisplayName("G1, G18 suicides, watching and chat without end: little of it reaches others")
    void limitsActionsWithoutEnd() throws IOException {
        RawClient carl = joined(1, "carl");
        double quiet = bytesASecond(5, () -> carl.move(RawClient.STILL));
        int[] n = {0};
        double loud =
                bytesASecond(
                        9,
                        () -> {
                            List<ClientMessage> all = new ArrayList<>();
                            for (int i = 0; i < 6; i++) {
                                all.add(command("kill"));
                                all.add(info("\\name\\carl\\spectator\\" + n[0]++ % 2));
                            }
                            all.add(command("say " + "talk ".repeat(20) + n[0]));
                            carl.say(all.toArray(new ClientMessage[0]));
                        });
        assertThat(loud).isLessThan(4 * quiet);
        assertThat(foreigner.told(ArenaEvent.Chat.class).size()).isBetween(12, 40);
        assertThat(foreigner.told(ArenaEvent.Spawned.class).size()).isLessThan(60);
        long end = network.now() + 60 * SECOND;
        while (network.now() < end && names().contains("carl")) {
            carl.say(command("kill"), command("say again"));
            run(20 * MILLI);
        }
        assertThat(names()).doesNotContain("carl");
        run(SECOND);
        assertThat(carl.prints()).anyMatch(line -> line.contains("Rate limit exceeded"));
        assertThat(carl.wasSentAway()).isTrue();
    }

    @Test
    @DisplayName(
            "G2 who acknowledges nothing is dropped by its own deadline, and misses what it must")
    void endsUnacknowledgingClient() throws IOException {
        RawClient carl = joined(1, "carl");
        RawClient dora = joined(2, "dora");
        int slot = carl.slot();
        carl.deaf = true;
        int line = 0;
        long deafSince = network.now();
        long gone = 0;
        for (int i = 0; i < 1200; i++) {
            carl.move(RawClient.STILL);
            dora.move(RawClient.STILL);
            if (i % 7 == 0) {
                dora.command("say line " + line++);
            }
            if (i % 20 == 0) {
                stranger.rename(network.now(), i % 40 == 0 ? "stranger" : "changed");
            }
            run(96 * MILLI);
            if (gone == 0 && !names().contains("carl")) {
                gone = network.now();
            }
        }
        assertThat(gone - deafSince)
                .as("dropped by its deadline")
                .isBetween(5 * SECOND, 60 * SECOND);
        assertThat(names()).contains("dora");
        assertThat(foreigner.told(ArenaEvent.Chat.class))
                .as("each line once")
                .hasSize(line)
                .extracting(ArenaEvent.Chat::text)
                .doesNotHaveDuplicates();
        assertThat(told.events.stream().filter(text -> text.startsWith("dora: line")))
                .hasSize(line)
                .doesNotHaveDuplicates();
        assertThat(foreigner.told(ArenaEvent.Left.class)).hasSize(1);
        assertThat(endpoint.configString(1312 + slot)).isEmpty();
        assertThat(joined(3, "emil").slot()).as("its number is free").isEqualTo(slot);
        stranger.rename(network.now(), "stranger");
        run(5 * SECOND);
    }

    @Test
    @DisplayName("G2 a congested client misses lines, is sent the newest names, and goes on")
    void updatesCongestedClient() throws IOException {
        RawClient carl = joined(1, "carl");
        carl.deaf = true;
        for (int i = 0; i < 120; i++) {
            carl.move(RawClient.STILL);
            stranger.say(network.now(), i + " is a long line ".repeat(9));
            if (i % 10 == 0) {
                stranger.rename(network.now(), "name" + i);
            }
            run(98 * MILLI);
        }
        stranger.rename(network.now(), "stranger");
        carl.deaf = false;
        keepAlive(15, carl);
        assertThat(names()).contains("carl");
        assertThat(carl.configStrings()).anyMatch(text -> text.startsWith("[B] stranger\\"));
        assertThat(carl.configStrings()).noneMatch(text -> text.startsWith("[B] name20\\"));
        assertThat(carl.prints()).anyMatch(line -> line.startsWith("Your connection is too slow"));
        assertThat(carl.prints().stream().filter(line -> line.contains("long line")).count())
                .isBetween(5L, 60L);
        stranger.say(network.now(), "the last");
        keepAlive(5, carl);
        assertThat(carl.prints()).last().isEqualTo("[B] stranger: the last\n");
    }

    @Test
    @DisplayName("G4 challenges are not found by trying, nor does a try end a session")
    void resistsChallengeGuessing() throws IOException {
        RawClient carl = joined(1, "carl");
        InetSocketAddress victim = address(9, 4000);
        int own = raw(address(3, 4000), 5).challenge();
        Random random = new Random(9);
        for (int i = 0; i < 100_000; i++) {
            InetSocketAddress from = i % 2 == 0 ? victim : carl.socket.local();
            int tried = i < 40_000 ? own + i - 20_000 : random.nextInt();
            String line = RawClient.connectLine(carl.qport, tried, "\\name\\evil");
            network.inject(from, endpoint.address(), new OutOfBand(line).packet());
            if (i % 100 == 99) {
                network.run(10 * MILLI);
            }
        }
        assertThat(names()).contains("carl").noneMatch(name -> name.startsWith("evil"));
        assertThat(sentTo(victim)).isLessThan(4096 + 2048 * 11);
        keepAlive(2, carl);
        assertThat(names()).contains("carl");
    }

    @Test
    @DisplayName("G4 half of the bits of a challenge tell nothing of the others")
    void drawsIndependentChallenges() throws IOException {
        Set<Integer> low = new HashSet<>();
        Set<Integer> high = new HashSet<>();
        for (int i = 0; i < 40; i++) {
            int challenge = raw(address(20 + i, 4000), 5).challenge();
            low.add(challenge & 0xFFFF);
            high.add(challenge >>> 16);
        }
        assertThat(low).hasSizeGreaterThan(38);
        assertThat(high).hasSizeGreaterThan(38);
    }

    /**
     * Speaks for an address at which it receives nothing. It guesses all that follows from the
     * protocol: the numbers of the server's packets, and when to acknowledge reliable data.
     */
    private final class Blind {
        final InetSocketAddress victim;
        final int qport;
        int sequence;
        int ack;
        boolean acknowledges;

        Blind(InetSocketAddress victim, int qport) {
            this.victim = victim;
            this.qport = qport;
            network.tap((_, _, to, data) -> {
                if (to.equals(victim) && !OutOfBand.is(data)) {
                    NetchanHeader header =
                            NetchanHeader.wire(new Reader(data), NetchanHeader.FROM_SERVER);
                    ack = header.sequence();
                    acknowledges ^= header.reliable();
                }
            });
        }

        void say(int ack, byte[] messages) {
            Writer w = new Writer(Netchan.MAX_PACKET_BYTES);
            NetchanHeader.wire(w, new NetchanHeader(++sequence, true, ack, acknowledges, qport));
            w.append(messages, 0, messages.length);
            network.inject(victim, endpoint.address(), w.toByteArray());
        }
    }

    @Test
    @DisplayName("G5 a session driven blind is sent little, and not for long")
    void boundsBlindSession() throws IOException {
        RawClient seen = raw(address(1, 5000), 9);
        InetSocketAddress victim = address(2, 5000);
        // As if the challenge was guessed: the victim asked for one and the attacker knows it.
        RawClient asker = raw(victim, 9);
        assertThat(asker.connect("\\name\\victim")).isEqualTo("client_connect");
        asker.socket.close();
        seen.join("carl", "");
        int before = sentTo(victim);
        Blind blind = new Blind(victim, 9);
        Random random = new Random(6);
        for (int i = 0; i < 3000; i++) {
            int count = i % 3 == 0 ? seen.serverCount() : random.nextInt() & Integer.MAX_VALUE;
            blind.say(
                    i % 5 == 0 ? 1 << 30 : blind.ack,
                    body(
                            command("new"),
                            command("configstrings " + count + " 0"),
                            command("baselines " + count + " 0"),
                            command("begin " + count)));
            network.run(10 * MILLI);
        }
        assertThat(names()).doesNotContain("victim");
        assertThat(count("stale")).isPositive();
        assertThat(sentTo(victim) - before).isLessThan(4096 + 2048 * 31);
        run(SECOND);
        int after = sentTo(victim);
        for (int i = 0; i < 100; i++) {
            blind.say(blind.ack, body(command("new")));
            network.run(10 * MILLI);
        }
        assertThat(sentTo(victim)).as("it is over").isEqualTo(after);
        assertThat(endpoint.sessions()).hasSize(3);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 1000})
    @DisplayName("G8, R10: all qports from the same address: the session stays")
    void keepsSessionForAllQports(int ahead) throws IOException {
        RawClient carl = joined(1, "carl");
        keepAlive(5, carl);
        InetSocketAddress neighbour = address(1, 6000);
        Writer w = new Writer(16);
        for (int qport = 0; qport < 65_536; qport++) {
            w.reset();
            int far = carl.netchan.nextSequence() + ahead * (1 + qport % 7);
            NetchanHeader.wire(
                    w, new NetchanHeader(far, false, carl.netchan.incoming(), false, qport));
            network.inject(neighbour, endpoint.address(), w.toByteArray());
            if (qport % 500 == 0) {
                carl.move(RawClient.STILL);
            }
        }
        run(SECOND);
        assertThat(sent).doesNotContainKey(neighbour);
        int frame = carl.lastFrame;
        keepAlive(2, carl);
        assertThat(carl.lastFrame).isGreaterThan(frame + 10);
        assertThat(count("moved")).isZero();
    }

    @Test
    @DisplayName("G8, R10: a client moves to another port once nothing comes from the old one")
    void movesClientToAnotherPort() throws IOException {
        RawClient carl = joined(1, "carl");
        keepAlive(1, carl);
        for (int i = 1; i <= 20; i++) {
            Writer packet = carl.netchan.send();
            network.inject(address(1, 5000 + i), endpoint.address(), packet.toByteArray());
            network.run(10 * MILLI);
        }
        assertThat(count("moved")).isZero();
        for (int i = 1; i <= 40; i++) {
            Writer packet = carl.netchan.send();
            network.inject(address(1, 6000), endpoint.address(), packet.toByteArray());
            network.run(50 * MILLI);
        }
        assertThat(count("moved")).isOne();
        assertThat(sent).containsKey(address(1, 6000));
        assertThat(names()).contains("carl");
    }

    @Test
    @DisplayName("G12 two hundred connects from one address, and from fifty")
    void limitsConnectsPerAddress() throws IOException {
        for (int i = 0; i < 200; i++) {
            raw(address(1, 5000 + i), i).connect("\\name\\one" + i);
        }
        assertThat(endpoint.sessions()).hasSizeLessThanOrEqualTo(2 + 8);
        assertThat(count("refused")).isPositive();
        assertThat(events).anyMatch(ArenaEvent.JoinRefused.class::isInstance);
        assertThat(events.stream().filter(ArenaEvent.JoinRefused.class::isInstance).count())
                .isLessThan(20);
        for (int i = 0; i < 200; i++) {
            raw(address(10 + i % 50, 5000 + i), i).connect("\\name\\many" + i);
        }
        assertThat(joined(100, "late").lastFrame).isPositive();
        run(31 * SECOND);
        assertThat(endpoint.sessions())
                .as("who says nothing is forgotten")
                .hasSizeLessThanOrEqualTo(3);
    }

    @Test
    @DisplayName("G3, G14, G16 who asks for much and acknowledges nothing has little waiting")
    void boundsQueueOfUnacknowledgingClient() throws IOException {
        List<RawClient> all = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            all.add(joined(1 + i, "c" + i));
        }
        Map<InetSocketAddress, Integer> before = Map.copyOf(sent);
        askDeaf(all);
        assertThat(held()).isLessThan(50 * 16 << 10);
        RawClient one = all.getFirst();
        assertThat(sentTo(one.socket.local()) - before.getOrDefault(one.socket.local(), 0))
                .isLessThan(40 * Netchan.MAX_PACKET_BYTES);
        for (RawClient client : all) {
            client.socket.close();
        }
        run(95 * SECOND);
        assertThat(names()).containsExactlyInAnyOrder("alice", "bob", "stranger");
        assertThat(held()).isLessThan(8 << 10);
    }

    /** They ask for much, and acknowledge nothing from now on. */
    private void askDeaf(List<RawClient> all) {
        all.forEach(client -> client.deaf = true);
        byte[] asking =
                body(
                        command("download maps/wishdir_flat.bsp 0"),
                        command("nextdl"),
                        command("info"),
                        command("players"),
                        command("download none/of.it"),
                        command("nextdl"));
        for (int i = 0; i < 40; i++) {
            for (RawClient client : all) {
                Writer packet = client.netchan.send(asking, asking.length);
                client.socket.send(client.server, packet.array(), 0, packet.position());
            }
            run(20 * MILLI);
        }
    }

    @Test
    @DisplayName("G3, G20 past the memory of all the largest debtors go first, and no other")
    void evictsLargestPastTotalMemory() throws IOException {
        memoryBudget = new MemoryBudget(40 << 10, counters);
        reopen();
        List<RawClient> all = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            all.add(joined(1 + i, "c" + i));
        }
        askDeaf(all);
        assertThat(counters.get("memory.ended")).isBetween(20L, 49L);
        assertThat(memoryBudget.retainedBytes()).isLessThanOrEqualTo(40 << 10);
        assertThat(
                        events.stream()
                                .filter(ArenaEvent.Left.class::isInstance)
                                .map(event -> ((ArenaEvent.Left) event).reason().toString())
                                .filter(why -> why.contains("memory")))
                .hasSize((int) counters.get("memory.ended"));
    }

    @Test
    @DisplayName("who vanishes without a word has no body after five seconds, and keeps its place")
    void removesBodyOfSilentPlayer() throws IOException {
        RawClient carl = joined(1, "carl");
        keepAlive(1, carl);
        assertThat(alice.others()).extracting(Client.RemotePlayer::name).contains("carl");
        run(6 * SECOND);
        assertThat(alice.others()).extracting(Client.RemotePlayer::name).doesNotContain("carl");
        assertThat(names()).contains("carl");
        keepAlive(1, carl);
        assertThat(alice.others()).extracting(Client.RemotePlayer::name).contains("carl");
        for (int i = 0; i < 80; i++) {
            carl.body();
            run(98 * MILLI);
        }
        assertThat(alice.others())
                .as("who stands still and says nothing new is there")
                .extracting(Client.RemotePlayer::name)
                .contains("carl");
    }

    @Test
    @DisplayName("what is empty after cleaning is not said")
    void sendsNothingForEmptyChat() throws IOException {
        RawClient carl = joined(1, "carl");
        for (String line :
                List.of("say", "say \"\"", "say \u0001\u0002", "say \u00a0\u0081", "say   ")) {
            carl.command(line);
        }
        keepAlive(2, carl);
        assertThat(foreigner.told(ArenaEvent.Chat.class)).isEmpty();
        assertThat(carl.heard(Print.class)).noneMatch(print -> print.level() == Print.CHAT);
    }
}
