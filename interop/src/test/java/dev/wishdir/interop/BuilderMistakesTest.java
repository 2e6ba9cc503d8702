package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.PlayerAction;
import dev.wishdir.bedrock.protocol.BedrockCodec;
import dev.wishdir.enet.EnetHost;
import dev.wishdir.enet.EnetListener;
import dev.wishdir.enet.EnetSettings;
import dev.wishdir.game.BotWeapon;
import dev.wishdir.game.Client;
import dev.wishdir.game.ClientConfig;
import dev.wishdir.game.ClientListener;
import dev.wishdir.game.Endpoint;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.game.Game;
import dev.wishdir.game.operator.PasswordRules;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.loop.ForwardingCycle;
import dev.wishdir.net.loop.UdpSocket;
import dev.wishdir.net.netty.NettyLoop;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.quake2.protocol.Quake2Codec;
import dev.wishdir.sauerbraten.protocol.SauerbratenCodec;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.dissect.Direction;

import org.assertj.core.api.SoftAssertions;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** What developers who use the libraries may do wrong, in every game alike. */
@Tag("slow")
class BuilderMistakesTest {
    private static final long SECOND = 1_000_000_000;
    private static final InetSocketAddress ADDRESS =
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 4000);

    private final SimulatedNetwork network = new SimulatedNetwork(1);
    private final Arena arena = new Arena(Level.BOX, 8);
    private final List<String> endings = new ArrayList<>();

    private static List<Game> games() {
        return FourGames.ALL;
    }

    private Endpoint serve(Game game) throws IOException {
        DutyCycle cycle = network.cycle();
        cycle.add(arena::advance);
        return game.serve(
                EndpointContext.builder(cycle, ADDRESS, arena).random(new Random(1)).build());
    }

    private final class Listener implements ClientListener {
        private final boolean breaks;

        Listener(boolean breaks) {
            this.breaks = breaks;
        }

        @Override
        public void onJoined(Client self) {
            if (breaks) {
                throw new IllegalStateException("listener on purpose");
            }
        }

        @Override
        public void onEnded(Client self, EndReason ending, String reason) {
            endings.add(ending + ": " + reason);
        }
    }

    private ClientConfig.Builder client() {
        return ClientConfig.builder(network.cycle(), ADDRESS)
                .listener(new Listener(false))
                .random(new Random(2));
    }

    @ParameterizedTest
    @MethodSource("games")
    void reportsWhatControllerAndListenerThrowAndKeepsBot(Game game) throws IOException {
        List<String> defects = new ArrayList<>();
        network.onDefect(thrown -> defects.add(thrown.getMessage()));
        serve(game);
        Client bot =
                game.connect(
                        client().controller(
                                        (_, _) -> {
                                            throw new IllegalStateException(
                                                    "controller on purpose");
                                        })
                                .listener(new Listener(true))
                                .build());
        network.run(20 * SECOND);
        assertThat(endings).isEmpty();
        assertThat(bot.joined()).isTrue();
        assertThat(arena.players()).hasSize(1);
        assertThat(defects)
                .contains("listener on purpose", "controller on purpose")
                .doesNotContainNull();
        assertThat(List.copyOf(new HashSet<>(defects))).hasSize(2);
    }

    @ParameterizedTest
    @MethodSource("games")
    void refusesUnknownOptions(Game game) {
        Map<String, String> misspelt = Map.of("auht", "off");
        List<String> known = game.options().stream().map(Game.Option::name).toList();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> game.check(misspelt))
                .withMessageStartingWith("option auht ")
                .withMessageContaining(game.name())
                .satisfies(e -> assertThat(e.getMessage()).contains(known));
        EndpointContext context =
                EndpointContext.builder(network.cycle(), ADDRESS, arena).options(misspelt).build();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> game.serve(context))
                .withMessageStartingWith("option auht ");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> game.connect(client().options(misspelt).build()))
                .withMessageStartingWith("option auht ");
    }

    @ParameterizedTest
    @MethodSource("games")
    void namesKeyOfWrongOption(Game game) {
        for (Game.Option option : game.options()) {
            try {
                game.check(Map.of(option.name(), "wrong!"));
            } catch (IllegalArgumentException e) {
                assertThat(e).hasMessageContaining("option " + option.name());
                assertThat(e.getMessage()).doesNotContain("--");
            }
        }
    }

    @ParameterizedTest
    @MethodSource("games")
    void quotesEmptyValueOfWrongOption(Game game) {
        for (Game.Option option : game.options()) {
            try {
                game.check(Map.of(option.name(), ""));
            } catch (IllegalArgumentException e) {
                assertThat(e.getMessage()).doesNotContain("is ,").doesNotEndWith("is ");
            }
        }
    }

    @ParameterizedTest
    @MethodSource("games")
    void refusesOtherThreads(Game game) {
        try (NettyLoop loop = new NettyLoop("test");
                DutyCycle cycle = loop.cycle()) {
            InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
            assertThatIllegalStateException()
                    .isThrownBy(() -> EndpointContext.builder(cycle, any, arena).build())
                    .withMessageContaining("execute");
            EndpointContext context =
                    Bot.on(cycle, () -> EndpointContext.builder(cycle, any, arena).build());
            assertThatIllegalStateException()
                    .isThrownBy(() -> game.serve(context))
                    .withMessageContaining("execute");
            assertThatIllegalStateException()
                    .isThrownBy(() -> game.connect(ClientConfig.builder(cycle, ADDRESS).build()))
                    .withMessageContaining("execute");
        }
    }

    @ParameterizedTest
    @MethodSource("games")
    void refusesUseFromOtherThreads(Game game) {
        NettyLoop loop = new NettyLoop("test");
        DutyCycle cycle = loop.cycle();
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        Endpoint endpoint =
                Bot.on(cycle, () -> game.serve(EndpointContext.builder(cycle, any, arena).build()));
        Client client =
                Bot.on(
                        cycle,
                        () ->
                                game.connect(
                                        ClientConfig.builder(cycle, endpoint.address()).build()));
        List<ThrowingCallable> uses =
                new ArrayList<>(
                        List.of(
                                () -> endpoint.close("maintenance"),
                                endpoint::close,
                                () -> client.say("hello"),
                                () -> client.act(PlayerAction.ATTACK),
                                () -> client.shoot(Vec3.ZERO),
                                () ->
                                        client.select(
                                                new BotWeapon(
                                                        "any",
                                                        1,
                                                        1,
                                                        0,
                                                        9,
                                                        0,
                                                        BotWeapon.Missile.NONE))));
        for (Method method : Client.class.getMethods()) {
            if (method.getParameterCount() == 0) {
                uses.add(() -> {
                    try {
                        method.invoke(client);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
            }
        }
        SoftAssertions.assertSoftly(softly -> {
            for (ThrowingCallable use : uses) {
                softly.assertThatIllegalStateException()
                        .isThrownBy(use)
                        .withMessageContaining("execute");
            }
        });
        loop.close();
        client.close();
        endpoint.close("the loop has ended: no thread is raced");
    }

    /**
     * A cycle that refuses all datagrams to the first address that is sent to while it is armed.
     */
    private static final class BreakingCycle extends ForwardingCycle {
        private boolean isArmed;
        private @Nullable InetSocketAddress broken;

        BreakingCycle(DutyCycle cycle) {
            super(cycle);
        }

        @Override
        protected void send(
                UdpSocket socket, InetSocketAddress to, byte[] data, int offset, int length) {
            if (isArmed && broken == null) {
                broken = to;
            }
            if (to.equals(broken)) {
                throw new IllegalStateException("send on purpose");
            }
            super.send(socket, to, data, offset, length);
        }
    }

    @ParameterizedTest
    @MethodSource("games")
    void closesPortWhereFarewellToOneClientThrows(Game game) throws IOException {
        BreakingCycle cycle = new BreakingCycle(network.cycle());
        cycle.add(arena::advance);
        Endpoint endpoint =
                game.serve(
                        EndpointContext.builder(cycle, ADDRESS, arena)
                                .random(new Random(1))
                                .build());
        List<Client> clients =
                List.of(
                        game.connect(client().name("anna").build()),
                        game.connect(client().name("berta").build()));
        assertThat(network.runUntil(() -> clients.stream().allMatch(Client::joined), 40 * SECOND))
                .isTrue();
        network.run(SECOND);
        cycle.isArmed = true;
        assertThatIllegalStateException()
                .isThrownBy(() -> endpoint.close("maintenance"))
                .withMessage("send on purpose");
        network.run(5 * SECOND);
        assertThat(endings)
                .singleElement()
                .asString()
                .startsWith("SERVER_CLOSED")
                .endsWith("maintenance");
        assertThat(arena.players()).isEmpty();
        game.serve(EndpointContext.builder(network.cycle(), ADDRESS, arena).build());
    }

    @Test
    void refusesConnectingFromOtherThread() throws IOException {
        try (NettyLoop loop = new NettyLoop("test");
                DutyCycle cycle = loop.cycle()) {
            EnetHost host =
                    cycle.open(
                            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                            socket ->
                                    new EnetHost(
                                            EnetSettings.builder().build(),
                                            new EnetListener() {},
                                            socket,
                                            new Random(1)));
            assertThatIllegalStateException()
                    .isThrownBy(() -> host.connect(ADDRESS, 0))
                    .withMessageContaining("execute");
        }
    }

    @ParameterizedTest
    @MethodSource("games")
    void givesUpJoiningInTimeThatIsSet(Game game) throws IOException {
        game.connect(client().joinTimeout(Duration.ofSeconds(17)).build());
        network.run(16 * SECOND);
        assertThat(endings).isEmpty();
        network.run(2 * SECOND);
        assertThat(endings)
                .containsExactly("TIMED_OUT: 127.0.0.1:4000 did not let the client in within 17 s");
    }

    /** As when both start together, and the server needs its time for the arena. */
    @ParameterizedTest
    @MethodSource("games")
    void joinsServerThatStartsMeanwhile(Game game) throws IOException {
        Client bot = game.connect(client().build());
        network.run(16 * SECOND);
        serve(game);
        assertThat(network.runUntil(bot::joined, 6 * SECOND)).isTrue();
    }

    @ParameterizedTest
    @MethodSource("games")
    void keepsReasonOfClose(Game game) throws IOException {
        List<LeaveReason> reasons = new ArrayList<>();
        arena.addListener(event -> {
            if (event instanceof ArenaEvent.Left left) {
                reasons.add(left.reason());
            }
        });
        Endpoint endpoint = serve(game);
        Client bot = game.connect(client().build());
        assertThat(network.runUntil(bot::joined, 20 * SECOND)).isTrue();
        network.run(SECOND);
        endpoint.close("maintenance until nine");
        network.run(5 * SECOND);
        assertThat(reasons)
                .containsExactly(
                        new LeaveReason(LeaveReason.Code.SERVER_CLOSED, "maintenance until nine"));
        assertThat(reasons.getFirst().code().isKick()).isFalse();
        assertThat(endings)
                .singleElement()
                .asString()
                .startsWith("SERVER_CLOSED")
                .endsWith("maintenance until nine");
    }

    /** What the server still has to tell as it closes does not make a kick of its end. */
    @ParameterizedTest
    @MethodSource("games")
    void tellsClosedServerFromKickBesideOtherMessages(Game game) throws IOException {
        network.conditions(new SimulatedNetwork.Conditions(0, 0, SECOND / 14, 0));
        for (int moment = 0; moment < 20; moment++) {
            endings.clear();
            Endpoint endpoint = serve(game);
            Client bot = game.connect(client().name("anna").build());
            assertThat(network.runUntil(bot::joined, 20 * SECOND)).isTrue();
            for (int i = 0; i < 50 + moment; i++) {
                arena.announce(network.now(), "maintenance in a moment: " + i);
                network.run(SECOND / 111);
            }
            endpoint.close("maintenance");
            network.run(5 * SECOND);
            assertThat(endings)
                    .singleElement()
                    .asString()
                    .startsWith("SERVER_CLOSED")
                    .endsWith("maintenance");
        }
    }

    @Test
    @SuppressWarnings("NullAway") // null is what is refused
    void refusesWrongSettingsWhereTheyComeIn() {
        DutyCycle cycle = network.cycle();
        InetSocketAddress unresolved = InetSocketAddress.createUnresolved("nowhere.invalid", 5);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ClientConfig.builder(cycle, unresolved).build())
                .withMessageContaining("server nowhere.invalid:5 is not resolved");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EndpointContext.builder(cycle, unresolved, arena).build())
                .withMessageContaining("address nowhere.invalid:5 is not resolved");
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> EndpointContext.builder(cycle, ADDRESS, arena).maxPlayers(-1).build())
                .withMessageContaining("maxPlayers");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> client().joinTimeout(Duration.ZERO).build())
                .withMessageContaining("joinTimeout");
        assertThatExceptionOfType(NullPointerException.class)
                .isThrownBy(() -> client().name(null).build())
                .withMessage("name");
        assertThatExceptionOfType(NullPointerException.class)
                .isThrownBy(() -> client().controller(null).build())
                .withMessage("controller");
        assertThatIllegalArgumentException().isThrownBy(() -> new Arena(Level.BOX, -1));
    }

    @ParameterizedTest
    @MethodSource("games")
    @SuppressWarnings("NullAway") // null is what is refused
    void refusesNullInEndpointAndClient(Game game) throws IOException {
        Endpoint endpoint = serve(game);
        Client bot = game.connect(client().build());
        Map<String, ThrowingCallable> uses =
                Map.of(
                        "reason", () -> endpoint.close(null),
                        "at", () -> bot.shoot(null),
                        "action", () -> bot.act(null),
                        "weapon", () -> bot.select(null),
                        "name", () -> bot.rename(null),
                        "text", () -> bot.say(null));
        refuseAll(uses);
        assertThat(network.runUntil(bot::joined, 20 * SECOND)).isTrue();
        refuseAll(uses);
        endpoint.close("really");
        network.run(5 * SECOND);
        assertThat(endings).singleElement().asString().endsWith("really");
        serve(game);
    }

    private static void refuseAll(Map<String, ThrowingCallable> uses) {
        SoftAssertions.assertSoftly(softly ->
                uses.forEach((name, use) ->
                        softly.assertThatExceptionOfType(NullPointerException.class)
                                .isThrownBy(use)
                                .withMessage(name)));
    }

    @ParameterizedTest
    @MethodSource("games")
    void refusesToShootAtPointThatIsNotFinite(Game game) throws IOException {
        serve(game);
        Client bot = game.connect(client().build());
        assertThat(network.runUntil(bot::joined, 20 * SECOND)).isTrue();
        for (double wrong : List.of(Double.NaN, Double.POSITIVE_INFINITY)) {
            Vec3 at = new Vec3(0, wrong, 0);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> bot.shoot(at))
                    .withMessage("at must be finite, is " + at);
        }
    }

    @ParameterizedTest
    @MethodSource("games")
    void refusesPasswordsThatPlayersCannotType(Game game) {
        for (String password : List.of("x\u0007x", "x\"x")) {
            if (game.passwordRules(PasswordRules.Kind.JOIN).problem(password).isEmpty()) {
                continue;
            }
            EndpointContext.Builder builder =
                    EndpointContext.builder(network.cycle(), ADDRESS, arena);
            for (EndpointContext context :
                    List.of(
                            builder.password(password).build(),
                            builder.password("").adminPassword(password).build())) {
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> game.serve(context))
                        .withMessageContaining("assword cannot be typed by players of ")
                        .withMessageContaining("; allowed are at most ");
            }
        }
    }

    @Test
    void refusesServerWithoutPort() {
        InetSocketAddress portless = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ClientConfig.builder(network.cycle(), portless))
                .withMessage(
                        "server 127.0.0.1:0 has no port to send to, which must be from 1 to"
                                + " 65535");
    }

    @Test
    void refusesJoinTimeoutThatNoClockReaches() {
        for (Duration time :
                List.of(
                        ChronoUnit.FOREVER.getDuration(),
                        Duration.ofSeconds(Long.MAX_VALUE),
                        Duration.ofHours(24).plusNanos(1),
                        Duration.ofSeconds(-1))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> client().joinTimeout(time))
                    .withMessage("joinTimeout must be positive and at most PT24H, is " + time);
        }
    }

    @ParameterizedTest
    @MethodSource("games")
    void waitsForLongestJoinTimeout(Game game) throws IOException {
        game.connect(client().joinTimeout(ClientConfig.MAX_JOIN_TIMEOUT).build());
        network.run(60 * SECOND);
        assertThat(endings).isEmpty();
    }

    @Test
    void readsValueOfSpectatorOption() {
        assertThat(client().build().spectates()).isFalse();
        assertThat(spectator("off").spectates()).isFalse();
        assertThat(spectator("on").spectates()).isTrue();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> spectator("yes"))
                .withMessage("option spectate must be on or off, is 'yes'");
    }

    private ClientConfig spectator(String value) {
        return client().options(Map.of(ClientConfig.SPECTATE, value)).build();
    }

    @Test
    void namesMessageThatIsMalformed() {
        assertThatExceptionOfType(MalformedPacketException.class)
                .isThrownBy(() ->
                        SauerbratenCodec.V260.read(Direction.C2S, new Reader(Bytes.of((byte) 5))))
                .withMessageStartingWith("N_TEXT: text at byte 1: ");
        assertThatExceptionOfType(MalformedPacketException.class)
                .isThrownBy(() -> Quake2Codec.readServer(new Reader(Bytes.of((byte) 10))))
                .withMessageStartingWith("svc_print: level at byte 1: ");
        assertThatExceptionOfType(MalformedPacketException.class)
                .isThrownBy(() -> BedrockCodec.V748.read(new Reader(Bytes.of((byte) 2))))
                .withMessageStartingWith("play_status: status at byte 1: ");
    }
}
