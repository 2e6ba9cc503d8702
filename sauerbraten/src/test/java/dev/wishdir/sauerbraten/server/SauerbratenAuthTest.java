package dev.wishdir.sauerbraten.server;

import static dev.wishdir.enet.EnetNode.SECOND;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.Player;
import dev.wishdir.blocks.arena.ArenaCatalog;
import dev.wishdir.enet.EnetNode;
import dev.wishdir.game.ClientConfig;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.game.RecordingClientListener;
import dev.wishdir.game.level.SharedArena;
import dev.wishdir.game.operator.Ban;
import dev.wishdir.game.operator.Bans;
import dev.wishdir.game.operator.OperatorConsole;
import dev.wishdir.net.loop.Counters;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.sauerbraten.client.KickRequest;
import dev.wishdir.sauerbraten.client.SauerbratenClient;
import dev.wishdir.sauerbraten.message.AdminMessage;
import dev.wishdir.sauerbraten.message.AuthMessage;
import dev.wishdir.sauerbraten.message.ChatMessage;
import dev.wishdir.sauerbraten.message.RosterMessage;
import dev.wishdir.sauerbraten.message.SessionMessage;
import dev.wishdir.sauerbraten.protocol.AuthPrivateKey;
import dev.wishdir.sauerbraten.protocol.DisconnectReason;
import dev.wishdir.sauerbraten.protocol.PasswordHash;
import dev.wishdir.sauerbraten.protocol.PlayerKeys;
import dev.wishdir.sauerbraten.protocol.SauerbratenTransport;
import dev.wishdir.sauerbraten.server.join.AuthKeyTable;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;

/** Keys of players on the server: docs/protocols/sauerbraten.md#auth-keys. */
class SauerbratenAuthTest {
    private static final Random RANDOM = new Random(3);
    private static final AuthPrivateKey ADA = AuthPrivateKey.generate(RANDOM);
    private static final AuthPrivateKey GINA = AuthPrivateKey.generate(RANDOM);
    private static final AuthPrivateKey GUEST = AuthPrivateKey.generate(RANDOM);
    private static final AuthPrivateKey STRANGER = AuthPrivateKey.generate(RANDOM);
    private static final String NOT_ACCEPTED = "Your key was not accepted.";

    private final SimulatedNetwork network = new SimulatedNetwork(7);
    private Arena arena = new Arena(Level.BOX, 2);
    private final Counters counters = new Counters();
    private final List<String> access = new ArrayList<>();
    private final List<String> commands = new ArrayList<>();
    private final List<ScriptedPlayer> players = new ArrayList<>();
    private final Bans bans = Bans.none();
    private @Nullable OperatorConsole console;
    @TempDir private Path folder;

    private void open(String password) throws IOException {
        open(password, 2);
    }

    private void open(String password, int maxPlayers) throws IOException {
        writeKeys("admin");
        arena = new Arena(Level.BOX, maxPlayers);
        DutyCycle cycle = network.cycle();
        cycle.add(arena::advance);
        SharedArena shared = new SharedArena(cycle, arena, ArenaCatalog.FLAT, List.of());
        OperatorConsole opened = new OperatorConsole(arena, shared, bans, password);
        console = opened;
        opened.addListener(done -> commands.add(done.toString()));
        opened.addAccessListener(event -> access.add(event.toString()));
        SauerbratenEndpoint.open(
                EndpointContext.builder(cycle, SauerbratenAbuseHarness.GAME, arena)
                        .maxPlayers(maxPlayers)
                        .operatorConsole(opened)
                        .adminPassword("secret")
                        .counters(counters)
                        .options(
                                Map.of(
                                        SauerbratenEndpoint.AUTH_KEYS,
                                        folder.resolve("keys").toString(),
                                        SauerbratenEndpoint.AUTH_DOMAIN,
                                        "dom"))
                        .random(new Random(9))
                        .build());
    }

    private void writeKeys(String privilegeOfAda) throws IOException {
        Files.writeString(
                folder.resolve("keys"),
                """
                # NAME DOMAIN PUBKEY PRIVILEGE
                ada dom %s %s

                gina dom %s auth
                guest dom %s none
                gina other %s auth
                """
                        .formatted(
                                ADA.publicKey(),
                                privilegeOfAda,
                                GINA.publicKey(),
                                GUEST.publicKey(),
                                GINA.publicKey()));
    }

    /** What all players have proved, as they joined. */
    private List<String> proofs() {
        return arena.players().stream().map(player -> player.proof().toString()).toList();
    }

    private ScriptedPlayer greeted() {
        ScriptedPlayer player =
                new ScriptedPlayer(network, players.size() + 2, SauerbratenAbuseHarness.GAME)
                        .greeted();
        players.add(player);
        return player;
    }

    private ScriptedPlayer join(String name) {
        return greeted().join(name);
    }

    /** Joins from the address of a player, at another port. */
    private ScriptedPlayer joinBehind(ScriptedPlayer neighbour, String name) {
        return greetedBehind(neighbour).join(name);
    }

    private ScriptedPlayer greetedBehind(ScriptedPlayer neighbour) {
        String address = neighbour.node.socket.local().getAddress().getHostAddress();
        ScriptedPlayer player =
                new ScriptedPlayer(
                                new EnetNode(
                                        network,
                                        address + ":" + (6000 + players.size()),
                                        SauerbratenTransport.client()),
                                SauerbratenAbuseHarness.GAME)
                        .greeted();
        players.add(player);
        return player;
    }

    private static List<String> texts(ScriptedPlayer player) {
        return player.heard(ChatMessage.ServMsg.class).stream()
                .map(ChatMessage.ServMsg::text)
                .toList();
    }

    private static void tryKey(ScriptedPlayer player, String domain, String name) {
        player.say(new AuthMessage.AuthTry(domain, name));
        player.pass(50);
    }

    private static AuthMessage.AuthChal challenge(ScriptedPlayer player) {
        return player.heard(AuthMessage.AuthChal.class).getLast();
    }

    private static void answer(ScriptedPlayer player, AuthPrivateKey key) {
        AuthMessage.AuthChal asked = challenge(player);
        player.say(
                new AuthMessage.AuthAns(
                        asked.domain(), asked.id(), key.answer(asked.challenge()).orElseThrow()));
        player.pass(50);
    }

    private static int privilege(ScriptedPlayer seenBy, ScriptedPlayer of) {
        List<AdminMessage.CurrentMaster> heard = seenBy.heard(AdminMessage.CurrentMaster.class);
        return heard.isEmpty()
                ? 0
                : heard.getLast().masters().stream()
                        .filter(master -> master.cn() == of.cn)
                        .mapToInt(AdminMessage.Privileged::privilege)
                        .findFirst()
                        .orElse(0);
    }

    private ScriptedPlayer connect(String password, String domain, String name) {
        ScriptedPlayer player = greeted();
        player.say(new SessionMessage.Connect("late", 0, password, domain, name));
        player.pass(100);
        return player;
    }

    @Test
    void givesPrivilegeOfProvedKey() throws IOException {
        open("");
        ScriptedPlayer ann = join("ann");
        ScriptedPlayer bob = join("bob");

        tryKey(ann, "dom", "gina");
        assertThat(challenge(ann).domain()).isEqualTo("dom");
        assertThat(challenge(ann).id()).isEqualTo(1);
        answer(ann, GINA);

        assertThat(texts(bob)).contains("ann claimed auth as '\fs\f5gina\fr' [\fs\f0dom\fr]");
        assertThat(privilege(bob, ann)).isEqualTo(2);
        assertThat(proofs()).containsExactly("key gina@dom", "none");
        assertThat(access).singleElement().asString().contains("ann", "auth", "key gina@dom");

        tryKey(ann, "dom", "ada");
        answer(ann, ADA);
        assertThat(privilege(bob, ann)).isEqualTo(3);

        tryKey(ann, "dom", "gina");
        assertThat(challenge(ann).id()).isEqualTo(3);
        answer(ann, GINA);
        assertThat(privilege(bob, ann)).as("a claim never lowers").isEqualTo(3);

        ann.say(new AdminMessage.SetMaster(ann.cn, false, ""));
        ann.pass(50);
        assertThat(texts(bob)).contains("ann relinquished admin");
        assertThat(privilege(bob, ann)).isZero();
    }

    @Test
    void givesNothingForKeyThatOnlyOpensTheDoor() throws IOException {
        open("");
        ScriptedPlayer ann = join("ann");
        int before = ann.heard.size();
        tryKey(ann, "dom", "guest");
        answer(ann, GUEST);
        assertThat(ann.heard.subList(before, ann.heard.size()))
                .singleElement()
                .isInstanceOf(AuthMessage.AuthChal.class);
    }

    @Test
    void refusesWrongAnswerAndUnknownNamesAlike() throws IOException {
        open("");
        ScriptedPlayer ann = join("ann");
        tryKey(ann, "dom", "ada");
        answer(ann, STRANGER);
        answer(ann, ADA);
        assertThat(texts(ann)).as("the right answer came too late").containsOnlyOnce(NOT_ACCEPTED);
        assertThat(access)
                .singleElement()
                .asString()
                .contains("WrongKey", "sauerbraten", "key ada@dom");

        tryKey(ann, "dom", "Ada");
        tryKey(ann, "DOM", "ada");
        ann.pass(10_000);
        tryKey(ann, "nowhere", "ada");
        assertThat(texts(ann).stream().filter(NOT_ACCEPTED::equals)).hasSize(4);
        assertThat(ann.heard(AuthMessage.AuthChal.class)).hasSize(1);
        assertThat(privilege(ann, ann)).isZero();

        tryKey(ann, "dom", "ada");
        assertThat(challenge(ann).id()).as("failed tries count").isEqualTo(5);
    }

    @Test
    void reportsThatThereIsNoMasterServer() throws IOException {
        open("");
        ScriptedPlayer ann = join("ann");
        tryKey(ann, "", "ada");
        assertThat(texts(ann)).contains("not connected to authentication server");
        tryKey(ann, "dom", "ada");
        assertThat(challenge(ann).id()).as("the try has a number").isEqualTo(2);
    }

    @Test
    @DisplayName("B21 an answer to another try ends the open one, as another try does")
    void keepsOneOpenTry() throws IOException {
        open("");
        ScriptedPlayer ann = join("ann");
        tryKey(ann, "dom", "ada");
        AuthMessage.AuthChal first = challenge(ann);
        String right = ADA.answer(first.challenge()).orElseThrow();
        ann.say(
                new AuthMessage.AuthAns("other", first.id(), right),
                new AuthMessage.AuthAns("dom", first.id(), right));
        ann.pass(50);
        assertThat(privilege(ann, ann)).isZero();

        tryKey(ann, "dom", "ada");
        AuthMessage.AuthChal replaced = challenge(ann);
        tryKey(ann, "dom", "ada");
        ann.say(
                new AuthMessage.AuthAns(
                        "dom", replaced.id(), ADA.answer(replaced.challenge()).orElseThrow()));
        ann.pass(50);
        assertThat(privilege(ann, ann)).isZero();

        ann.pass(10_000);
        network.offloading(SECOND);
        ann.say(
                new AuthMessage.AuthTry("dom", "ada"),
                new AuthMessage.AuthAns("dom", 4, "0001"),
                new AuthMessage.AuthTry("dom", "ada"));
        ann.pass(1100);
        assertThat(ann.heard(AuthMessage.AuthChal.class).stream().map(AuthMessage.AuthChal::id))
                .as("the answer came before its challenge")
                .containsExactly(1, 2, 3, 5);
        answer(ann, ADA);
        assertThat(privilege(ann, ann)).isEqualTo(3);
    }

    @Test
    @DisplayName("B21 an answer is not accepted a minute after its challenge")
    void forgetsTryAfterMinute() throws IOException {
        open("");
        ScriptedPlayer ann = join("ann");
        tryKey(ann, "dom", "ada");
        ann.pass(61_000);
        answer(ann, ADA);
        assertThat(privilege(ann, ann)).isZero();
        tryKey(ann, "dom", "ada");
        ann.pass(45_000);
        answer(ann, ADA);
        assertThat(privilege(ann, ann)).isEqualTo(3);
    }

    @Test
    @DisplayName("B21 a flood of tries costs a challenge for each three seconds of a client")
    void limitsTries() throws IOException {
        open("");
        ScriptedPlayer ann = join("ann");
        for (int i = 0; i < 1000; i++) {
            ann.say(new AuthMessage.AuthTry("dom", i % 2 == 0 ? "ada" : "gina"));
            ann.pass(10);
        }
        assertThat(ann.heard(AuthMessage.AuthChal.class)).hasSizeBetween(3, 6);
        assertThat(counters.snapshot().get("sauerbraten.auth.limited")).isGreaterThan(990);
        assertThat(ann.isGone()).isFalse();
        ann.pass(10_000);
        tryKey(ann, "dom", "ada");
        answer(ann, ADA);
        assertThat(privilege(ann, ann)).isEqualTo(3);
    }

    @Test
    @DisplayName("B21 a client has three tries in any ten seconds")
    void limitsTriesInTenSeconds() throws IOException {
        open("");
        ScriptedPlayer ann = join("ann");
        for (int i = 0; i < 9; i++) {
            tryKey(ann, "dom", "ada");
            ann.pass(1000);
        }
        assertThat(ann.heard(AuthMessage.AuthChal.class)).hasSize(3);
        ann.pass(2000);
        tryKey(ann, "dom", "ada");
        assertThat(ann.heard(AuthMessage.AuthChal.class)).hasSize(4);
    }

    @Test
    @DisplayName("B21 wrong keys count as wrong passwords of their address")
    void limitsWrongKeysOfAddress() throws IOException {
        open("");
        ScriptedPlayer ann = join("ann");
        for (int i = 0; i < 40; i++) {
            int before = ann.heard(AuthMessage.AuthChal.class).size();
            tryKey(ann, "dom", "ada");
            if (ann.heard(AuthMessage.AuthChal.class).size() > before) {
                answer(ann, AuthPrivateKey.generate(RANDOM));
            }
            ann.pass(3300);
        }
        assertThat(ann.heard(AuthMessage.AuthChal.class)).hasSizeBetween(10, 26);
        assertThat(texts(ann)).contains("Too many tries with keys. Try again later.");
        assertThat(privilege(ann, ann)).isZero();
    }

    @Test
    @DisplayName("B21 clients that leave while their challenge is computed cost nothing more")
    void dropsChallengeOfClientThatLeft() throws IOException {
        open("");
        ScriptedPlayer ann = join("ann");
        network.offloading(SECOND);
        ann.say(new AuthMessage.AuthTry("dom", "ada"));
        ann.pass(100);
        ann.peer.disconnect(0);
        ann.pass(3000);
        assertThat(ann.heard(AuthMessage.AuthChal.class)).isEmpty();
    }

    @Test
    void admitsOwnerOfKeyWithoutPassword() throws IOException {
        open("word");
        ScriptedPlayer ann = connect("", "dom", "ada");
        assertThat(ann.heard(SessionMessage.Welcome.class)).isEmpty();
        assertThat(ann.heard(SessionMessage.ServInfo.class).getFirst().auth()).isEqualTo("dom");
        answer(ann, ADA);
        List<String> order =
                ann.heard.stream()
                        .filter(message ->
                                message instanceof SessionMessage.Welcome
                                        || message instanceof AdminMessage.CurrentMaster
                                        || message.equals(
                                                new ChatMessage.ServMsg(
                                                        "late claimed admin as '\fs\f5ada\fr'"
                                                                + " [\fs\f0dom\fr]")))
                        .map(message -> message.getClass().getSimpleName())
                        .toList();
        assertThat(order).containsExactly("Welcome", "ServMsg", "CurrentMaster");
        assertThat(privilege(ann, ann)).isEqualTo(3);
    }

    @ParameterizedTest
    @CsvSource({"dom, ada, true", "dom, nobody, false", "other, gina, false", "'', '', false"})
    void refusesOthersForWhatTheyLack(String domain, String name, boolean isChallenged)
            throws IOException {
        open("word");
        ScriptedPlayer late = connect("", domain, name);
        assertThat(!late.heard(AuthMessage.AuthChal.class).isEmpty()).isEqualTo(isChallenged);
        if (isChallenged) {
            answer(late, STRANGER);
        }
        assertThat(late.farewell()).isEqualTo(DisconnectReason.PASSWORD.code());
        assertThat(late.heard(SessionMessage.Welcome.class)).isEmpty();
    }

    @Test
    void refusesHundredWrongKeys() throws IOException {
        open("word");
        for (int i = 0; i < 100; i++) {
            ScriptedPlayer late = connect("", "dom", "ada");
            answer(late, AuthPrivateKey.generate(RANDOM));
            assertThat(late.farewell()).isEqualTo(DisconnectReason.PASSWORD.code());
        }
        assertThat(access).hasSize(100).allMatch(event -> event.contains("WrongKey"));
        assertThat(arena.players()).isEmpty();
    }

    @Test
    @DisplayName("B21 a client that never answers its challenge is refused after 15 s")
    void refusesClientThatDoesNotAnswer() throws IOException {
        open("word");
        ScriptedPlayer late = connect("", "dom", "ada");
        late.pass(14_000);
        assertThat(late.isGone()).isFalse();
        late.pass(2000);
        assertThat(late.farewell()).isEqualTo(DisconnectReason.TIMEOUT.code());
    }

    @Test
    @DisplayName("B21 a client that waits for its challenge may send only its answer and pings")
    void refusesSecondConnectDuringTry() throws IOException {
        open("word");
        ScriptedPlayer late = connect("", "dom", "ada");
        late.say(new SessionMessage.Ping(1));
        late.pass(50);
        assertThat(late.isGone()).isFalse();
        late.say(new SessionMessage.Connect("late", 0, "", "dom", "ada"));
        assertThat(late.farewell()).isEqualTo(DisconnectReason.MESSAGE_ERROR.code());
    }

    @Test
    void challengesNobodyWhoMayEnter() throws IOException {
        open("");
        ScriptedPlayer ann = connect("", "dom", "ada");
        assertThat(ann.heard(SessionMessage.Welcome.class)).hasSize(1);
        assertThat(ann.heard(AuthMessage.AuthChal.class)).isEmpty();
        assertThat(privilege(ann, ann)).isZero();
    }

    @Test
    void admitsOwnersOfKeysInPrivateMode() throws IOException {
        open("");
        ScriptedPlayer ann = join("ann");
        tryKey(ann, "dom", "ada");
        answer(ann, ADA);
        ann.say(new AdminMessage.MasterMode(3));
        ann.pass(100);

        assertThat(connect("", "dom", "nobody").farewell())
                .isEqualTo(DisconnectReason.PRIVATE.code());
        ScriptedPlayer gina = connect("", "dom", "gina");
        answer(gina, GINA);
        assertThat(gina.heard(RosterMessage.Spectator.class))
                .contains(new RosterMessage.Spectator(gina.cn, true));
        assertThat(privilege(ann, gina)).isEqualTo(2);
    }

    @Test
    void admitsOwnersOfKeysToFullServer() throws IOException {
        open("");
        join("ann");
        join("bob");
        assertThat(connect("", "", "").farewell()).isEqualTo(DisconnectReason.FULL.code());
        ScriptedPlayer wrong = connect("", "dom", "guest");
        answer(wrong, STRANGER);
        assertThat(wrong.farewell()).isEqualTo(DisconnectReason.FULL.code());

        ScriptedPlayer guest = connect("", "dom", "guest");
        answer(guest, GUEST);
        assertThat(guest.heard(SessionMessage.Welcome.class)).hasSize(1);
        assertThat(arena.players()).hasSize(3);
        assertThat(access.stream().filter(event -> event.contains("Granted"))).isEmpty();
    }

    @Test
    void kicksByKey() throws IOException {
        open("");
        ScriptedPlayer ann = join("ann");
        ScriptedPlayer bob = join("bob");
        ann.say(new AuthMessage.AuthKick("dom", "gina", bob.cn, "noise"));
        ann.pass(50);
        answer(ann, GINA);
        assertThat(texts(ann))
                .contains("ann as '\fs\f5gina\fr' [\fs\f0dom\fr] kicked bob because: noise");
        assertThat(bob.farewell()).isEqualTo(DisconnectReason.KICKED.code());
        assertThat(bans.all()).hasSize(1);
        assertThat(privilege(ann, ann)).as("the kicker gets no privilege").isZero();
    }

    @ParameterizedTest
    @CsvSource({"gina, GINA, sauerbraten", "ada, ADA, ''"})
    @DisplayName("a kick by key bans the address, and leaves the kicker and those with rights in")
    void keepsKickerAndMastersBehindKickedAddress(String name, String key, String game)
            throws IOException {
        open("", 8);
        AuthPrivateKey own = key.equals("ADA") ? ADA : GINA;
        ScriptedPlayer ann = join("ann");
        ScriptedPlayer boss = joinBehind(ann, "boss");
        tryKey(boss, "dom", "ada");
        answer(boss, ADA);
        ScriptedPlayer bob = joinBehind(ann, "bob");
        ScriptedPlayer cis = joinBehind(ann, "cis");
        ScriptedPlayer far = join("far");

        ann.say(new AuthMessage.AuthKick("dom", name, bob.cn, "noise"));
        ann.pass(50);
        answer(ann, own);
        assertThat(bob.farewell()).isEqualTo(DisconnectReason.KICKED.code());
        assertThat(cis.farewell()).isEqualTo(DisconnectReason.KICKED.code());
        assertThat(arena.players())
                .extracting(Player::name)
                .containsExactlyInAnyOrder("ann", "boss", "far");
        assertThat(bans.all()).singleElement().extracting(Ban::game).isEqualTo(game);
        assertThat(commands)
                .singleElement()
                .asString()
                .contains("ann (sauerbraten", "proof=key " + name + "@dom", "(bob)");

        ann.say(new ChatMessage.Text("still here"));
        ann.pass(100);
        assertThat(far.relayed).anyMatch(line -> line.contains("still here"));
    }

    @Test
    void reportsActionsWithProof() throws IOException {
        open("");
        ScriptedPlayer ann = join("ann");
        tryKey(ann, "dom", "gina");
        answer(ann, GINA);
        ann.say(
                new AdminMessage.MasterMode(2),
                new AdminMessage.ClientPauseGame(true),
                new AdminMessage.ClientPauseGame(false),
                new AdminMessage.ClientGameSpeed(50));
        ann.pass(5000);
        assertThat(commands)
                .allMatch(line -> line.contains("proof=key gina@dom"))
                .anyMatch(line -> line.endsWith("what=set the master mode to 2]"))
                .anyMatch(line -> line.endsWith("what=continued the game]"))
                .anyMatch(line -> line.endsWith("what=set the speed to 50 %]"));
    }

    @Test
    @DisplayName("an admin enters from a banned address by password or key, others do not")
    void admitsOnlyAdminFromBannedAddress() throws IOException {
        open("", 8);
        ScriptedPlayer ann = join("ann");
        bans(ann);
        assertThat(connectBehind(ann, "", "", "").farewell())
                .isEqualTo(DisconnectReason.IP_BANNED.code());
        ScriptedPlayer gina = connectBehind(ann, "", "dom", "gina");
        assertThat(gina.heard(AuthMessage.AuthChal.class)).isEmpty();
        assertThat(gina.farewell()).isEqualTo(DisconnectReason.IP_BANNED.code());

        ScriptedPlayer wrong = connectBehind(ann, "", "dom", "ada");
        answer(wrong, STRANGER);
        assertThat(wrong.farewell()).isEqualTo(DisconnectReason.IP_BANNED.code());
        ScriptedPlayer ada = connectBehind(ann, "", "dom", "ada");
        answer(ada, ADA);
        assertThat(privilege(ada, ada)).isEqualTo(3);
        ScriptedPlayer boss = connectBehind(ann, "secret", "", "");
        assertThat(privilege(boss, boss)).isEqualTo(3);
    }

    private void bans(ScriptedPlayer player) {
        OperatorConsole operator = Objects.requireNonNull(console);
        operator.execute(
                network.now(),
                operator.author("console"),
                "ban " + player.node.socket.local().getAddress().getHostAddress());
        assertThat(player.farewell()).isEqualTo(DisconnectReason.KICKED.code());
    }

    private ScriptedPlayer connectBehind(
            ScriptedPlayer neighbour, String password, String domain, String name) {
        ScriptedPlayer player = greetedBehind(neighbour);
        String hash =
                password.isEmpty() ? "" : PasswordHash.of(player.cn, player.sessionid, password);
        player.say(new SessionMessage.Connect("late", 0, hash, domain, name));
        player.pass(100);
        return player;
    }

    @Test
    void challengesForNoKickThatKeyDoesNotAllow() throws IOException {
        open("");
        ScriptedPlayer ann = join("ann");
        ScriptedPlayer bob = join("bob");
        tryKey(bob, "dom", "gina");
        answer(bob, GINA);
        ann.say(
                new AuthMessage.AuthKick("dom", "gina", bob.cn, ""),
                new AuthMessage.AuthKick("dom", "gina", ann.cn, ""),
                new AuthMessage.AuthKick("dom", "ada", 77, ""),
                new AuthMessage.AuthKick("dom", "guest", bob.cn, ""));
        ann.pass(100);
        assertThat(ann.heard(AuthMessage.AuthChal.class)).isEmpty();

        int before = texts(bob).size();
        bob.say(new AdminMessage.Kick(77, ""), new AdminMessage.Kick(bob.cn, ""));
        bob.pass(50);
        assertThat(texts(bob)).as("a kick that the privilege does not allow").hasSize(before + 2);
        assertThat(texts(bob).getLast())
                .isEqualTo("Your key does not allow you to kick this player.");

        ann.say(new AuthMessage.AuthKick("dom", "ada", bob.cn, ""));
        ann.pass(50);
        assertThat(challenge(ann).id()).as("no number was used up").isEqualTo(2);
        answer(ann, STRANGER);
        bob.pass(100);
        assertThat(bob.isGone()).isFalse();
    }

    private SauerbratenClient bot(String name, RecordingClientListener listener)
            throws IOException {
        return bot(name, "", listener);
    }

    private SauerbratenClient bot(String name, String kick, RecordingClientListener listener)
            throws IOException {
        return SauerbratenClient.connect(
                ClientConfig.builder(network.cycle(), SauerbratenAbuseHarness.GAME)
                        .name(name)
                        .options(
                                Map.of(
                                        PlayerKeys.OPTION,
                                        folder.resolve("auth.cfg").toString(),
                                        KickRequest.OPTION,
                                        kick))
                        .listener(listener)
                        .random(new Random(4))
                        .build());
    }

    @Test
    void admitsBotWithKeyAndLetsItClaim() throws IOException {
        open("word");
        Files.writeString(folder.resolve("auth.cfg"), "authkey gina " + GINA.text() + " \"dom\"\n");
        RecordingClientListener listener = new RecordingClientListener();
        SauerbratenClient entered = bot("bot", listener);
        assertThat(network.runUntil(entered::joined, 2 * SECOND)).isTrue();
        assertThat(access).singleElement().asString().contains("auth", "key gina@dom");
        network.run(SECOND);
        assertThat(access).as("it is challenged once").hasSize(1);
    }

    @Test
    void letsBotClaimOnOpenServer() throws IOException {
        open("");
        Files.writeString(folder.resolve("auth.cfg"), "authkey ada " + ADA.text() + " \"dom\"\n");
        SauerbratenClient entered = bot("bot", new RecordingClientListener());
        assertThat(network.runUntil(() -> !access.isEmpty(), 2 * SECOND)).isTrue();
        assertThat(entered.joined()).isTrue();
        assertThat(access).singleElement().asString().contains("admin", "key ada@dom");
    }

    @Test
    void letsBotKickWithPrivilegeOfItsKey() throws IOException {
        open("");
        ScriptedPlayer ann = join("ann");
        Files.writeString(folder.resolve("auth.cfg"), "authkey gina " + GINA.text() + " \"dom\"\n");
        bot("bot", "ann", new RecordingClientListener());
        network.run(2 * SECOND);
        assertThat(access).singleElement().asString().contains("auth", "key gina@dom");
        assertThat(ann.farewell()).isEqualTo(DisconnectReason.KICKED.code());
    }

    @ParameterizedTest
    @CsvSource({
        "GINA, bob, bob is not kicked yet: no player of this name is here",
        "STRANGER, ann, 'ann is not kicked yet: this client has no privilege, which a key gives'",
    })
    void saysOnceWhyBotKicksNobody(String key, String victim, String text) throws IOException {
        open("");
        ScriptedPlayer ann = join("ann");
        AuthPrivateKey own = key.equals("GINA") ? GINA : STRANGER;
        Files.writeString(folder.resolve("auth.cfg"), "authkey gina " + own.text() + " \"dom\"\n");
        RecordingClientListener listener = new RecordingClientListener();
        bot("bot", victim, listener);
        network.run(6 * SECOND);
        assertThat(ann.isGone()).isFalse();
        assertThat(listener.events.stream().filter(event -> event.contains("not kicked")))
                .singleElement()
                .asString()
                .contains(text);
    }

    @Test
    void refusesBotWithWrongKey() throws IOException {
        open("word");
        Files.writeString(
                folder.resolve("auth.cfg"), "authkey ada " + STRANGER.text() + " \"dom\"\n");
        RecordingClientListener listener = new RecordingClientListener();
        bot("bot", listener);
        network.run(2 * SECOND);
        assertThat(listener.events).singleElement().asString().contains("REFUSED");
    }

    @Test
    void readsChangedFileAgain() throws IOException {
        open("");
        ScriptedPlayer ann = join("ann");
        Files.writeString(folder.resolve("keys"), "ada dom nonsense admin\n");
        ann.pass(6000);
        tryKey(ann, "dom", "ada");
        answer(ann, ADA);
        assertThat(privilege(ann, ann)).as("a file with an error changes nothing").isEqualTo(3);

        ann.say(new AdminMessage.SetMaster(ann.cn, false, ""));
        writeKeys("master");
        ann.pass(6000);
        tryKey(ann, "dom", "ada");
        answer(ann, ADA);
        assertThat(privilege(ann, ann)).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ada dom +0001 admin | keys line 1: public key must be",
                "ada dom admin | keys line 1: a line must be NAME DOMAIN PUBKEY",
                "ada dom PUB a | keys line 1: a privilege must be master, auth, admin or none, is"
                        + " a",
                "ad\"a dom PUB auth | keys line 1: a name must have",
            })
    @DisplayName("B20 a file with a key that is no point is refused with its line")
    void refusesFileWithError(String line, String message) {
        String text = line.replace("PUB", ADA.publicKey().toString());
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> AuthKeyTable.parse("keys", text))
                .withMessageContaining(message);
    }

    @Test
    void reportsAllWrongLines() {
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> AuthKeyTable.parse("keys", "a b\n# x\nada dom +0001 admin\n"))
                .withMessageMatching("keys line 1: a line must be .*; line 3: public key .*");
    }

    @Test
    void namesDomainThatIsWrong() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AuthKeyTable.line("x", "", ADA.publicKey(), "auth"))
                .withMessageStartingWith("a domain must have 1 to 64")
                .withMessageEndingWith("is ''");
    }

    @Test
    void refusesSecondKeyOfSameName() {
        String line = "ada dom " + ADA.publicKey() + " auth\n";
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> AuthKeyTable.parse("keys", line + line))
                .withMessage("keys line 2: there is a key ada@dom already");
    }

    @Test
    void requiresFileForDomain() {
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        SauerbratenEndpoint.check(Map.of(SauerbratenEndpoint.AUTH_DOMAIN, "dom")))
                .withMessageContaining("option auth-domain needs option auth-keys");
    }
}
