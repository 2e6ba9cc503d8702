package dev.wishdir.quake2.server;

import static dev.wishdir.quake2.server.Quake2EndpointTest.SECOND;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.NativeMovement;
import dev.wishdir.arena.event.Player;
import dev.wishdir.game.BotController;
import dev.wishdir.game.Client;
import dev.wishdir.game.ClientConfig;
import dev.wishdir.game.ClientListener;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.game.NoOpViewer;
import dev.wishdir.game.operator.RconHandler;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.loop.Counters;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.quake2.client.Quake2Client;
import dev.wishdir.quake2.map.Quake2MapCatalog;
import dev.wishdir.quake2.message.ClientMessage;
import dev.wishdir.quake2.message.ClientText;
import dev.wishdir.quake2.message.ServerMessage;
import dev.wishdir.quake2.message.ServerMessage.ConfigString;
import dev.wishdir.quake2.message.ServerMessage.Download;
import dev.wishdir.quake2.message.ServerMessage.StuffText;
import dev.wishdir.quake2.message.Triple;
import dev.wishdir.quake2.message.UserCmd;
import dev.wishdir.quake2.netchan.Netchan;
import dev.wishdir.quake2.netchan.OutOfBand;
import dev.wishdir.quake2.protocol.FrameHistory;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/**
 * What may be sent to a running endpoint. Two honest players are there all the time; after each
 * test one still sees the other walk, a newcomer joins within two seconds, no packet was longer
 * than the protocol allows, and no address that proved nothing was sent more than its budget.
 */
@Tag("slow")
class Quake2HostileInputTest {
    private static final long MILLI = 1_000_000;
    private static final UserCmd RUN = new UserCmd(Triple.ZERO, 400, 0, 0, 0, 0, 25, 128);
    private static final String WRONG_VERSION = "print\nServer is protocol version 34.\n";
    private static final String BAD_CHALLENGE = "print\nBad challenge.\n";

    private final SimulatedNetwork network = new SimulatedNetwork(3);
    private final Arena arena = new Arena(Level.BOX, 300, 200);
    private final Counters counters = new Counters();
    private final List<Movement> movements = new ArrayList<>();
    private final List<String> said = new ArrayList<>();
    private final List<byte[]> honest = new ArrayList<>();

    /** Bytes out of band that the server sent, by prefix. */
    private final Map<String, Integer> unproven = new HashMap<>();

    private Quake2Endpoint endpoint;
    private Quake2Client alice;
    private int longest;
    private int guests;
    private int raws;

    @BeforeEach
    void serve() throws IOException {
        DutyCycle cycle = network.cycle();
        cycle.add(arena::advance);
        arena.addListener(event -> {
            switch (event) {
                case ArenaEvent.Moved moved -> movements.add(moved.movement());
                case ArenaEvent.Chat line -> said.add(line.text());
                default -> {}
            }
        });
        endpoint =
                Quake2Endpoint.open(
                        EndpointContext.builder(cycle, new InetSocketAddress(27910), arena)
                                .maxPlayers(64)
                                .adminPassword("secret")
                                .counters(counters)
                                .random(new Random(2))
                                .build(),
                        new Quake2MapCatalog(Optional.empty()),
                        60);
        network.tap((_, from, to, data) -> {
            if (from.equals(endpoint.address())) {
                longest = Math.max(longest, data.length);
                if (OutOfBand.is(data)) {
                    unproven.merge(prefix(to), data.length, Integer::sum);
                }
            } else if (to.equals(endpoint.address())) {
                honest.add(data);
            }
        });
        alice = player("alice", Quake2EndpointTest::still);
        player("bob", (now, _) -> BotController.PlayerInput.walk(now / 1e9 * 60 % 360, 0, 0));
    }

    private static String prefix(InetSocketAddress address) {
        String text = address.getAddress().getHostAddress();
        return text.substring(0, text.lastIndexOf('.'));
    }

    @AfterEach
    void allGoesOn() throws IOException {
        seesBobWalk();
        long before = network.now();
        player("newcomer", Quake2EndpointTest::still);
        assertThat(network.now() - before).isLessThan(2 * SECOND);
        assertThat(longest).isLessThanOrEqualTo(Netchan.MAX_PACKET_BYTES);
        assertThat(movements).allMatch(Movement::isValid);
        assertThat(movements).allMatch(movement -> arena.bounds().contains(movement.position()));
        double seconds = Math.abs(network.now()) / 1e9;
        assertThat(unproven)
                .allSatisfy((_, bytes) ->
                        assertThat(bytes).isLessThanOrEqualTo((int) ((4 + 2 * seconds) * 1024)));
        assertThat(unproven.values().stream().mapToInt(Integer::intValue).sum())
                .isLessThanOrEqualTo((int) (64 * 1024 * (1 + seconds)));
        assertThat(alice.joined()).isTrue();
    }

    private void seesBobWalk() {
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
    }

    private Quake2Client player(String name, BotController controller) throws IOException {
        Quake2Client client =
                Quake2Client.connect(
                        ClientConfig.builder(network.cycle(), endpoint.address())
                                .name(name)
                                .controller(controller)
                                .listener(new ClientListener() {})
                                .random(new Random(name.hashCode()))
                                .build());
        assertThat(network.runUntil(client::joined, 10 * SECOND)).as("%s joins", name).isTrue();
        return client;
    }

    /** An address of a prefix of its own. */
    private static InetSocketAddress stranger(int number, int port) {
        return new InetSocketAddress(
                String.format("172.%d.%d.7", 16 + number / 256, number % 256), port);
    }

    private RawClient raw() throws IOException {
        return raw(stranger(++raws, 5000), 100 + raws);
    }

    private RawClient raw(InetSocketAddress local, int qport) throws IOException {
        return RawClient.open(network, local, endpoint.address(), qport);
    }

    private void inject(InetSocketAddress from, byte... data) {
        network.inject(from, endpoint.address(), data);
    }

    private static byte[] outOfBand(String text) {
        return new OutOfBand(text).packet();
    }

    private long count(String what) {
        return counters.get("quake2." + what);
    }

    private List<String> names() {
        return arena.players().stream().map(Player::name).toList();
    }

    private ArenaPlayer guest(String name) {
        guests++;
        ArenaPlayer guest = arena.join(network.now(), "bedrock", name, new NoOpViewer());
        guest.spawn(network.now(), Movement.at(new Vec3(guests % 20 - 10, guests % 17 - 8, 0), 0));
        return guest;
    }

    private Vec3 place(String name) {
        return arena.players().stream()
                .filter(player -> player.name().equals(name))
                .findFirst()
                .orElseThrow()
                .movement()
                .position();
    }

    @Test
    @DisplayName("C1 floods of questions: the budget holds and the honest are answered")
    void boundsAnswersToQueryFlood() throws IOException {
        String[] questions = {
            "status", "info 34", "ping", "ack", "getchallenge", "rcon guess status", "rcon"
        };
        for (int i = 0; i < 20_000; i++) {
            inject(stranger(1 + i % 5, 3000 + i % 999), outOfBand(questions[i % 7]));
            if (i % 100 == 0) {
                network.run(20 * MILLI);
            }
        }
        assertThat(count("drop.budget")).isGreaterThan(5000);
        RawClient honest = raw(stranger(50, 5000), 9).join("honest");
        assertThat(honest.lastFrame).isPositive();
        honest.command("disconnect");
        assertThat(count("rcon.refused")).isPositive();
    }

    @Test
    @DisplayName("C2 connecting without, with another's and with a used challenge; other protocols")
    void checksChallengesAndProtocols() throws IOException {
        RawClient carl = raw();
        String info = "\\name\\carl";
        assertThat(carl.ask(RawClient.connectLine(carl.qport, 12345, info)))
                .isEqualTo(BAD_CHALLENGE);
        assertThat(carl.ask("connect 34 5 -1 \"" + info + "\"")).isEqualTo(BAD_CHALLENGE);
        int others = raw().challenge();
        assertThat(carl.ask(RawClient.connectLine(carl.qport, others, info)))
                .isEqualTo(BAD_CHALLENGE);
        for (String protocol :
                List.of("0", "26", "33", "35", "36", "-1", "2147483647", "2147483648", "x", "")) {
            assertThat(raw().ask("connect " + protocol + " 5 7 \"" + info + "\" 1390 1 1"))
                    .as(protocol)
                    .isEqualTo(WRONG_VERSION);
        }
        int own = carl.challenge();
        String line = RawClient.connectLine(carl.qport, own, info);
        assertThat(carl.ask(line)).isEqualTo("client_connect");
        assertThat(carl.ask(line)).as("a lost answer is given again").isEqualTo("client_connect");
        carl.command("new");
        carl.command("disconnect");
        assertThat(carl.ask(line)).as("replayed").isEqualTo(BAD_CHALLENGE);
        network.run(61 * SECOND);
        RawClient late = raw();
        int old = late.challenge();
        network.run(61 * SECOND);
        assertThat(late.ask(RawClient.connectLine(late.qport, old, info))).isEqualTo(BAD_CHALLENGE);
        assertThat(names()).containsExactly("alice", "bob");
    }

    @Test
    @DisplayName(
            "C3 user info that is too long or broken is refused, an address in it is not heeded")
    void refusesBadUserInfo() throws IOException {
        String refused = "print\nConnection refused.\n";
        String pad = "\\k\\" + "v".repeat(60);
        for (String info :
                List.of(
                        "\\name\\xx" + pad.repeat(8),
                        "\\name\\x" + pad.repeat(16),
                        "\\name\\" + "x".repeat(1000),
                        "\\name",
                        "name\\x",
                        "\\name\\x\\\\y",
                        "\\\\x\\y",
                        "\\name\\a;quit",
                        "\\name\\a\u0001b")) {
            RawClient carl = raw();
            assertThat(carl.connect(info)).as(info).isEqualTo(refused);
        }
        assertThat(raw().connect("\\name\\" + "x".repeat(8000))).isEmpty();
        RawClient carl = raw().join("carl");
        for (String info :
                List.of("\\name\\x" + pad.repeat(10), "\\name", "\\name\\a\"b", "\\name\\a;b")) {
            carl.say(new ClientMessage.UserInfo(ClientText.of(info)));
        }
        assertThat(count("userinfo")).isEqualTo(4);
        assertThat(names()).contains("carl");
        carl.say(new ClientMessage.UserInfo(ClientText.of("\\name\\dora\\ip\\1.2.3.4")));
        assertThat(names()).contains("dora");
        int before = unproven.size();
        network.run(SECOND);
        assertThat(unproven).hasSize(before);
        assertThat(carl.heard.toString()).doesNotContain("1.2.3.4");
    }

    @Test
    @DisplayName("C4 what is said and how one is called is shown and never run")
    void neverExecutesTexts() throws IOException {
        RawClient carl = raw().join("carl");
        StringBuilder high = new StringBuilder();
        for (int c = 1; c < 256; c++) {
            high.append((char) c);
        }
        carl.command("say $rcon_password %n%s");
        carl.command("say " + high);
        carl.say(new ClientMessage.UserInfo(ClientText.of("\\name\\%s%n$rcon_password")));
        carl.say(new ClientMessage.UserInfo(ClientText.of("\\name\\\u00ff\u0081\u0090x")));
        network.run(SECOND);
        assertThat(said).contains("$rcon_password %n%s");
        assertThat(said).allMatch(text -> text.chars().noneMatch(Character::isISOControl));
        assertThat(names()).allMatch(text -> text.chars().noneMatch(Character::isISOControl));
        assertThat(carl.heard.toString()).doesNotContain("secret");
        assertThat(carl.heard(StuffText.class))
                .allMatch(text -> text.text().startsWith("cmd ") || text.text().startsWith("prec"));
    }

    @Test
    @DisplayName("C5 a move with a wrong checksum, that of another packet, or cut is ignored")
    void ignoresWrongChecksum() throws IOException {
        RawClient carl = raw().join("carl");
        for (int i = 0; i < 20; i++) {
            carl.move(RawClient.STILL);
        }
        Vec3 before = place("carl");
        for (int i = 0; i < 10; i++) {
            byte[] wrong =
                    RawClient.move(carl.netchan.nextSequence(), carl.lastFrame, RUN, RUN, RUN);
            wrong[1] ^= (byte) 0x40;
            carl.body(wrong);
            carl.body(
                    RawClient.move(carl.netchan.nextSequence() + 1, carl.lastFrame, RUN, RUN, RUN));
        }
        assertThat(count("checksum")).isEqualTo(20);
        byte[] right = RawClient.move(carl.netchan.nextSequence(), carl.lastFrame, RUN, RUN, RUN);
        for (int length = 2; length < right.length; length++) {
            byte[] whole =
                    RawClient.move(carl.netchan.nextSequence(), carl.lastFrame, RUN, RUN, RUN);
            carl.body(Arrays.copyOf(whole, length));
        }
        network.run(SECOND);
        assertThat(place("carl")).isEqualTo(before);
        assertThat(names()).contains("carl");
        carl.move(RUN);
        assertThat(place("carl")).isNotEqualTo(before);
    }

    @Test
    @DisplayName("C6 every mask, no and most time, and any frame as the last")
    void survivesAllMasks() throws IOException {
        RawClient carl = raw().join("carl");
        Random random = new Random(1);
        for (int frame : new int[] {-1, 0, 1, Integer.MAX_VALUE, Integer.MIN_VALUE, 1 << 30}) {
            for (int mask = 0; mask < 256; mask++) {
                byte[] fields = new byte[3 * 17 + 6];
                random.nextBytes(fields);
                int at = 0;
                fields[at++] = 2;
                at++;
                for (int i = 0; i < 4; i++) {
                    fields[at++] = (byte) (frame >> 8 * i);
                }
                for (int i = 0; i < 3; i++) {
                    fields[at] = (byte) mask;
                    at += 1 + 2 * Integer.bitCount(mask & 0x3F) + Integer.bitCount(mask & 0xC0);
                    fields[at] = (byte) (mask % 2 == 0 ? 0 : 255);
                    at += 2;
                }
                carl.body(
                        RawClient.checked(Arrays.copyOf(fields, at), carl.netchan.nextSequence()));
            }
            network.run(SECOND);
        }
        assertThat(count("checksum")).isZero();
        assertThat(count("malformed")).isZero();
        assertThat(count("time-budget")).isPositive();
        carl.move(RawClient.STILL);
        network.run(SECOND / 2);
        carl.move(RawClient.STILL);
        network.run(SECOND / 2);
        assertThat(carl.snapshot.usable()).isTrue();
        assertThat(carl.snapshot.entities()).hasSizeGreaterThan(1);
    }

    private double run(RawClient carl, int msec, int packets, long each) {
        UserCmd cmd = new UserCmd(Triple.ZERO, 0, 0, 0, 0, 0, msec, 128);
        int covered = 0;
        for (int i = 0; i < packets; i++) {
            int before = (int) count("time-budget");
            carl.move(cmd);
            covered += count("time-budget") == before ? msec : 0;
            network.run(Math.max(0, each - 2 * MILLI));
        }
        return covered;
    }

    @Test
    @DisplayName("C7 who plays faster than the clock is slowed and found, who catches up is not")
    void slowsClientAboveTimeBudget() throws IOException {
        RawClient fast = raw().join("fast");
        assertThat(run(fast, 250, 500, 10 * MILLI)).isLessThanOrEqualTo(5 * 1125 + 1800);
        assertThat(count("speeding")).isEqualTo(1);
        RawClient fourfold = raw().join("fourfold");
        run(fourfold, 40, 500, 10 * MILLI);
        assertThat(count("speeding")).isEqualTo(2);
        RawClient quarter = raw().join("quarter");
        run(quarter, 25, 3000, 20 * MILLI);
        assertThat(count("speeding")).isEqualTo(3);
        RawClient tenth = raw().join("tenth");
        run(tenth, 22, 3000, 20 * MILLI);
        assertThat(count("speeding")).isEqualTo(4);
        RawClient late = raw().join("late");
        run(late, 20, 100, 20 * MILLI);
        network.run(3 * SECOND);
        run(late, 100, 30, 2 * MILLI);
        run(late, 20, 500, 20 * MILLI);
        assertThat(count("speeding")).isEqualTo(4);
    }

    @Test
    @DisplayName("C8 gaps, duplicates, packets out of order, and the end of the numbers")
    void survivesSequenceAnomalies() throws IOException {
        RawClient carl = raw().join("carl");
        for (int gap : new int[] {1, 2, 3, 19, 20, 10_000}) {
            for (int i = 0; i < 40; i++) {
                carl.move(RawClient.STILL);
            }
            network.run(2 * SECOND);
            carl.skip(gap);
            byte[] move =
                    RawClient.move(carl.netchan.nextSequence(), carl.lastFrame, RUN, RUN, RUN);
            Vec3 before = place("carl");
            carl.body(move);
            double moved = place("carl").distance(before);
            // A run of commands from rest is shorter than as many at full speed.
            int commands = gap >= 20 ? 1 : 1 + Math.min(gap, 2);
            assertThat(moved).isPositive().isLessThan(commands * 0.025 * 320 / 32 + 0.01);
        }
        Vec3 before = place("carl");
        byte[] packet = honest.getLast();
        for (int i = 0; i < 10; i++) {
            inject(carl.socket.local(), packet);
        }
        byte[] older = honest.get(honest.size() - 5);
        inject(carl.socket.local(), older);
        network.run(SECOND / 50);
        assertThat(place("carl")).isEqualTo(before);
        assertThat(count("stale")).isGreaterThanOrEqualTo(10);
        RawClient last = raw().join("last");
        byte[] end = {-1, -1, -1, 0x7F, 0, 0, 0, 0, (byte) last.qport, 0, 1};
        last.raw(end);
        end[3] = -1;
        last.raw(end);
        network.run(91 * SECOND);
        assertThat(names()).doesNotContain("last");
    }

    @Test
    @DisplayName("C9 too many commands, two moves, an unknown message, a message at the last byte")
    void refusesBadStructure() throws IOException {
        RawClient carl = raw().join("carl");
        ClientMessage[] many = new ClientMessage[20];
        Arrays.fill(many, new ClientMessage.StringCmd("say x"));
        carl.say(many);
        assertThat(count("command-limit")).isEqualTo(13);
        for (int i = 0; i < 40; i++) {
            carl.move(RawClient.STILL);
        }
        Vec3 before = place("carl");
        int sequence = carl.netchan.nextSequence();
        byte[] one = RawClient.move(sequence, carl.lastFrame, RUN, RUN, RUN);
        byte[] two = Arrays.copyOf(one, 2 * one.length);
        System.arraycopy(one, 0, two, one.length, one.length);
        carl.body(two);
        assertThat(place("carl").distance(before)).isPositive().isLessThan(0.025 * 320 / 32);
        for (int op : new int[] {2, 3, 4}) {
            carl.body((byte) 1, (byte) op);
        }
        assertThat(names()).contains("carl");
        for (int op : new int[] {0, 5, 6, 20, 255}) {
            RawClient dora = raw().join("dora");
            dora.body((byte) op);
            network.run(SECOND / 2);
            assertThat(names()).as("clc %d", op).doesNotContain("dora");
            assertThat(dora.heard).last().isEqualTo(ServerMessage.Signal.DISCONNECT);
        }
    }

    @Test
    @DisplayName("C10 configstrings and baselines at places that are none")
    void survivesInvalidIndexes() throws IOException {
        RawClient carl = raw();
        carl.connect("\\name\\carl");
        carl.command("new");
        network.run(SECOND / 10);
        int count = carl.serverCount();
        int told = carl.heard(ConfigString.class).size();
        for (String index : List.of("-1", "2147483647", "2080", "x", "", "4294967297", "1e3")) {
            carl.command("configstrings " + count + " " + index);
            carl.command("baselines " + count + " " + index);
        }
        network.run(SECOND);
        assertThat(count("command")).isEqualTo(14);
        assertThat(carl.heard(ConfigString.class)).hasSize(told);
        int data = carl.heard(ServerMessage.ServerData.class).size();
        carl.command("configstrings " + (count + 1) + " 0");
        network.run(SECOND);
        assertThat(carl.heard(ServerMessage.ServerData.class))
                .as("told of the map again")
                .hasSize(data + 1);
        carl.command("disconnect");
    }

    @Test
    @DisplayName("C11 downloads of anything but the map")
    void offersOnlyMapForDownload() throws IOException {
        RawClient carl = raw().join("carl");
        carl.command("nextdl");
        network.run(SECOND / 5);
        assertThat(carl.heard(Download.class)).isEmpty();
        int size = new Quake2MapCatalog(Optional.empty()).load("").file().length();
        List<String> refused =
                List.of(
                        "../server.cfg",
                        ".\\..\\x",
                        "maps/../../x",
                        "maps/../maps/wishdir_flat.bsp",
                        "c:x",
                        "/etc/passwd",
                        "maps/",
                        "",
                        "\"maps/wishdir_flat.bsp\u0001\"",
                        "maps/wishdir_flat.bsp -1",
                        "maps/wishdir_flat.bsp " + (size + 1),
                        "maps/wishdir_flat.bsp 99999999999");
        for (String path : refused) {
            carl.command("download " + path);
            network.run(SECOND / 5);
        }
        assertThat(carl.heard(Download.class))
                .hasSize(refused.size())
                .containsOnly(Download.REFUSED);
        for (int i = 0; i < 100; i++) {
            carl.command("download maps/wishdir_flat.bsp 0");
        }
        network.run(3 * SECOND);
        carl.body((byte) 1);
        network.run(3 * SECOND);
        assertThat(names()).contains("carl");
    }

    @Test
    @DisplayName("C12 one client twice, with the same and another qport, and back after vanishing")
    void handlesDuplicateClient() throws IOException {
        InetSocketAddress home = stranger(60, 5000);
        RawClient first = raw(home, 7).join("carl");
        first.socket.close();
        RawClient again = raw(home, 7).join("carl");
        assertThat(names()).containsExactly("alice", "bob", "carl");
        again.socket.close();
        raw(home, 8).join("carl");
        assertThat(names()).containsExactly("alice", "bob", "carl");
        network.run(SECOND / 2);
        assertThat(alice.others())
                .extracting(Client.RemotePlayer::name)
                .containsExactlyInAnyOrder("bob", "carl");
        for (int i = 0; i < 7; i++) {
            raw(stranger(60, 5001 + i), 20 + i).join("n" + i);
        }
        RawClient ninth = raw(stranger(60, 6000), 40);
        assertThat(ninth.connect("\\name\\ninth"))
                .isEqualTo("print\nToo many players or joins from your address.\n");
    }

    @Test
    @DisplayName("C13 names and words of other games are cut and never run")
    void cutsTextsOfOtherGames() throws IOException {
        RawClient carl = raw().join("carl");
        ArenaPlayer guest = guest("\"; quit; \\name\\x ^1%n 東京 ".repeat(100));
        for (int i = 0; i < 20; i++) {
            guest.say(network.now(), ("\";quit\n\\ $rcon_password %s 東 " + i).repeat(200));
            guest.rename(network.now(), (i + "\\;\"$x%s 京").repeat(100));
            network.run(SECOND / 10);
        }
        arena.announce(network.now(), "\"; quit\n".repeat(500));
        network.run(2 * SECOND);
        carl.body((byte) 1);
        network.run(SECOND);
        List<String> strings =
                carl.heard(ConfigString.class).stream().map(ConfigString::text).toList();
        assertThat(strings).isNotEmpty().allMatch(text -> text.length() < 64);
        assertThat(strings).noneMatch(text -> text.contains("\"") || text.contains(";"));
        assertThat(carl.heard(StuffText.class))
                .noneMatch(text -> text.text().contains("quit") || text.text().contains("rcon"));
        assertThat(carl.heard.toString()).doesNotContain("secret");
    }

    @Test
    @DisplayName("C14 two hundred walk before one viewer")
    void fitsCrowdIntoFrames() throws IOException {
        RawClient carl = raw().join("carl");
        List<ArenaPlayer> crowd = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            crowd.add(guest("g" + i));
        }
        Random random = new Random(3);
        Map<Integer, Integer> silent = new HashMap<>();
        Map<Integer, Triple> shown = new HashMap<>();
        int frames = 0;
        int worst = 0;
        for (int tick = 0; tick < 400; tick++) {
            for (ArenaPlayer player : crowd) {
                player.recordActivity(network.now());
                player.move(
                        network.now(),
                        Movement.at(
                                player.snapshot()
                                        .movement()
                                        .position()
                                        .plus(
                                                new Vec3(
                                                        random.nextDouble() - 0.5,
                                                        random.nextDouble() - 0.5,
                                                        0)),
                                random.nextInt(360)),
                        NativeMovement.Stored.NONE);
            }
            int before = carl.lastFrame;
            carl.move(RawClient.STILL);
            network.run(48 * MILLI);
            if (carl.lastFrame != before && tick > 100) {
                frames++;
                for (FrameHistory.Numbered entity : carl.snapshot.entities()) {
                    if (entity.number() <= 3) {
                        continue;
                    }
                    boolean same = entity.state().origin().equals(shown.get(entity.number()));
                    shown.put(entity.number(), entity.state().origin());
                    silent.put(
                            entity.number(),
                            same ? silent.getOrDefault(entity.number(), 0) + 1 : 0);
                    worst = Math.max(worst, silent.get(entity.number()));
                }
            }
        }
        assertThat(frames).isGreaterThan(100);
        assertThat(carl.snapshot.entities()).hasSizeGreaterThan(120);
        assertThat(count("entities-deferred")).isPositive();
        assertThat(worst).as("frames that anyone shown stood still").isLessThan(40);
        crowd.forEach(player -> player.leave(network.now(), LeaveReason.LEFT));
        network.run(SECOND);
    }

    @Test
    @DisplayName("rcon is not guessed through a thousand tries, and the right word still works")
    void resistsRconGuessing() throws IOException {
        RawClient carl = raw();
        for (int i = 0; i < 1000; i++) {
            carl.raw(outOfBand("rcon guess" + i + " map x"));
        }
        network.run(3 * SECOND);
        assertThat(carl.answers)
                .containsOnly(
                        "print\nBad rcon_password.\n",
                        "print\n" + RconHandler.TOO_MANY_WRONG_PASSWORDS);
        RawClient operator = raw();
        assertThat(operator.ask("rcon secret status")).contains("alice", "bob");
    }
}
