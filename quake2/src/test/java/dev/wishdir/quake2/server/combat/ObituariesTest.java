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

    private ArenaPlayer join(String game, String name, double x) {
        ArenaPlayer player = arena.join(0, game, name, new NoOpViewer());
        player.combatant().beginLife(0, new Vitals(100, 0, 0), ArmourRule.EXACT);
        player.spawn(0, Movement.at(new Vec3(x, 0, 0), 0));
        return player;
    }

    /** The first three as other servers sent them in captures. */
    @ParameterizedTest
    @CsvSource({
        "quake2, RIFLE, target was railed by shooter",
        "quake2, ROCKET, target ate shooter's rocket",
        "quake2, SUICIDE, target killed himself.",
        "quake2, PISTOL, target was killed by shooter",
        "quake2, SHOTGUN, target was gunned down by shooter",
        "quake2, MACHINE_GUN, target was machinegunned by shooter",
        "quake2, GRENADE, target was popped by shooter's grenade",
        "quake2, BFG, target was disintegrated by shooter's BFG blast",
        "quake2, MELEE, target was killed by shooter",
        "sauerbraten, RIFLE, target was railed by [S] shooter",
        "bedrock, RIFLE, target was impaled by [B] shooter's trident",
        "bedrock, PISTOL, target was killed by [B] shooter"
    })
    void speaksAsTheGame(String game, DamageMeans means, String line) {
        arena.setMatchRules(
                MatchRules.of(MatchMode.FFA)
                        .withTimes(Duration.ZERO, Duration.ZERO, Duration.ZERO));
        arena.addListener(event -> {
            if (event instanceof ArenaEvent.Died died) {
                lines.add(Obituaries.line(died, Optional.empty()).text());
            }
        });
        ArenaPlayer shooter = join(game, "shooter", 0);
        ArenaPlayer target = join(Quake2Codec.GAME, "target", 3);
        ArenaPlayer attacker = means == DamageMeans.SUICIDE ? target : shooter;
        assertThat(attacker.combatant().hit(0, target.id(), means, 500, Vec3.ZERO, Vec3.ZERO))
                .isTrue();
        assertThat(lines).containsExactly(line + "\n");
    }
}
