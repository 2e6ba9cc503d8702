package dev.wishdir.bedrock.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.RateLimitedAction;
import dev.wishdir.bedrock.protocol.BedrockCodec;
import dev.wishdir.game.NoOpViewer;

import org.junit.jupiter.api.Test;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

/** What clients of this game do in all captures, and whether the arena's allowances cover it. */
class BedrockPaceTest {
    private static final Path CAPTURES = Path.of("src/test/resources/captures");
    private static final long SECOND = 1_000_000_000L;

    /** What a client did. */
    private record Done(String client, long time, RateLimitedAction action) {}

    private static List<Path> captures() throws IOException {
        try (Stream<Path> files = Files.walk(CAPTURES)) {
            return files.filter(file -> file.toString().endsWith(".expected.jsonl.gz"))
                    .sorted()
                    .toList();
        }
    }

    private static List<Done> done() throws IOException {
        List<Done> done = new ArrayList<>();
        for (Path capture : captures()) {
            try (BufferedReader lines =
                    new BufferedReader(
                            new InputStreamReader(
                                    new GZIPInputStream(Files.newInputStream(capture)),
                                    StandardCharsets.UTF_8))) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    JsonObject json = JsonParser.parseString(line).getAsJsonObject();
                    JsonElement way = json.get("dir");
                    if (way != null && way.getAsString().equals("c2s")) {
                        add(done, capture, json);
                    }
                }
            }
        }
        return done;
    }

    private static void add(List<Done> done, Path capture, JsonObject line) {
        String client = capture + " " + line.get("client");
        long time = (long) (line.get("time").getAsDouble() * SECOND);
        JsonElement blocks = line.getAsJsonObject("fields").get("block_actions");
        int built = blocks == null || !blocks.isJsonArray() ? 0 : blocks.getAsJsonArray().size();
        switch (line.get("name").getAsString()) {
            case "text", "command_request" ->
                    done.add(new Done(client, time, RateLimitedAction.CHAT));
            case "player_skin" -> done.add(new Done(client, time, RateLimitedAction.CHANGE));
            case "respawn" -> done.add(new Done(client, time, RateLimitedAction.LIFE));
            case "animate", "player_action", "inventory_transaction" ->
                    done.add(new Done(client, time, RateLimitedAction.ACT));
            default -> {}
        }
        for (int i = 0; i < built; i++) {
            done.add(new Done(client, time, RateLimitedAction.ACT));
        }
    }

    @Test
    void allowsWhatClientsDo() throws IOException {
        Arena arena = new Arena(Level.BOX, 1000);
        Map<String, ArenaPlayer> players = new HashMap<>();
        for (Done each : done()) {
            ArenaPlayer player =
                    players.computeIfAbsent(
                            each.client,
                            client ->
                                    arena.join(
                                            each.time,
                                            BedrockCodec.NAME,
                                            client,
                                            new NoOpViewer()));
            assertThat(player.allows(each.time, each.action, 1)).as("%s", each).isTrue();
        }
        assertThat(players).hasSizeGreaterThan(50);
    }

    /**
     * The figures that the bursts rest on; changes of name or skin and deaths, captures have none.
     */
    @Test
    void measuresMostInASecond() throws IOException {
        Map<RateLimitedAction, Integer> most = new HashMap<>();
        List<Done> done = done();
        for (Done first : done) {
            long times =
                    done.stream()
                            .filter(each ->
                                    each.client.equals(first.client)
                                            && each.action == first.action
                                            && each.time >= first.time
                                            && each.time < first.time + SECOND)
                            .count();
            most.merge(first.action, (int) times, Math::max);
        }
        assertThat(most)
                .containsExactlyInAnyOrderEntriesOf(
                        Map.of(RateLimitedAction.CHAT, 6, RateLimitedAction.ACT, 6));
        most.forEach(
                (action, times) -> assertThat(action.burst()).isGreaterThanOrEqualTo(2 * times));
    }
}
