package dev.wishdir.bedrock.message;

import dev.wishdir.wire.Wire;

/** Two numbers of single precision. In a rotation x is the pitch and y the yaw. */
public record Vec2f(float x, float y) {
    public static final Vec2f ZERO = new Vec2f(0, 0);

    public static Vec2f wire(Wire w, String name, Vec2f m) {
        w.begin(name);
        Vec2f walked = new Vec2f(w.f32le("x", m.x), w.f32le("y", m.y));
        if (w.tracing()) {
            w.end(walked.x + ", " + walked.y);
        }
        return walked;
    }

    public boolean isFinite() {
        return Float.isFinite(x) && Float.isFinite(y);
    }
}
