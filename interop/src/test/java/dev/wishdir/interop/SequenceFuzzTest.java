package dev.wishdir.interop;

import dev.wishdir.arena.event.Player;
import dev.wishdir.bedrock.server.MisbehavingBedrockClient;
import dev.wishdir.game.MisbehavingClient;
import dev.wishdir.game.text.NameTruncation;
import dev.wishdir.net.simulation.SimulatedNetwork.Conditions;
import dev.wishdir.quake2.server.MisbehavingQuake2Client;
import dev.wishdir.quake3.client.MisbehavingQuake3Client;
import dev.wishdir.sauerbraten.server.MisbehavingSauerbratenClient;
import dev.wishdir.wire.TestEffort;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Ten clients of all four games do at random what they may and what they nearly may, over a network
 * that is bad at times, for as many steps as the effort allows. Nothing fails, no player becomes a
 * ghost, and when they behave again, all agree on who is here.
 */
@Tag("slow")
class SequenceFuzzTest {
    private static final int STEPS = TestEffort.times(6_000);

    private static final long MILLI = 1_000_000;

    static final List<Conditions> WEATHER =
            List.of(
                    Conditions.PERFECT,
                    new Conditions(0, 0, 20 * MILLI, 5 * MILLI),
                    new Conditions(0.05, 0.02, 40 * MILLI, 80 * MILLI),
                    new Conditions(0.3, 0.1, 100 * MILLI, 200 * MILLI));

    static final Map<String, MisbehavingClient.Maker> MAKERS =
            Map.of(
                    "bedrock", MisbehavingBedrockClient::join,
                    "quake2", MisbehavingQuake2Client::join,
                    "quake3", MisbehavingQuake3Client::join,
                    "sauerbraten", MisbehavingSauerbratenClient::join);

    @TestFactory
    Stream<DynamicTest> sequences() {
        return TestEffort.given(LongStream.of(1, 2))
                .mapToObj(seed ->
                        DynamicTest.dynamicTest(
                                "seed " + seed + ", " + STEPS + " steps",
                                () -> new SequenceRun(seed).run(STEPS)));
    }

    /** By each client that is in: the names of the players that it sees, sorted. */
    static Map<String, List<String>> views(List<MisbehavingClient> clients) {
        return clients.stream()
                .filter(client -> client.isIn())
                .collect(
                        Collectors.toMap(
                                MisbehavingClient::name,
                                client -> client.others().stream().sorted().toList(),
                                (a, _) -> a));
    }

    /** The same as the arena of their server has it, each name as the viewer's game writes it. */
    static Map<String, List<String>> truth(FourGames server) {
        List<Player> all = server.arena().players();
        return all.stream()
                .filter(viewer -> !viewer.id().isMirrored())
                .collect(
                        Collectors.toMap(
                                Player::name,
                                viewer ->
                                        all.stream()
                                                .filter(other -> !other.id().equals(viewer.id()))
                                                .map(other -> read(other, viewer.game()))
                                                .sorted()
                                                .toList()));
    }

    /** Names have 15 characters with the tag in two of the games, and no blanks in one. */
    static String read(Player player, String viewers) {
        String tag = player.gameTag(viewers);
        return switch (viewers) {
            case "sauerbraten" -> shortened(tag.replace(" ", ""), player.name().replace(" ", ""));
            case "quake2" -> shortened(tag, player.name());
            default -> tag + player.name();
        };
    }

    private static String shortened(String tag, String name) {
        return tag + NameTruncation.truncate(name, 15 - tag.length());
    }
}
