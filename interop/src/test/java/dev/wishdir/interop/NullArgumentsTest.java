package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.Proof;
import dev.wishdir.arena.match.MatchRules;
import dev.wishdir.blocks.arena.ArenaCatalog;
import dev.wishdir.enet.EnetSettings;
import dev.wishdir.game.ClientConfig;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.game.Game;
import dev.wishdir.game.level.SharedArena;
import dev.wishdir.game.operator.Ban;
import dev.wishdir.game.operator.Bans;
import dev.wishdir.game.operator.OperatorConsole;
import dev.wishdir.game.operator.Rights;
import dev.wishdir.game.proxy.ProxyConfig;
import dev.wishdir.game.proxy.ProxyRules;
import dev.wishdir.game.proxy.ProxySession;
import dev.wishdir.net.http.HttpBody;
import dev.wishdir.net.http.HttpFetch;
import dev.wishdir.net.http.HttpRequest;
import dev.wishdir.net.http.HttpResponse;
import dev.wishdir.net.http.HttpSettings;
import dev.wishdir.net.limit.AddressLimits;
import dev.wishdir.net.limit.AddressRange;
import dev.wishdir.net.loop.Counters;
import dev.wishdir.net.loop.DatagramHandler;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.loop.LineConnection;
import dev.wishdir.net.loop.LoopMeter;
import dev.wishdir.net.netty.NettyLoop;
import dev.wishdir.net.simulation.LinkConditions;
import dev.wishdir.net.simulation.LinkEmulation;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.raknet.RakNetSettings;
import dev.wishdir.wire.Bytes;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Settings that a program gives the libraries: a null is refused where it comes in, by name. */
@SuppressWarnings("NullAway") // null is what is refused
class NullArgumentsTest {
    private static final InetSocketAddress ADDRESS =
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 27_960);
    private static final InetSocketAddress LOCAL =
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    private static final SimulatedNetwork NETWORK = new SimulatedNetwork(1);
    private static final DutyCycle CYCLE = NETWORK.cycle();
    private static final Arena ARENA = new Arena(Level.BOX, 4);

    private static EndpointContext.Builder context() {
        return EndpointContext.builder(CYCLE, ADDRESS, ARENA);
    }

    private static ClientConfig.Builder config() {
        return ClientConfig.builder(CYCLE, ADDRESS);
    }

    /** Valid instances of all records that a program builds to set something. */
    static Stream<Record> settings() {
        return Stream.of(
                context().build(),
                config().build(),
                new ProxyConfig(
                        ProxyRules.UNCHANGED,
                        ADDRESS,
                        ADDRESS,
                        1,
                        AddressLimits.standard(1),
                        Optional::empty,
                        ProxySession.Factory.UNCHANGED),
                new Game.Option("name", "VALUE", "Help."),
                new OperatorConsole.Author(
                        "console", Rights.TERMINAL, "", Optional.empty(), (_, _) -> ""),
                new Ban(
                        List.of(AddressRange.parse("192.0.2.1")),
                        List.of(),
                        Optional.empty(),
                        "console",
                        "name",
                        "reason",
                        "game"),
                Level.BOX,
                new Level.File("path", Bytes.EMPTY),
                MatchRules.NONE,
                LeaveReason.LEFT,
                Proof.NONE,
                new HttpFetch(ADDRESS, "host", HttpFetch.Tls.NONE, "GET", "/", HttpBody.NONE, 1, 1),
                new HttpRequest(ADDRESS, ADDRESS, "GET", "/", HttpBody.NONE),
                HttpResponse.of(200, ""),
                HttpSettings.standard(List.of(), null),
                new HttpSettings.Tls(Path.of("certificate"), Path.of("key")),
                RakNetSettings.client(),
                new LineConnection.Target(ADDRESS, Optional.empty(), 1, 1));
    }

    @ParameterizedTest
    @MethodSource("settings")
    void refusesNullInEachComponent(Record valid) throws Exception {
        RecordComponent[] components = valid.getClass().getRecordComponents();
        Object[] values = new Object[components.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = components[i].getAccessor().invoke(valid);
        }
        Constructor<?> constructor =
                valid.getClass()
                        .getDeclaredConstructor(
                                Arrays.stream(components)
                                        .map(RecordComponent::getType)
                                        .toArray(Class<?>[]::new));
        for (int i = 0; i < values.length; i++) {
            if (!components[i].getType().isPrimitive() && !isNullable(constructor, i)) {
                Object[] changed = values.clone();
                changed[i] = null;
                assertRefused(components[i].getName(), () -> constructor.newInstance(changed));
            }
        }
    }

    private static boolean isNullable(Executable of, int parameter) {
        return of.getParameters()[parameter].getAnnotatedType().getAnnotations().length > 0;
    }

    static Stream<Object> builders() {
        return Stream.of(context(), config(), EnetSettings.builder());
    }

    @ParameterizedTest
    @MethodSource("builders")
    void refusesNullInEachSetter(Object builder) {
        List<Method> setters =
                Arrays.stream(builder.getClass().getMethods())
                        .filter(method -> method.getReturnType() == builder.getClass())
                        .filter(method -> !method.getParameterTypes()[0].isPrimitive())
                        .toList();
        assertThat(setters).isNotEmpty();
        for (Method setter : setters) {
            assertRefused(setter.getName(), () -> setter.invoke(builder, new Object[] {null}));
        }
    }

    private interface Call {
        Object call() throws ReflectiveOperationException;
    }

    private static void assertRefused(String name, Call call) {
        assertThatNullPointerException()
                .as(name)
                .isThrownBy(() -> {
                    try {
                        call.call();
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                })
                .withMessage(name);
    }

    record Mistake(String name, Consumer<DutyCycle> call) {
        @Override
        public String toString() {
            return name;
        }
    }

    /** What a program passes to an arena, a console, an emulated link and a cycle. */
    static Stream<Mistake> calls() {
        SharedArena shared = new SharedArena(CYCLE, ARENA, ArenaCatalog.FLAT, List.of());
        HttpSettings http = HttpSettings.standard(List.of(), null);
        return Stream.of(
                new Mistake("level", _ -> new Arena(null, 4)),
                new Mistake("level", _ -> ARENA.setLevel(null)),
                new Mistake("level", _ -> ARENA.setLevel(0, "game", null)),
                new Mistake("rules", _ -> ARENA.setMatchRules(null)),
                new Mistake("listener", _ -> ARENA.addListener(null)),
                new Mistake("onDefect", _ -> ARENA.onDefect(null)),
                new Mistake("lateness", _ -> ARENA.setLateness(null)),
                new Mistake("recorder", _ -> ARENA.onRelayDelay(null)),
                new Mistake("policy", _ -> ARENA.setCheatPolicy(null)),
                new Mistake("text", _ -> ARENA.announce(0, null)),
                new Mistake("game", _ -> ARENA.join(0, null, "name", null)),
                new Mistake("name", _ -> ARENA.join(0, "game", null, null)),
                new Mistake("viewer", _ -> ARENA.join(0, "game", "name", null)),
                new Mistake("id", _ -> ARENA.mirror(0, null, "game", "name")),
                new Mistake("password", _ -> new OperatorConsole(ARENA, shared, Bans.none(), null)),
                new Mistake("bans", _ -> new OperatorConsole(ARENA, shared, null, "")),
                new Mistake("first", _ -> new SharedArena(CYCLE, ARENA, null, List.of())),
                new Mistake("up", _ -> new LinkEmulation(null, LinkConditions.NONE, 1)),
                new Mistake("down", _ -> new LinkEmulation(LinkConditions.NONE, null, 1)),
                new Mistake("onDefect", _ -> new NettyLoop("loop", null)),
                new Mistake(
                        "cycle",
                        _ ->
                                new LinkEmulation(LinkConditions.NONE, LinkConditions.NONE, 1)
                                        .around(null)),
                new Mistake("duty", cycle -> cycle.add(null)),
                new Mistake("task", cycle -> cycle.execute(null)),
                new Mistake("work", cycle -> cycle.offload(null, _ -> {}, _ -> {})),
                new Mistake("onResult", cycle -> cycle.offload(() -> 1, null, _ -> {})),
                new Mistake("onFailure", cycle -> cycle.offloadLong(() -> 1, _ -> {}, null)),
                new Mistake("request", cycle -> cycle.fetch(null, _ -> {}, _ -> {})),
                new Mistake("target", cycle -> cycle.connect(null, null)),
                new Mistake("maker", cycle -> open(cycle, null)),
                new Mistake("the handler that the maker made", cycle -> open(cycle, _ -> null)),
                new Mistake("local address", cycle -> serve(cycle, null, http)),
                new Mistake("settings", cycle -> serve(cycle, LOCAL, null)),
                new Mistake("handler", cycle -> serve(cycle, LOCAL, http)));
    }

    private static void open(DutyCycle cycle, DatagramHandler.Factory<DatagramHandler> maker) {
        try {
            cycle.open(LOCAL, maker);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void serve(DutyCycle cycle, InetSocketAddress local, HttpSettings settings) {
        try {
            cycle.serve(local, settings, null);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @MethodSource("calls")
    void refusesNullInCall(Mistake mistake) {
        try (NettyLoop loop = new NettyLoop("test");
                DutyCycle real = loop.cycle()) {
            LoopMeter meter = new LoopMeter(5, _ -> false, new Counters());
            LinkEmulation links = new LinkEmulation(LinkConditions.NONE, LinkConditions.NONE, 1);
            for (DutyCycle cycle : List.of(real, CYCLE, meter.around(real), links.around(real))) {
                assertThatNullPointerException()
                        .isThrownBy(() -> mistake.call.accept(cycle))
                        .withMessage(mistake.name);
            }
        }
    }
}
