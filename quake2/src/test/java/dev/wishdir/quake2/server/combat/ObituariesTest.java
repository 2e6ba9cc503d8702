package dev.wishdir.quake2.server.combat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.combat.ArmourRule;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.DamageMeans;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.MatchMode;
import dev.wishdir.arena.event.Vitals;
import dev.wishdir.arena.match.MatchRules;
import dev.wishdir.game.NoOpViewer;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.quake2.protocol.Quake2Codec;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

class ObituariesTest {
    private final Arena arena = new Arena(Level.BOX, 4);
    private final List<String> lines = new ArrayList<>();

    private ArenaPlayer join(String name, double x) {
        ArenaPlayer player = arena.join(0, Quake2Codec.GAME, name, new NoOpViewer());
        player.combatant().beginLife(0, new Vitals(100, 0, 0), ArmourRule.EXACT);
        player.spawn(0, Movement.at(new Vec3(x, 0, 0), 0));
        return player;
    }

    /** The first three as other servers sent them in captures. */
    @ParameterizedTest
    @CsvSource({
        "RIFLE, target was railed by shooter",
        "ROCKET, target ate shooter's rocket",
        "SUICIDE, target killed himself.",
        "PISTOL, target was killed by shooter",
        "SHOTGUN, target was gunned down by shooter",
        "MACHINE_GUN, target was machinegunned by shooter",
        "GRENADE, target was popped by shooter's grenade",
        "BFG, target was disintegrated by shooter's BFG blast",
        "MELEE, target was killed by shooter"
    })
    void speaksAsTheGame(DamageMeans means, String line) {
        arena.setMatchRules(
                MatchRules.of(MatchMode.FFA)
                        .withTimes(Duration.ZERO, Duration.ZERO, Duration.ZERO));
        arena.addListener(event -> {
            if (event instanceof ArenaEvent.Died died) {
                lines.add(Obituaries.line(died, Optional.empty()).text());
            }
        });
        ArenaPlayer shooter = join("shooter", 0);
        ArenaPlayer target = join("target", 3);
        ArenaPlayer attacker = means == DamageMeans.SUICIDE ? target : shooter;
        assertThat(attacker.combatant().hit(0, target.id(), means, 500, Vec3.ZERO, Vec3.ZERO))
                .isTrue();
        assertThat(lines).containsExactly(line + "\n");
    }
}
