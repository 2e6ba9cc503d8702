package dev.wishdir.quake2.server;

import dev.wishdir.quake2.message.EntityState;
import dev.wishdir.quake2.message.PlayerState;
import dev.wishdir.quake2.message.Triple;

import java.util.Arrays;

/**
 * Frames for one client as a server in C makes them: structures that are overwritten, a copy of
 * what this client sees, its fields compared one by one with those of the frame that it has, and
 * bytes put into an array. What doesn't fit is not seen, the highest numbers first.
 *
 * <p>As long as such a server's code is: each field has its line in the structure, the copy, the
 * comparison and the bytes, for it is what ours is measured against.
 */
final class BaselineFrameEncoder {
    private static final int REMEMBERED = 16;
    private static final int MAX_ENTITIES = 128;
    private static final int MAX_DELTA_BYTES = 64;

    /** An entity's structure. */
    static final class Entity {
        private int number;
        private int model;
        private int model2;
        private int model3;
        private int model4;
        private int frame;
        private int skin;
        private int effects;
        private int renderfx;
        private int x;
        private int y;
        private int z;
        private int pitch;
        private int yaw;
        private int roll;
        private int oldX;
        private int oldY;
        private int oldZ;
        private int sound;
        private int event;
        private int solid;

        /** The structure of a state. */
        static Entity of(int number, EntityState s) {
            Entity e = new Entity();
            e.number = number;
            e.model = s.model();
            e.model2 = s.model2();
            e.model3 = s.model3();
            e.model4 = s.model4();
            e.frame = s.frame();
            e.skin = s.skin();
            e.effects = s.effects();
            e.renderfx = s.renderfx();
            e.x = s.origin().x();
            e.y = s.origin().y();
            e.z = s.origin().z();
            e.pitch = s.angles().x();
            e.yaw = s.angles().y();
            e.roll = s.angles().z();
            e.oldX = s.oldOrigin().x();
            e.oldY = s.oldOrigin().y();
            e.oldZ = s.oldOrigin().z();
            e.sound = s.sound();
            e.event = s.event();
            e.solid = s.solid();
            return e;
        }

        private void copy(Entity e) {
            number = e.number;
            model = e.model;
            model2 = e.model2;
            model3 = e.model3;
            model4 = e.model4;
            frame = e.frame;
            skin = e.skin;
            effects = e.effects;
            renderfx = e.renderfx;
            x = e.x;
            y = e.y;
            z = e.z;
            pitch = e.pitch;
            yaw = e.yaw;
            roll = e.roll;
            oldX = e.oldX;
            oldY = e.oldY;
            oldZ = e.oldZ;
            sound = e.sound;
            event = e.event;
            solid = e.solid;
        }
    }

    /** A player's structure: its fields one after the other. */
    static final class Self {
        private int type;
        private int time;
        private int flags;
        private int gravity;
        private int gun;
        private int gunFrame;
        private int fov;
        private int rdFlags;
        private final int[] origin = new int[3];
        private final int[] velocity = new int[3];
        private final int[] deltaAngles = new int[3];
        private final int[] viewOffset = new int[3];
        private final int[] viewAngles = new int[3];
        private final int[] kick = new int[3];
        private final int[] gunOffset = new int[3];
        private final int[] gunAngles = new int[3];
        private final int[] blend = new int[4];
        private final int[] stats = new int[32];

        /** The structure of a state. */
        static Self of(PlayerState s) {
            Self p = new Self();
            p.type = s.pmType();
            p.time = s.pmTime();
            p.flags = s.pmFlags();
            p.gravity = s.gravity();
            p.gun = s.gunIndex();
            p.gunFrame = s.gunFrame();
            p.fov = s.fov();
            p.rdFlags = s.rdFlags();
            set(p.origin, s.origin());
            set(p.velocity, s.velocity());
            set(p.deltaAngles, s.deltaAngles());
            set(p.viewOffset, s.viewOffset());
            set(p.viewAngles, s.viewAngles());
            set(p.kick, s.kickAngles());
            set(p.gunOffset, s.gunOffset());
            set(p.gunAngles, s.gunAngles());
            p.blend[0] = s.blend().red();
            p.blend[1] = s.blend().green();
            p.blend[2] = s.blend().blue();
            p.blend[3] = s.blend().alpha();
            for (int i = 0; i < 32; i++) {
                p.stats[i] = s.stats().get(i);
            }
            return p;
        }

        private static void set(int[] to, Triple from) {
            to[0] = from.x();
            to[1] = from.y();
            to[2] = from.z();
        }

        private void copy(Self p) {
            type = p.type;
            time = p.time;
            flags = p.flags;
            gravity = p.gravity;
            gun = p.gun;
            gunFrame = p.gunFrame;
            fov = p.fov;
            rdFlags = p.rdFlags;
            System.arraycopy(p.origin, 0, origin, 0, 3);
            System.arraycopy(p.velocity, 0, velocity, 0, 3);
            System.arraycopy(p.deltaAngles, 0, deltaAngles, 0, 3);
            System.arraycopy(p.viewOffset, 0, viewOffset, 0, 3);
            System.arraycopy(p.viewAngles, 0, viewAngles, 0, 3);
            System.arraycopy(p.kick, 0, kick, 0, 3);
            System.arraycopy(p.gunOffset, 0, gunOffset, 0, 3);
            System.arraycopy(p.gunAngles, 0, gunAngles, 0, 3);
            System.arraycopy(p.blend, 0, blend, 0, 4);
            System.arraycopy(p.stats, 0, stats, 0, 32);
        }
    }

    private static final class Kept {
        int number;
        int count;
        final Self self = new Self();
        final Entity[] entities = new Entity[MAX_ENTITIES];
    }

    private static final Entity NEW = new Entity();

    private final Kept[] ring = new Kept[REMEMBERED];
    private final Kept none = new Kept();

    /** The packet; its first {@link #at} bytes. */
    final byte[] out = new byte[2048];

    int at;

    BaselineFrameEncoder() {
        for (int i = 0; i < REMEMBERED; i++) {
            ring[i] = new Kept();
            for (int k = 0; k < MAX_ENTITIES; k++) {
                ring[i].entities[k] = new Entity();
            }
        }
    }

    /**
     * Makes a frame.
     *
     * @param seen the entities, ascending by number
     * @param acknowledged the frame that the client has
     * @param end the most bytes
     */
    void write(int number, Entity[] seen, int acknowledged, Self self, int end) {
        Kept base = ring[acknowledged & REMEMBERED - 1];
        if (acknowledged <= 0 || base.number != acknowledged || number - acknowledged > 12) {
            base = none;
        }
        Kept kept = ring[number & REMEMBERED - 1];
        kept.number = number;
        kept.self.copy(self);
        at = 0;
        u8(20);
        i32(number);
        i32(base.number == 0 ? -1 : base.number);
        u8(0);
        u8(1);
        u8(0xFF);
        u8(17);
        player(base.self, self);
        u8(18);
        int count = 0;
        int old = 0;
        for (Entity now : seen) {
            while (old < base.count && base.entities[old].number < now.number) {
                remove(base.entities[old++].number);
            }
            if (at > end - 2 - MAX_DELTA_BYTES) {
                break;
            }
            if (old < base.count && base.entities[old].number == now.number) {
                delta(base.entities[old++], now, false);
            } else {
                delta(NEW, now, true);
            }
            kept.entities[count++].copy(now);
        }
        while (old < base.count) {
            remove(base.entities[old++].number);
        }
        kept.count = count;
        u16(0);
    }

    private void player(Self a, Self b) {
        int flags = 0;
        flags |= a.type == b.type ? 0 : 1;
        flags |= same(a.origin, b.origin) ? 0 : 2;
        flags |= same(a.velocity, b.velocity) ? 0 : 4;
        flags |= a.time == b.time ? 0 : 8;
        flags |= a.flags == b.flags ? 0 : 0x10;
        flags |= a.gravity == b.gravity ? 0 : 0x20;
        flags |= same(a.deltaAngles, b.deltaAngles) ? 0 : 0x40;
        flags |= same(a.viewOffset, b.viewOffset) ? 0 : 0x80;
        flags |= same(a.viewAngles, b.viewAngles) ? 0 : 0x100;
        flags |= same(a.kick, b.kick) ? 0 : 0x200;
        flags |= same(a.blend, b.blend) ? 0 : 0x400;
        flags |= a.fov == b.fov ? 0 : 0x800;
        flags |= a.gun == b.gun ? 0 : 0x1000;
        boolean still = a.gunFrame == b.gunFrame && same(a.gunOffset, b.gunOffset);
        flags |= still && same(a.gunAngles, b.gunAngles) ? 0 : 0x2000;
        flags |= a.rdFlags == b.rdFlags ? 0 : 0x4000;
        u16(flags);
        if ((flags & 1) != 0) {
            u8(b.type);
        }
        if ((flags & 2) != 0) {
            shorts(b.origin);
        }
        if ((flags & 4) != 0) {
            shorts(b.velocity);
        }
        if ((flags & 8) != 0) {
            u8(b.time);
        }
        if ((flags & 0x10) != 0) {
            u8(b.flags);
        }
        if ((flags & 0x20) != 0) {
            u16(b.gravity);
        }
        if ((flags & 0x40) != 0) {
            shorts(b.deltaAngles);
        }
        if ((flags & 0x80) != 0) {
            bytes(b.viewOffset);
        }
        if ((flags & 0x100) != 0) {
            shorts(b.viewAngles);
        }
        if ((flags & 0x200) != 0) {
            bytes(b.kick);
        }
        if ((flags & 0x1000) != 0) {
            u8(b.gun);
        }
        if ((flags & 0x2000) != 0) {
            u8(b.gunFrame);
            bytes(b.gunOffset);
            bytes(b.gunAngles);
        }
        if ((flags & 0x400) != 0) {
            bytes(b.blend);
        }
        if ((flags & 0x800) != 0) {
            u8(b.fov);
        }
        if ((flags & 0x4000) != 0) {
            u8(b.rdFlags);
        }
        int stats = 0;
        for (int i = 0; i < 32; i++) {
            stats |= a.stats[i] == b.stats[i] ? 0 : 1 << i;
        }
        i32(stats);
        for (int i = 0; i < 32; i++) {
            if ((stats >>> i & 1) != 0) {
                u16(b.stats[i]);
            }
        }
    }

    private static boolean same(int[] a, int[] b) {
        return Arrays.equals(a, b);
    }

    private void remove(int number) {
        u8(0x40);
        u8(number);
    }

    private void delta(Entity a, Entity b, boolean isNew) {
        int bits = a.x == b.x ? 0 : 1;
        bits |= a.y == b.y ? 0 : 2;
        bits |= a.z == b.z ? 0 : 0x200;
        bits |= a.pitch == b.pitch ? 0 : 0x400;
        bits |= a.yaw == b.yaw ? 0 : 4;
        bits |= a.roll == b.roll ? 0 : 8;
        bits |= a.model == b.model ? 0 : 0x800;
        bits |= a.model2 == b.model2 ? 0 : 0x10_0000;
        bits |= a.model3 == b.model3 ? 0 : 0x20_0000;
        bits |= a.model4 == b.model4 ? 0 : 0x40_0000;
        bits |= a.frame == b.frame ? 0 : b.frame < 0x100 ? 0x10 : 0x2_0000;
        bits |= a.skin == b.skin ? 0 : sized(b.skin, 0x1_0000, 0x200_0000);
        bits |= a.effects == b.effects ? 0 : sized(b.effects, 0x4000, 0x8_0000);
        bits |= a.renderfx == b.renderfx ? 0 : sized(b.renderfx, 0x1000, 0x4_0000);
        bits |= a.sound == b.sound ? 0 : 0x400_0000;
        bits |= b.event == 0 ? 0 : 0x20;
        bits |= a.solid == b.solid ? 0 : 0x800_0000;
        bits |= isNew ? 0x100_0000 : 0;
        if (bits == 0) {
            return;
        }
        if ((bits & 0xFF00_0000) != 0) {
            bits |= 0x80_8080;
        } else if ((bits & 0xFF_0000) != 0) {
            bits |= 0x8080;
        } else if ((bits & 0xFF00) != 0) {
            bits |= 0x80;
        }
        u8(bits);
        if ((bits & 0x80) != 0) {
            u8(bits >> 8);
        }
        if ((bits & 0x8000) != 0) {
            u8(bits >> 16);
        }
        if ((bits & 0x80_0000) != 0) {
            u8(bits >> 24);
        }
        u8(b.number);
        if ((bits & 0x800) != 0) {
            u8(b.model);
        }
        if ((bits & 0x10_0000) != 0) {
            u8(b.model2);
        }
        if ((bits & 0x20_0000) != 0) {
            u8(b.model3);
        }
        if ((bits & 0x40_0000) != 0) {
            u8(b.model4);
        }
        if ((bits & 0x10) != 0) {
            u8(b.frame);
        }
        if ((bits & 0x2_0000) != 0) {
            u16(b.frame);
        }
        sized(bits, 0x1_0000, 0x200_0000, b.skin);
        sized(bits, 0x4000, 0x8_0000, b.effects);
        sized(bits, 0x1000, 0x4_0000, b.renderfx);
        if ((bits & 1) != 0) {
            u16(b.x);
        }
        if ((bits & 2) != 0) {
            u16(b.y);
        }
        if ((bits & 0x200) != 0) {
            u16(b.z);
        }
        if ((bits & 0x400) != 0) {
            u8(b.pitch);
        }
        if ((bits & 4) != 0) {
            u8(b.yaw);
        }
        if ((bits & 8) != 0) {
            u8(b.roll);
        }
        if ((bits & 0x100_0000) != 0) {
            u16(b.oldX);
            u16(b.oldY);
            u16(b.oldZ);
        }
        if ((bits & 0x400_0000) != 0) {
            u8(b.sound);
        }
        if ((bits & 0x20) != 0) {
            u8(b.event);
        }
        if ((bits & 0x800_0000) != 0) {
            u16(b.solid);
        }
    }

    private static int sized(int value, int one, int two) {
        return value < 0x100 ? one : value < 0x8000 ? two : one | two;
    }

    private void sized(int bits, int one, int two, int value) {
        int size = bits & (one | two);
        if (size == one) {
            u8(value);
        } else if (size == two) {
            u16(value);
        } else if (size != 0) {
            i32(value);
        }
    }

    private void shorts(int[] values) {
        for (int value : values) {
            u16(value);
        }
    }

    private void bytes(int[] values) {
        for (int value : values) {
            u8(value);
        }
    }

    private void u8(int value) {
        out[at++] = (byte) value;
    }

    private void u16(int value) {
        out[at] = (byte) value;
        out[at + 1] = (byte) (value >> 8);
        at += 2;
    }

    private void i32(int value) {
        u16(value);
        u16(value >> 16);
    }
}
