package dev.wishdir.quake3.entity;

import dev.wishdir.motion.Vec3f;
import dev.wishdir.quake3.map.Quake3Map;

import java.util.List;

/** A mover that travels along the corners of a path in an endless loop. */
final class Train extends Mover {
    /**
     * A corner of a path.
     *
     * @param speed from this corner to the next, units a second
     * @param pause wait at this corner, milliseconds
     * @param next index of the next corner
     */
    record Corner(Vec3f origin, float speed, int pause, int next) {}

    private final List<Corner> path;
    private int corner;
    private int departure;

    /**
     * @param path at least one corner; the train starts at the first
     */
    Train(int number, int model, Quake3Map map, Vec3f sentOrigin, List<Corner> path) {
        super(
                number,
                model,
                map,
                sentOrigin,
                Trajectory.still(path.getFirst().origin()),
                Trajectory.still(Vec3f.ZERO));
        this.path = path;
    }

    @Override
    void think(int now) {
        if (pos().kind() == Trajectory.Kind.STATIONARY && now >= departure) {
            Corner from = path.get(corner);
            Vec3f to = path.get(from.next()).origin();
            float length = to.minus(from.origin()).length();
            int duration = Math.max(1, (int) (length * 1000 / from.speed()));
            setTrajectories(Trajectory.between(from.origin(), to, now, duration), apos());
        }
    }

    @Override
    void onEndReached(int now) {
        corner = path.get(corner).next();
        departure = now + path.get(corner).pause();
        setTrajectories(Trajectory.still(path.get(corner).origin()), apos());
    }
}
