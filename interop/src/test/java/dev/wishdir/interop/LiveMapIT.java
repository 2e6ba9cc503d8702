package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import static java.util.Objects.requireNonNull;

import com.google.gson.Gson;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;

import dev.wishdir.app.command.Web;
import dev.wishdir.arena.Arena;
import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.combat.ArmourRule;
import dev.wishdir.arena.combat.Combatant;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.DamageMeans;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.MatchMode;
import dev.wishdir.arena.event.NativeMovement;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerAction;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.event.Vitals;
import dev.wishdir.arena.event.WeaponNames;
import dev.wishdir.arena.match.MatchRules;
import dev.wishdir.arena.relay.ConnectionStats;
import dev.wishdir.blocks.arena.ArenaCatalog;
import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.game.BotController;
import dev.wishdir.game.BotController.PlayerInput;
import dev.wishdir.game.Endpoint;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.game.Game;
import dev.wishdir.game.NoOpViewer;
import dev.wishdir.game.level.SharedArena;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Stance;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.limit.AddressLimits;
import dev.wishdir.net.limit.AddressRange;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.netty.NettyLoop;
import dev.wishdir.web.WebHosts;
import dev.wishdir.web.WebServer;
import dev.wishdir.web.map.LiveMap;
import dev.wishdir.web.map.LivePlayers;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The live map as a real browser draws it, compared with what the server reports of its players.
 */
@Timeout(600)
class LiveMapIT {
    private static final Path PICTURES = Path.of("target", "screenshots").toAbsolutePath();
    private static final BlockArena HALL = ArenaCatalog.shipped("hall");
    private static final Duration SOON = Duration.ofMinutes(2);
    private static final Duration STALL = Duration.ofSeconds(4);

    private static final List<String> NAMES =
            List.of(
                    "Ada",
                    "Grace",
                    "Edsger",
                    "Barbara",
                    "Dennis",
                    "Frances",
                    "Niklaus",
                    "Radia",
                    "Alan",
                    "Hedy",
                    "Donald",
                    "Margaret");

    private final NettyLoop loop = new NettyLoop("map");
    private final DutyCycle cycle = loop.cycle();
    private final Arena arena = new Arena(Level.of(HALL), 256);
    private final LivePlayers livePlayers = new LivePlayers(WeaponNames.MEANS);

    /** Where each was, by milliseconds of the server's clock. */
    private final Ways ways = new Ways();

    private WebServer server;
    private Chromium browser;

    @BeforeEach
    void open(@TempDir Path directory) throws Exception {
        Chromium.need();
        Bot.on(
                cycle,
                () -> {
                    cycle.add(arena::advance);
                    arena.addListener(livePlayers);
                    arena.addListener(this::told);
                    return true;
                });
        server = serve(0);
        browser = new Chromium(directory);
        browser.size(1280, 800);
        browser.prefers("dark");
    }

    @AfterEach
    void close() {
        if (browser != null) {
            browser.close();
            server.close();
        }
        loop.close();
    }

    private WebServer serve(int port) throws IOException {
        return WebServer.start(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
                new WebHosts(List.of()),
                List.of(
                        new LiveMap(livePlayers, List.of(HALL), _ -> Optional.empty(), cycle::now),
                        Web.styles()));
    }

    private void told(ArenaEvent event) {
        switch (event) {
            case ArenaEvent.Spawned(long time, Player who, Movement at) -> went(time, who, at);
            case ArenaEvent.Moved(long time, Player who, Movement at) -> went(time, who, at);
            default -> {}
        }
    }

    private void went(long time, Player who, Movement at) {
        ways.put(who.id().number(), TimeUnit.NANOSECONDS.toMillis(time), at.position());
    }

    /** In circles, some of them crouched, some in leaps. */
    private static BotController circles(int number) {
        return (now, _) -> {
            double yaw = (now / 1e9 * 45 + number * 67) % 360;
            return new PlayerInput(yaw, 0, 0.8, 0, number % 4 == 3, number % 4 == 2);
        };
    }

    /** Bots of all games, three of each. */
    private void bots() {
        Map<String, Endpoint> endpoints = new LinkedHashMap<>();
        Bot.on(
                cycle,
                () -> {
                    AddressLimits addressLimits =
                            AddressLimits.trusting(List.of(AddressRange.parse("127.0.0.1")), 1);
                    SharedArena sharedArena = new SharedArena(cycle, arena, HALL, List.of(HALL));
                    for (Game game : FourGames.ALL) {
                        InetSocketAddress any =
                                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
                        endpoints.put(
                                game.name(),
                                game.serve(
                                        EndpointContext.builder(cycle, any, arena)
                                                .sharedArena(sharedArena)
                                                .addressLimits(addressLimits)
                                                .random(new Random(1))
                                                .build()));
                    }
                    return true;
                });
        List<Bot> bots = new ArrayList<>();
        for (int i = 0; i < NAMES.size(); i++) {
            Game game = FourGames.ALL.get(i % FourGames.ALL.size());
            bots.add(
                    new Bot(
                            loop,
                            game,
                            requireNonNull(endpoints.get(game.name())).address(),
                            NAMES.get(i),
                            circles(i)));
        }
        bots.forEach(Bot::awaitJoined);
        bots.getFirst().say("Who is on the gallery?");
        Peer.await("all have a body", SOON, () -> ways.players() == NAMES.size());
    }

    private void awaitAllInPlace() {
        ways.awaitAllInPlace(browser, "time", NAMES.size());
    }

    @Test
    void drawsPlayersAtServerPositions() throws Exception {
        bots();
        browser.open(server.url());
        browser.await("wishdir.state === 'live' && wishdir.scene === 'hall'");
        browser.await("wishdir.players.length === " + NAMES.size());
        for (int i = 0; i < 3; i++) {
            awaitAllInPlace();
        }
        assertThat(browser.value("wishdir.labels").getAsJsonArray()).isNotEmpty();
        browser.await("document.getElementById('chat').textContent.includes('on the gallery?')");
        browser.await("document.querySelectorAll('#players tr').length === " + NAMES.size());
        browser.picture(PICTURES.resolve("map.png"));

        // The first of the table is followed, by the keyboard; then with its eyes.
        browser.value("document.getElementById('stage').focus()");
        browser.key("KeyN", "n");
        browser.await("wishdir.view === 'follow' && wishdir.followed !== null");
        browser.await(near(8));
        browser.picture(PICTURES.resolve("map-follow.png"));
        browser.press("[data-view=eyes]");
        browser.await(near(2.2));
        browser.press("[data-view=top]");
        awaitAllInPlace();
        browser.picture(PICTURES.resolve("map-top.png"));

        int port = server.port();
        server.close();
        browser.await("wishdir.state === 'lost'");
        assertThat(browser.value("document.getElementById('state').textContent").getAsString())
                .contains("Connection lost");
        server = serve(port);
        browser.await("wishdir.state === 'live'");
        awaitAllInPlace();
        browser.checkComplaints("ERR_CONNECTION");
    }

    /** As after a sleep of the machine: the arena's clock stands still meanwhile. */
    @Test
    void drawsPlayersAtServerPositionsAfterStall() throws Exception {
        bots();
        Bot.on(
                cycle,
                () -> {
                    long end = System.nanoTime() + STALL.toNanos();
                    while (System.nanoTime() < end) {
                        LockSupport.parkNanos(end - System.nanoTime());
                    }
                    return true;
                });
        browser.open(server.url());
        browser.await("wishdir.players.length === " + NAMES.size());
        awaitAllInPlace();
        browser.checkComplaints();
    }

    /** Whether the camera is that near to the player that it follows. */
    private static String near(double metres) {
        return "(() => { const p = wishdir.players.find(p => p.id === wishdir.followed), c ="
                + " wishdir.camera; return Math.hypot(c[0] - p.x, c[1] - p.y, c[2] - p.z) < "
                + metres
                + "; })()";
    }

    @Test
    void showsMapFromAboveWithoutWebGl() throws Exception {
        bots();
        browser.prefers("light");
        browser.size(390, 780);
        browser.open(server.url() + "?flat");
        browser.await("wishdir.view === 'top' && wishdir.scene === 'hall'");
        awaitAllInPlace();
        // On a phone the list is below on demand, and the map has the whole width.
        assertThat(
                        browser.value("document.getElementById('stage').clientWidth === innerWidth")
                                .getAsBoolean())
                .isTrue();
        browser.press("#more");
        browser.await("document.getElementById('side').getBoundingClientRect().height > 100");
        browser.picture(PICTURES.resolve("map-phone.png"));
        browser.checkComplaints();
    }

    /** Whether two elements share a part of the page. */
    private static String overlap(String one, String other) {
        return String.format(
                Locale.ROOT,
                "(() => { const [a, b] = ['%s', '%s'].map(s =>"
                        + " document.querySelector(s).getBoundingClientRect()); return a.left <"
                        + " b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;"
                        + " })()",
                one,
                other);
    }

    /**
     * The cells of the scores that are below their part of the page, or are not as wide as their
     * text.
     */
    private static final String UNSEEN_SCORES =
            "(() => { const boards = document.getElementById('boards'), end ="
                    + " boards.getBoundingClientRect().bottom; return"
                    + " [...boards.querySelectorAll('th, td.number')].filter(cell =>"
                    + " cell.getBoundingClientRect().bottom > end + 1 || cell.scrollWidth >"
                    + " cell.clientWidth + 1).map(cell => cell.textContent).join(', '); })()";

    @Test
    void showsMatchAlsoOnPhone() throws Exception {
        Bot.on(
                cycle,
                () -> {
                    arena.setMatchRules(MatchRules.of(MatchMode.TEAM).withScoreLimit(20));
                    livePlayers.watch(arena.match());
                    cycle.add(now -> {
                        livePlayers.links(now, Map.of());
                        return now + 250_000_000;
                    });
                    return true;
                });
        List<ArenaPlayer> standing = standing();
        ArenaPlayer first = standing.get(0);
        ArenaPlayer second = standing.get(1);
        Bot.on(
                cycle,
                () -> {
                    for (ArenaPlayer each : standing) {
                        each.combatant()
                                .beginLife(cycle.now(), new Vitals(100, 0, 0), ArmourRule.EXACT);
                    }
                    return true;
                });
        browser.size(390, 844);
        browser.open(server.url());
        browser.await("wishdir.scene === 'hall' && wishdir.players.length === " + standing.size());
        browser.await(
                "/team match · round 1 · (10:00|9:5\\d) · to 20 frags · red 0 · blue 0/.test("
                        + "document.getElementById('match').textContent)");
        Bot.on(
                cycle,
                () -> {
                    cycle.add(now -> {
                        Vec3 at = second.snapshot().movement().position();
                        first.performAction(now, PlayerAction.ATTACK);
                        first.combatant()
                                .hit(now, second.id(), DamageMeans.RIFLE, 2, Vec3.ZERO, at);
                        return now + 400_000_000;
                    });
                    return true;
                });
        browser.await("wishdir.rays.length > 0 && wishdir.notes.includes('−2')");
        browser.press("[data-view=follow]");
        browser.await("document.getElementById('hint').textContent.includes('following')");
        for (String button : new String[] {"#theme", "#names", "#more", "[data-view=all]"}) {
            assertThat(browser.value(overlap("#hint", button)).getAsBoolean()).as(button).isFalse();
        }
        browser.press("#more");
        browser.await(
                "document.querySelectorAll('#boards tbody tr').length === " + standing.size());
        browser.await(
                "Number(document.querySelector('#boards tbody"
                        + " tr:nth-child(2)').cells[4].textContent) <= 98");
        assertThat(browser.value(overlap("#below", "#side")).getAsBoolean()).isFalse();
        assertThat(
                        browser.value(
                                        "document.getElementById('boards').scrollHeight ==="
                                                + " document.getElementById('boards').clientHeight")
                                .getAsBoolean())
                .isTrue();
        browser.picture(PICTURES.resolve("map-match-phone.png"));
        browser.press("#more");
        browser.press("#ask");
        assertThat(browser.value("document.getElementById('help').innerText").getAsString())
                .contains("two fingers");
        Bot.on(
                cycle,
                () -> {
                    first.combatant().setQuad(cycle.now() + Combatant.QUAD_NANOS);
                    return true;
                });
        browser.size(1440, 844);
        browser.await(
                "innerWidth === 1440 && [...document.querySelectorAll('#boards tbody"
                        + " tr')].filter(row => row.cells[0].textContent ==="
                        + " '◆ "
                        + first.snapshot().name()
                        + "').length === 1");
        assertThat(browser.value(UNSEEN_SCORES).getAsString()).isEmpty();
        Bot.on(
                cycle,
                () -> {
                    first.say(cycle.now(), "go");
                    return true;
                });
        browser.await(
                "(line => line &&"
                        + " getComputedStyle(line.firstChild).color === getComputedStyle("
                        + "[...document.querySelectorAll('#boards tbody tr')].find(row =>"
                        + " row.cells[0].textContent.startsWith('◆')).cells[0]).color)("
                        + "[...document.querySelectorAll('#chat li')].find(line =>"
                        + " line.textContent.endsWith(': go')))");
        browser.checkComplaints();
    }

    /** Four who stand, one of each game, on places of the arena. */
    private List<ArenaPlayer> standing() {
        List<ArenaPlayer> standing = new ArrayList<>();
        Bot.on(
                cycle,
                () -> {
                    for (int i = 0; i < FourGames.GAMES.size(); i++) {
                        String game = FourGames.GAMES.get(i);
                        String name = "somebody-of-" + game + "-" + i;
                        ArenaPlayer player = arena.join(cycle.now(), game, name, new NoOpViewer());
                        player.spawn(cycle.now(), HALL.spawns().get(i));
                        standing.add(player);
                    }
                    cycle.add(now -> {
                        standing.forEach(player -> player.recordActivity(now));
                        return now + 500_000_000;
                    });
                    return true;
                });
        return standing;
    }

    private void put(ArenaPlayer player, Vec3 at, double yaw) {
        Movement to = new Movement(at, yaw, 0, new Vec3(0, 0, 0), Stance.STANDING);
        Bot.on(
                cycle,
                () -> {
                    player.teleport(cycle.now(), to);
                    return true;
                });
        browser.await(
                String.format(
                        Locale.ROOT,
                        "(p => Math.hypot(p.x - %f, p.y - %f) < 0.1)(wishdir.players.find(p =>"
                                + " p.id === %d))",
                        at.x(),
                        at.y(),
                        player.id().number()));
    }

    /** Whether all who are there are on the picture. */
    private static final String ALL_IN_PICTURE =
            "wishdir.players.every(({ x, y, z }) => { const m = wishdir.matrix, at = i => m[i] * x"
                + " + m[4 + i] * y + m[8 + i] * z + m[12 + i]; return at(3) > 0 && Math.abs(at(0))"
                + " < at(3) && Math.abs(at(1)) < at(3); })";

    /** Waits for a picture that shows all, as the camera may still move in the first ones. */
    private void checkBodies(List<ArenaPlayer> standing, String name) {
        AssertionError[] missing = new AssertionError[1];
        Peer.await(
                () -> name + " to show all: " + missing[0],
                SOON,
                () -> {
                    try {
                        findBodies(standing, name);
                        return true;
                    } catch (AssertionError e) {
                        missing[0] = e;
                        return false;
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                });
    }

    private void findBodies(List<ArenaPlayer> standing, String name) throws IOException {
        BufferedImage picture = browser.picture(PICTURES.resolve(name));
        DrawnBodies drawn = new DrawnBodies(browser, "wishdir", 26);
        for (ArenaPlayer each : standing) {
            Player player = Bot.on(cycle, each::snapshot);
            drawn.check(picture, player.game(), player.movement().position());
        }
    }

    @Test
    void showsAllUntilUserMovesCamera() throws Exception {
        List<ArenaPlayer> standing = standing();
        browser.open(server.url());
        browser.await("wishdir.scene === 'hall' && wishdir.players.length === " + standing.size());
        browser.await(ALL_IN_PICTURE);
        checkBodies(standing, "map-standing.png");
        browser.press("#theme");
        browser.await("document.getElementById('theme').textContent === 'Theme: light'");
        checkBodies(standing, "map-standing-light.png");
        browser.press("#theme");

        Vec3 corner = HALL.bounds().max().minus(new Vec3(2, 2, 3));
        put(standing.getFirst(), corner, 0);
        browser.await("wishdir.view === 'all' && " + ALL_IN_PICTURE);
        checkBodies(standing.subList(0, 1), "map-corner.png");

        browser.value("document.getElementById('stage').focus()");
        browser.key("Slash", "?");
        browser.await("document.getElementById('help').open");
        browser.picture(PICTURES.resolve("map-help.png"));
        browser.key("Slash", "?");
        browser.await("!document.getElementById('help').open");
        browser.value("document.getElementById('stage').focus()");
        browser.key("ArrowLeft", "ArrowLeft");
        browser.value(
                "document.getElementById('stage').dispatchEvent(new WheelEvent('wheel', { deltaY: 1"
                        + " }))");
        browser.await("wishdir.view === 'free'");
        browser.awaitNextFrame();
        String taken = browser.value("JSON.stringify(wishdir.camera)").getAsString();
        put(standing.getFirst(), HALL.spawns().get(5).position(), 0);
        assertThat(browser.value("JSON.stringify(wishdir.camera)").getAsString()).isEqualTo(taken);
        browser.key("Home", "Home");
        browser.await("wishdir.view === 'all' && " + ALL_IN_PICTURE);
        browser.checkComplaints();
    }

    @Test
    void followsWithCameraBeforeWallsAndFromAbove() throws Exception {
        List<ArenaPlayer> standing = standing();
        browser.open(server.url());
        browser.await("wishdir.scene === 'hall' && wishdir.players.length === " + standing.size());
        // With the back to the eastern wall, which the camera would stand behind.
        ArenaPlayer first = standing.getFirst();
        Vec3 spawn = HALL.spawns().getFirst().position();
        double[] wall = {spawn.x(), spawn.y(), spawn.z()};
        put(first, new Vec3(HALL.bounds().max().x() - 1.6, wall[1], wall[2]), 180);
        browser.value("document.getElementById('stage').focus()");
        browser.key("KeyN", "n");
        browser.await(
                "wishdir.view === 'follow' && wishdir.followed === "
                        + first.id().number()
                        + " && document.getElementById('hint').textContent.includes('somebody')");
        String head =
                "(p => [p.x, p.y, p.z + 1.6])(wishdir.players.find(p => p.id ==="
                        + " wishdir.followed))";
        browser.await("wishdir.camera[0] > " + head + "[0]");
        // The whole of the way from the head to the camera.
        browser.await(
                "wishdir.sight("
                        + head
                        + ", wishdir.camera) === 1 && wishdir.camera[0] < "
                        + HALL.bounds().max().x());
        browser.picture(PICTURES.resolve("map-wall.png"));

        browser.press("[data-view=free]");
        browser.await(
                "wishdir.followed === null && document.getElementById('hint').textContent === ''");

        browser.press("[data-view=top]");
        browser.value("document.getElementById('stage').focus()");
        browser.key("KeyN", "n");
        String middle =
                "(p => wishdir.middle && Math.hypot(p.x - wishdir.middle.x, p.y - wishdir.middle.y)"
                        + " < 0.1)(wishdir.players.find(p => p.id === wishdir.followed))";
        browser.await("wishdir.view === 'top' && wishdir.followed !== null && " + middle);
        put(first, HALL.spawns().get(6).position(), 0);
        browser.await("wishdir.followed === " + first.id().number() + " && " + middle);
        browser.picture(PICTURES.resolve("map-top-follow.png"));

        // Names that differ at their ends stay distinct.
        assertThat(
                        browser.value(
                                        "[...document.querySelectorAll('#players .end')].map(each"
                                                + " => each.textContent).join()")
                                .getAsString())
                .isEqualTo("ten-0,ke2-1,ke3-2,ock-3");
        browser.checkComplaints();
    }

    @Test
    void servesPagesBelowPath() throws Exception {
        List<ArenaPlayer> standing = standing();
        try (PathProxy proxy = new PathProxy("/game", server.port())) {
            browser.open(proxy.url());
            browser.await("wishdir.state === 'live' && wishdir.scene === 'hall'");
            browser.await("wishdir.players.length === " + standing.size());
            browser.checkComplaints();
        }
    }

    /** What docs/PERFORMANCE.md has: mvn … -Dit.test=LiveMapIT -Dwishdir.map.measure=200. */
    @Test
    @EnabledIfSystemProperty(named = "wishdir.map.measure", matches = "\\d+")
    void boundsFramesAndBytesOfCrowd() {
        int players = Integer.getInteger("wishdir.map.measure");
        List<ArenaPlayer> standing = new ArrayList<>();
        Bot.on(
                cycle,
                () -> {
                    for (int i = 0; i < players; i++) {
                        String game = FourGames.GAMES.get(i % 4);
                        standing.add(arena.join(cycle.now(), game, "player" + i, new NoOpViewer()));
                        standing.get(i).spawn(cycle.now(), walking(i, cycle.now()));
                    }
                    return true;
                });
        try (ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor()) {
            clock.scheduleAtFixedRate(
                    () ->
                            cycle.execute(() -> {
                                for (int i = 0; i < players; i++) {
                                    Movement to = walking(i, cycle.now());
                                    standing.get(i).recordActivity(cycle.now());
                                    standing.get(i)
                                            .move(cycle.now(), to, NativeMovement.Stored.NONE);
                                }
                                lines(standing, cycle.now());
                            }),
                    33,
                    33,
                    TimeUnit.MILLISECONDS);
            browser.open(server.url());
            browser.await("wishdir.scene === 'hall' && wishdir.players.length === " + players);
            browser.await("wishdir.frames.length > 60");
            double before = browser.value("wishdir.bytes").getAsDouble();
            double pictures = browser.value("wishdir.pictures").getAsDouble();
            long began = System.nanoTime();
            LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(15));
            double seconds = (System.nanoTime() - began) / 1e9;
            double bytes = (browser.value("wishdir.bytes").getAsDouble() - before) / seconds;
            double rate = (browser.value("wishdir.pictures").getAsDouble() - pictures) / seconds;
            System.out.printf(
                    "%d players: %.0f bytes/s in %.1f pictures/s; before %d bytes/s in 10;"
                            + " frames, ms: %s; script of a frame, ms: %s%n",
                    players,
                    bytes,
                    rate,
                    10 * json().getBytes(StandardCharsets.UTF_8).length,
                    spread("frames"),
                    spread("work"));
            clock.shutdownNow();
        }
    }

    /** As much as comes and goes of real players. */
    private void lines(List<ArenaPlayer> standing, long now) {
        Map<PlayerId, ConnectionStats> links = new LinkedHashMap<>();
        for (ArenaPlayer player : standing) {
            long sent = now / 33_000_000 + player.id().number();
            links.put(
                    player.id(),
                    new ConnectionStats(
                            sent, 40 * sent, sent, sent / 100, 3 * sent, 300 * sent, 0));
        }
        livePlayers.links(now, links);
    }

    private static Movement walking(int number, long now) {
        double angle = now / 1e9 * 0.5 + number;
        double far = 3 + number % 20;
        return new Movement(
                new Vec3(far * Math.cos(angle), far * Math.sin(angle), 1 + number % 5),
                Math.toDegrees(angle + Math.PI / 2) % 360,
                0,
                new Vec3(0, 0, 0),
                Stance.STANDING);
    }

    /** The median and the 95th percentile of the newest frames. */
    private String spread(String what) {
        JsonArray values = browser.value("wishdir." + what + ".slice(-200)").getAsJsonArray();
        List<Double> sorted =
                values.asList().stream().map(JsonElement::getAsDouble).sorted().toList();
        return String.format(
                "median %.1f, 95 of 100 below %.1f",
                sorted.get(sorted.size() / 2), sorted.get(sorted.size() * 95 / 100));
    }

    /** A picture as it was until 0.2.0. */
    private String json() {
        List<Map<String, Object>> players = new ArrayList<>();
        for (LivePlayers.Entry entry : livePlayers.entries()) {
            Map<String, Object> player = new LinkedHashMap<>();
            player.put("id", entry.id());
            player.put("game", entry.game());
            player.put("name", entry.name());
            Vec3 at = entry.movement().position();
            player.put(
                    "position",
                    List.of(
                            Math.rint(at.x() * 100) / 100,
                            Math.rint(at.y() * 100) / 100,
                            Math.rint(at.z() * 100) / 100));
            player.put("yaw", Math.rint(entry.movement().yaw()));
            players.add(player);
        }
        return new Gson()
                .toJson(Map.of("bounds", List.of(-24.0, -24.0, 24.0, 24.0), "players", players));
    }
}
