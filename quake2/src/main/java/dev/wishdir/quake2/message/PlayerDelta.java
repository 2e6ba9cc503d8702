package dev.wishdir.quake2.message;

import dev.wishdir.wire.Wire;

/**
 * A player state as a delta of a base.
 *
 * <p>See docs/protocols/quake2.md, 3.2.
 *
 * @param flags the fields that are sent
 * @param statBits the stats that are sent
 * @param sent the fields that are sent; the others are undefined
 */
public record PlayerDelta(int flags, int statBits, PlayerState sent) {
    static final PlayerDelta BLANK = new PlayerDelta(0, 0, PlayerState.ZERO);

    static final int M_TYPE = 0x1;
    static final int M_ORIGIN = 0x2;
    static final int M_VELOCITY = 0x4;
    static final int M_TIME = 0x8;
    static final int M_FLAGS = 0x10;
    static final int M_GRAVITY = 0x20;
    static final int M_DELTA_ANGLES = 0x40;
    static final int VIEWOFFSET = 0x80;
    static final int VIEWANGLES = 0x100;
    static final int KICKANGLES = 0x200;
    static final int BLEND = 0x400;
    static final int FOV = 0x800;
    static final int WEAPONINDEX = 0x1000;
    static final int WEAPONFRAME = 0x2000;
    static final int RDFLAGS = 0x4000;

    /** The shortest delta from a base. */
    public static PlayerDelta between(PlayerState base, PlayerState state) {
        int flags = 0;
        flags |= base.pmType() == state.pmType() ? 0 : M_TYPE;
        flags |= base.origin().equals(state.origin()) ? 0 : M_ORIGIN;
        flags |= base.velocity().equals(state.velocity()) ? 0 : M_VELOCITY;
        flags |= base.pmTime() == state.pmTime() ? 0 : M_TIME;
        flags |= base.pmFlags() == state.pmFlags() ? 0 : M_FLAGS;
        flags |= base.gravity() == state.gravity() ? 0 : M_GRAVITY;
        flags |= base.deltaAngles().equals(state.deltaAngles()) ? 0 : M_DELTA_ANGLES;
        flags |= base.viewOffset().equals(state.viewOffset()) ? 0 : VIEWOFFSET;
        flags |= base.viewAngles().equals(state.viewAngles()) ? 0 : VIEWANGLES;
        flags |= base.kickAngles().equals(state.kickAngles()) ? 0 : KICKANGLES;
        flags |= base.gunIndex() == state.gunIndex() ? 0 : WEAPONINDEX;
        flags |=
                base.gunFrame() == state.gunFrame()
                                && base.gunOffset().equals(state.gunOffset())
                                && base.gunAngles().equals(state.gunAngles())
                        ? 0
                        : WEAPONFRAME;
        flags |= base.blend().equals(state.blend()) ? 0 : BLEND;
        flags |= base.fov() == state.fov() ? 0 : FOV;
        flags |= base.rdFlags() == state.rdFlags() ? 0 : RDFLAGS;
        return new PlayerDelta(flags, state.stats().changed(base.stats()), state);
    }

    private boolean has(int flag) {
        return (flags & flag) != 0;
    }

    /** Applies the delta to a base. */
    public PlayerState applyTo(PlayerState base) {
        return new PlayerState(
                has(M_TYPE) ? sent.pmType() : base.pmType(),
                has(M_ORIGIN) ? sent.origin() : base.origin(),
                has(M_VELOCITY) ? sent.velocity() : base.velocity(),
                has(M_TIME) ? sent.pmTime() : base.pmTime(),
                has(M_FLAGS) ? sent.pmFlags() : base.pmFlags(),
                has(M_GRAVITY) ? sent.gravity() : base.gravity(),
                has(M_DELTA_ANGLES) ? sent.deltaAngles() : base.deltaAngles(),
                has(VIEWOFFSET) ? sent.viewOffset() : base.viewOffset(),
                has(VIEWANGLES) ? sent.viewAngles() : base.viewAngles(),
                has(KICKANGLES) ? sent.kickAngles() : base.kickAngles(),
                has(WEAPONINDEX) ? sent.gunIndex() : base.gunIndex(),
                has(WEAPONFRAME) ? sent.gunFrame() : base.gunFrame(),
                has(WEAPONFRAME) ? sent.gunOffset() : base.gunOffset(),
                has(WEAPONFRAME) ? sent.gunAngles() : base.gunAngles(),
                has(BLEND) ? sent.blend() : base.blend(),
                has(FOV) ? sent.fov() : base.fov(),
                has(RDFLAGS) ? sent.rdFlags() : base.rdFlags(),
                base.stats().replaced(statBits, sent.stats()));
    }

    /** Walks the delta. */
    // The weapon is sent before blend and field of view, although its flags are higher.
    public static PlayerDelta wire(Wire w, PlayerDelta d) {
        PlayerState s = d.sent;
        int flags = w.u16le("flags", d.flags);
        int pmType = (flags & M_TYPE) == 0 ? 0 : w.u8("pm_type", s.pmType());
        Triple origin = i16(w, flags & M_ORIGIN, "origin", s.origin());
        Triple velocity = i16(w, flags & M_VELOCITY, "velocity", s.velocity());
        int pmTime = (flags & M_TIME) == 0 ? 0 : w.u8("pm_time", s.pmTime());
        int pmFlags = (flags & M_FLAGS) == 0 ? 0 : w.u8("pm_flags", s.pmFlags());
        int gravity = (flags & M_GRAVITY) == 0 ? 0 : w.i16le("gravity", s.gravity());
        Triple delta = i16(w, flags & M_DELTA_ANGLES, "delta_angles", s.deltaAngles());
        Triple viewOffset = i8(w, flags & VIEWOFFSET, "viewoffset", s.viewOffset());
        Triple viewAngles = i16(w, flags & VIEWANGLES, "viewangles", s.viewAngles());
        Triple kick = i8(w, flags & KICKANGLES, "kick", s.kickAngles());
        int gunIndex = (flags & WEAPONINDEX) == 0 ? 0 : w.u8("gunindex", s.gunIndex());
        int gunFrame = (flags & WEAPONFRAME) == 0 ? 0 : w.u8("gunframe", s.gunFrame());
        Triple gunOffset = i8(w, flags & WEAPONFRAME, "gunoffset", s.gunOffset());
        Triple gunAngles = i8(w, flags & WEAPONFRAME, "gunangles", s.gunAngles());
        Blend blend = (flags & BLEND) == 0 ? Blend.NONE : Blend.wire(w, s.blend());
        int fov = (flags & FOV) == 0 ? 0 : w.u8("fov", s.fov());
        int rdFlags = (flags & RDFLAGS) == 0 ? 0 : w.u8("rdflags", s.rdFlags());
        int statBits = w.i32le("statbits", d.statBits);
        Stats stats = s.stats();
        if (w.reading()) {
            stats = Stats.ZERO;
        }
        for (int i = 0; i < Stats.COUNT; i++) {
            if ((statBits >>> i & 1) != 0) {
                int stat = w.i16le("stat" + i, s.stats().get(i));
                stats = w.reading() ? stats.with(i, stat) : stats;
            }
        }
        return w.reading()
                ? new PlayerDelta(
                        flags,
                        statBits,
                        new PlayerState(
                                pmType,
                                origin,
                                velocity,
                                pmTime,
                                pmFlags,
                                gravity,
                                delta,
                                viewOffset,
                                viewAngles,
                                kick,
                                gunIndex,
                                gunFrame,
                                gunOffset,
                                gunAngles,
                                blend,
                                fov,
                                rdFlags,
                                stats))
                : d;
    }

    private static Triple i16(Wire w, int sent, String name, Triple value) {
        return sent == 0 ? Triple.ZERO : Triple.i16(w, name, value);
    }

    private static Triple i8(Wire w, int sent, String name, Triple value) {
        return sent == 0 ? Triple.ZERO : Triple.i8(w, name, value);
    }
}
