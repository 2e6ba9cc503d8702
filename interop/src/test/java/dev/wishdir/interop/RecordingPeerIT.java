package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.NativeMovement;
import dev.wishdir.game.BotController.PlayerInput;
import dev.wishdir.game.Game;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.net.simulation.SimulatedNetwork.Conditions;
import dev.wishdir.record.file.RecordingInfo;
import dev.wishdir.record.file.RecordingWriter;
import dev.wishdir.record.message.RecordingOptions;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;

/**
 * A recording of bots of all four games, over a bad network, is decoded by independent readers:
 * {@code @mcap/core}, and protobufjs with the descriptors that the file carries.
 */
@Timeout(600)
class RecordingPeerIT {
    private static final long SECOND = 1_000_000_000;
    private static final Duration LIMIT = Duration.ofMinutes(2);

    @RegisterExtension
    private final Npm npm =
            new Npm(
                    Path.of("target/mcap-peers").toAbsolutePath(),
                    Path.of("src/test/peers/mcap"),
                    "@mcap/core",
                    "fzstd",
                    "protobufjs");

    @TempDir private Path folder;

    private final List<ArenaEvent> happened = new ArrayList<>();

    /** Forty seconds of two bots of each game, 5 % loss, 40 ms of jitter. */
    private Path record() throws IOException {
        Path file = folder.resolve("bots.mcap");
        SimulatedNetwork network = new SimulatedNetwork(3);
        Random random = new Random(3);
        RecordingInfo info = new RecordingInfo("test", "", "flat", Instant.EPOCH);
        try (RecordingWriter writer =
                        RecordingWriter.create(
                                file, info, Optional.empty(), RecordingOptions.DEFAULT);
                FourGames server = new FourGames(network, random, 16)) {
            server.arena().addListener(happened::add);
            server.arena().addListener(writer);
            List<TestClient> bots = new ArrayList<>();
            for (Game game : FourGames.ALL) {
                for (int i = 0; i < 2; i++) {
                    double turn = random.nextDouble() * 360;
                    bots.add(
                            server.guest(
                                    game,
                                    game.name() + i,
                                    (now, _) ->
                                            PlayerInput.walk(
                                                    (now / 1e9 * 60 + turn) % 360, now / 5e7, 0)));
                }
            }
            server.await(bots);
            network.conditions(new Conditions(0.05, 0.01, 20_000_000, 40_000_000));
            bots.getFirst().client.say("hello");
            network.run(40 * SECOND);
            bots.getLast().client.close();
            network.run(5 * SECOND);
        }
        return file;
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.7f", value + 0.0);
    }

    private static String rounded(double value, int steps) {
        return number((float) (Math.rint(value * steps) / steps));
    }

    private static String vector(Vec3 v, int steps) {
        return rounded(v.x(), steps) + " " + rounded(v.y(), steps) + " " + rounded(v.z(), steps);
    }

    private static String vector(JsonObject v) {
        return number(v.get("x").getAsDouble())
                + " "
                + number(v.get("y").getAsDouble())
                + " "
                + number(v.get("z").getAsDouble());
    }

    private static String line(long time, int player, Movement m, NativeMovement nativeForm) {
        double yaw = Math.rint(m.yaw() * 64) / 64;
        return time / 1000
                + " "
                + player
                + " at "
                + vector(m.position(), 1024)
                + " view "
                + number((float) (yaw >= 360 ? yaw - 360 : yaw))
                + " "
                + rounded(m.pitch(), 64)
                + " speed "
                + vector(m.velocity(), 128)
                + " stance "
                + m.stance().bits()
                + " "
                + nativeForm.form()
                + " "
                + Base64.getEncoder().encodeToString(nativeForm.bytes().toArray());
    }

    private static String line(long time, JsonObject move, JsonArray forms) {
        int form = move.get("form").getAsInt();
        return (time / 1000 + move.get("after_us").getAsLong())
                + " "
                + move.get("player").getAsInt()
                + " at "
                + vector(move.getAsJsonObject("position"))
                + " view "
                + number(move.get("yaw").getAsDouble())
                + " "
                + number(move.get("pitch").getAsDouble())
                + " speed "
                + vector(move.getAsJsonObject("velocity"))
                + " stance "
                + move.get("stance").getAsInt()
                + " "
                + (form == 0 ? "" : forms.get(form - 1).getAsString())
                + " "
                + move.get("native").getAsString();
    }

    private static String title(ArenaEvent event) {
        String kind =
                switch (event) {
                    case ArenaEvent.MovementViolation _ -> "violation";
                    case ArenaEvent.AppearanceChanged _ -> "appearance";
                    case ArenaEvent.ActionPerformed _ -> "action";
                    case ArenaEvent.Chat e -> "chat " + e.text();
                    case ArenaEvent.Joined e -> "joined " + e.player().name();
                    case ArenaEvent.Left e -> "left " + e.reason().code();
                    default -> event.getClass().getSimpleName().toLowerCase(Locale.ROOT);
                };
        return event.time() / 1000
                + " "
                + (event instanceof ArenaEvent.OfPlayer of ? of.id().number() : 0)
                + " "
                + kind;
    }

    private static String title(long time, JsonObject event) {
        String kind = event.get("kind").getAsString();
        JsonObject fields = event.getAsJsonObject(kind);
        String detail =
                switch (kind) {
                    case "chat" -> " " + fields.get("text").getAsString();
                    case "joined" ->
                            " " + fields.getAsJsonObject("player").get("name").getAsString();
                    case "left" -> " " + fields.get("reason").getAsString();
                    default -> "";
                };
        return time / 1000
                + " "
                + event.getAsJsonObject("id").get("number").getAsInt()
                + " "
                + kind
                + detail;
    }

    @Test
    void decodesRecordingByItsOwnDescriptors() throws Exception {
        Path file = record();
        Peer peer = npm.node("decode.mjs", file.toString());
        int status = peer.awaitExit(LIMIT);
        assertThat(status).as(String.join("\n", peer.lines())).isZero();
        List<String> moves = new ArrayList<>();
        List<String> events = new ArrayList<>();
        JsonArray forms = new JsonArray();
        long lastSnapshot = -1;
        for (String text : peer.lines()) {
            JsonObject line = JsonParser.parseString(text).getAsJsonObject();
            long time = Long.parseLong(line.get("time").getAsString());
            JsonObject fields = line.getAsJsonObject("fields");
            switch (line.get("topic").getAsString()) {
                case "/moves" -> {
                    for (JsonElement move : fields.getAsJsonArray("moves")) {
                        moves.add(line(time, move.getAsJsonObject(), forms));
                    }
                }
                case "/events" -> events.add(title(time, fields));
                case "/snapshot" -> {
                    assertThat(time - lastSnapshot).isLessThan(6 * SECOND);
                    lastSnapshot = time;
                    forms = fields.getAsJsonArray("forms");
                }
                default -> throw new AssertionError(text);
            }
        }
        List<String> expectedMoves = new ArrayList<>();
        List<String> expectedEvents = new ArrayList<>();
        for (ArenaEvent event : happened) {
            if (event instanceof ArenaEvent.Moved e) {
                expectedMoves.add(
                        line(e.time(), e.id().number(), e.movement(), e.player().nativeMovement()));
            } else {
                expectedEvents.add(title(event));
            }
        }
        assertThat(moves).hasSizeGreaterThan(5_000).isEqualTo(expectedMoves);
        assertThat(events).hasSizeGreaterThan(15).containsExactlyElementsOf(expectedEvents);
    }
}
