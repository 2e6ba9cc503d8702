package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.app.Shell;
import dev.wishdir.app.command.Games;
import dev.wishdir.app.serve.TestServer;
import dev.wishdir.arena.Arena;
import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.combat.ArmourRule;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.DamageMeans;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.MatchMode;
import dev.wishdir.arena.event.NativeMovement;
import dev.wishdir.arena.event.Vitals;
import dev.wishdir.arena.match.MatchRules;
import dev.wishdir.blocks.arena.ArenaCatalog;
import dev.wishdir.blocks.arena.ArenaText;
import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.game.Game;
import dev.wishdir.game.NoOpViewer;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.record.file.RecordingInfo;
import dev.wishdir.record.file.RecordingWriter;
import dev.wishdir.record.message.RecordingOptions;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The page of {@code report} in a browser: its tables and charts fit screens of all widths. */
class ReportIT {
    private static final Path PICTURES = Path.of("target", "pictures");
    private static final long START = 1_764_100_800_000_000_000L;
    private static final long TICK = 100_000_000;
    private static final int ROUND_SECONDS = 20;
    private static final BlockArena HALL = ArenaCatalog.shipped("hall");

    /** Tables whose columns do not all fit. */
    private static final String CUT_TABLES =
            "[...document.querySelectorAll('.scroll')].filter(each => each.scrollWidth >"
                    + " each.clientWidth).map(each => each.innerText).join()";

    /** Texts of cells that nearly touch the one before. */
    private static final String TOUCHING_CELLS =
            """
            [...document.querySelectorAll('tr')].flatMap(row => {
              const boxes = [...row.cells].map(cell => {
                const text = document.createRange();
                text.selectNodeContents(cell);
                return text.getBoundingClientRect();
              });
              return [...row.cells].filter((_, i) => i > 0 && boxes[i].left - boxes[i - 1].right < 6).map(cell => cell.innerText);
            }).join()\
            """;

    /** Texts of charts that lie on each other, or outside of their chart. */
    private static final String BAD_TEXTS =
            """
            [...document.querySelectorAll('svg')].flatMap(svg => {
              const boxes = [...svg.querySelectorAll('text')].map(text => [text.textContent, text.getBoundingClientRect()]);
              const edge = svg.getBoundingClientRect();
              return boxes.filter(([, a], i) => a.left < edge.left - 1 || a.right > edge.right + 1
                || boxes.slice(i + 1).some(([, b]) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom))
                .map(([text]) => text);
            }).join()\
            """;

    @TempDir Path folder;

    /** Two rounds and the beginning of a third one, of players with long names. */
    private Path record() throws IOException {
        Path file = folder.resolve("match.mcap");
        RecordingInfo info =
                new RecordingInfo("test", "", HALL.name(), Instant.ofEpochSecond(0, START));
        Level level = Level.of(HALL);
        try (RecordingWriter writer =
                RecordingWriter.create(
                        file, info, Optional.of(ArenaText.write(HALL)), RecordingOptions.DEFAULT)) {
            Arena arena = new Arena(level, 16);
            arena.setMatchRules(
                    MatchRules.of(MatchMode.TEAM)
                            .withTimes(
                                    Duration.ofSeconds(ROUND_SECONDS),
                                    Duration.ZERO,
                                    Duration.ofSeconds(2)));
            arena.addListener(writer);
            List<ArenaPlayer> players = new ArrayList<>();
            for (Game game : Games.ALL) {
                writer.onEvent(
                        new ArenaEvent.LevelChanged(START, game.name(), level, level.bounds()));
                players.add(
                        arena.join(
                                START,
                                game.name(),
                                "Somebody_with_a_long_name_" + players.size(),
                                new NoOpViewer()));
            }
            long now = START;
            for (int i = 0; i < 10 * (2 * ROUND_SECONDS + 10); i++) {
                now += TICK;
                for (ArenaPlayer player : players) {
                    int number = player.id().number();
                    Vec3 at = HALL.spawns().get(number).position();
                    if (!player.combatant().isAlive()) {
                        player.combatant().beginLife(now, new Vitals(100, 0, 0), ArmourRule.EXACT);
                        player.spawn(now, Movement.at(at, 0));
                    }
                    Vec3 away = new Vec3(0.3 * Math.sin(i / 3.0), 0.3 * Math.cos(i / 3.0), 0);
                    player.recordActivity(now);
                    player.move(now, Movement.at(at.plus(away), 0), NativeMovement.Stored.NONE);
                }
                ArenaPlayer attacker = players.get(i / 10 % players.size());
                ArenaPlayer victim = players.get((i / 10 + 1) % players.size());
                attacker.combatant()
                        .hit(now, victim.id(), DamageMeans.MACHINE_GUN, 40, Vec3.ZERO, Vec3.ZERO);
                arena.advance(now);
            }
        }
        return file;
    }

    @Test
    void fitsScreensOfAllWidths() throws Exception {
        Chromium.need();
        Path page = folder.resolve("report.html");
        Shell.Run run =
                new Shell(Games.ALL.toArray(Game[]::new))
                        .run("report", record().toString(), "--html", page.toString());
        assertThat(run.status()).as(run.err()).isZero();
        try (Chromium browser = new Chromium(Files.createDirectories(folder.resolve("browser")))) {
            for (int width : new int[] {1440, 390}) {
                browser.size(width, 844);
                browser.open(page.toUri().toString());
                browser.await(
                        "innerWidth === "
                                + width
                                + " && document.querySelectorAll('svg').length > 1");
                assertThat(browser.value("document.querySelectorAll('.scroll').length").getAsInt())
                        .isGreaterThan(3);
                assertThat(browser.value(CUT_TABLES).getAsString()).as("at %s", width).isEmpty();
                assertThat(browser.value(TOUCHING_CELLS).getAsString())
                        .as("at %s", width)
                        .isEmpty();
                assertThat(browser.value(BAD_TEXTS).getAsString()).as("at %s", width).isEmpty();
                assertThat(browser.value("document.documentElement.scrollWidth").getAsInt())
                        .isLessThanOrEqualTo(width);
                browser.picture(PICTURES.resolve("report-" + width + ".png"));
            }
            browser.checkComplaints();
        }
    }

    /** The page of load, with its figures and the legends of its plots. */
    @Test
    void fitsPhoneWithFiguresOfLoad() throws Exception {
        Chromium.need();
        Path page = folder.resolve("load.html");
        Game game = Games.ALL.getFirst();
        try (TestServer server = TestServer.start(game, 8, "")) {
            Shell.Run run =
                    new Shell(game)
                            .run(
                                    "load",
                                    game.name(),
                                    server.address(),
                                    "--clients",
                                    "3",
                                    "--seconds",
                                    "2",
                                    "--warm-up",
                                    "0",
                                    "--html",
                                    page.toString());
            assertThat(run.status()).as(run.err()).isZero();
        }
        try (Chromium browser = new Chromium(Files.createDirectories(folder.resolve("browser")))) {
            browser.size(390, 844);
            browser.open(page.toUri().toString());
            browser.await(
                    "innerWidth === 390 && document.querySelectorAll('.u-legend').length > 0");
            assertThat(browser.value("document.documentElement.scrollWidth").getAsInt())
                    .isLessThanOrEqualTo(390);
            assertThat(browser.value(TOUCHING_CELLS).getAsString()).isEmpty();
            browser.picture(PICTURES.resolve("load-390.png"));
            browser.checkComplaints();
        }
    }
}
