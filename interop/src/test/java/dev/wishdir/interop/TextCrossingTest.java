package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import static java.util.Objects.requireNonNull;

import dev.wishdir.arena.event.Player;
import dev.wishdir.game.BotController.PlayerInput;
import dev.wishdir.game.Client;
import dev.wishdir.game.ClientConfig;
import dev.wishdir.game.ClientListener;
import dev.wishdir.game.Game;
import dev.wishdir.net.simulation.SimulatedNetwork;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;

/**
 * Text from each game to each other: neither a line nor a name becomes a command, a colour, a line
 * break or a key there, and the words arrive.
 */
@Tag("slow")
class TextCrossingTest {
    private static final long SECOND = 1_000_000_000;

    /** Lines that mean more than they say in some game, with the words that must arrive. */
    private static final Map<String, String> LINES = new LinkedHashMap<>();

    static {
        LINES.put("^1red ^xF00hex", "red");
        LINES.put("\f3orange\f~ \fs\frnested", "nested");
        LINES.put("\u00A7cgolden \u00A7kmagic", "golden");
        LINES.put("say \"quoted\" words", "quoted");
        LINES.put("\";quit;\" semicolon", "semicolon");
        LINES.put("back\\slash\\rate\\1", "slash");
        LINES.put("per%s cent%n 100%", "cent");
        LINES.put("dollar$name $rate", "dollar");
        LINES.put("two\nlines\rand three", "lines");
        LINES.put("high \u00E1\u0181\u00FF bits", "bits");
        LINES.put("\u202Emirrored\u202C \u200Bblank", "mirrored");
        LINES.put("\u65E5\u672C \uD83D\uDE00 smile", "smile");
        LINES.put("%commands.kick.success key", "key");
        LINES.put("\u0001\u0002bold\u007F", "bold");
        LINES.put("a //comment /* more */", "more");
    }

    private final SimulatedNetwork network = new SimulatedNetwork(5);
    private final Random random = new Random(5);

    /** One player of each game, and what it hears and which players it sees. */
    private final class Ear implements ClientListener {
        final Game game;
        final List<String> names = new ArrayList<>();
        final List<String> lines = new ArrayList<>();
        final List<String> troubles = new ArrayList<>();
        final Client client;

        Ear(Game game, FourGames server, String name) throws IOException {
            this.game = game;
            client =
                    game.connect(
                            ClientConfig.builder(network.cycle(), server.address(game.name()))
                                    .name(name)
                                    .controller((_, _) -> PlayerInput.look(0, 0))
                                    .listener(this)
                                    .random(random)
                                    .build());
        }

        @Override
        public void onChat(Client self, String name, String text) {
            if (!name.isEmpty()) {
                names.add(name);
            }
            lines.add(text);
        }

        @Override
        public void onEnded(Client self, EndReason ending, String reason) {
            troubles.add(ending + ": " + reason);
        }
    }

    /** What must not be in a text that a game shows. */
    private static String forbidden(String game) {
        return switch (game) {
            case "sauerbraten" -> "(?s).*[\\p{Cntrl}].*";
            case "quake2" -> "(?s).*[\\p{Cntrl}\\u007F-\\uFFFF].*";
            case "quake3" -> "(?s).*[\\p{Cntrl}\"%\\u007F-\\uFFFF].*";
            case "bedrock" -> "(?s).*[\\p{Cntrl}\\u00A7].*";
            default -> throw new IllegalArgumentException(game);
        };
    }

    static List<String> games() {
        return FourGames.GAMES;
    }

    @ParameterizedTest
    @MethodSource("games")
    void keepsLineInEveryGame(String from) throws IOException {
        try (FourGames server = new FourGames(network, random, 20)) {
            Map<String, Ear> ears = join(server, "plain");
            Ear speaker = requireNonNull(ears.get(from));
            for (Map.Entry<String, String> line : LINES.entrySet()) {
                ears.values().forEach(ear -> ear.lines.clear());
                speaker.client.say(line.getKey());
                network.run(3 * SECOND);
                for (Ear ear : ears.values()) {
                    if (ear == speaker) {
                        continue;
                    }
                    assertThat(String.join("|", ear.lines))
                            .as("%s hears '%s' of %s", ear.game.name(), line.getKey(), from)
                            .contains(line.getValue())
                            .doesNotMatch(forbidden(ear.game.name()));
                    assertThat(ear.troubles).isEmpty();
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("games")
    void keepsNameInEveryGame(String from) throws IOException {
        List<String> nasty =
                List.of(
                        "^1r^7ed",
                        "\f3ora\fsnge",
                        "\u00A7cgold",
                        "qu\"ote",
                        "se;mi;quit",
                        "ba\\ck\\sl",
                        "per%s%n",
                        "do$llar",
                        "two\nl",
                        "\u00E1\u0181\u00FFx",
                        "\u65E5\uD83D\uDE00y");
        for (String name : nasty) {
            try (FourGames server = new FourGames(network, random, 20)) {
                Map<String, Ear> ears = join(server, name, from);
                Ear speaker = requireNonNull(ears.get(from));
                speaker.client.say("here I am");
                network.run(3 * SECOND);
                assertThat(server.arena().players())
                        .extracting(Player::name)
                        .allMatch(shown -> !shown.isBlank());
                for (Ear ear : ears.values()) {
                    TreeSet<String> seen = new TreeSet<>();
                    ear.client.others().forEach(other -> seen.add(other.name()));
                    if (ear != speaker) {
                        seen.addAll(ear.names);
                        assertThat(seen)
                                .as("%s sees '%s' of %s", ear.game.name(), name, from)
                                .hasSizeGreaterThanOrEqualTo(3)
                                .allMatch(shown -> !shown.matches(forbidden(ear.game.name())))
                                .allMatch(shown -> !shown.isBlank());
                    }
                    assertThat(ear.troubles).isEmpty();
                }
            }
            network.run(10 * SECOND);
        }
    }

    private Map<String, Ear> join(FourGames server, String name) throws IOException {
        return join(server, name, "");
    }

    /**
     * @param nasty the game whose player has the name
     */
    private Map<String, Ear> join(FourGames server, String name, String nasty) throws IOException {
        Map<String, Ear> ears = new LinkedHashMap<>();
        for (Game game : FourGames.ALL) {
            String own = game.name().equals(nasty) ? name : "plain " + game.name();
            ears.put(game.name(), new Ear(game, server, own));
        }
        assertThat(
                        network.runUntil(
                                () -> ears.values().stream().allMatch(ear -> ear.client.joined()),
                                30 * SECOND))
                .as("all joined with the name '%s'", name)
                .isTrue();
        network.run(SECOND);
        return ears;
    }
}
