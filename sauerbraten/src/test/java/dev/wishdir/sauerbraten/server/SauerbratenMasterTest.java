package dev.wishdir.sauerbraten.server;

import static dev.wishdir.enet.EnetNode.SECOND;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.Level;
import dev.wishdir.blocks.arena.ArenaCatalog;
import dev.wishdir.enet.EnetNode;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.game.MasterServer;
import dev.wishdir.game.level.SharedArena;
import dev.wishdir.game.operator.Bans;
import dev.wishdir.game.operator.OperatorConsole;
import dev.wishdir.net.loop.Counters;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.loop.ForwardingCycle;
import dev.wishdir.net.loop.LineConnection;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.sauerbraten.message.AdminMessage;
import dev.wishdir.sauerbraten.message.AuthMessage;
import dev.wishdir.sauerbraten.message.ChatMessage;
import dev.wishdir.sauerbraten.message.SessionMessage;
import dev.wishdir.sauerbraten.protocol.AuthPrivateKey;
import dev.wishdir.sauerbraten.protocol.DisconnectReason;
import dev.wishdir.sauerbraten.protocol.PasswordHash;
import dev.wishdir.sauerbraten.protocol.SauerbratenTransport;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Registration at a scripted master server, against transcripts of the original server with one of
 * the same script: docs/protocols/sauerbraten.md#master-server.
 */
class SauerbratenMasterTest {
    private static final InetSocketAddress MASTER = EnetNode.address("10.0.9.9:28787");
    private static final long HOUR = 3600 * SECOND;

    /** The key of the player in the transcripts. */
    private static final AuthPrivateKey GINA =
            AuthPrivateKey.parse("3f1b341a399e641b29a29694147df8fca399c1083008e847");

    private final SimulatedNetwork network = new SimulatedNetwork(7);
    private final Arena arena = new Arena(Level.BOX, 100);
    private final Counters counters = new Counters();
    private final List<String> log = new ArrayList<>();
    private final List<Long> times = new ArrayList<>();
    private final List<Long> connects = new ArrayList<>();
    private final DutyCycle masterCycle = network.cycle();
    private @Nullable LineConnection accepted;
    private @Nullable OperatorConsole console;
    private Runnable stop = () -> {};
    private String registered = "succreg";
    private int players;

    private SauerbratenEndpoint open(InetSocketAddress address, String masters) throws IOException {
        DutyCycle cycle =
                new ForwardingCycle(network.cycle()) {
                    @Override
                    public LineConnection connect(
                            LineConnection.Target target, LineConnection.Listener listener) {
                        connects.add(network.now());
                        return super.connect(target, listener);
                    }
                };
        cycle.add(arena::advance);
        SharedArena shared = new SharedArena(cycle, arena, ArenaCatalog.FLAT, List.of());
        console = new OperatorConsole(arena, shared, Bans.none(), "");
        return SauerbratenEndpoint.open(
                EndpointContext.builder(cycle, address, arena)
                        .operatorConsole(console)
                        .adminPassword("secret")
                        .counters(counters)
                        .options(Map.of(MasterServer.OPTION, masters))
                        .random(new Random(9))
                        .build());
    }

    private void open() throws IOException {
        open(SauerbratenAbuseHarness.GAME, "10.0.9.9");
    }

    /** What the operator reads of the master. */
    private String status() {
        OperatorConsole operator = Objects.requireNonNull(console);
        return operator.execute(network.now(), operator.author("console"), "status")
                .lines()
                .filter(line -> line.startsWith("master server"))
                .collect(Collectors.joining("\n"));
    }

    private void log(String line) {
        log.add(line);
        times.add(network.now());
    }

    /** Lets the master listen. */
    private void listen() {
        stop =
                network.serveLines(
                        masterCycle,
                        MASTER,
                        connection -> {
                            log("ACCEPT");
                            accepted = connection;
                            return new LineConnection.Listener() {
                                @Override
                                public void onConnected() {}

                                @Override
                                public void onLine(String line) {
                                    log(line.replaceAll("^regserv [0-9]+$", "regserv PORT"));
                                    if (line.startsWith("regserv") && !registered.isEmpty()) {
                                        send(registered);
                                    }
                                }

                                @Override
                                public void onClosed(String reason) {
                                    log("CLOSED");
                                }
                            };
                        });
    }

    private void send(String line) {
        log("> " + line);
        Objects.requireNonNull(accepted, "nobody has connected").send(line);
        network.run(20 * EnetNode.MILLI);
    }

    private void drop() {
        log("DROPPED");
        Objects.requireNonNull(accepted, "nobody has connected").close();
        network.run(20 * EnetNode.MILLI);
    }

    /** What the original server and its master said, in the form of {@link #log}. */
    private static List<String> transcript(String name) throws IOException {
        Pattern form = Pattern.compile("[0-9.]+ (ACCEPT|RAW|SEND|DROPPED|CLOSED)[^']*(?:'(.*)')?");
        List<String> lines = new ArrayList<>();
        for (String line : Files.readAllLines(Path.of("src/test/resources/masters", name))) {
            Matcher matcher = form.matcher(line);
            if (!matcher.find()) {
                continue;
            }
            switch (matcher.group(1)) {
                case "RAW" -> {
                    for (String sent : matcher.group(2).split("\\\\n")) {
                        lines.add(sent.replaceAll("^regserv [0-9]+$", "regserv PORT"));
                    }
                }
                case "SEND" -> lines.add("> " + matcher.group(2));
                default -> lines.add(matcher.group(1));
            }
        }
        return lines;
    }

    private ScriptedPlayer greeted() {
        players++;
        return new ScriptedPlayer(network, players + 1, SauerbratenAbuseHarness.GAME).greeted();
    }

    private ScriptedPlayer sameAddress(ScriptedPlayer other) {
        players++;
        String address = other.node.socket.local().getAddress().getHostAddress();
        return new ScriptedPlayer(
                        new EnetNode(
                                network,
                                address + ":" + (6000 + players),
                                SauerbratenTransport.client()),
                        SauerbratenAbuseHarness.GAME)
                .greeted();
    }

    private ScriptedPlayer join(String name) {
        return greeted().join(name);
    }

    private static List<String> texts(ScriptedPlayer player) {
        return player.heard(ChatMessage.ServMsg.class).stream()
                .map(ChatMessage.ServMsg::text)
                .toList();
    }

    private static void tryKey(ScriptedPlayer player, String name) {
        player.say(new AuthMessage.AuthTry("", name));
        player.pass(50);
    }

    private static void answer(ScriptedPlayer player, AuthPrivateKey key) {
        AuthMessage.AuthChal asked = player.heard(AuthMessage.AuthChal.class).getLast();
        player.say(
                new AuthMessage.AuthAns(
                        "", asked.id(), key.answer(asked.challenge()).orElseThrow()));
        player.pass(50);
    }

    private static boolean isPrivileged(ScriptedPlayer player) {
        List<AdminMessage.CurrentMaster> heard = player.heard(AdminMessage.CurrentMaster.class);
        return !heard.isEmpty()
                && heard.getLast().masters().contains(new AdminMessage.Privileged(player.cn, 2));
    }

    @ParameterizedTest
    @ValueSource(strings = {"succreg", "failreg no response to ping", ""})
    void registersEveryHourWhateverTheAnswer(String answer) throws IOException {
        String name = answer.isEmpty() ? "silent" : answer.substring(0, 7);
        List<String> original = transcript("master-x60-" + name + ".txt");
        long hours = original.stream().filter("regserv PORT"::equals).count() - 1;
        registered = answer;
        listen();
        SauerbratenEndpoint endpoint = open(SauerbratenAbuseHarness.GAME, "10.0.9.9");
        network.run(hours * HOUR + SECOND);
        if (original.contains("CLOSED")) {
            endpoint.close("");
            network.run(SECOND);
        }

        assertThat(hours).isGreaterThan(10);
        assertThat(log).isEqualTo(original);
        List<Long> registrations = new ArrayList<>();
        for (int i = 0; i < log.size(); i++) {
            if (log.get(i).equals("regserv PORT")) {
                registrations.add(times.get(i));
            }
        }
        for (int i = 1; i < registrations.size(); i++) {
            assertThat(registrations.get(i) - registrations.get(i - 1))
                    .isBetween(HOUR, HOUR + SECOND);
        }
    }

    @Test
    void connectsAgain300SecondsAfterLastConnection() throws IOException {
        listen();
        open();
        network.run(48 * SECOND);
        drop();
        network.run(3 * HOUR + 400 * SECOND);
        assertThat(log).isEqualTo(transcript("master-x60-drop.txt"));
        assertThat(times.get(log.lastIndexOf("ACCEPT")) - times.getFirst())
                .isBetween(300 * SECOND, 311 * SECOND);
    }

    @Test
    void triesEvery300SecondsWhileMasterIsGone() throws IOException {
        open();
        network.run(4 * HOUR);
        assertThat(connects).hasSizeBetween(47, 49);
        for (int i = 1; i < connects.size(); i++) {
            assertThat(connects.get(i) - connects.get(i - 1)).isBetween(300 * SECOND, 311 * SECOND);
        }
        listen();
        network.run(311 * SECOND);
        assertThat(log).containsExactly("ACCEPT", "regserv PORT", "> succreg");
    }

    /** The master is not there at first, as the original did not connect before a player's try. */
    @Test
    void passesOnKeysAndBansAsOriginal() throws IOException {
        List<String> original = transcript("master-gauth-gban.txt");
        List<String> challenges =
                original.stream().filter(line -> line.startsWith("> chalauth")).toList();
        registered = "";
        open();
        ScriptedPlayer ann = join("ann");
        ann.pass(11_000);
        listen();

        tryKey(ann, "gina");
        send(challenges.get(0).substring(2));
        send("succreg");
        answer(ann, GINA);
        assertThat(isPrivileged(ann)).as("before the master has said so").isFalse();
        send("succauth 1");
        assertThat(texts(ann)).contains("ann claimed auth as '\fs\f5gina\fr'");
        assertThat(isPrivileged(ann)).isTrue();
        ann.say(new AdminMessage.SetMaster(ann.cn, false, ""));
        ann.pass(10_000);

        tryKey(ann, "gina");
        send(challenges.get(1).substring(2));
        answer(ann, GINA);
        send("failauth 2");
        assertThat(texts(ann)).contains("Your key was not accepted.");
        tryKey(ann, "zed");
        send("failauth 3");
        assertThat(isPrivileged(ann)).isFalse();

        bans(ann, leadingParts(ann, 4));
        ScriptedPlayer bob = join("bob");
        bans(bob, leadingParts(bob, 1));
        ScriptedPlayer cis = join("cis");
        bans(cis, leadingParts(cis, 3) + ".0/24");
        ScriptedPlayer dora = join("dora");
        send("addgban " + leadingParts(dora, 3));
        assertThat(dora.farewell()).isEqualTo(DisconnectReason.IP_BANNED.code());
        drop();

        assertThat(log.stream().map(SauerbratenMasterTest::withoutOwnValues).toList())
                .isEqualTo(original.stream().map(SauerbratenMasterTest::withoutOwnValues).toList());
        ScriptedPlayer late = sameAddress(dora);
        late.say(new SessionMessage.Connect("late", 0, "", "", ""));
        assertThat(late.farewell())
                .as("bans outlast the connection")
                .isEqualTo(DisconnectReason.IP_BANNED.code());
    }

    private static String leadingParts(ScriptedPlayer player, int count) {
        String address = player.node.socket.local().getAddress().getHostAddress();
        return String.join(".", List.of(address.split("\\.")).subList(0, count));
    }

    /** The original's second answer was made with a wrong key. */
    private static String withoutOwnValues(String line) {
        return line.replaceAll("(> addgban|confauth 2) .*", "$1");
    }

    /** Bans a player, whose next connection is refused until all bans are lifted. */
    private void bans(ScriptedPlayer player, String addresses) {
        send("addgban " + addresses);
        assertThat(player.farewell()).isEqualTo(DisconnectReason.IP_BANNED.code());
        ScriptedPlayer again = sameAddress(player);
        again.say(new SessionMessage.Connect("again", 0, "", "", ""));
        assertThat(again.farewell()).isEqualTo(DisconnectReason.IP_BANNED.code());
        send("cleargbans");
    }

    @Test
    @DisplayName("B22 a master's ban does not disconnect the server's own admin")
    void keepsAdminAtBanOfMaster() throws IOException {
        listen();
        open();
        ScriptedPlayer ann = join("ann");
        ScriptedPlayer boss = sameAddress(ann);
        boss.say(
                new SessionMessage.Connect(
                        "boss", 0, PasswordHash.of(boss.cn, boss.sessionid, "secret"), "", ""));
        boss.pass(100);
        send("addgban " + leadingParts(ann, 4));
        assertThat(ann.farewell()).isEqualTo(DisconnectReason.IP_BANNED.code());
        assertThat(boss.isGone()).isFalse();
    }

    @Test
    void connectsAtOnceForPlayersKey() throws IOException {
        List<String> original = transcript("master-drop-then-auth.txt");
        listen();
        open();
        network.run(20 * SECOND);
        drop();
        log.clear();
        log.add("DROPPED");
        ScriptedPlayer ann = join("ann");
        List<String> challenges =
                original.stream().filter(line -> line.startsWith("> chalauth")).toList();
        registered = "";
        for (int i = 1; i <= 2; i++) {
            tryKey(ann, "gina");
            send(challenges.get(i - 1).substring(2));
            if (i == 1) {
                send("succreg");
            }
            answer(ann, GINA);
            send("succauth " + i);
        }
        assertThat(log).isEqualTo(original);
        assertThat(isPrivileged(ann)).isTrue();
    }

    @Test
    void reportsThatMasterDoesNotAnswer() throws IOException {
        listen();
        open();
        ScriptedPlayer ann = join("ann");
        tryKey(ann, "gina");
        ann.pass(61_000);
        assertThat(texts(ann)).contains("The master server did not answer.");
        stop.run();
        drop();
        ann.pass(11_000);
        tryKey(ann, "gina");
        ann.pass(100);
        assertThat(ann.heard(AuthMessage.AuthChal.class)).isEmpty();
    }

    @Test
    void countsResultsOfGlobalKeys() throws IOException {
        listen();
        open();
        ScriptedPlayer ann = join("ann");
        tryKey(ann, "gina");
        send("chalauth 1 " + GINA.publicKey());
        answer(ann, GINA);
        send("failauth 1");
        tryKey(ann, "nobody");
        send("failauth 2");
        tryKey(ann, "gina");
        send("chalauth 3 " + GINA.publicKey());
        answer(ann, GINA);
        send("succauth 3");
        assertThat(counters.snapshot())
                .containsEntry("sauerbraten.auth.wrong", 1L)
                .containsEntry("sauerbraten.auth.unknown", 1L)
                .containsEntry("sauerbraten.auth.proved", 1L);
    }

    @Test
    @DisplayName("B22 a master's wrong ids, orders and challenges give no privilege")
    void believesOnlyAnswersToItsRequests() throws IOException {
        listen();
        open();
        ScriptedPlayer ann = join("ann");
        for (String line :
                List.of(
                        "succauth 1",
                        "succauth",
                        "succauth -1",
                        "succauth 99999999999999999999",
                        "chalauth 1",
                        "chalauth x +0001",
                        "",
                        " ",
                        "failreg",
                        "\u00ff\0\u0001 1 2",
                        "addserver 10.0.0.1 28785")) {
            send(line);
        }
        tryKey(ann, "gina");
        send("chalauth 1 +0001");
        send("chalauth 2 " + GINA.publicKey());
        assertThat(ann.heard(AuthMessage.AuthChal.class)).isEmpty();
        send("succauth 1");
        assertThat(isPrivileged(ann)).as("without an answer of the player").isFalse();

        tryKey(ann, "gina");
        send("chalauth 2 " + GINA.publicKey());
        send("chalauth 2 " + GINA.publicKey());
        assertThat(ann.heard(AuthMessage.AuthChal.class)).hasSize(1);
        answer(ann, GINA);
        answer(ann, GINA);
        assertThat(log.stream().filter(line -> line.startsWith("confauth"))).hasSize(1);
        send("succauth 2");
        send("succauth 2");
        assertThat(isPrivileged(ann)).isTrue();
    }

    @Test
    @DisplayName("B22 thousands of bans are kept up to 10,000, and none of everybody")
    void limitsBans() throws IOException {
        listen();
        open();
        ScriptedPlayer ann = join("ann");
        for (String line :
                List.of("0.0.0.0/0", "0.0.0.0/7", "::/0", "300.1", "x", "", "1.2.3.4.5")) {
            send("addgban " + line);
        }
        assertThat(ann.isGone()).isFalse();
        assertThat(counters.snapshot().get("sauerbraten.master.refused-ban")).isEqualTo(7);
        LineConnection to = Objects.requireNonNull(accepted);
        for (int i = 0; i < 10_100; i++) {
            to.send("addgban 172." + i / 65_536 + "." + i / 256 + "." + i % 256);
        }
        network.run(SECOND);
        assertThat(counters.snapshot().get("sauerbraten.master.refused-ban")).isEqualTo(107);
        assertThat(ann.isGone()).isFalse();
        send("cleargbans");
        send("addgban " + ann.node.socket.local().getAddress().getHostAddress());
        assertThat(ann.isGone()).isTrue();
    }

    @Test
    @DisplayName("B22 a line of any length closes the connection, which is made again later")
    void closesAtLongLine() throws IOException {
        listen();
        open();
        network.run(SECOND);
        String master = "master server of sauerbraten, 10.0.9.9:28787: ";
        assertThat(status()).isEqualTo(master + "connected; accepted the registration");
        send("failreg " + "x".repeat(5000));
        assertThat(status())
                .isEqualTo(master + "not connected; lost: it sent a line that is too long");
        network.run(311 * SECOND);
        assertThat(log.stream().filter("ACCEPT"::equals)).hasSize(2);
    }

    @Test
    @DisplayName("B22 players can't write lines to a master")
    void refusesNamesAndAnswersThatAreNoWords() throws IOException {
        listen();
        open();
        ScriptedPlayer ann = join("ann");
        for (String name : List.of("a b", "", "x".repeat(65), "\u00e9")) {
            tryKey(ann, name);
            assertThat(texts(ann).getLast()).isEqualTo("Your key was not accepted.");
            ann.pass(3400);
        }
        ann.pass(10_000);
        tryKey(ann, "a\nregserv 1");
        assertThat(log.stream().filter(line -> line.startsWith("reqauth"))).isEmpty();

        tryKey(ann, "gina");
        String request = log.getLast();
        assertThat(request).matches("reqauth [0-9]+ gina");
        String id = request.split(" ")[1];
        send("chalauth " + id + " " + GINA.publicKey());
        ann.say(new AuthMessage.AuthAns("", Integer.parseInt(id), "1\nregserv 1"));
        ann.pass(100);
        assertThat(log.stream().filter(line -> line.startsWith("confauth"))).isEmpty();
        assertThat(texts(ann)).contains("Your key was not accepted.");
    }

    /** A second master, which keeps what it was sent. */
    private final class SecondMaster {
        final List<String> lines = new ArrayList<>();
        private final String answer;
        private final List<LineConnection> connections = new ArrayList<>();

        SecondMaster(InetSocketAddress address, String answer) {
            this.answer = answer;
            network.serveLines(masterCycle, address, this::accept);
        }

        private LineConnection.Listener accept(LineConnection connection) {
            connections.add(connection);
            return new LineConnection.Listener() {
                @Override
                public void onConnected() {}

                @Override
                public void onLine(String line) {
                    lines.add(line);
                    if (line.startsWith("regserv") && !answer.isEmpty()) {
                        connection.send(answer);
                    }
                }

                @Override
                public void onClosed(String reason) {}
            };
        }

        void send(String line) {
            connections.getLast().send(line);
            network.run(20 * EnetNode.MILLI);
        }

        List<String> requests() {
            return lines.stream().filter(line -> line.startsWith("reqauth")).toList();
        }
    }

    @Test
    void requestsChallengeOfConnectedMasterAfterLossOfFirst() throws IOException {
        listen();
        SecondMaster second = new SecondMaster(EnetNode.address("10.0.9.8:28787"), "succreg");
        open(SauerbratenAbuseHarness.GAME, "10.0.9.9,10.0.9.8");
        ScriptedPlayer ann = join("ann");
        ann.pass(20_000);
        stop.run();
        drop();

        tryKey(ann, "gina");
        assertThat(second.requests()).containsExactly("reqauth 1 gina");
        second.send("chalauth 1 " + GINA.publicKey());
        answer(ann, GINA);
        second.send("succauth 1");
        assertThat(isPrivileged(ann)).isTrue();
        assertThat(connects).as("no connection for the try").hasSize(2);
    }

    @Test
    void triesNextMasterWhenConnectionIsRefused() throws IOException {
        open(SauerbratenAbuseHarness.GAME, "10.0.9.9,10.0.9.8");
        ScriptedPlayer ann = join("ann");
        ann.pass(20_000);
        SecondMaster second = new SecondMaster(EnetNode.address("10.0.9.8:28787"), "succreg");
        tryKey(ann, "gina");
        ann.pass(1000);
        assertThat(second.requests()).containsExactly("reqauth 1 gina");
        second.send("chalauth 1 " + GINA.publicKey());
        assertThat(ann.heard(AuthMessage.AuthChal.class)).hasSize(1);
    }

    @Test
    void reportsThatNoMasterIsConnected() throws IOException {
        open(SauerbratenAbuseHarness.GAME, "10.0.9.9,10.0.9.8");
        ScriptedPlayer ann = join("ann");
        ann.pass(20_000);
        tryKey(ann, "gina");
        ann.pass(1000);
        assertThat(texts(ann)).contains("not connected to authentication server");
    }

    @Test
    @DisplayName("B22 a master that is silent loses its turn to the next one")
    void requestsChallengeOfOtherMasterAfterSilence() throws IOException {
        listen();
        SecondMaster second = new SecondMaster(EnetNode.address("10.0.9.8:28787"), "succreg");
        open(SauerbratenAbuseHarness.GAME, "10.0.9.9,10.0.9.8");
        ScriptedPlayer ann = join("ann");
        tryKey(ann, "gina");
        assertThat(log.getLast()).isEqualTo("reqauth 1 gina");
        ann.pass(61_000);
        assertThat(texts(ann)).contains("The master server did not answer.");
        assertThat(status())
                .contains("10.0.9.9:28787: connected; did not answer a player's key")
                .contains("10.0.9.8:28787: connected; accepted the registration");

        tryKey(ann, "gina");
        assertThat(second.requests()).containsExactly("reqauth 2 gina");
        second.send("failauth 2");
        ann.pass(10_000);
        tryKey(ann, "gina");
        assertThat(second.requests()).hasSize(2);
        ann.pass(10_000);
        tryKey(ann, "gina");
        assertThat(log.getLast()).as("silent for a replaced try").isEqualTo("reqauth 4 gina");
        send("failauth 4");
        assertThat(status()).contains("10.0.9.9:28787: connected; answers again");
    }

    @Test
    void keepsTurnOfMasterWhenPlayerDoesNotAnswer() throws IOException {
        listen();
        SecondMaster second = new SecondMaster(EnetNode.address("10.0.9.8:28787"), "succreg");
        open(SauerbratenAbuseHarness.GAME, "10.0.9.9,10.0.9.8");
        ScriptedPlayer ann = join("ann");
        tryKey(ann, "gina");
        send("chalauth 1 " + GINA.publicKey());
        ann.pass(61_000);
        assertThat(texts(ann)).contains("Your key was not accepted.");
        tryKey(ann, "gina");
        assertThat(second.requests()).isEmpty();
    }

    @Test
    void reportsThatMasterDoesNotAnswerRegistration() throws IOException {
        registered = "";
        listen();
        SecondMaster second = new SecondMaster(EnetNode.address("10.0.9.8:28787"), "");
        open(SauerbratenAbuseHarness.GAME, "10.0.9.9,10.0.9.8");
        network.run(61 * SECOND);
        assertThat(status()).contains("10.0.9.9:28787: connected; did not answer the registration");
        second.send("succreg");
        assertThat(status()).contains("10.0.9.8:28787: connected; accepted the registration");
    }

    @Test
    void registersLoopbackServerOnlyAtLoopbackMaster() throws IOException {
        listen();
        open(EnetNode.address("127.0.0.1:28785"), "10.0.9.9,127.0.0.9:28700");
        InetSocketAddress near = EnetNode.address("127.0.0.9:28700");
        List<String> nearLog = new ArrayList<>();
        network.serveLines(
                masterCycle,
                near,
                _ ->
                        new LineConnection.Listener() {
                            @Override
                            public void onConnected() {}

                            @Override
                            public void onLine(String line) {
                                nearLog.add(line);
                            }

                            @Override
                            public void onClosed(String reason) {}
                        });
        network.run(2 * HOUR);
        assertThat(log).isEmpty();
        assertThat(status())
                .contains(
                        "sauerbraten, 10.0.9.9:28787: skipped: the server listens on 127.0.0.1,"
                                + " which no other machine can reach\n");
        assertThat(nearLog).contains("regserv 28785");
    }
}
