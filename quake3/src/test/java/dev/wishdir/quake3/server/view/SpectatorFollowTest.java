package dev.wishdir.quake3.server.view;

import static dev.wishdir.quake3.server.session.ScriptedClient.SECOND;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.combat.ArmourRule;
import dev.wishdir.arena.event.DamageMeans;
import dev.wishdir.arena.event.MatchMode;
import dev.wishdir.arena.event.NativeMovement;
import dev.wishdir.arena.event.Vitals;
import dev.wishdir.arena.match.Match;
import dev.wishdir.arena.match.MatchRules;
import dev.wishdir.game.NoOpViewer;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.quake3.map.Quake3MapCatalog;
import dev.wishdir.quake3.map.TestMap;
import dev.wishdir.quake3.message.PlayerArray;
import dev.wishdir.quake3.message.PlayerField;
import dev.wishdir.quake3.message.PlayerState;
import dev.wishdir.quake3.server.session.ScriptedClient;
import dev.wishdir.quake3.server.session.TestServer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** What clients of a match see through the eyes of others: as spectators, and between rounds. */
class SpectatorFollowTest {
    private static final int DEAD = 3;
    private static final int INTERMISSION = 5;

    /** The slot of armour in the statistics of OpenArena. */
    private static final int ARMOUR = 4;

    private static final Vec3 PLACE = new Vec3(3, 4, 0);
    private static final Vec3 FAR = new Vec3(-6, -7, 0);

    private final TestServer server = new TestServer();

    private void serve() throws IOException {
        server.arena.setMatchRules(MatchRules.of(MatchMode.FFA));
        server.serve(new Quake3MapCatalog(Optional.empty()), "");
    }

    private ArenaPlayer foreign(String game, String name, Vec3 at) {
        ArenaPlayer player = server.arena.join(server.network.now(), game, name, new NoOpViewer());
        live(player, at);
        return player;
    }

    private void live(ArenaPlayer player, Vec3 at) {
        long now = server.network.now();
        player.combatant().beginLife(now, new Vitals(70, 25, 0.5), ArmourRule.EXACT);
        player.spawn(now, Movement.at(at, 90));
        player.move(now, Movement.at(at, 90), NativeMovement.Stored.NONE);
    }

    /** Lets the clients stand for some seconds. */
    private void run(double seconds, ScriptedClient... clients) {
        for (int i = 0; i < seconds * 20; i++) {
            for (ScriptedClient client : clients) {
                client.walk(0);
            }
            server.network.run(SECOND / 20);
        }
    }

    private static PlayerState seen(ScriptedClient client) {
        return client.frame.player();
    }

    private ScriptedClient follower(String of) {
        ScriptedClient viewer = server.client().join("viewer");
        viewer.say("team spectator");
        run(1.2, viewer);
        viewer.say("follow " + of);
        run(0.5, viewer);
        assertThat(seen(viewer).get(PlayerField.CLIENT_NUM)).isNotEqualTo(viewer.clientNum);
        return viewer;
    }

    @Test
    void saysWhomItCannotFollow() throws IOException {
        serve();
        ScriptedClient viewer = server.client().join("viewer");
        viewer.say("follow nobody");
        run(1.2, viewer);
        viewer.say("team spectator");
        run(1.2, viewer);
        for (String command : List.of("follow", "follow nobody", "follow 63")) {
            viewer.say(command);
            run(1.2, viewer);
        }
        assertThat(viewer.commands)
                .contains(
                        "print \"Only spectators can follow a player: type /team s first.\n\"",
                        "print \"Type /follow and a player's name or number.\n\"",
                        "print \"User nobody is not on the server\n\"",
                        "print \"User 63 is not on the server\n\"");
    }

    @Test
    void showsHealthArmourAndWeaponOfForeignPlayer() throws IOException {
        serve();
        ArenaPlayer guest = foreign("sauerbraten", "guest", PLACE);
        ArenaPlayer victim = foreign("quake2", "victim", FAR);
        ScriptedClient viewer = follower("guest");
        assertThat(seen(viewer).get(PlayerArray.STATS, 0)).isEqualTo(70);
        assertThat(seen(viewer).get(PlayerArray.STATS, ARMOUR)).isEqualTo(25);
        long now = server.network.now();
        assertThat(guest.combatant().hit(now, victim.id(), DamageMeans.RIFLE, 500, Vec3.ZERO, FAR))
                .isTrue();
        guest.combatant().setVitals(new Vitals(35, 0, 0));
        run(0.2, viewer);
        assertThat(seen(viewer).get(PlayerField.WEAPON)).as("railgun").isEqualTo(7);
        assertThat(seen(viewer).get(PlayerArray.AMMO, 7)).as("unknown").isEqualTo(-1);
        assertThat(IntStream.range(1, 16).map(gun -> seen(viewer).get(PlayerArray.AMMO, gun)))
                .as("rounds of another gun, without which the client warns of low ammunition")
                .anyMatch(rounds -> rounds > 0);
        assertThat(seen(viewer).get(PlayerArray.STATS, 0)).isEqualTo(35);
        assertThat(seen(viewer).get(PlayerArray.STATS, ARMOUR)).isZero();
        assertThat(seen(viewer).get(PlayerArray.PERSISTANT, 0)).as("frags").isEqualTo(1);
        live(victim, FAR);
        assertThat(
                        guest.combatant()
                                .hit(
                                        server.network.now(),
                                        victim.id(),
                                        DamageMeans.PISTOL,
                                        5,
                                        Vec3.ZERO,
                                        FAR))
                .isTrue();
        run(0.2, viewer);
        assertThat(seen(viewer).get(PlayerField.WEAPON)).as("machine gun").isEqualTo(2);
        assertThat(seen(viewer).get(PlayerArray.AMMO, 2)).as("unknown").isEqualTo(-1);
    }

    @Test
    void keepsFollowingForeignPlayerThroughDeath() throws IOException {
        serve();
        ArenaPlayer guest = foreign("sauerbraten", "guest", PLACE);
        ScriptedClient viewer = follower("guest");
        int slot = seen(viewer).get(PlayerField.CLIENT_NUM);
        guest.combatant().die(server.network.now());
        run(2, viewer);
        assertThat(seen(viewer).get(PlayerField.CLIENT_NUM)).isEqualTo(slot);
        assertThat(seen(viewer).get(PlayerField.PM_TYPE)).isEqualTo(DEAD);
        assertThat(seen(viewer).get(PlayerArray.STATS, 0)).isZero();
        assertThat(seen(viewer).real(PlayerField.ORIGIN_0)).isEqualTo((float) PLACE.x() * 32);
        live(guest, FAR);
        run(1.2, viewer);
        assertThat(seen(viewer).get(PlayerField.CLIENT_NUM)).isEqualTo(slot);
        assertThat(seen(viewer).get(PlayerField.PM_TYPE)).isZero();
        assertThat(seen(viewer).real(PlayerField.ORIGIN_0)).isEqualTo((float) FAR.x() * 32);
        guest.combatant().setWatching(server.network.now(), true);
        guest.despawn(server.network.now());
        run(0.2, viewer);
        assertThat(seen(viewer).get(PlayerField.CLIENT_NUM))
                .as("it only watches")
                .isEqualTo(viewer.clientNum);
    }

    @Test
    void keepsFollowingPlayerOfThisGameThroughDeath() throws IOException {
        serve();
        ScriptedClient player = server.client().join("player");
        ScriptedClient viewer = follower("player");
        run(1, player, viewer);
        player.say("kill");
        run(1, player, viewer);
        assertThat(seen(viewer).get(PlayerField.CLIENT_NUM)).isEqualTo(player.clientNum);
        assertThat(seen(viewer).get(PlayerField.PM_TYPE)).isEqualTo(DEAD);
        run(20, player, viewer);
        assertThat(seen(player).get(PlayerField.PM_TYPE)).as("it lives again").isZero();
        assertThat(seen(viewer).get(PlayerField.CLIENT_NUM)).isEqualTo(player.clientNum);
        assertThat(seen(viewer).get(PlayerField.PM_TYPE)).isZero();
    }

    @Test
    void showsBoardToThoseWhoWatch() throws IOException {
        server.arena.setMatchRules(
                MatchRules.of(MatchMode.FFA)
                        .withTimes(Duration.ofSeconds(12), Duration.ZERO, Duration.ofSeconds(5)));
        server.serve(new Quake3MapCatalog(Optional.empty()), "");
        foreign("sauerbraten", "guest", PLACE);
        ScriptedClient player = server.client().join("player");
        ScriptedClient follower = follower("guest");
        ScriptedClient free = server.client().join("free");
        free.say("team spectator");
        run(1.2, player, follower, free);
        assertThat(seen(free).get(PlayerField.PM_TYPE)).isNotEqualTo(INTERMISSION);
        assertThat(
                        server.network.runUntil(
                                () -> server.arena.match().phase() == Match.Phase.INTERMISSION,
                                20 * SECOND))
                .isTrue();
        run(1, player, follower, free);
        for (ScriptedClient client : List.of(player, follower, free)) {
            assertThat(seen(client).get(PlayerField.PM_TYPE)).isEqualTo(INTERMISSION);
            assertThat(client.commands).anyMatch(line -> line.startsWith("scores "));
        }
        run(8, player, follower, free);
        for (ScriptedClient client : List.of(player, follower, free)) {
            assertThat(seen(client).get(PlayerField.PM_TYPE)).isNotEqualTo(INTERMISSION);
        }
    }

    @Test
    void looksFromViewOfMapBetweenRounds(@TempDir Path folder) throws IOException {
        server.arena.setMatchRules(
                MatchRules.of(MatchMode.FFA)
                        .withTimes(Duration.ofSeconds(3), Duration.ZERO, Duration.ofSeconds(3)));
        TestMap map =
                new TestMap("0 0 32")
                        .entity(
                                "classname",
                                "info_player_intermission",
                                "origin",
                                "-400 300 200",
                                "angles",
                                "20 315 0");
        server.serve(map.levels(folder), TestMap.NAME);
        ScriptedClient client = server.client().join("alpha");
        run(2, client);
        Vec3 body = server.arena.players().getFirst().movement().position();
        run(2, client);
        PlayerState seen = seen(client);
        assertThat(seen.get(PlayerField.PM_TYPE)).isEqualTo(INTERMISSION);
        assertThat(seen.real(PlayerField.ORIGIN_0)).isEqualTo(-400);
        assertThat(seen.real(PlayerField.ORIGIN_1)).isEqualTo(300);
        assertThat(seen.real(PlayerField.ORIGIN_2) + seen.get(PlayerField.VIEWHEIGHT))
                .isEqualTo(200);
        assertThat(seen.real(PlayerField.VIEWANGLES_0)).isEqualTo(20);
        assertThat(seen.real(PlayerField.VIEWANGLES_1)).isEqualTo(315);
        assertThat(server.arena.players().getFirst().movement().position())
                .as("its body stays")
                .isEqualTo(body);
        run(3, client);
        assertThat(seen(client).get(PlayerField.PM_TYPE)).isZero();
        assertThat(seen(client).real(PlayerField.ORIGIN_0)).isZero();
    }
}
