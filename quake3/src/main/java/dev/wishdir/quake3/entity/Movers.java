package dev.wishdir.quake3.entity;

import dev.wishdir.idtech.Box;
import dev.wishdir.idtech.Brush;
import dev.wishdir.idtech.BrushWorld;
import dev.wishdir.idtech.PlacedModel;
import dev.wishdir.motion.Vec3f;
import dev.wishdir.quake3.map.MapEntity;
import dev.wishdir.quake3.map.Quake3Map;
import dev.wishdir.quake3.movement.PlayerBody;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.ObjIntConsumer;

/** The movers of a level: docs/protocols/quake3.md#movers. */
final class Movers {
    private static final int START_OPEN = 1;
    private static final int CRUSHER = 4;

    /** Distance at which a door opens for a player. */
    private static final float DOORSTEP_UNITS = 120;

    /** Width of the rim of a lift, where a player does not start it. */
    private static final float RIM_UNITS = 33;

    private static final float GRAVITY = 800;

    /** Maximum corners of a path; more than any map has. */
    private static final int MAX_PATH_CORNERS = 256;

    private final Quake3Map map;
    private final TargetQueue targetQueue;
    private final List<Mover> all = new ArrayList<>();
    private final Map<String, List<Mover>> teams = new HashMap<>();
    private final Map<Mover, MapEntity> entities = new HashMap<>();
    private int time;

    Movers(Quake3Map map, TargetQueue targetQueue) {
        this.map = map;
        this.targetQueue = targetQueue;
    }

    List<Mover> all() {
        return all;
    }

    /** Adds the mover of an entity; empty if its class has none. */
    Optional<Mover> add(int number, int model, MapEntity entity) {
        Mover mover =
                switch (entity.classname()) {
                    case "func_door" -> door(number, model, entity);
                    case "func_plat" -> plat(number, model, entity);
                    case "func_button" -> button(number, model, entity);
                    case "func_train" -> train(number, model, entity);
                    case "func_static" -> standing(number, model, entity);
                    case "func_bobbing" -> bobbing(number, model, entity);
                    case "func_pendulum" -> pendulum(number, model, entity);
                    case "func_rotating" -> rotating(number, model, entity);
                    default -> null;
                };
        if (mover == null) {
            return Optional.empty();
        }
        all.add(mover);
        entities.put(mover, entity);
        if (!entity.text("team").isEmpty()) {
            List<Mover> team = teams.computeIfAbsent(entity.text("team"), _ -> new ArrayList<>());
            team.add(mover);
            mover.join(team);
        }
        targetQueue.register(entity.text("targetname"), mover::use);
        return Optional.of(mover);
    }

    private Vec3f size(int model) {
        Box bounds = map.map().models().get(model).bounds();
        return bounds.maxs().minus(bounds.mins()).plus(Mover.SPREAD.times(2));
    }

    /** The position of a model that has slid until only its lip is left. */
    private Vec3f lipPosition(int model, MapEntity entity, float lip) {
        Vec3f way = entity.direction();
        Vec3f size = size(model);
        float length =
                Math.abs(way.x()) * size.x()
                        + Math.abs(way.y()) * size.y()
                        + Math.abs(way.z()) * size.z()
                        - entity.number("lip", lip);
        return entity.origin().along(length, way);
    }

    private ObjIntConsumer<PlayerBody> arrival(MapEntity entity) {
        return (body, now) -> targetQueue.fire(entity.text("target"), body, now);
    }

    private Mover door(int number, int model, MapEntity entity) {
        Vec3f closed = entity.origin();
        Vec3f open = lipPosition(model, entity, 8);
        boolean swapped = entity.flag(START_OPEN);
        BinaryMover.Travel travel =
                BinaryMover.Travel.of(
                        swapped ? open : closed,
                        swapped ? closed : open,
                        entity.number("speed", 400),
                        entity.millis("wait", 2),
                        entity.flag(CRUSHER));
        return new BinaryMover(number, model, map, travel, arrival(entity));
    }

    /** Adds each door as a portal between the areas on its sides. */
    void addPortals(AreaPortals portals) {
        for (Mover mover : all) {
            if (mover instanceof BinaryMover door
                    && entity(mover).classname().equals("func_door")) {
                boolean swapped = entity(mover).flag(START_OPEN);
                portals.add(door.closedBounds(swapped), () -> !door.isClosed(swapped));
            }
        }
    }

    private Mover button(int number, int model, MapEntity entity) {
        BinaryMover.Travel travel =
                BinaryMover.Travel.of(
                        entity.origin(),
                        lipPosition(model, entity, 4),
                        entity.number("speed", 40),
                        entity.millis("wait", 1),
                        false);
        return new BinaryMover(number, model, map, travel, arrival(entity));
    }

    private Mover plat(int number, int model, MapEntity entity) {
        Vec3f up = entity.origin();
        float height = entity.number("height", size(model).z() - entity.number("lip", 8));
        BinaryMover.Travel travel =
                BinaryMover.Travel.of(
                        up.withZ(up.z() - height),
                        up,
                        entity.number("speed", 200),
                        entity.millis("wait", 1),
                        false);
        return new BinaryMover(number, model, map, travel, arrival(entity));
    }

    private @Nullable Mover train(int number, int model, MapEntity entity) {
        List<MapEntity> corners = new ArrayList<>();
        Optional<MapEntity> next = map.named("path_corner", entity.text("target"));
        while (next.isPresent()
                && !corners.contains(next.get())
                && corners.size() < MAX_PATH_CORNERS) {
            corners.add(next.get());
            next = map.named("path_corner", next.get().text("target"));
        }
        // Only a path that its map does not close has an end: such a train is left out.
        int again = next.map(corners::indexOf).orElse(-1);
        if (again < 0) {
            return null;
        }
        List<Train.Corner> path = new ArrayList<>();
        for (int i = 0; i < corners.size(); i++) {
            MapEntity corner = corners.get(i);
            float speed = corner.number("speed", entity.number("speed", 100));
            path.add(
                    new Train.Corner(
                            corner.origin(),
                            Math.max(1, speed),
                            corner.millis("wait", 0),
                            i + 1 < corners.size() ? i + 1 : again));
        }
        return new Train(number, model, map, entity.origin(), path);
    }

    private Mover standing(int number, int model, MapEntity entity) {
        Vec3f at = entity.origin();
        return new Mover(
                number, model, map, at, Trajectory.still(at), Trajectory.still(Vec3f.ZERO));
    }

    private Mover bobbing(int number, int model, MapEntity entity) {
        float height = entity.number("height", 32);
        Vec3f delta =
                entity.flag(1)
                        ? new Vec3f(height, 0, 0)
                        : entity.flag(2) ? new Vec3f(0, height, 0) : new Vec3f(0, 0, height);
        int duration = Math.max(1, entity.millis("speed", 4));
        return new Mover(
                number,
                model,
                map,
                entity.origin(),
                swing(entity, duration, entity.origin(), delta),
                Trajectory.still(Vec3f.ZERO));
    }

    private static Trajectory swing(MapEntity entity, int duration, Vec3f base, Vec3f delta) {
        int phase = (int) (duration * entity.number("phase", 0));
        return new Trajectory(Trajectory.Kind.SINE, phase, duration, base, delta);
    }

    private Mover pendulum(int number, int model, MapEntity entity) {
        float length = Math.max(8, Math.abs(map.map().models().get(model).bounds().mins().z()));
        int duration = (int) (1000 * 2 * Math.PI * Math.sqrt(3 * length / GRAVITY));
        Vec3f at = entity.origin();
        Vec3f delta = new Vec3f(0, 0, entity.number("speed", 30));
        return new Mover(
                number,
                model,
                map,
                at,
                Trajectory.still(at),
                swing(entity, duration, entity.angles(), delta));
    }

    private Mover rotating(int number, int model, MapEntity entity) {
        float speed = entity.number("speed", 100);
        Vec3f delta =
                entity.flag(4)
                        ? new Vec3f(0, 0, speed)
                        : entity.flag(8) ? new Vec3f(speed, 0, 0) : new Vec3f(0, speed, 0);
        Vec3f at = entity.origin();
        return new Mover(
                number,
                model,
                map,
                at,
                new Trajectory(Trajectory.Kind.STATIONARY, 0, 1, at, Vec3f.ZERO),
                new Trajectory(Trajectory.Kind.LINEAR, 0, 0, Vec3f.ZERO, delta));
    }

    /** The triggers around doors and on lifts that no other entity targets. */
    List<Trigger> triggers() {
        List<Trigger> triggers = new ArrayList<>();
        for (Mover mover : all) {
            boolean free =
                    mover.team().stream()
                            .allMatch(each -> entity(each).text("targetname").isEmpty());
            if (mover.isCaptain() && free && mover instanceof BinaryMover binary) {
                switch (entity(mover).classname()) {
                    case "func_door" -> triggers.add(doorstep(binary));
                    case "func_plat" -> triggers.add(middle(binary));
                    default -> {}
                }
            }
        }
        return triggers;
    }

    private MapEntity entity(Mover mover) {
        return Objects.requireNonNull(entities.get(mover));
    }

    private static PlacedModel box(int entity, Vec3f mins, Vec3f maxs) {
        BrushWorld box = new BrushWorld(List.of(Brush.box(mins, maxs, 1, 0)));
        return new PlacedModel(entity, box, Vec3f.ZERO, Vec3f.ZERO);
    }

    private Trigger doorstep(BinaryMover door) {
        Box around = door.bounds();
        for (Mover member : door.team()) {
            around = around.union(member.bounds());
        }
        Vec3f size = around.maxs().minus(around.mins());
        Vec3f thin =
                size.x() <= size.y() && size.x() <= size.z()
                        ? new Vec3f(DOORSTEP_UNITS, 0, 0)
                        : size.y() <= size.z()
                                ? new Vec3f(0, DOORSTEP_UNITS, 0)
                                : new Vec3f(0, 0, DOORSTEP_UNITS);
        return new Trigger.Act(
                box(door.number(), around.mins().minus(thin), around.maxs().plus(thin)),
                (body, now) -> {
                    if (!door.isOpening()) {
                        door.use(now, body);
                    }
                });
    }

    private static Trigger middle(BinaryMover plat) {
        Box around = plat.bounds();
        Vec3f rim = new Vec3f(RIM_UNITS, RIM_UNITS, 0);
        Vec3f mins = around.mins().plus(rim);
        Vec3f maxs = around.maxs().minus(rim).plus(new Vec3f(0, 0, 8));
        Vec3f middle = mins.plus(maxs).times(0.5f);
        if (maxs.x() <= mins.x()) {
            mins = new Vec3f(middle.x(), mins.y(), mins.z());
            maxs = new Vec3f(middle.x() + 1, maxs.y(), maxs.z());
        }
        if (maxs.y() <= mins.y()) {
            mins = new Vec3f(mins.x(), middle.y(), mins.z());
            maxs = new Vec3f(maxs.x(), middle.y() + 1, maxs.z());
        }
        return new Trigger.Act(
                box(plat.number(), mins, maxs),
                (body, now) -> {
                    if (plat.isAtRest()) {
                        plat.use(now, body);
                    }
                });
    }

    /** Activates the movers that a body has run into or stands on. */
    void activateTouched(PlayerBody body, int now) {
        for (Mover mover : all) {
            if (body.hasTouched(mover.number()) && mover instanceof BinaryMover binary) {
                switch (entity(mover).classname()) {
                    case "func_button" -> {
                        if (binary.isAtRest()) {
                            binary.use(now, body);
                        }
                    }
                    case "func_plat" -> binary.hold(now);
                    default -> {}
                }
            }
        }
    }

    /** Moves all movers, and the players that they carry, to a time. */
    void advance(int now, Iterable<PlayerBody> bodies) {
        int elapsed = now - time;
        time = now;
        for (Mover mover : all) {
            if (mover.isCaptain()) {
                advance(mover, now, elapsed, bodies);
            }
        }
    }

    private void advance(Mover captain, int now, int elapsed, Iterable<PlayerBody> bodies) {
        boolean moves = false;
        for (Mover member : captain.team()) {
            member.think(now);
            moves |= member.isMoving();
        }
        if (!moves) {
            return;
        }
        if (new Pusher(map.world(), all, bodies).move(captain.team(), now)) {
            for (Mover member : captain.team()) {
                if (member.pos().isOver(now)) {
                    member.onEndReached(now);
                }
            }
        } else {
            for (Mover member : captain.team()) {
                member.setTrajectories(member.pos().later(elapsed), member.apos().later(elapsed));
            }
            captain.onBlocked(now);
        }
    }
}
