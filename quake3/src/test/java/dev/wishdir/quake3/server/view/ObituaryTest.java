package dev.wishdir.quake3.server.view;

import static dev.wishdir.quake3.server.session.ScriptedClient.SECOND;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.combat.ArmourRule;
import dev.wishdir.arena.event.DamageMeans;
import dev.wishdir.arena.event.MatchMode;
import dev.wishdir.arena.event.Vitals;
import dev.wishdir.arena.match.MatchRules;
import dev.wishdir.game.NoOpViewer;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.quake3.combat.MeansOfDeath;
import dev.wishdir.quake3.map.Quake3MapCatalog;
import dev.wishdir.quake3.message.EntityField;
import dev.wishdir.quake3.message.EntityState;
import dev.wishdir.quake3.server.session.ScriptedClient;
import dev.wishdir.quake3.server.session.TestServer;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

class ObituaryTest {
    /** The entity of an obituary: 13 and the number of the event. */
    private static final int ET_OBITUARY = 13 + 60;

    private final TestServer server = new TestServer();

    private ArenaPlayer foreign(String game, String name, double x) {
        long now = server.network.now();
        ArenaPlayer player = server.arena.join(now, game, name, new NoOpViewer());
        player.combatant().beginLife(now, new Vitals(100, 0, 0), ArmourRule.EXACT);
        player.spawn(now, Movement.at(new Vec3(x, 4, 0), 90));
        return player;
    }

    /** Clients have no word for a trident, which does not rail. */
    @ParameterizedTest
    @CsvSource({
        "sauerbraten, RIFLE, RAILGUN",
        "bedrock, RIFLE, UNKNOWN",
        "bedrock, PISTOL, UNKNOWN",
        "bedrock, MELEE, GAUNTLET"
    })
    void namesWeaponOfForeignPlayer(String game, DamageMeans means, MeansOfDeath shown)
            throws IOException {
        server.arena.setMatchRules(MatchRules.of(MatchMode.FFA));
        server.serve(new Quake3MapCatalog(Optional.empty()), "");
        ScriptedClient viewer = server.client().join("viewer");
        ArenaPlayer killer = foreign(game, "killer", 3);
        ArenaPlayer victim = foreign("quake2", "victim", 5);
        viewer.walk(0);
        server.network.run(SECOND);
        killer.combatant().hit(server.network.now(), victim.id(), means, 500, Vec3.ZERO, Vec3.ZERO);
        List<Integer> said = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            viewer.walk(0);
            server.network.run(SECOND / 20);
            for (int k = 0; k < viewer.frame.size(); k++) {
                EntityState entity = viewer.frame.state(k);
                if (entity.get(EntityField.E_TYPE) == ET_OBITUARY) {
                    said.add(entity.get(EntityField.EVENT_PARM));
                }
            }
        }
        assertThat(said).isNotEmpty().containsOnly(shown.number());
    }
}
