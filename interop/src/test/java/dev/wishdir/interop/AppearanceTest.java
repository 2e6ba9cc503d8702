package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import static java.util.Objects.requireNonNull;

import dev.wishdir.game.Game;
import dev.wishdir.inspect.Inspector;
import dev.wishdir.net.limit.AddressRange;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.quake3.netchan.InfoString;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Traced;
import dev.wishdir.wire.dissect.Datagram;
import dev.wishdir.wire.dissect.DissectedMessage;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What players of each game look like to those of each, by the messages to their clients. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("slow")
class AppearanceTest {
    private static final long SECOND = 1_000_000_000;
    private static final String VIEWERS = "127.0.0.2";
    private static final List<String> NAMES =
            List.of("Ann", "Bob", "Cleo", "Dan", "Eve", "Finn", "Gil", "Hugo", "Ida", "Jim");

    /** The models that every client has, by game: those of Quake II's whole game. */
    private static final Map<String, String> SHIPPED =
            Map.of(
                    "sauerbraten",
                    "[0-4]",
                    "quake2",
                    "male/(cipher|claymore|flak|grunt|howitzer|major|nightops|pointman|psycho"
                            + "|rampage|razor|recon|scout|sniper|viper)"
                            + "|female/(athena|brianna|cobalt|ensign|jezebel|jungle|lotus|stiletto"
                            + "|venus|voodoo)"
                            + "|cyborg/(oni911|ps9000|tyr574)",
                    "quake3",
                    "(assassin|beret|gargoyle|kyonshi|liz|major|merman|neko|penguin|sarge|sergei"
                            + "|skelebot|smarine|tony)(/(default|blue|red))?",
                    "bedrock",
                    "64x64 wide"
                        + " \\{\"geometry\":\\{\"default\":\"geometry.humanoid.custom\"}}(null)?"
                        + " [0-9a-f]+");

    /**
     * How a viewer's client shows a player.
     *
     * @param model the viewer's game's word for it
     * @param colour what the viewer's game has to mark many who belong together
     */
    private record Guise(String model, String colour) {}

    /** A player who is looked at. */
    private record Sender(Game game, String name) {}

    /** The guises of a server's players to a viewer's client, by the names that it shows. */
    private static final class Told {
        private final Map<String, Guise> guises = new HashMap<>();

        /** Of Bedrock, by their uuids. */
        private final Map<Bytes, Guise> skins = new HashMap<>();

        Guise of(Sender sender) {
            List<String> names =
                    guises.keySet().stream().filter(name -> name.endsWith(sender.name)).toList();
            assertThat(names).as("%s among %s", sender, guises.keySet()).hasSize(1);
            return requireNonNull(guises.get(names.getFirst()));
        }

        void line(DissectedMessage message) {
            Map<String, ?> fields = message.fields();
            switch (message.name()) {
                case "N_INITCLIENT" ->
                        guises.put(
                                String.valueOf(fields.get("name")),
                                new Guise(
                                        String.valueOf(fields.get("model")),
                                        String.valueOf(fields.get("team"))));
                case "configstring" -> quake2(String.valueOf(fields.get("text")));
                case "gamestate" ->
                        ((Map<?, ?>) requireNonNull(fields.get("configstrings")))
                                .values()
                                .forEach(text -> quake3(String.valueOf(text)));
                case "serverCommand" -> quake3(String.valueOf(fields.get("text")));
                case "player_list" -> listed(message);
                case "add_player" ->
                        guises.put(
                                String.valueOf(fields.get("name")),
                                requireNonNull(skins.get(raw(message, "uuid"))));
                case "malformed" -> throw new AssertionError(message);
                default -> {}
            }
        }

        /** A name and a skin, or something else. */
        private void quake2(String text) {
            if (text.matches("[^\\\\]+\\\\\\w+/\\w+")) {
                String[] parts = text.split("[\\\\/]");
                guises.put(parts[0], new Guise(parts[1] + "/" + parts[2], parts[1]));
            }
        }

        /** A player's info string, or that one has changed, or something else. */
        private void quake3(String text) {
            InfoString info = InfoString.parse(text.replaceAll("^cs \\d+ \"|\"\\n?$", ""));
            String model = info.get("model");
            if (!model.isEmpty()) {
                assertThat(info.get("hmodel")).isEqualTo(model);
                String skin = model.substring(model.indexOf('/') + 1);
                guises.put(
                        info.get("n"),
                        new Guise(model, skin + " " + info.get("c1") + " " + info.get("c2")));
            }
        }

        /** Players who come into the list; the body of one is drawn with the skin of its uuid. */
        private void listed(DissectedMessage message) {
            Map<String, Map<String, Bytes>> entries = new HashMap<>();
            for (Traced field : message.trace()) {
                String[] path = field.name().split("\\.", 2);
                // The picture of the body comes before that of the cape.
                if (path.length > 1) {
                    entries.computeIfAbsent(path[0], _ -> new HashMap<>())
                            .putIfAbsent(path[1], Bytes.ofHex(field.raw()));
                }
            }
            for (Map<String, Bytes> entry : entries.values()) {
                if (entry.containsKey("pixels")) {
                    skins.put(entry.get("uuid"), guise(entry));
                }
            }
        }

        private static Guise guise(Map<String, Bytes> entry) {
            Bytes pixels = sized(entry, "pixels");
            return new Guise(
                    "%dx%d %s %s%s %x"
                            .formatted(
                                    side(entry, "width"),
                                    side(entry, "height"),
                                    text(entry, "arm size"),
                                    text(entry, "resource patch"),
                                    text(entry, "geometry"),
                                    pixels.hashCode()),
                    "%06x".formatted(shirt(pixels)));
        }

        private static Bytes raw(DissectedMessage message, String name) {
            return message.trace().stream()
                    .filter(field -> field.name().equals(name))
                    .map(field -> Bytes.ofHex(field.raw()))
                    .findFirst()
                    .orElseThrow();
        }

        private static int side(Map<String, Bytes> entry, String name) {
            return requireNonNull(entry.get(name)).get(0);
        }

        /** The colour that most of the body's pixels have. */
        private static int shirt(Bytes pixels) {
            Map<Integer, Integer> times = new HashMap<>();
            for (int y = 20; y < 32; y++) {
                for (int x = 16; x < 40; x++) {
                    int at = (y * 64 + x) * 4;
                    int colour =
                            (pixels.get(at) & 0xFF) << 16
                                    | (pixels.get(at + 1) & 0xFF) << 8
                                    | pixels.get(at + 2) & 0xFF;
                    times.merge(colour, 1, Integer::sum);
                }
            }
            return Collections.max(times.entrySet(), Map.Entry.comparingByValue()).getKey();
        }

        private static String text(Map<String, Bytes> entry, String name) {
            return new String(sized(entry, name).toArray(), StandardCharsets.UTF_8);
        }

        /** What follows its length, which ends with a byte whose highest bit is not set. */
        private static Bytes sized(Map<String, Bytes> entry, String name) {
            Bytes field = requireNonNull(entry.get(name));
            int from = 1;
            while (field.get(from - 1) < 0) {
                from++;
            }
            return field.slice(from, field.length() - from);
        }
    }

    /** A server, and of each game a player who stays and looks. */
    private static final class House implements AutoCloseable {
        private final Path folder;
        private final SimulatedNetwork network;
        private final Random random;
        private final FourGames server;
        private final List<Datagram> datagrams = new ArrayList<>();
        private final List<TestClient> viewers = new ArrayList<>();

        House(Path folder, long seed) throws IOException {
            this.folder = folder;
            network = new SimulatedNetwork(seed);
            random = new Random(seed);
            server =
                    new FourGames(
                            network, random, 64, "", List.of(AddressRange.parse("127.0.0.0/8")));
            network.tap((now, from, to, data) -> {
                if (isViewer(from) || isViewer(to)) {
                    datagrams.add(
                            new Datagram(
                                    datagrams.size() + 1, now / 1e9, from, to, Bytes.of(data)));
                }
            });
            for (Game game : FourGames.ALL) {
                viewers.add(guest(game, VIEWERS, "viewer" + game.port()));
            }
        }

        private static boolean isViewer(InetSocketAddress address) {
            return address.getAddress().getHostAddress().equals(VIEWERS);
        }

        private TestClient guest(Game game, String from, String name) throws IOException {
            return server.guest(game, from, name, "", TestClient.CIRCLES);
        }

        /** Some come, are seen, and leave; gives how the viewers' clients are to show them. */
        Map<Game, Told> visit(List<Sender> senders) throws IOException {
            int before = datagrams.size();
            List<TestClient> guests = new ArrayList<>();
            for (Sender sender : senders) {
                guests.add(guest(sender.game, "127.0.0.1", sender.name));
                network.run(SECOND / 10);
            }
            assertThat(
                            network.runUntil(
                                    () ->
                                            viewers.stream()
                                                    .allMatch(viewer ->
                                                            viewer.client.others().size()
                                                                    == senders.size() + 3),
                                    60 * SECOND))
                    .as("%s", viewers)
                    .isTrue();
            guests.forEach(guest -> guest.client.close());
            assertThat(
                            network.runUntil(
                                    () -> server.arena().players().size() == viewers.size(),
                                    60 * SECOND))
                    .isTrue();
            return told(before);
        }

        /** What was sent from a datagram on. */
        private Map<Game, Told> told(int before) throws IOException {
            Path keys = Files.write(folder.resolve("keys"), server.keys());
            Map<Game, Told> all = new HashMap<>();
            for (Game game : FourGames.ALL) {
                Told told = new Told();
                all.put(game, told);
                Inspector inspector =
                        Inspector.of(
                                game.dissector(true, Optional.of(keys)),
                                game.port(),
                                message -> {
                                    if (message.frame() > before) {
                                        told.line(message);
                                    }
                                });
                InetSocketAddress port = server.address(game.name());
                datagrams.stream()
                        .filter(each ->
                                each.source().equals(port) || each.destination().equals(port))
                        .forEach(inspector::datagram);
            }
            return all;
        }

        @Override
        public void close() {
            server.close();
        }
    }

    private final List<Sender> senders =
            NAMES.stream()
                    .flatMap(name ->
                            FourGames.ALL.stream()
                                    .map(game -> new Sender(game, name + game.port())))
                    .toList();
    private final List<Map<Game, Told>> visits = new ArrayList<>();

    /** They come to a server, to the same again, and to another, each time in another order. */
    @BeforeAll
    void visit(@TempDir Path folder) throws IOException {
        try (House house = new House(folder, 1)) {
            visits.add(house.visit(senders));
            visits.add(house.visit(senders.reversed()));
        }
        try (House elsewhere = new House(folder, 2)) {
            List<Sender> others = new ArrayList<>(senders);
            Collections.shuffle(others, new Random(3));
            visits.add(elsewhere.visit(others));
        }
    }

    private List<Sender> of(Game game) {
        return senders.stream().filter(each -> each.game.equals(game)).toList();
    }

    private static Guise guise(Map<Game, Told> visit, Game viewer, Sender sender) {
        return requireNonNull(visit.get(viewer)).of(sender);
    }

    static Stream<Arguments> pairs() {
        return FourGames.ALL.stream()
                .flatMap(viewer ->
                        FourGames.ALL.stream()
                                .map(sender ->
                                        Arguments.of(
                                                Named.of(viewer.name(), viewer),
                                                Named.of(sender.name(), sender))));
    }

    @ParameterizedTest(name = "{1} in {0}")
    @MethodSource("pairs")
    void usesAppearanceOfEveryClientSteadilyByName(Game viewer, Game sender) {
        for (Sender each : of(sender)) {
            Set<Guise> guises =
                    visits.stream()
                            .map(visit -> guise(visit, viewer, each))
                            .collect(Collectors.toSet());
            assertThat(guises).as("%s, who came three times", each).hasSize(1);
            assertThat(guises)
                    .as(each.name)
                    .allMatch(guise ->
                            guise.model.matches(requireNonNull(SHIPPED.get(viewer.name()))));
        }
    }

    @ParameterizedTest
    @FieldSource("dev.wishdir.interop.FourGames#ALL")
    void variesAppearanceOfOtherGamesInOneColour(Game viewer) {
        Set<String> colours = new HashSet<>();
        for (Game sender : FourGames.ALL) {
            if (!sender.equals(viewer)) {
                List<Guise> guises =
                        of(sender).stream()
                                .map(each -> guise(visits.getFirst(), viewer, each))
                                .toList();
                assertThat(guises.stream().map(Guise::model).distinct())
                        .as("models of %s: %s", sender.name(), guises)
                        .hasSizeGreaterThan(2);
                assertThat(guises.stream().map(Guise::colour).distinct())
                        .as("colours of %s", sender.name())
                        .hasSize(1);
                colours.add(guises.getFirst().colour);
            }
        }
        assertThat(colours).as("told apart").hasSize(FourGames.ALL.size() - 1);
    }
}
