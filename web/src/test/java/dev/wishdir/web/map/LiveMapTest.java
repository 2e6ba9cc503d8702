package dev.wishdir.web.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.combat.ArmourRule;
import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.MatchMode;
import dev.wishdir.arena.event.NativeMovement;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.event.Vitals;
import dev.wishdir.arena.event.WeaponNames;
import dev.wishdir.arena.match.MatchRules;
import dev.wishdir.arena.race.RaceTimes;
import dev.wishdir.arena.relay.ConnectionStats;
import dev.wishdir.arena.relay.Viewer;
import dev.wishdir.blocks.arena.ArenaCatalog;
import dev.wishdir.blocks.reach.BodyDimensions;
import dev.wishdir.blocks.stock.StockMap;
import dev.wishdir.game.NoOpViewer;
import dev.wishdir.idtech.Brush;
import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.CollisionSpace;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.motion.Vec3f;
import dev.wishdir.web.WebHosts;
import dev.wishdir.web.WebServer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

@Timeout(180)
@Tag("slow")
class LiveMapTest {
    private static final List<Integer> REFUSED = List.of(400, 403);
    private static final List<String> UPGRADE =
            List.of(
                    "Connection: Upgrade",
                    "Upgrade: websocket",
                    "Sec-WebSocket-Version: 13",
                    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==");
    private static final String SCRIPT = "<script>alert(1)</script>";

    private final LivePlayers livePlayers = new LivePlayers(WeaponNames.MEANS);
    private final HttpClient http = HttpClient.newHttpClient();
    private final List<HttpClient> others = new ArrayList<>();
    private final AtomicLong passed = new AtomicLong();
    private final Arena arena = new Arena(Level.BOX, 8);
    private ArenaPlayer walker;
    private WebServer map;

    /**
     * The first picture, how the socket was closed, and each picture that is not said to be seen.
     */
    private static final class Browser implements WebSocket.Listener {
        final CompletableFuture<Picture> picture = new CompletableFuture<>();
        final BlockingQueue<Picture> shown = new LinkedBlockingQueue<>();
        final CompletableFuture<Integer> closed = new CompletableFuture<>();
        final Semaphore pictures = new Semaphore(0);
        private final boolean idle;
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        Browser() {
            this(false);
        }

        Browser(boolean idle) {
            this.idle = idle;
        }

        Picture next() throws InterruptedException {
            return Objects.requireNonNull(shown.poll(60, TimeUnit.SECONDS), "no picture came");
        }

        @Override
        public CompletionStage<?> onBinary(WebSocket socket, ByteBuffer data, boolean last) {
            byte[] part = new byte[data.remaining()];
            data.get(part);
            bytes.writeBytes(part);
            if (last) {
                Picture whole = Picture.read(bytes.toByteArray());
                bytes.reset();
                picture.complete(whole);
                shown.add(whole);
                pictures.release();
                if (!idle) {
                    socket.sendText("seen", true);
                }
            }
            return WebSocket.Listener.super.onBinary(socket, data, last);
        }

        @Override
        public CompletionStage<?> onClose(WebSocket socket, int status, String reason) {
            closed.complete(status);
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public void onError(WebSocket socket, Throwable error) {
            closed.complete(-1);
        }
    }

    /** What a picture says: how a browser reads it, in Java. */
    private record Picture(boolean all, long time, JsonObject words, List<Moved> moved) {
        record Moved(int id, int flags, List<Integer> way, int yaw) {}

        static Picture read(byte[] bytes) {
            ByteBuffer in = ByteBuffer.wrap(bytes);
            boolean all = in.get() == 1;
            long time = varint(in);
            byte[] json = new byte[(int) varint(in)];
            in.get(json);
            String text = json.length == 0 ? "{}" : new String(json, StandardCharsets.UTF_8);
            List<Moved> moved = new ArrayList<>();
            int id = 0;
            for (long count = varint(in); count > 0; count--) {
                id += (int) varint(in);
                int flags = in.get();
                if ((flags & (LiveDeltaEncoder.PLACE | LiveDeltaEncoder.LOOK)) != 0) {
                    varint(in);
                }
                List<Integer> way = new ArrayList<>();
                for (int i = 0; i < 3 && (flags & LiveDeltaEncoder.PLACE) != 0; i++) {
                    long zigzag = varint(in);
                    way.add((int) (zigzag >>> 1 ^ -(zigzag & 1)));
                }
                int yaw = 0;
                if ((flags & LiveDeltaEncoder.LOOK) != 0) {
                    yaw = in.get() & 255;
                    in.get();
                }
                if ((flags & LiveDeltaEncoder.STANCE) != 0) {
                    in.get();
                }
                moved.add(new Moved(id, flags, way, yaw));
            }
            assertThat(in.hasRemaining()).isFalse();
            return new Picture(all, time, JsonParser.parseString(text).getAsJsonObject(), moved);
        }

        private static long varint(ByteBuffer in) {
            long value = 0;
            for (int shift = 0; ; shift += 7) {
                byte next = in.get();
                value |= (next & 127L) << shift;
                if (next >= 0) {
                    return value;
                }
            }
        }
    }

    private final AtomicInteger lookUps = new AtomicInteger();

    @BeforeEach
    void open() throws IOException {
        arena.addListener(livePlayers);
        Viewer blind = new NoOpViewer();
        walker = arena.join(0, "quake2", SCRIPT, blind);
        walker.spawn(0, Movement.at(new Vec3(1, 2, 3), 90));
        arena.join(0, "bedrock", "watching", blind);
        map =
                WebServer.start(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        new WebHosts(List.of("Map.Example.Org")),
                        List.of(
                                new LiveMap(
                                        livePlayers,
                                        List.of(ArenaCatalog.shipped("flat")),
                                        this::late,
                                        passed::get)));
    }

    @AfterEach
    void close() {
        map.close();
        http.shutdownNow();
        others.forEach(HttpClient::shutdownNow);
    }

    private URI uri(String scheme, String path) {
        return URI.create(scheme + "://127.0.0.1:" + map.port() + path);
    }

    private WebSocket connect(Browser browser) {
        return http.newWebSocketBuilder().buildAsync(uri("ws", "/live"), browser).join();
    }

    /** From an address of this machine that no other client has. */
    private void connectFrom(int number, Browser browser) throws IOException {
        HttpClient client =
                HttpClient.newBuilder()
                        .localAddress(
                                InetAddress.getByAddress(new byte[] {127, 0, 2, (byte) number}))
                        .build();
        others.add(client);
        client.newWebSocketBuilder().buildAsync(uri("ws", "/live"), browser).join();
    }

    /** The status of the answer to a request with just these headers. */
    private int status(String path, String... headers) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), map.port())) {
            socket.setSoTimeout(10_000);
            List<String> lines = new ArrayList<>(List.of("GET " + path + " HTTP/1.1"));
            lines.addAll(List.of(headers));
            lines.addAll(path.equals("/live") ? UPGRADE : List.of("Connection: close"));
            String request = String.join("\r\n", lines) + "\r\n\r\n";
            socket.getOutputStream()
                    .write(
                            request.replace("PORT", Integer.toString(map.port()))
                                    .getBytes(StandardCharsets.ISO_8859_1));
            String line =
                    new BufferedReader(
                                    new InputStreamReader(
                                            socket.getInputStream(), StandardCharsets.ISO_8859_1))
                            .readLine();
            return Integer.parseInt(line.split(" ")[1]);
        }
    }

    private static List<String> headers(String host, String origin) {
        List<String> headers = new ArrayList<>();
        if (!host.isEmpty()) {
            headers.add("Host: " + host);
        }
        if (!origin.isEmpty()) {
            headers.add("Origin: " + origin);
        }
        return headers;
    }

    @Test
    void sendsPositionsToBrowser() throws Exception {
        Browser browser = new Browser();
        connect(browser);
        Picture picture = browser.picture.get(60, TimeUnit.SECONDS);
        assertThat(picture.all()).isTrue();
        JsonObject words = picture.words();
        assertThat(words.getAsJsonObject("level").get("name").getAsString()).isEqualTo("flat");
        assertThat(words.getAsJsonObject("level").get("bounds").toString())
                .isEqualTo("[-32.0,-32.0,0.0,32.0,32.0,64.0]");
        assertThat(words.getAsJsonArray("players")).hasSize(2);
        assertThat(picture.moved())
                .containsExactly(
                        new Picture.Moved(
                                walker.id().number(),
                                LiveDeltaEncoder.BODY
                                        | LiveDeltaEncoder.LEAP
                                        | LiveDeltaEncoder.PLACE
                                        | LiveDeltaEncoder.LOOK
                                        | LiveDeltaEncoder.STANCE,
                                List.of(100, 200, 300),
                                64));
    }

    @Test
    void sendsOnlyMovedPlayersUntilAllAreAsked() throws Exception {
        Browser browser = new Browser(true);
        WebSocket socket = connect(browser);
        browser.next();
        walker.move(
                passed.get(), Movement.at(new Vec3(1.25, 1.9, 3), 90), NativeMovement.Stored.NONE);
        socket.sendText("seen", true).get(60, TimeUnit.SECONDS);
        Picture next = browser.next();
        assertThat(next.all()).isFalse();
        assertThat(next.words().size()).isZero();
        assertThat(next.moved())
                .containsExactly(
                        new Picture.Moved(
                                walker.id().number(),
                                LiveDeltaEncoder.BODY | LiveDeltaEncoder.PLACE,
                                List.of(25, -10, 0),
                                0));
        walker.say(passed.get(), "hello");
        socket.sendText("seen", true).get(60, TimeUnit.SECONDS);
        Picture said = browser.next();
        assertThat(said.moved()).isEmpty();
        assertThat(said.words().getAsJsonArray("news").toString()).contains(": hello");
        socket.sendText("all", true).get(60, TimeUnit.SECONDS);
        Picture whole = browser.next();
        assertThat(whole.all()).isTrue();
        assertThat(whole.moved().getFirst().way()).containsExactly(125, 190, 300);
        assertThat(whole.words().getAsJsonArray("players")).hasSize(2);
    }

    private static MatchRules rules(MatchMode mode) {
        return MatchRules.of(mode).withTimes(Duration.ZERO, Duration.ZERO, Duration.ZERO);
    }

    @Test
    void encodesScoresOfFight() {
        Arena fights = new Arena(Level.BOX, 8);
        LivePlayers live = new LivePlayers(WeaponNames.MEANS);
        LiveDeltaEncoder encoder = new LiveDeltaEncoder();
        fights.setMatchRules(rules(MatchMode.FFA));
        live.watch(fights.match());
        fights.addListener(live);
        ArenaPlayer anna = fights.join(0, "quake3", "<b>anna", new NoOpViewer());
        ArenaPlayer bob = fights.join(0, "quake2", "bob", new NoOpViewer());
        for (ArenaPlayer each : List.of(anna, bob)) {
            each.combatant().beginLife(0, new Vitals(100, 0, 0), ArmourRule.EXACT);
            each.spawn(0, Movement.at(Vec3.ZERO, 0));
        }
        bob.combatant().die(0);
        assertThat(words(encoder, live).getAsJsonArray("boards"))
                .hasToString(
                        "[{\"title\":\"Scores\",\"columns\":[\"frags\",\"deaths\"],\"rows\":["
                            + "{\"id\":1,\"game\":\"quake3\",\"name\":\"<b>anna\",\"values\":[\"0\",\"0\"]},"
                            + "{\"id\":2,\"game\":\"quake2\",\"name\":\"bob\",\"values\":[\"-1\",\"1\"]}]}]");
        assertThat(words(encoder, live).has("boards")).as("unchanged").isFalse();
        anna.leave(0, LeaveReason.LEFT);
        assertThat(
                        words(encoder, live)
                                .getAsJsonArray("boards")
                                .get(0)
                                .getAsJsonObject()
                                .getAsJsonArray("rows"))
                .hasSize(1);
        encoder.reset();
        assertThat(words(encoder, live).has("boards")).as("all").isTrue();
    }

    @Test
    void encodesPointsAndBestTimesOfRace() {
        Arena races = new Arena(Level.of(ArenaCatalog.shipped("circuit")), 8);
        LivePlayers live = new LivePlayers(WeaponNames.MEANS);
        LiveDeltaEncoder encoder = new LiveDeltaEncoder();
        races.setMatchRules(rules(MatchMode.RACE));
        live.watch(races.match());
        races.addListener(live);
        assertThat(words(encoder, live).has("boards")).as("before the first event").isFalse();
        races.match().race().times().add(new RaceTimes.Time("circuit", "quake3", "anna", 65_003));
        races.match().race().times().add(new RaceTimes.Time("hall", "quake3", "anna", 1));
        races.join(0, "quake2", "bob", new NoOpViewer());
        PlayerId carol = new PlayerId(5, 1);
        races.mirror(0, carol, "quake2", "carol");
        races.match().race().mirror(0, Map.of(carol, 71_500));
        assertThat(words(encoder, live).getAsJsonArray("boards"))
                .hasToString(
                        "[{\"title\":\"Scores\",\"columns\":[\"points\",\"time\"],\"rows\":["
                            + "{\"id\":1073741824,\"game\":\"quake2\",\"name\":\"carol\",\"values\":[\"10\",\"1:11.500\"]},"
                            + "{\"id\":1,\"game\":\"quake2\",\"name\":\"bob\",\"values\":[\"0\",\"–\"]}]},{\"title\":\"Best"
                            + " times\",\"columns\":[\"time\"],\"rows\":["
                            + "{\"id\":0,\"game\":\"quake3\",\"name\":\"anna\",\"values\":[\"1:05.003\"]}]}]");
    }

    private static JsonObject words(LiveDeltaEncoder encoder, LivePlayers live) {
        return Picture.read(encoder.encode(0, live, LiveDeltaEncoder.level("", "", live.bounds())))
                .words();
    }

    /** The number may be that of a player of this server. */
    @Test
    void sendsNodeOfPlayersOfOtherServers() throws Exception {
        int number = walker.id().number();
        for (int node : new int[] {PlayerId.GHOST_NODE, PlayerId.MAX_NODE}) {
            arena.mirror(0, new PlayerId(node, number), "quake2", "from" + node)
                    .spawn(0, Movement.at(Vec3.ZERO, 0));
        }
        Browser browser = new Browser();
        connect(browser);
        JsonArray players =
                browser.picture.get(60, TimeUnit.SECONDS).words().getAsJsonArray("players");
        assertThat(players).hasSize(4);
        assertThat(players.toString())
                .endsWith(
                        ",\"quake2\",\"from1\",1],[1073741825,\"quake2\",\"from1073741823\","
                                + "1073741823]]");
        assertThat(browser.picture.get().moved()).hasSize(3);
    }

    @Test
    void reportsTrafficEachSecond() throws Exception {
        ConnectionStats early = new ConnectionStats(10, 1000, 10, 0, 20, 3000, 0);
        livePlayers.links(0, Map.of(walker.id(), early));
        Browser browser = new Browser(true);
        WebSocket socket = connect(browser);
        JsonArray first = browser.next().words().getAsJsonArray("links");
        assertThat(first.get(0).getAsJsonArray()).as("nothing to compare with yet").hasSize(3);
        livePlayers.links(
                TimeUnit.SECONDS.toNanos(4),
                Map.of(walker.id(), new ConnectionStats(134, 5000, 129, 6, 220, 11_000, 3)));
        passed.set(TimeUnit.SECONDS.toNanos(4));
        socket.sendText("seen", true).get(60, TimeUnit.SECONDS);
        JsonArray next = browser.next().words().getAsJsonArray("links");
        assertThat(next.get(0).toString())
                .isEqualTo("[" + walker.id().number() + ",0,0,4.8,31,50,1000,2000]");
        assertThat(next.get(1).getAsJsonArray()).as("of whose line nothing is known").hasSize(3);
    }

    @Test
    void servesArenaAsMesh() throws Exception {
        HttpResponse<byte[]> mesh =
                http.send(
                        HttpRequest.newBuilder(uri("http", "/scene/flat")).build(),
                        HttpResponse.BodyHandlers.ofByteArray());
        ByteBuffer in = ByteBuffer.wrap(mesh.body()).order(ByteOrder.LITTLE_ENDIAN);
        assertThat(in.getInt()).isEqualTo(Mesh.MAGIC);
        int faces = in.getInt();
        int lights = 3 * in.getInt() * in.getInt();
        int materials = in.getInt();
        int side = in.getInt();
        // Five sides of 64 by 64 m and walls of 8 m, cut at 8 m: the floor has 64 faces.
        assertThat(faces).isGreaterThan(64);
        assertThat(mesh.body()).hasSize(60 + 16 * faces + materials * (4 + side * side) + lights);
        assertThat(status("/scene/none", "Host: 127.0.0.1:PORT")).isEqualTo(404);
    }

    @Test
    void compressesArenaAndUsesBrowserCache() throws Exception {
        HttpResponse<byte[]> plain = get("/scene/flat");
        HttpResponse<byte[]> packed = get("/scene/flat", "Accept-Encoding", "gzip, br");
        assertThat(packed.headers().firstValue("Content-Encoding")).hasValue("gzip");
        assertThat(packed.body()).hasSizeLessThan(plain.body().length / 2);
        try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(packed.body()))) {
            assertThat(in.readAllBytes()).isEqualTo(plain.body());
        }
        String tag = packed.headers().firstValue("ETag").orElseThrow();
        HttpResponse<byte[]> known = get("/scene/flat", "If-None-Match", tag);
        assertThat(known.statusCode()).isEqualTo(304);
        assertThat(known.body()).isEmpty();
        assertThat(get("/scene/flat", "If-None-Match", "\"another\"").statusCode()).isEqualTo(200);
    }

    /** A proxy may serve the pages below any path: no address of them begins at the root. */
    @Test
    void buildsNoAddressFromRoot() throws Exception {
        Path pages = Path.of("src/main/resources/web");
        try (Stream<Path> files = Files.walk(pages)) {
            for (Path each : files.filter(Files::isRegularFile).toList()) {
                assertThat(Files.readString(each))
                        .as(each.toString())
                        .doesNotContainPattern("(?i)(src|href|action)\\s*=\\s*[\"']?/")
                        .doesNotContainPattern("url\\(\\s*[\"']?/")
                        .doesNotContainPattern("[\"'`]/[\\w.]")
                        .doesNotContainPattern("location\\.(host|origin)");
            }
        }
        for (String path : List.of("/", "/explore", "/explore/", "/map", "/icon.svg")) {
            assertThat(get(path).headers().firstValue("Location").orElse(""))
                    .as("redirect of " + path)
                    .doesNotStartWith("/")
                    .doesNotContain("://");
        }
    }

    /** A floor of 2 by 4 m, as a game's map. */
    private static Optional<StockMap> stock(String name) {
        if (!name.equals("floor")) {
            return Optional.empty();
        }
        Brush box = Brush.box(new Vec3f(0, 0, -32), new Vec3f(64, 128, 0), 1, 0);
        return Optional.of(
                new StockMap(
                        "quake2",
                        "floor",
                        "A floor",
                        new BodyDimensions("quake2", 1, 1.75, 0.5625, 1.5),
                        List.of(box),
                        1,
                        _ -> false,
                        at -> at.z() < 0 || at.x() < 0 || at.y() < 0 || at.x() > 64 || at.y() > 128,
                        CollisionSpace.OPEN,
                        List.of(),
                        List.of(),
                        List.of(),
                        Optional.empty(),
                        List.of()));
    }

    /** Maps, of which one is not there when it is looked up first. */
    private Optional<StockMap> late(String name) {
        return name.equals("late")
                ? lookUps.getAndIncrement() == 0 ? Optional.empty() : stock("floor")
                : stock(name);
    }

    @Test
    void looksMissingMapUpAgain() throws Exception {
        Bounds bounds = new Bounds(new Vec3(0, 0, 0), new Vec3(2, 4, 8));
        arena.setLevel(passed.get(), "quake2", new Level("late", bounds));
        assertThat(get("/scene/late").statusCode()).isEqualTo(404);
        assertThat(get("/scene/late").statusCode()).as("at once").isEqualTo(404);
        assertThat(lookUps).hasValue(1);
        passed.addAndGet(TimeUnit.SECONDS.toNanos(11));
        assertThat(get("/scene/late").statusCode()).isEqualTo(200);
    }

    @Test
    void servesStockMapWhilePlayed() throws Exception {
        assertThat(get("/scene/floor").statusCode()).as("nobody plays it").isEqualTo(404);
        Bounds bounds = new Bounds(new Vec3(0, 0, 0), new Vec3(2, 4, 8));
        arena.setLevel(passed.get(), "quake2", new Level("floor", bounds));
        Browser browser = new Browser();
        connect(browser);
        JsonObject level =
                browser.picture.get(60, TimeUnit.SECONDS).words().getAsJsonObject("level");
        assertThat(level.get("name").getAsString()).isEqualTo("floor");
        HttpResponse<byte[]> mesh = get("/scene/floor");
        assertThat(mesh.statusCode()).isEqualTo(200);
        ByteBuffer in = ByteBuffer.wrap(mesh.body()).order(ByteOrder.LITTLE_ENDIAN);
        assertThat(in.getInt()).isEqualTo(Mesh.SURFACES);
        assertThat(in.getInt()).as("the top alone is seen").isEqualTo(1);
        in.position(in.position() + 3);
        assertThat(in.get()).isEqualTo((byte) 4);
        List<List<Short>> corners = new ArrayList<>();
        while (in.hasRemaining()) {
            corners.add(List.of(in.getShort(), in.getShort(), in.getShort()));
        }
        assertThat(corners)
                .containsExactlyInAnyOrder(
                        List.of((short) 0, (short) 0, (short) 0),
                        List.of((short) 64, (short) 0, (short) 0),
                        List.of((short) 64, (short) 128, (short) 0),
                        List.of((short) 0, (short) 128, (short) 0));
        arena.setLevel(passed.get(), "quake2", new Level("unknown", bounds));
        assertThat(get("/scene/unknown").statusCode()).isEqualTo(404);
    }

    private HttpResponse<byte[]> get(String path, String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri("http", path));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return http.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
    }

    @Test
    void servesPageAndLibrary() throws Exception {
        for (String path :
                List.of(
                        "/",
                        "/icon.svg",
                        "/map/main.js",
                        "/map/map.css",
                        "/lib/three.module.min.js",
                        "/lib/three.core.min.js")) {
            HttpResponse<String> page =
                    http.send(
                            HttpRequest.newBuilder(uri("http", path)).build(),
                            HttpResponse.BodyHandlers.ofString());
            assertThat(page.statusCode()).as(path).isEqualTo(200);
            assertThat(page.headers().firstValue("Content-Security-Policy"))
                    .as(path)
                    .hasValueSatisfying(policy -> assertThat(policy).doesNotContain("unsafe"));
        }
    }

    @Test
    @DisplayName("F8 a name with markup travels as text")
    void encodesNames() throws Exception {
        Browser browser = new Browser();
        connect(browser);
        assertThat(
                        browser.picture
                                .get(60, TimeUnit.SECONDS)
                                .words()
                                .getAsJsonArray("players")
                                .toString())
                .contains("\"" + SCRIPT + "\"");
    }

    @ParameterizedTest
    @DisplayName("G9 F8 only the hosts that are served are answered, and only their own pages")
    @CsvSource({
        "127.0.0.1:PORT,       '',                              true",
        "127.0.0.1:PORT,       http://127.0.0.1:PORT,           true",
        "localhost:PORT,       http://localhost:PORT,           true",
        "LOCALHOST:PORT,       http://localhost:PORT,           true",
        "map.example.org,      https://map.example.org,         true",
        "map.example.org:PORT, '',                              true",
        "evil.example:PORT,    '',                              false",
        "evil.example:PORT,    http://127.0.0.1:PORT,           false",
        "127.0.0.1:PORT,       http://evil.example,             false",
        "127.0.0.1:PORT,       http://evil.example:PORT,        false",
        "evil.example:PORT,    http://evil.example:PORT,        false",
        "evil.example,         http://evil.example,             false",
        "'',                   '',                              false",
        "'',                   http://127.0.0.1:PORT,           false",
        "127.0.0.1:PORT,       http://127.0.0.1,                false",
        "127.0.0.1:PORT,       http://localhost:PORT,           false",
        "127.0.0.1:PORT,       null,                            false",
        "null,                 null,                            false",
        "127.0.0.2:PORT,       '',                              false",
        "10.0.0.1:PORT,        '',                              false",
        "127.0.0.1.evil:PORT,  '',                              false",
        "localhost.evil:PORT,  http://localhost.evil:PORT,      false",
        "localhost:x,          '',                              false",
        "'@127.0.0.1:PORT',    '',                              false",
    })
    void answersOnlyServedHosts(String host, String origin, boolean served) throws IOException {
        String[] headers = headers(host, origin).toArray(String[]::new);
        for (String path : List.of("/", "/map/main.js", "/scene/flat", "/lib/three.core.min.js")) {
            assertThat(status(path, headers)).as(path).isIn(served ? List.of(200) : REFUSED);
        }
        assertThat(status("/live", headers)).isIn(served ? List.of(101) : REFUSED);
    }

    @Test
    @DisplayName("F8 what a browser sends closes its socket, whatever its size")
    void closesSocketOnInput() throws Exception {
        Browser small = new Browser(true);
        connect(small).sendText("hello", true);
        assertThat(small.closed.get(60, TimeUnit.SECONDS)).isEqualTo(1008);
        Browser large = new Browser();
        // The server may reset the connection while the rest is sent: then only that fails.
        connect(large)
                .sendText("x".repeat(1 << 20), true)
                .whenComplete((_, failure) -> {
                    if (failure != null) {
                        large.closed.complete(-1);
                    }
                });
        assertThat(large.closed.get(60, TimeUnit.SECONDS)).isNotEqualTo(1000);
    }

    @Test
    @DisplayName("F8 sockets over the limit are refused, wherever they come from")
    void limitsSockets() throws Exception {
        List<Browser> browsers = new ArrayList<>();
        for (int i = 0; i < LiveMap.MAX_SOCKETS; i++) {
            Browser browser = new Browser();
            connectFrom(i / LiveMap.MAX_SOCKETS_PER_ADDRESS + 1, browser);
            browsers.add(browser);
        }
        for (Browser browser : browsers) {
            browser.picture.get(60, TimeUnit.SECONDS);
        }
        assertThatThrownBy(() -> connect(new Browser()))
                .hasCauseInstanceOf(WebSocketHandshakeException.class);
    }

    @Test
    @DisplayName("G22 64 idle sockets of one address at once have a few places, and not for long")
    void limitsSocketsPerAddress() throws Exception {
        List<Browser> idle = new ArrayList<>();
        List<CompletableFuture<?>> handshakes = new ArrayList<>();
        for (int i = 0; i < 64; i++) {
            Browser browser = new Browser(true);
            idle.add(browser);
            handshakes.add(
                    http.newWebSocketBuilder()
                            .header("X-Forwarded-For", "10.0.0." + i + ", 192.0.2.1, 127.0.0.9")
                            .buildAsync(uri("ws", "/live"), browser)
                            .whenComplete((_, refused) -> {
                                if (refused != null) {
                                    browser.closed.complete(503);
                                }
                            }));
        }
        for (CompletableFuture<?> handshake : handshakes) {
            handshake.exceptionally(_ -> null).get(60, TimeUnit.SECONDS);
        }
        for (Browser browser : idle) {
            CompletableFuture.anyOf(browser.picture, browser.closed).get(60, TimeUnit.SECONDS);
        }
        assertThat(idle.stream().filter(browser -> browser.picture.isDone()))
                .hasSize(LiveMap.MAX_SOCKETS_PER_ADDRESS);
        Browser other = new Browser();
        connectFrom(1, other);
        other.picture.get(60, TimeUnit.SECONDS);

        passed.addAndGet(TimeUnit.MILLISECONDS.toNanos(LiveMap.IDLE_TIMEOUT_MILLIS / 2));
        other.pictures.drainPermits();
        other.pictures.acquire(2);
        assertThat(idle.stream().filter(browser -> !browser.closed.isDone()))
                .hasSize(LiveMap.MAX_SOCKETS_PER_ADDRESS);
        passed.addAndGet(TimeUnit.MILLISECONDS.toNanos(LiveMap.IDLE_TIMEOUT_MILLIS / 2 + 1));
        for (Browser browser : idle) {
            browser.closed.get(60, TimeUnit.SECONDS);
        }
        other.pictures.drainPermits();
        other.pictures.acquire(2);
        Browser again = new Browser();
        connect(again);
        again.picture.get(60, TimeUnit.SECONDS);
        assertThat(other.closed).isNotDone();
    }

    @Test
    @DisplayName("F8 what is said to be seen before it was shown closes the socket")
    void closesSocketOnFutureView() throws Exception {
        Browser browser = new Browser(true);
        WebSocket socket = connect(browser);
        // A picture that is sent between the two makes the second right: then the next pair.
        while (!browser.closed.isDone()) {
            if (browser.pictures.tryAcquire(10, TimeUnit.MILLISECONDS)) {
                socket.sendText("seen", true).get(60, TimeUnit.SECONDS);
                socket.sendText("seen", true).get(60, TimeUnit.SECONDS);
            }
        }
        assertThat(browser.closed.get(60, TimeUnit.SECONDS)).isEqualTo(1008);
    }

    @Test
    void reportsPortInUseInOneLine() {
        assertThatThrownBy(() ->
                        WebServer.start(
                                new InetSocketAddress(InetAddress.getLoopbackAddress(), map.port()),
                                new WebHosts(List.of()),
                                List.of()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("cannot bind TCP")
                .hasMessageContaining(":" + map.port());
    }
}
