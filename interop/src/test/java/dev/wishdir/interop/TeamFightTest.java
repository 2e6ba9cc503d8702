package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;

import dev.wishdir.app.bot.BotFight;
import dev.wishdir.app.bot.FightingBot;
import dev.wishdir.app.event.JsonEventWriter;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.MatchMode;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.event.Team;
import dev.wishdir.arena.event.TeamScore;
import dev.wishdir.arena.match.Match;
import dev.wishdir.arena.match.MatchRules;
import dev.wishdir.game.Client;
import dev.wishdir.game.Game;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.quake2.client.Quake2Client;
import dev.wishdir.quake3.client.Quake3Client;
import dev.wishdir.quake3.message.PlayerArray;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/**
 * Bots of all games fight in two teams: no player is hurt by its own team, and the scores of both
 * teams are the same in the arena, in the events and on each client's board.
 */
@Tag("slow")
class TeamFightTest {
    private static final long SECOND = 1_000_000_000;
    private static final int BOTS = 8;

    private final Random random = new Random(3);
    private final SimulatedNetwork network = new SimulatedNetwork(3);

    @Test
    void agreesOnTheScoresOfTeams() throws IOException {
        Map<PlayerId, Team> teams = new HashMap<>();
        Map<String, Integer> expected = new HashMap<>(Map.of("red", 0, "blue", 0));
        List<String> lines = new ArrayList<>();
        try (FourGames server =
                new FourGames(network, random, 2 * BOTS, MatchRules.of(MatchMode.TEAM))) {
            server.arena().addListener(new JsonEventWriter(lines::add, Clock.systemUTC()));
            server.arena()
                    .addListener(event -> {
                        switch (event) {
                            case ArenaEvent.TeamChanged e -> teams.put(e.id(), e.team());
                            case ArenaEvent.Died e -> {
                                Team killers = teams.get(e.killer().id());
                                boolean itself = e.killer().id().equals(e.id());
                                assertThat(itself || killers != teams.get(e.id())).isTrue();
                                expected.merge(
                                        String.valueOf(killers), itself ? -1 : 1, Integer::sum);
                            }
                            case ArenaEvent.Hit e ->
                                    assertThat(
                                                    e.attacker().id().equals(e.id())
                                                            || teams.get(e.attacker().id())
                                                                    != teams.get(e.id()))
                                            .isTrue();
                            default -> {}
                        }
                    });
            List<FightingBot> bots = new ArrayList<>();
            for (int i = 0; i < BOTS; i++) {
                // Both teams have a bot of each game.
                Game game = FourGames.ALL.get(i / 2 % FourGames.ALL.size());
                bots.add(
                        server.bot(
                                network.cycle(),
                                game,
                                "bot" + (100 + i),
                                BotFight.MAX_SKILL,
                                Optional.empty()));
                network.run(SECOND / 2);
            }
            server.awaitBots(bots);
            network.run(25 * SECOND);
            bots.forEach(FightingBot::stop);
            network.run(8 * SECOND);
            bots.forEach(bot -> {
                if (bot.client() instanceof Quake2Client quake2) {
                    quake2.command("score");
                }
            });
            network.run(2 * SECOND);
            check(server.arena().match(), bots, teams, expected, lines);
        }
    }

    private static void check(
            Match match,
            List<FightingBot> bots,
            Map<PlayerId, Team> teams,
            Map<String, Integer> expected,
            List<String> lines) {
        assertThat(expected.values()).as("frags of both teams").allMatch(frags -> frags > 0);
        for (TeamScore score : match.teamScores()) {
            assertThat(score.frags()).isEqualTo(expected.get(score.team().toString()));
        }
        assertThat(fromJson(lines)).isEqualTo(expected);
        Map<String, String> byName = new HashMap<>();
        for (Match.PlayerScore each : match.standings()) {
            assertThat(match.team(each.player().id()))
                    .isEqualTo(Optional.ofNullable(teams.get(each.player().id())));
            byName.put(each.player().name(), String.valueOf(teams.get(each.player().id())));
        }
        for (FightingBot bot : bots) {
            assertThat(bot.client().teamFrags())
                    .as("board of %s of %s", bot.name(), bot.game().name())
                    .isEqualTo(expected);
            Map<Long, String> known = bot.client().teams();
            assertThat(known.get(bot.client().id()))
                    .as("team of %s of %s", bot.name(), bot.game().name())
                    .isEqualTo(byName.get(bot.name()));
            if (bot.client() instanceof Quake3Client quake3) {
                int leader = Integer.compare(match.frags(Team.BLUE), match.frags(Team.RED));
                assertThat(quake3.player().get(PlayerArray.PERSISTANT, 2))
                        .as("PERS_RANK")
                        .isEqualTo(leader < 0 ? 0 : leader > 0 ? 1 : 2);
            }
            assertThat(bot.client().others()).hasSize(BOTS - 1);
            for (Client.RemotePlayer other : bot.client().others()) {
                String name = other.name().substring(other.name().length() - "bot100".length());
                assertThat(known.get(other.id()))
                        .as("team of %s at %s", other.name(), bot.game().name())
                        .isEqualTo(byName.get(name));
            }
        }
    }

    /** The last scores of the teams in the lines of events. */
    private static Map<String, Integer> fromJson(List<String> lines) {
        Map<String, Integer> frags = new HashMap<>();
        for (String line : lines) {
            JsonObject json = JsonParser.parseString(line).getAsJsonObject();
            if (json.get("event").getAsString().equals("score")) {
                frags.put(json.get("team").getAsString(), json.get("teamfrags").getAsInt());
            }
        }
        return frags;
    }
}
