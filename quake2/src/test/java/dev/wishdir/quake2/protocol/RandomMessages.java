package dev.wishdir.quake2.protocol;

import dev.wishdir.quake2.message.Blend;
import dev.wishdir.quake2.message.EntityState;
import dev.wishdir.quake2.message.PlayerState;
import dev.wishdir.quake2.message.Stats;
import dev.wishdir.quake2.message.Triple;
import dev.wishdir.quake2.message.UserCmd;

import java.util.Random;

/** Values that the wire can carry, many of them equal to those of a base. */
final class RandomMessages {
    private final Random random;

    RandomMessages(long seed) {
        random = new Random(seed);
    }

    int below(int bound) {
        return random.nextInt(bound);
    }

    private int u8(int base) {
        return random.nextBoolean() ? base : random.nextInt(256);
    }

    private int i16(int base) {
        return random.nextBoolean() ? base : random.nextInt(1 << 16) - (1 << 15);
    }

    private int i8(int base) {
        return random.nextBoolean() ? base : random.nextInt(256) - 128;
    }

    private int any(int base) {
        return random.nextBoolean() ? base : random.nextInt() >>> random.nextInt(32);
    }

    private Triple i16(Triple base) {
        return new Triple(i16(base.x()), i16(base.y()), i16(base.z()));
    }

    private Triple i8(Triple base) {
        return new Triple(i8(base.x()), i8(base.y()), i8(base.z()));
    }

    UserCmd userCmd(UserCmd base) {
        return new UserCmd(
                i16(base.angles()),
                i16(base.forward()),
                i16(base.side()),
                i16(base.up()),
                u8(base.buttons()),
                u8(base.impulse()),
                u8(base.msec()),
                u8(base.light()));
    }

    EntityState entity(EntityState base) {
        return new EntityState(
                u8(base.model()),
                u8(base.model2()),
                u8(base.model3()),
                u8(base.model4()),
                random.nextBoolean() ? base.frame() : random.nextInt(1 << 15),
                any(base.skin()),
                any(base.effects()),
                any(base.renderfx()),
                i16(base.origin()),
                new Triple(u8(base.angles().x()), u8(base.angles().y()), u8(base.angles().z())),
                i16(base.oldOrigin()),
                u8(base.sound()),
                u8(0),
                i16(base.solid()));
    }

    PlayerState player(PlayerState base) {
        Stats stats = base.stats();
        for (int i = random.nextInt(Stats.COUNT); i < Stats.COUNT; i++) {
            stats = stats.with(i, i16(stats.get(i)));
        }
        return new PlayerState(
                u8(base.pmType()),
                i16(base.origin()),
                i16(base.velocity()),
                u8(base.pmTime()),
                u8(base.pmFlags()),
                i16(base.gravity()),
                i16(base.deltaAngles()),
                i8(base.viewOffset()),
                i16(base.viewAngles()),
                i8(base.kickAngles()),
                u8(base.gunIndex()),
                u8(base.gunFrame()),
                i8(base.gunOffset()),
                i8(base.gunAngles()),
                new Blend(u8(0), u8(0), u8(0), u8(0)),
                u8(base.fov()),
                u8(base.rdFlags()),
                stats);
    }
}
