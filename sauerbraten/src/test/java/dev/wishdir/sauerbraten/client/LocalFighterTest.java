package dev.wishdir.sauerbraten.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.motion.CollisionSpace;
import dev.wishdir.motion.Vec3;
import dev.wishdir.sauerbraten.message.ActionMessage;
import dev.wishdir.sauerbraten.message.State;
import dev.wishdir.sauerbraten.movement.SauerbratenMotion;
import dev.wishdir.sauerbraten.protocol.Gun;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Random;

class LocalFighterTest {
    @Test
    void shotAtBodyThatItStandsInDoesNotEndWhereItBegan() {
        LocalFighter fighter = new LocalFighter(new Random(1));
        fighter.spawn(
                new State(1, 100, 100, 0, 0, Gun.PISTOL.number(), List.of(0, 0, 0, 0, 0, 40)));
        Vec3 eye = new Vec3(0, 0, 1.7);
        LocalFighter.Target near = new LocalFighter.Target(1, 7, new Vec3(0.38, 0, 0));
        List<ActionMessage> messages =
                fighter.shoot(
                        0,
                        100,
                        eye,
                        near.feet().plus(new Vec3(0, 0, 1)),
                        List.of(near),
                        CollisionSpace.OPEN,
                        SauerbratenMotion.CENTERED);
        ActionMessage.Shoot shot = (ActionMessage.Shoot) messages.getFirst();
        assertThat(shot.hits()).hasSize(1);
        assertThat(shot.to()).isNotEqualTo(shot.from());
    }
}
