package dev.wishdir.app.record;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.app.Shell;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.NativeMovement;
import dev.wishdir.arena.event.Player;
import dev.wishdir.game.Game;
import dev.wishdir.quake2.Quake2Game;
import dev.wishdir.record.file.EventCursor;
import dev.wishdir.record.file.Recording;
import dev.wishdir.sauerbraten.SauerbratenGame;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

class RecordCommandTest {
    private static final Path WALK =
            Path.of("../sauerbraten/src/test/resources/captures/solo_walk.pcap");
    private static final Path DEMO = Path.of("../quake2/src/test/resources/captures/12-demo.dm2");
    private static final double QUANTUM_METRES = 1.0 / 1024;

    @TempDir Path folder;

    private static Shell shell() {
        return new Shell(new SauerbratenGame(), new Quake2Game());
    }

    private static List<ArenaEvent> converted(Game game, Path file) throws IOException {
        List<ArenaEvent> events = new ArrayList<>();
        new CaptureConverter(List.of(game), List.of(), events::add).convert(file);
        return events;
    }

    private static List<ArenaEvent> recorded(Path file) throws IOException {
        List<ArenaEvent> events = new ArrayList<>();
        try (Recording recording = Recording.open(file)) {
            EventCursor cursor = recording.events(0, Long.MAX_VALUE);
            while (cursor.next()) {
                events.add(cursor.event());
            }
            assertThat(recording.isComplete()).isTrue();
        }
        return events;
    }

    @Test
    void writesCaptureAsRecording() throws IOException {
        Path out = folder.resolve("walk.mcap");

        Shell.Run run = shell().run("record", "--from", WALK.toString(), "--out", out.toString());

        assertThat(run.status()).as(run.err()).isZero();
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).contains("1 player, 430 movements");
        List<ArenaEvent> expected = converted(new SauerbratenGame(), WALK);
        List<ArenaEvent> events = recorded(out);
        assertThat(events).hasSameSizeAs(expected);
        for (int i = 0; i < events.size(); i++) {
            assertThat(events.get(i)).hasSameClassAs(expected.get(i));
            assertThat(Math.abs(events.get(i).time() - expected.get(i).time())).isLessThan(1_000);
            if (expected.get(i) instanceof ArenaEvent.Moved moved) {
                Player player = ((ArenaEvent.Moved) events.get(i)).player();
                assertThat(player.name()).isEqualTo("alice");
                assertThat(player.movement().position().distance(moved.movement().position()))
                        .isLessThan(QUANTUM_METRES);
                NativeMovement form = player.nativeMovement();
                assertThat(form.form()).isEqualTo("sauerbraten/260");
                assertThat(form.bytes()).isEqualTo(moved.player().nativeMovement().bytes());
            }
        }
    }

    @Test
    void readsDemoFromZero() throws IOException {
        Path out = folder.resolve("demo.mcap");

        Shell.Run run = shell().run("record", "--from", DEMO.toString(), "--out", out.toString());

        assertThat(run.status()).as(run.err()).isZero();
        List<ArenaEvent> events = recorded(out);
        assertThat(events.getFirst().time()).isZero();
        assertThat(events.getLast().time()).isBetween(2_000_000_000L, 4_000_000_000L);
    }

    @Test
    void keepsWhatPrecedesDamageAndFails() throws IOException {
        byte[] whole = Files.readAllBytes(WALK);
        Path cut = folder.resolve("cut.pcap");
        Files.write(cut, Arrays.copyOf(whole, whole.length / 2));
        Path out = folder.resolve("cut.mcap");

        Shell.Run run = shell().run("record", "--from", cut.toString(), "--out", out.toString());

        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err()).contains(cut.toString());
        assertThat(recorded(out)).hasSizeGreaterThan(100);
    }

    @Test
    void neverOverwrites() throws IOException {
        Path out = Files.writeString(folder.resolve("there.mcap"), "mine");

        Shell.Run run = shell().run("record", "--from", WALK.toString(), "--out", out.toString());

        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err()).contains("never overwritten");
        assertThat(out).hasContent("mine");
    }

    @Test
    void refusesWrongUsage() {
        String out = folder.resolve("x.mcap").toString();
        assertThat(shell().run("record", "--out", out).status()).isEqualTo(2);
        assertThat(shell().run("record", "sauerbraten", "--out", out).status()).isEqualTo(2);
        assertThat(
                        shell().run("record", "quake2", "::1", "--from", "a.pcap", "--out", out)
                                .status())
                .isEqualTo(2);
        assertThat(shell().run("record", "quake2", "8.8.8.8", "--out", out).err())
                .contains("--allow-public");
        assertThat(Path.of(out)).doesNotExist();
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void refusesToRepairPipe() {
        Shell.Run run = shell().run("record", "--repair", "/dev/null");
        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err())
                .contains(
                        "cannot repair /dev/null: it is a pipe or a device; give the file itself");
    }

    @Test
    void repairsCutRecording() throws IOException {
        Path whole = folder.resolve("walk.mcap");
        shell().run("record", "--from", WALK.toString(), "--out", whole.toString());
        byte[] bytes = Files.readAllBytes(whole);
        Path cut = folder.resolve("cut.mcap");
        Files.write(cut, Arrays.copyOf(bytes, bytes.length * 3 / 4));
        Shell.Run run = shell().run("record", "--repair", cut.toString(), whole.toString());
        assertThat(run.status()).isZero();
        assertThat(run.err()).contains(cut + ": repaired: ").contains(whole + ": complete already");
        List<ArenaEvent> kept = recorded(cut);
        assertThat(recorded(whole).subList(0, kept.size())).isEqualTo(kept);
        assertThat(shell().run("record", "--repair", WALK.toString()).err())
                .contains("cannot repair " + WALK);
        assertThat(shell().run("record", "--repair", cut.toString(), "--out", "x").status())
                .isEqualTo(2);
    }
}
