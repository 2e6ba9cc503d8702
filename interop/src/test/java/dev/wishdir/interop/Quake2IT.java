package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.Level;
import dev.wishdir.game.BotController;
import dev.wishdir.game.BotController.PlayerInput;
import dev.wishdir.game.Client;
import dev.wishdir.game.Endpoint;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.loop.Counters;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.netty.NettyLoop;
import dev.wishdir.quake2.Quake2Game;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

import java.io.ByteArrayInputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import javax.xml.parsers.DocumentBuilderFactory;

/** Our server over real sockets: our clients play on it, and Debian's qstat asks about it. */
@Timeout(600)
class Quake2IT {
    private static final Path QUAKESTAT = Path.of("/usr/bin/quakestat");
    private static final Duration SOON = Duration.ofMinutes(2);

    private final NettyLoop loop = new NettyLoop("quake2");
    private final DutyCycle cycle = loop.cycle();
    private final Arena arena = new Arena(Level.BOX, 20);
    private final Counters counters = new Counters();
    private Endpoint endpoint;

    @BeforeEach
    void serve() {
        cycle.execute(() -> cycle.add(arena::advance));
        endpoint =
                Bot.on(
                        cycle,
                        () ->
                                new Quake2Game()
                                        .serve(
                                                EndpointContext.builder(
                                                                cycle,
                                                                new InetSocketAddress(
                                                                        InetAddress
                                                                                .getLoopbackAddress(),
                                                                        0),
                                                                arena)
                                                        .name("A server of many")
                                                        .maxPlayers(12)
                                                        .counters(counters)
                                                        .random(new Random(1))
                                                        .build()));
    }

    @AfterEach
    void close() {
        loop.close();
    }

    private Bot bot(String name, BotController controller) {
        return new Bot(loop, new Quake2Game(), endpoint.address(), name, controller).awaitJoined();
    }

    @Test
    void showsOurClientsToEachOther() {
        Bot still = bot("anna", (_, _) -> PlayerInput.look(90, 0));
        Bot walker = bot("bert", (now, _) -> PlayerInput.walk(now / 1e9 * 40 % 360, 45, 0));
        Vec3 start = walker.movement().position();
        Peer.await("bert to walk", SOON, () -> walker.movement().position().distance(start) > 2);
        Peer.await(
                "anna to see him where he is",
                SOON,
                () ->
                        still.others.values().stream()
                                .anyMatch(remote ->
                                        remote.name().equals("bert")
                                                && remote.movement().velocity().horizontal() > 5
                                                && remote.movement()
                                                                .position()
                                                                .distance(
                                                                        walker.movement()
                                                                                .position())
                                                        < 3));
        assertThat(walker.others.values())
                .extracting(Client.RemotePlayer::name)
                .containsExactly("anna");
        walker.say("hello over there");
        Peer.await("his words", SOON, () -> still.heard.contains("bert: hello over there"));
        walker.leave();
        Peer.await("anna to see him go", SOON, still.others::isEmpty);
        Peer.await(
                "the server to see it",
                SOON,
                () -> Bot.on(cycle, () -> arena.players().size()) == 1);
        assertThat(walker.ended.join()).startsWith("LEFT");
        assertThat(Bot.on(cycle, () -> counters.get("quake2.checksum"))).isZero();
        assertThat(Bot.on(cycle, () -> counters.get("quake2.malformed"))).isZero();
        Bot.on(
                cycle,
                () -> {
                    endpoint.close("closing time");
                    return true;
                });
        Peer.await("anna to be told", SOON, still.ended::isDone);
        assertThat(still.ended.join()).isEqualTo("SERVER_CLOSED: closing time");
    }

    @Test
    void answersQstat() throws Exception {
        Peer.need("qstat", QUAKESTAT);
        bot("anna", (_, _) -> PlayerInput.look(0, 0));
        bot("two words", (_, _) -> PlayerInput.look(0, 0));
        Peer.await("their pings to be measured", SOON, () -> pings().stream().allMatch(p -> p > 0));
        Element server = element(ask(), "server");
        assertThat(server.getAttribute("status")).isEqualTo("UP");
        assertThat(text(server, "name")).isEqualTo("A server of many");
        assertThat(text(server, "map")).isEqualTo("wishdir_flat");
        assertThat(text(server, "numplayers")).isEqualTo("2");
        assertThat(text(server, "maxplayers")).isEqualTo("12");
        assertThat(Integer.parseInt(text(server, "ping"))).isNotNegative();
        Map<String, String> rules = new LinkedHashMap<>();
        for (Element rule : elements(server, "rule")) {
            rules.put(rule.getAttribute("name"), rule.getTextContent());
        }
        assertThat(rules)
                .containsExactlyInAnyOrderEntriesOf(
                        Map.of(
                                "protocol",
                                "34",
                                "deathmatch",
                                "1",
                                "gamename",
                                "baseq2",
                                "needpass",
                                "0",
                                "gamemode",
                                "no match",
                                "fraglimit",
                                "0",
                                "capturelimit",
                                "0",
                                "timelimit",
                                "0",
                                "version",
                                "Wishdir"));
        assertThat(elements(server, "player"))
                .extracting(player -> text(player, "name"))
                .containsExactly("anna", "two words");
        assertThat(elements(server, "player"))
                .allSatisfy(player -> assertThat(text(player, "score")).isEqualTo("0"));
    }

    private List<Integer> pings() {
        return elements(ask().getDocumentElement(), "player").stream()
                .map(player -> Integer.valueOf(text(player, "ping")))
                .toList();
    }

    private Document ask() {
        InetSocketAddress address = endpoint.address();
        try (Peer quakestat =
                Peer.start(
                        Path.of("."),
                        Map.of(),
                        QUAKESTAT.toString(),
                        "-q2s",
                        "127.0.0.1:" + address.getPort(),
                        "-P",
                        "-R",
                        "-xml")) {
            assertThat(quakestat.awaitExit(SOON)).isZero();
            byte[] xml = String.join("\n", quakestat.lines()).getBytes(StandardCharsets.ISO_8859_1);
            return DocumentBuilderFactory.newDefaultInstance()
                    .newDocumentBuilder()
                    .parse(new ByteArrayInputStream(xml));
        } catch (Exception e) {
            throw new AssertionError("quakestat's answer", e);
        }
    }

    private static Element element(Document document, String name) {
        return elements(document.getDocumentElement(), name).getFirst();
    }

    private static List<Element> elements(Element parent, String name) {
        NodeList nodes = parent.getElementsByTagName(name);
        List<Element> elements = new ArrayList<>();
        for (int i = 0; i < nodes.getLength(); i++) {
            elements.add((Element) nodes.item(i));
        }
        return elements;
    }

    private static String text(Element parent, String name) {
        return elements(parent, name).getFirst().getTextContent();
    }
}
