package dev.wishdir.bedrock.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.bedrock.message.ActorMessage.AddPlayer;
import dev.wishdir.bedrock.message.ActorMessage.ListedPlayer;
import dev.wishdir.bedrock.message.ActorMessage.PlayerList;
import dev.wishdir.bedrock.message.BedrockMessage;
import dev.wishdir.bedrock.message.LoginMessage;
import dev.wishdir.bedrock.message.LoginMessage.Disconnect;
import dev.wishdir.bedrock.message.MovementMessage.Animate;
import dev.wishdir.bedrock.message.PackMessage;
import dev.wishdir.bedrock.message.Text;
import dev.wishdir.bedrock.message.WorldMessage;
import dev.wishdir.bedrock.protocol.BedrockCodec;
import dev.wishdir.bedrock.protocol.login.LoginIdentity;
import dev.wishdir.bedrock.protocol.login.Skins;
import dev.wishdir.bedrock.protocol.transport.RakNetTransport;
import dev.wishdir.bedrock.server.BedrockNetwork.Events;
import dev.wishdir.bedrock.server.session.BedrockSession;
import dev.wishdir.game.BotController.PlayerInput;
import dev.wishdir.game.Client;
import dev.wishdir.game.NoOpViewer;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.raknet.Frame;
import dev.wishdir.raknet.OfflineMessage;
import dev.wishdir.raknet.RakNetClient;
import dev.wishdir.raknet.RakNetDatagram;
import dev.wishdir.raknet.RakNetNetwork;
import dev.wishdir.raknet.RakNetSettings;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.TestEffort;
import dev.wishdir.wire.WireLaws;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;

/** What one client does costs only itself: rows of docs/HOSTILE.md, with a canary. */
@Tag("slow")
class BedrockAbuseTest {
    private static final long SECOND = BedrockNetwork.SECOND;
    private static final long MILLI = SECOND / 1000;

    private BedrockNetwork n = BedrockNetwork.strict(1, s -> s);
    private final List<ArenaEvent> told = new ArrayList<>();
    private final Events annHeard = new Events();
    private final Events bobHeard = new Events();

    private void serve(BedrockNetwork network) {
        n = network;
        told.clear();
        n.arena.addListener(event -> {
            if (!(event instanceof ArenaEvent.Moved)) {
                told.add(event);
            }
        });
        n.join("Ann", (_, _) -> new PlayerInput(0, 0, 0.02, 0, false, false), annHeard);
        n.join("Bob", BedrockNetwork.STILL, bobHeard);
        n.network.run(SECOND);
        told.clear();
    }

    @BeforeEach
    void serve() {
        serve(n);
    }

    private static InetSocketAddress host(int number) {
        return RakNetNetwork.address(300 * (number + 1), 6000);
    }

    private ScriptedClient eve(int number) {
        return new ScriptedClient(n, host(number));
    }

    /** Ann walks, Bob sees where, neither has lost anything, and a newcomer is in at once. */
    private void allIsWell() {
        bobHeard.moved.clear();
        n.network.run(SECOND);
        assertThat(bobHeard.moved).hasSizeBetween(15, 25);
        Events carol = new Events();
        Client newcomer = n.client("Carol", "", BedrockNetwork.STILL, carol, BedrockCodec.V748);
        assertThat(n.network.runUntil(newcomer::joined, 2 * SECOND)).isTrue();
        newcomer.close();
        n.network.run(SECOND);
        assertThat(annHeard.endings).isEmpty();
        assertThat(bobHeard.endings).isEmpty();
    }

    private List<ArenaEvent.Left> left() {
        return told.stream()
                .filter(ArenaEvent.Left.class::isInstance)
                .map(ArenaEvent.Left.class::cast)
                .toList();
    }

    private static Text chat(String text) {
        return Text.chat("", text);
    }

    @Test
    @DisplayName("G1, G18 a thousand swings and lines a second: others read few, and only he goes")
    void limitsFloodsOfActions() {
        ScriptedClient eve = eve(1);
        eve.play("Eve");
        ScriptedClient witness = eve(2);
        witness.play("Witness");
        witness.heard.clear();
        bobHeard.texts.clear();
        for (int i = 0; i < 20 && !eve.gone; i++) {
            List<BedrockMessage> batch = new ArrayList<>();
            for (int k = 0; k < 20; k++) {
                batch.add(Animate.swing(eve.id()));
                batch.add(chat("line " + i + k));
            }
            eve.sendAll(batch);
        }
        assertThat(witness.all(Animate.class)).hasSizeBetween(60, 110);
        assertThat(bobHeard.texts).hasSizeBetween(12, 17);
        // She is notified once of each kind.
        assertThat(eve.all(Text.class).stream().filter(t -> t.type() == Text.SYSTEM))
                .extracting(Text::message)
                .anyMatch(text -> text.contains("Rate limit exceeded: chat"))
                .anyMatch(text -> text.contains("Rate limit exceeded: actions"))
                .hasSize(2);
        for (int i = 0; i < 100 && !eve.gone; i++) {
            eve.sendAll(Collections.nCopies(20, chat("more")));
        }
        assertThat(eve.kicked()).isTrue();
        assertThat(eve.all(Disconnect.class).getLast().message())
                .contains("rate limit exceeded (chat)");
        assertThat(left())
                .singleElement()
                .satisfies(left -> {
                    assertThat(left.player().name()).isEqualTo("Eve");
                    assertThat(left.reason().code()).isEqualTo(LeaveReason.Code.RATE_LIMIT);
                });
        allIsWell();
    }

    @Test
    @DisplayName("G2 a client that acknowledges nothing is ended by its own deadline, and no other")
    void endsUnacknowledgingClientAtItsDeadline() {
        ScriptedClient eve = eve(1);
        eve.play("Eve");
        ScriptedClient witness = eve(2);
        witness.play("Witness");
        n.network.run(SECOND);
        told.clear();
        bobHeard.texts.clear();
        eve.deaf = true;
        for (int i = 0; i < 600; i++) {
            n.arena.announce(n.network.now(), "line " + i + "x".repeat(400));
            if (!eve.gone) {
                eve.send(new WorldMessage.SetTime(1));
            } else {
                n.network.run(SECOND / 10);
            }
            n.endpoint
                    .connections()
                    .forEach(peer -> assertThat(peer.retainedBytes()).isLessThan(2 << 20));
        }
        assertThat(left())
                .singleElement()
                .satisfies(left -> {
                    assertThat(left.player().name()).isEqualTo("Eve");
                    assertThat(left.reason().code()).isEqualTo(LeaveReason.Code.TIMED_OUT);
                });
        assertThat(bobHeard.texts).hasSize(600).doesNotHaveDuplicates();
        assertThat(new HashSet<>(told)).hasSameSizeAs(told);
        assertThat(n.arena.players()).hasSize(3);
        assertThat(n.endpoint.connections()).hasSize(3);
        assertThat(bobHeard.vanished).hasSize(1);
        allIsWell();
    }

    @Test
    @DisplayName("G2 a line that is busy hears of who is here when it can, as they are by then")
    void sendsCurrentPlayersAfterCongestion() {
        ScriptedClient slow = eve(1);
        slow.play("Slow");
        n.network.run(SECOND);
        slow.heard.clear();
        slow.deaf = true;
        for (int i = 0; i < 60; i++) {
            n.arena.announce(n.network.now(), "x".repeat(500));
        }
        BedrockSession session = n.endpoint.sessions().getLast();
        // Random text does not compress.
        Random random = new Random(1);
        while (!session.isCongested()) {
            StringBuilder noise = new StringBuilder();
            random.ints(400, 0x4E00, 0x9000).forEach(noise::appendCodePoint);
            n.arena.announce(n.network.now(), noise.toString());
            n.network.run(MILLI);
        }
        var ghost = n.arena.join(n.network.now(), "other", "Ghost", new NoOpViewer());
        ghost.spawn(n.network.now(), Movement.at(new Vec3(1, 2, 0), 0));
        ghost.leave(n.network.now(), LeaveReason.LEFT);
        var real = n.arena.join(n.network.now(), "other", "Real\u00A74", new NoOpViewer());
        real.spawn(n.network.now(), Movement.at(new Vec3(1, 2, 0), 0));
        for (int i = 0; i < 20; i++) {
            real.say(n.network.now(), "hello " + i);
        }
        slow.deaf = false;
        n.network.run(10 * SECOND);
        assertThat(slow.gone).isFalse();
        assertThat(slow.all(AddPlayer.class))
                .singleElement()
                .satisfies(added -> assertThat(added.name()).isEqualTo("[O] Real"));
        assertThat(slow.all(Text.class)).anyMatch(text -> text.message().contains("missed"));
        assertThat(slow.all(Text.class)).noneMatch(text -> text.message().contains("hello"));
        allIsWell();
    }

    @Test
    @DisplayName("G3 the largest skins for some who never acknowledge stay within the memory")
    void boundsMemoryOfLargestSkins() {
        neverAcknowledge(7, 512, 6 << 20);
    }

    @Test
    @DisplayName("G3 skins for many who never acknowledge stay within the memory")
    void boundsMemoryOfManySkins() {
        neverAcknowledge(100, 64, 12 << 20);
    }

    private void neverAcknowledge(int count, int side, long total) {
        serve(BedrockNetwork.small(2, 120, total));
        Map<String, Object> data = new HashMap<>(Skins.clientData("1.21.40", "Eve", "s"));
        data.putAll(skin(side));
        List<ScriptedClient> deaf = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            deaf.add(eve(i));
        }
        all(deaf, eve -> new LoginMessage.RequestNetworkSettings(748), total);
        all(deaf, eve -> login(eve, data), total);
        n.network.run(SECOND);
        all(deaf, eve -> new PackMessage.ResourcePackClientResponse(4, List.of()), total);
        all(deaf, eve -> new WorldMessage.RequestChunkRadius(4, 4), total);
        for (ScriptedClient eve : deaf) {
            eve.deaf = true;
        }
        long most = all(deaf, eve -> new WorldMessage.SetLocalPlayerAsInitialized(eve.id()), total);
        n.network.run(20 * SECOND);
        assertThat(most).isGreaterThan(total / 2);
        assertThat(n.counters.get("memory.ended")).isPositive();
        assertThat(deaf).allMatch(eve -> eve.gone);
        assertThat(annHeard.endings).isEmpty();
        assertThat(bobHeard.endings).isEmpty();
        assertThat(n.arena.players()).hasSize(2);
        allIsWell();
    }

    @Test
    @DisplayName("G3 the bytes of skins that viewers are sent are bounded, whoever joins")
    void boundsSkinBytesToViewers() {
        serve(BedrockNetwork.small(2, 120, 256 << 20));
        Map<String, Object> data = new HashMap<>(Skins.clientData("1.21.40", "Eve", "s"));
        data.putAll(skin(128));
        List<ScriptedClient> eves = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            eves.add(eve(i));
        }
        long began = n.network.now();
        all(eves, eve -> new LoginMessage.RequestNetworkSettings(748), 256 << 20);
        all(eves, eve -> login(eve, data), 256 << 20);
        n.network.run(SECOND);
        all(eves, eve -> new PackMessage.ResourcePackClientResponse(4, List.of()), 256 << 20);
        all(eves, eve -> new WorldMessage.RequestChunkRadius(4, 4), 256 << 20);
        all(eves, eve -> new WorldMessage.SetLocalPlayerAsInitialized(eve.id()), 256 << 20);
        n.network.run(4 * SECOND);
        double seconds = (double) (n.network.now() - began) / SECOND;
        long real = 0;
        for (ScriptedClient eve : eves) {
            List<ListedPlayer> listed =
                    eve.all(PlayerList.class).stream()
                            .filter(list -> list.type() == PlayerList.ADD)
                            .flatMap(list -> list.entries().stream())
                            .toList();
            assertThat(listed).hasSizeGreaterThanOrEqualTo(32);
            real +=
                    listed.stream()
                            .map(ListedPlayer::skin)
                            .filter(skin -> skin.image().width() == 128)
                            .mapToLong(Skins::heap)
                            .sum();
        }
        assertThat((double) real).isBetween(4e6, (8 + seconds) * (1 << 20));
        allIsWell();
    }

    /** All say something in half a second; gives the most that the server holds meanwhile. */
    private long all(
            List<ScriptedClient> crowd,
            Function<ScriptedClient, BedrockMessage> message,
            long total) {
        long most = 0;
        for (ScriptedClient eve : crowd) {
            if (!eve.gone) {
                eve.later(message.apply(eve));
            }
            n.network.run(SECOND / 2 / crowd.size());
            long held =
                    n.endpoint.sessions().stream().mapToLong(BedrockSession::retainedBytes).sum();
            assertThat(held).isLessThan(total + (3 << 20));
            most = Math.max(most, held);
        }
        return most;
    }

    /** What a client says of a skin of a side's length that compresses as real ones do. */
    private static Map<String, Object> skin(int side) {
        byte[] pixels = new byte[side * side * 4];
        Random random = new Random(1);
        for (int i = 0; i < pixels.length; i += 12) {
            pixels[i] = (byte) random.nextInt(16);
        }
        return Map.of(
                "SkinData",
                Base64.getEncoder().encodeToString(pixels),
                "SkinImageWidth",
                side,
                "SkinImageHeight",
                side);
    }

    private static LoginMessage.Login login(ScriptedClient eve, Map<String, Object> data) {
        return LoginIdentity.selfSigned(
                748,
                eve.keys,
                "Eve",
                new UUID(1, eve.hashCode()),
                data,
                System.currentTimeMillis() / 1000);
    }

    @Test
    @DisplayName("G4 2^16 cookies guessed for others' addresses, a session there and none")
    void resistsCookieGuessing() {
        ScriptedClient victim = eve(1);
        victim.play("Victim");
        InetSocketAddress nobody = host(2);
        List<OfflineMessage.OpenConnectionReply1> answers = new ArrayList<>();
        Map<InetSocketAddress, Integer> sent = new HashMap<>();
        n.network.tap((_, from, to, data) -> {
            if (from.equals(n.endpoint.address())) {
                sent.merge(to, data.length, Integer::sum);
                if (to.equals(host(3))
                        && OfflineMessage.read(new Reader(data), RakNetSettings.MAGIC, true)
                                instanceof OfflineMessage.OpenConnectionReply1 reply) {
                    answers.add(reply);
                }
            }
        });
        // He knows his own.
        n.network.inject(
                host(3),
                n.endpoint.address(),
                WireLaws.write(
                        new OfflineMessage.OpenConnectionRequest1(11, 1000),
                        (w, m) ->
                                OfflineMessage.OpenConnectionRequest1.wire(
                                        w, m, RakNetSettings.MAGIC)));
        n.network.run(10 * MILLI);
        long own = answers.getFirst().cookie();
        told.clear();
        Random random = new Random(4);
        int guesses = TestEffort.times(1 << 16);
        for (int i = 0; i < guesses; i++) {
            long cookie = i % 3 == 0 ? own + i / 3 : random.nextInt();
            n.network.inject(
                    i % 2 == 0 ? nobody : host(1),
                    n.endpoint.address(),
                    WireLaws.write(
                            new OfflineMessage.OpenConnectionRequest2(
                                    cookie & 0xFFFF_FFFFL,
                                    false,
                                    n.endpoint.address(),
                                    1400,
                                    random.nextLong()),
                            (w, m) ->
                                    OfflineMessage.OpenConnectionRequest2.wire(
                                            w, m, RakNetSettings.MAGIC, true)));
            if (i % 100 == 0) {
                n.network.run(10 * MILLI);
            }
        }
        n.network.run(SECOND);
        assertThat(n.counters.get("bedrock.drop.cookie")).isEqualTo(guesses);
        assertThat(sent.getOrDefault(nobody, 0)).as("a wrong cookie has no answer").isZero();
        assertThat(n.endpoint.connections()).hasSize(3);
        assertThat(victim.gone).isFalse();
        assertThat(told).isEmpty();
        allIsWell();
    }

    @Test
    @DisplayName("G7 logins are checked off the loop, and what comes meanwhile waits")
    void verifiesLoginsOffLoop() {
        n.network.offloading(300 * MILLI);
        ScriptedClient eve = eve(1);
        eve.settings();
        eve.send(eve.login("Eve"));
        // 100 ms later nothing is known yet.
        assertThat(eve.all(LoginMessage.ServerToClientHandshake.class)).isEmpty();
        n.network.run(SECOND);
        assertThat(eve.all(PackMessage.ResourcePacksInfo.class)).hasSize(1);

        ScriptedClient gone = eve(2);
        gone.settings();
        gone.send(gone.login("Gone"));
        gone.cycle.execute(() -> {
            if (gone.transport != null) {
                gone.transport.close();
            }
        });
        n.network.run(SECOND);
        assertThat(n.endpoint.sessions()).hasSize(3);

        ScriptedClient eager = eve(3);
        eager.settings();
        eager.send(eager.login("Eager"));
        for (int i = 0; i < 12; i++) {
            eager.cycle.execute(() -> {
                if (eager.transport != null) {
                    eager.transport.send(new byte[] {1, 2, 3}, 0, 3);
                }
            });
        }
        n.network.run(100 * MILLI);
        assertThat(eager.kicked()).isTrue();
        assertThat(n.counters.get("bedrock.drop.early")).isEqualTo(1);

        // In the clear, who says goodbye meanwhile is understood when the login is checked.
        ScriptedClient forger = eve(4);
        forger.settings();
        LoginMessage.Login login = forger.login("Forger");
        byte[] bytes = login.tokens().toArray();
        bytes[bytes.length - 3] ^= 1;
        forger.send(new LoginMessage.Login(748, Bytes.wrap(bytes)));
        assertThat(forger.kicked()).isTrue();
        assertThat(n.counters.get("bedrock.drop.login")).isEqualTo(1);
        assertThat(told)
                .anyMatch(event ->
                        event instanceof ArenaEvent.JoinRefused refused
                                && refused.reason().text().contains("Login refused"));
    }

    @Test
    @DisplayName("G7 many large logins in a second take their turns, and a newcomer his")
    void queuesManyLogins() {
        int logins = TestEffort.times(40);
        serve(BedrockNetwork.strict(1, s -> s.maxPlayers(logins + 40)));
        n.network.offloading(2 * SECOND / logins);
        Map<String, Object> large = new HashMap<>(Skins.clientData("1.21.40", "Eve", "s"));
        large.putAll(skin(256));
        large.put("SkinAnimationData", "x".repeat(100_000));
        List<ScriptedClient> crowd = new ArrayList<>();
        for (int i = 0; i < logins; i++) {
            ScriptedClient eve = eve(i);
            eve.later(new LoginMessage.RequestNetworkSettings(748));
            crowd.add(eve);
        }
        n.network.run(SECOND / 10);
        List<LoginMessage.Login> sent = crowd.stream().map(eve -> login(eve, large)).toList();
        assertThat(sent).allMatch(login -> login.tokens().length() > 450_000);
        bobHeard.moved.clear();
        for (int i = 0; i < crowd.size(); i++) {
            crowd.get(i).later(sent.get(i));
            n.network.run(SECOND / logins);
        }
        assertThat(bobHeard.moved).hasSizeBetween(15, 25);
        n.network.run(SECOND);
        assertThat(bobHeard.moved).hasSizeBetween(30, 50);
        assertThat(crowd)
                .allSatisfy(eve ->
                        assertThat(eve.all(LoginMessage.ServerToClientHandshake.class)).hasSize(1));
        allIsWell();
    }

    @Test
    @DisplayName("G12 half-open connections by the thousand keep no client out")
    void admitsClientsDuringHalfOpenFlood() {
        for (int i = 0; i < 1000; i++) {
            InetSocketAddress from = RakNetNetwork.address(1000 + i * 7 % 50_000, 7000 + i);
            RakNetNetwork.open(
                    n.network.cycle(),
                    from,
                    socket ->
                            new RakNetClient(
                                    n.endpoint.address(),
                                    RakNetTransport.configure(RakNetSettings.client()),
                                    (to, data, offset, length) -> {
                                        // Only what opens, nothing of the connection itself.
                                        if ((data[offset] & RakNetDatagram.VALID) == 0) {
                                            socket.send(to, data, offset, length);
                                        }
                                    },
                                    new RakNetNetwork.Events(),
                                    new Random(from.getPort())));
            if (i % 20 == 0) {
                n.network.run(20 * MILLI);
            }
        }
        assertThat(n.endpoint.connections()).hasSizeLessThan(70);
        allIsWell();
        // They repeat their requests for up to 15 s, and what those opened lasts 10 s.
        n.network.run(30 * SECOND);
        assertThat(n.endpoint.connections()).hasSize(2);
    }

    @Test
    @DisplayName("G14 floods of questions without acknowledgements leave little to hold")
    void boundsAnswersToFloodedQuestions() {
        ScriptedClient eve = eve(1);
        eve.play("Eve");
        eve.deaf = true;
        for (int i = 0; i < 1000 && !eve.gone; i++) {
            List<Frame> frames = new ArrayList<>();
            for (int k = 0; k < 100; k++) {
                frames.add(
                        new Frame(
                                0,
                                0,
                                0,
                                0,
                                0,
                                0,
                                0,
                                0,
                                Bytes.of(
                                        (byte) 0, (byte) 0, (byte) 0, (byte) 0, (byte) 0, (byte) 0,
                                        (byte) 0, (byte) 0, (byte) i)));
            }
            n.network.inject(
                    host(1),
                    n.endpoint.address(),
                    WireLaws.write(
                            new RakNetDatagram(RakNetDatagram.SINGLE, 5000 + i, frames),
                            RakNetDatagram::wire));
            n.network.run(MILLI);
            n.endpoint
                    .sessions()
                    .forEach(session -> assertThat(session.retainedBytes()).isLessThan(256 << 10));
        }
        n.network.run(15 * SECOND);
        assertThat(n.arena.players()).hasSize(2);
        allIsWell();
    }

    @Test
    @DisplayName("G15 batches that inflate to a megabyte each are not taken twice")
    void refusesSecondInflatingBatch() {
        ScriptedClient eve = eve(1);
        eve.play("Eve");
        int sent = 0;
        while (!eve.gone && sent < 100) {
            // Legal messages that compress well, within the bound of one batch.
            eve.sendAll(Collections.nCopies(100, chat("x".repeat(4000))));
            sent++;
        }
        assertThat(eve.kicked()).isTrue();
        assertThat(sent).isLessThan(12);
        assertThat(n.counters.get("bedrock.drop.malformed")).isEqualTo(1);
        allIsWell();
    }

    @Test
    @DisplayName("who vanishes without a word has no body after five seconds, and a place for ten")
    void removesBodyOfVanishedClient() {
        ScriptedClient eve = eve(1);
        eve.play("Eve");
        n.network.run(SECOND);
        bobHeard.vanished.clear();
        eve.cycle.close();
        n.network.run(6 * SECOND);
        assertThat(bobHeard.vanished).hasSize(1);
        assertThat(n.arena.players()).hasSize(3);
        n.network.run(6 * SECOND);
        assertThat(n.arena.players()).hasSize(2);
        assertThat(left())
                .singleElement()
                .satisfies(left ->
                        assertThat(left.reason().code()).isEqualTo(LeaveReason.Code.TIMED_OUT));
    }

    @Test
    @DisplayName("a client that says nothing but answers pings keeps its body")
    void keepsBodyOfQuietClient() {
        ScriptedClient eve = eve(1);
        eve.play("Eve");
        bobHeard.vanished.clear();
        n.network.run(20 * SECOND);
        assertThat(bobHeard.vanished).isEmpty();
        assertThat(eve.gone).isFalse();
    }

    @Test
    @DisplayName("names are shown without the game's colours, empty lines not at all")
    void cleansNames() {
        ScriptedClient witness = eve(1);
        witness.play("Witness");
        var odd = n.arena.join(n.network.now(), "other", "\u00A7cRed\u00A7", new NoOpViewer());
        var bare = n.arena.join(n.network.now(), "other", "\u00A7c", new NoOpViewer());
        odd.spawn(n.network.now(), Movement.at(Vec3.ZERO, 0));
        bare.spawn(n.network.now(), Movement.at(Vec3.ZERO, 0));
        odd.say(n.network.now(), "\u00A7c");
        odd.say(n.network.now(), "\u00A7chi");
        n.network.run(SECOND);
        List<String> names = witness.all(AddPlayer.class).stream().map(AddPlayer::name).toList();
        assertThat(names)
                .contains("[O] Red", "[O] unnamed")
                .noneMatch(name -> name.contains("\u00A7"));
        assertThat(witness.all(PlayerList.class))
                .flatExtracting(PlayerList::entries)
                .extracting(listed -> listed.name())
                .noneMatch(name -> name.contains("\u00A7"));
        assertThat(witness.all(Text.class))
                .singleElement()
                .satisfies(text -> assertThat(text.message()).isEqualTo("hi"));
        // Each entry came once.
        Set<String> listed = new HashSet<>();
        witness.all(PlayerList.class).stream()
                .flatMap(list -> list.entries().stream())
                .forEach(entry -> assertThat(listed.add(entry.name())).isTrue());
    }
}
