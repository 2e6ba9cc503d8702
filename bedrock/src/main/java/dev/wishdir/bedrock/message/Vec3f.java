package dev.wishdir.bedrock.message;

import dev.wishdir.wire.Wire;

/** Three numbers of single precision, x east, y up, z south. */
public record Vec3f(float x, float y, float z) {
    public static final Vec3f ZERO = new Vec3f(0, 0, 0);

    public static Vec3f wire(Wire w, String name, Vec3f m) {
        w.begin(name);
        Vec3f walked = new Vec3f(w.f32le("x", m.x), w.f32le("y", m.y), w.f32le("z", m.z));
        if (w.tracing()) {
            w.end(walked.x + ", " + walked.y + ", " + walked.z);
        }
        return walked;
    }

    public boolean isFinite() {
        return Float.isFinite(x) && Float.isFinite(y) && Float.isFinite(z);
    }
}
