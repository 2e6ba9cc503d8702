package dev.wishdir.app.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.Gson;
import com.google.gson.JsonObject;

import dev.wishdir.app.command.Games;
import dev.wishdir.arena.Arena;
import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.combat.ArmourRule;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.DamageMeans;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.MatchMode;
import dev.wishdir.arena.event.NativeMovement;
import dev.wishdir.arena.event.Team;
import dev.wishdir.arena.event.Vitals;
import dev.wishdir.arena.match.MatchRules;
import dev.wishdir.blocks.arena.FlagBases;
import dev.wishdir.game.NoOpViewer;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The figures of matches in reports, from the events of an arena. */
class FightSummaryTest {
    private static final long SECOND = 1_000_000_000;

    private final Arena arena = new Arena(Level.BOX, 8);
    private final List<ArenaEvent> events = new ArrayList<>();
    private long now;

    private void pass(int seconds) {
        now += seconds * SECOND;
        arena.advance(now);
    }

    private ArenaPlayer join(String game, String name) {
        ArenaPlayer player = arena.join(now, game, name, new NoOpViewer());
        live(player);
        return player;
    }

    private void live(ArenaPlayer player) {
        player.combatant().beginLife(now, new Vitals(100, 0, 0), ArmourRule.EXACT);
        player.spawn(now, Movement.at(Vec3.ZERO, 0));
    }

    private void kill(ArenaPlayer by, ArenaPlayer victim, DamageMeans means) {
        by.combatant().hit(now, victim.id(), means, 40, Vec3.ZERO, Vec3.ZERO);
        by.combatant().hit(now, victim.id(), means, 70, Vec3.ZERO, Vec3.ZERO);
        live(victim);
        pass(1);
    }

    private static JsonObject data(FightSummary summary) {
        return new Gson().toJsonTree(summary.data()).getAsJsonObject();
    }

    private JsonObject summed(int from) {
        FightSummary summary = new FightSummary(Games.weaponNames(Games.ALL));
        summary.start();
        events.subList(from, events.size())
                .forEach(event -> summary.add(event.time() / 1e9, event));
        summary.end();
        return data(summary);
    }

    private void play() {
        arena.setMatchRules(
                MatchRules.of(MatchMode.FFA)
                        .withTimes(Duration.ofMinutes(5), Duration.ZERO, Duration.ofSeconds(10))
                        .withScoreLimit(2));
        arena.addListener(events::add);
        ArenaPlayer anna = join("quake3", "anna");
        ArenaPlayer bob = join("quake2", "bob");
        pass(1);
        kill(bob, anna, DamageMeans.SHOTGUN);
        kill(anna, bob, DamageMeans.ROCKET);
        kill(anna, bob, DamageMeans.ROCKET);
        pass(10);
        live(anna);
        live(bob);
        pass(1);
        kill(anna, bob, DamageMeans.MELEE);
        anna.combatant().die(now);
    }

    @Test
    void addsScoresOfAllRounds() {
        play();
        JsonObject data = summed(0);
        assertThat(data.get("rounds"))
                .hasToString(
                        "[{\"from\":0.0,\"mode\":\"free for"
                            + " all\",\"winner\":\"anna\",\"end\":\"score-limit\",\"seconds\":3.0},{\"from\":14.0,\"mode\":\"free"
                            + " for all\",\"winner\":\"\",\"end\":\"\"}]");
        assertThat(data.get("scores"))
                .hasToString(
                        "[{\"name\":\"anna\",\"game\":\"quake3\",\"team\":\"\",\"frags\":2,\"deaths\":2,\"given\":330,\"taken\":110,\"weapon\":\"rocket"
                            + " launcher\",\"runs\":0,"
                            + "\"best\":\"\"},{\"name\":\"bob\",\"game\":\"quake2\",\"team\":\"\",\"frags\":1,"
                            + "\"deaths\":3,\"given\":110,\"taken\":330,\"weapon\":\"shotgun\","
                            + "\"runs\":0,\"best\":\"\"}]");
        assertThat(data.get("weapons"))
                .hasToString(
                        "[[\"rocket"
                            + " launcher\",2,4,220],[\"gauntlet\",1,2,110],[\"shotgun\",1,2,110]]");
    }

    private void go(ArenaPlayer player, Vec3 to) {
        pass(1);
        player.recordActivity(now);
        player.move(now, Movement.at(to, 0), NativeMovement.Stored.NONE);
    }

    @Test
    void addsTakesCapturesReturnsAndHolds() {
        Vec3 red = new Vec3(-20, 0, 0);
        Vec3 blue = new Vec3(20, 0, 0);
        arena.setLevel(
                Level.BOX.withBases(
                        Optional.of(
                                new FlagBases(
                                        new FlagBases.Base(red, List.of()),
                                        new FlagBases.Base(blue, List.of())))));
        arena.setMatchRules(MatchRules.of(MatchMode.CTF));
        arena.addListener(events::add);
        ArenaPlayer anna = join("quake3", "anna");
        ArenaPlayer bob = join("quake2", "bob");
        assertThat(anna.combatant().team()).contains(Team.RED);
        go(anna, blue);
        go(anna, red);
        go(anna, blue);
        go(anna, Vec3.ZERO);
        bob.recordActivity(now);
        anna.combatant().die(now);
        go(bob, Vec3.ZERO);
        assertThat(summed(0).get("flags"))
                .hasToString(
                        "[[\"anna\",\"quake3\",\"red\",2,1,0,2.0],"
                                + "[\"bob\",\"quake2\",\"blue\",0,0,1,0.0]]");
        FightSummary twoFiles = new FightSummary(Games.weaponNames(Games.ALL));
        for (int file = 0; file < 2; file++) {
            twoFiles.start();
            events.forEach(event -> twoFiles.add(event.time() / 1e9, event));
        }
        twoFiles.end();
        assertThat(data(twoFiles).get("flags"))
                .hasToString(
                        "[[\"anna\",\"quake3\",\"red\",4,2,0,4.0],"
                                + "[\"bob\",\"quake2\",\"blue\",0,0,2,0.0]]");
    }

    @Test
    void addsTeamsAndTheirScores() {
        arena.setMatchRules(
                MatchRules.of(MatchMode.TEAM)
                        .withTimes(Duration.ofMinutes(5), Duration.ZERO, Duration.ofSeconds(10))
                        .withScoreLimit(2));
        arena.addListener(events::add);
        ArenaPlayer anna = join("bedrock", "anna");
        ArenaPlayer bob = join("quake2", "bob");
        pass(1);
        kill(bob, anna, DamageMeans.PISTOL);
        kill(anna, bob, DamageMeans.PISTOL);
        kill(anna, bob, DamageMeans.PISTOL);
        JsonObject data = summed(0);
        String annas = anna.combatant().team().orElseThrow().toString();
        JsonObject round = data.getAsJsonArray("rounds").get(0).getAsJsonObject();
        assertThat(round.get("winner").getAsString()).isEqualTo(annas);
        assertThat(round.get("score").getAsString())
                .isIn("red 2, blue 1", "red 1, blue 2")
                .contains(annas + " 2");
        JsonObject best = data.getAsJsonArray("scores").get(0).getAsJsonObject();
        assertThat(best.get("team").getAsString()).isEqualTo(annas);
        assertThat(best.get("weapon").getAsString()).isEqualTo("bow or crossbow");
        assertThat(data.get("weapons"))
                .hasToString("[[\"bow or crossbow\",2,4,220],[\"blaster\",1,2,110]]");
    }

    @Test
    void countsRoundInWhichRecordingBegan() {
        play();
        int first = 0;
        while (!(events.get(first) instanceof ArenaEvent.Died)) {
            first++;
        }
        assertThat(summed(first).getAsJsonArray("rounds").get(0))
                .as("without a start and a length, which are not known")
                .hasToString("{\"end\":\"score-limit\",\"winner\":\"anna\",\"mode\":\"\"}");
    }

    @Test
    void isEmptyWithoutMatch() {
        arena.addListener(events::add);
        join("quake3", "anna");
        pass(5);
        JsonObject data = summed(0);
        assertThat(data.getAsJsonArray("rounds")).isEmpty();
        assertThat(data.getAsJsonArray("scores")).isEmpty();
        assertThat(data.getAsJsonArray("weapons")).isEmpty();
    }
}
