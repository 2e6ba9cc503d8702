package dev.wishdir.quake3.entity;

import dev.wishdir.quake3.map.MapEntity;
import dev.wishdir.quake3.map.Quake3Map;
import dev.wishdir.quake3.message.EntityDelta;
import dev.wishdir.quake3.message.EntityField;
import dev.wishdir.quake3.message.EntityState;
import dev.wishdir.quake3.movement.PlayerBody;
import dev.wishdir.wire.Bytes;
import dev.wishdir.world.Box;
import dev.wishdir.world.PlacedModel;
import dev.wishdir.world.Vec3f;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ObjIntConsumer;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/** The entities of a level while it is played: what players touch and what moves. */
public final class LevelEntities {
    /** Entities below are players. */
    private static final int FIRST = EntityState.MAX_CLIENTS;

    /** The maximum number besides the players: a snapshot has at most 256 entities. */
    private static final int MAX_ENTITIES = 256 - EntityState.MAX_CLIENTS;

    /** Models from this number on cannot be sent: their field has 8 bits. */
    private static final int MODELS = 1 << 8;

    private static final int ET_PUSH_TRIGGER = 8;
    private static final int ET_TELEPORT_TRIGGER = 9;

    /** A player farther below the map is killed; units. */
    private static final float ABYSS = 256;

    private static final float GRAVITY = 800;

    /** The least damage that kills a player that has just spawned. */
    private static final int DEADLY = 125;

    private static final int SPECTATORS_ONLY = 1;
    private static final int START_OFF = 1;

    private final Quake3Map map;
    private final RandomGenerator random;
    private final Map<String, List<MapEntity>> named = new HashMap<>();
    private final List<Trigger> triggers = new ArrayList<>();
    private final TargetQueue targetQueue = new TargetQueue();
    private final Movers movers;
    private final AreaPortals portals;
    private final List<NetworkedEntity> networked = new ArrayList<>();

    /** The states that clients receive before the first snapshot, by number. */
    private final SortedMap<Integer, EntityState> baselines = new TreeMap<>();

    private final float floor;
    private int next = FIRST;
    private int time;

    public LevelEntities(Quake3Map map, RandomGenerator random) {
        this.map = map;
        this.random = random;
        movers = new Movers(map, targetQueue);
        floor = map.map().models().getFirst().bounds().mins().z() - ABYSS;
        List<MapEntity> all = map.entities();
        for (MapEntity entity : all) {
            named.computeIfAbsent(entity.text("targetname"), _ -> new ArrayList<>()).add(entity);
        }
        for (MapEntity entity : all) {
            Optional<Integer> model = map.map().model(entity.keys());
            if (model.isPresent() && model.get() < MODELS && next < FIRST + MAX_ENTITIES) {
                begin(entity, model.get());
            }
            target(entity);
        }
        triggers.addAll(movers.triggers());
        portals = new AreaPortals(map.map().leafs());
        movers.part(portals);
    }

    private void begin(MapEntity entity, int model) {
        switch (entity.classname()) {
            case "trigger_push" -> push(entity, model);
            case "trigger_teleport" -> teleporter(entity, model);
            case "trigger_hurt" -> {
                if (entity.number("dmg", 5) >= DEADLY && !entity.flag(START_OFF)) {
                    triggers.add(new Trigger.Kill(shape(entity, model, next)));
                }
            }
            case "trigger_multiple" -> multiple(entity, model);
            default ->
                    movers.add(next, model, entity)
                            .ifPresent(mover -> tell(mover.state(), mover::state));
        }
    }

    private void tell(EntityState begins, Supplier<EntityState> now) {
        baselines.put(next, begins);
        networked.add(new NetworkedEntity(next++, now));
    }

    private PlacedModel shape(MapEntity entity, int model, int number) {
        return new PlacedModel(number, map.map().solids(model), entity.origin(), Vec3f.ZERO);
    }

    /** What has a target's name and a place. */
    private List<Trigger.Place> places(String target) {
        List<Trigger.Place> places = new ArrayList<>();
        if (!target.isEmpty()) {
            for (MapEntity entity : named.getOrDefault(target, List.of())) {
                entity.vector("origin")
                        .ifPresent(at -> places.add(new Trigger.Place(at, entity.angles())));
            }
        }
        return List.copyOf(places);
    }

    private <T> T any(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }

    private void push(MapEntity entity, int model) {
        List<Trigger.Place> targets = places(entity.text("target"));
        if (targets.isEmpty()) {
            return;
        }
        Box bounds = map.map().models().get(model).bounds();
        Vec3f middle = bounds.mins().plus(bounds.maxs()).times(0.5f).plus(entity.origin());
        Vec3f way = any(targets).origin().minus(middle);
        if (way.z() <= 0) {
            return;
        }
        Vec3f velocity = thrown(way);
        triggers.add(new Trigger.Push(shape(entity, model, next), velocity));
        EntityState state =
                trigger(ET_PUSH_TRIGGER, model)
                        .real(EntityField.ORIGIN2_0, velocity.x())
                        .real(EntityField.ORIGIN2_1, velocity.y())
                        .real(EntityField.ORIGIN2_2, velocity.z())
                        .build();
        tell(state, () -> state);
    }

    /** The velocity with which something flies a way, to be highest at its end. */
    private static Vec3f thrown(Vec3f way) {
        float time = (float) Math.sqrt(way.z() / (0.5f * GRAVITY));
        Vec3f flat = way.withZ(0);
        return flat.normalised().times(flat.length() / time).withZ(time * GRAVITY);
    }

    private void teleporter(MapEntity entity, int model) {
        List<Trigger.Place> places = places(entity.text("target"));
        if (places.isEmpty()) {
            return;
        }
        boolean spectators = entity.flag(SPECTATORS_ONLY);
        triggers.add(new Trigger.Teleport(shape(entity, model, next), places, spectators));
        if (!spectators) {
            EntityState state = trigger(ET_TELEPORT_TRIGGER, model).build();
            tell(state, () -> state);
        }
    }

    private void multiple(MapEntity entity, int model) {
        int wait = entity.millis("wait", 0.5f);
        triggers.add(
                new Trigger.Act(
                        shape(entity, model, next),
                        new ObjIntConsumer<>() {
                            private int ready;

                            @Override
                            public void accept(PlayerBody body, int now) {
                                if (now >= ready) {
                                    ready = wait > 0 ? now + wait : Integer.MAX_VALUE;
                                    targetQueue.fire(entity.text("target"), body, now);
                                }
                            }
                        }));
    }

    private void target(MapEntity entity) {
        String name = entity.text("targetname");
        String next = entity.text("target");
        switch (entity.classname()) {
            case "target_relay" ->
                    targetQueue.name(name, (now, by) -> targetQueue.fire(next, by, now));
            case "target_delay" -> {
                int wait = entity.millis("wait", entity.number("delay", 1));
                targetQueue.name(name, (now, by) -> targetQueue.fire(next, by, now + wait));
            }
            case "target_teleporter" -> {
                List<Trigger.Place> places = places(next);
                if (!places.isEmpty()) {
                    targetQueue.name(name, (_, by) -> any(places).receive(by));
                }
            }
            default -> {}
        }
    }

    private static EntityState.Builder trigger(int type, int model) {
        return EntityState.builder()
                .set(EntityField.E_TYPE, type)
                .set(EntityField.SOLID, Mover.SOLID_BMODEL)
                .set(EntityField.MODELINDEX, model);
    }

    /** The baselines that a client receives before its first snapshot. */
    public List<EntityDelta> baselines() {
        List<EntityDelta> deltas = new ArrayList<>(baselines.size());
        baselines.forEach((number, state) ->
                deltas.add(new EntityDelta(number, false, state.since(EntityState.ZERO))));
        return deltas;
    }

    /** The states that entities have begun with, by number. */
    public SortedMap<Integer, EntityState> states() {
        return baselines;
    }

    /** An entity that is sent to clients: its number, and its current state. */
    public record NetworkedEntity(int number, Supplier<EntityState> state) {}

    /** The entities that are sent to clients, by number. */
    public List<NetworkedEntity> networkedEntities() {
        return networked;
    }

    /** Which areas are hidden from an eye: docs/protocols/quake3.md#area-bits. */
    public Bytes hiddenAreas(Vec3f eye) {
        return portals.hidden(eye);
    }

    /** What moves or could, where it is now. */
    public List<PlacedModel> placed() {
        List<Mover> all = movers.all();
        List<PlacedModel> placed = new ArrayList<>(all.size());
        for (int i = 0; i < all.size(); i++) {
            placed.add(all.get(i).placed());
        }
        return placed;
    }

    /** Lets everything happen that is due, to the players as well. */
    public void advance(int now, Iterable<PlayerBody> bodies) {
        if (now != time) {
            time = now;
            targetQueue.advance(now);
            movers.advance(now, bodies);
        }
    }

    /** A body has moved: what it now touches does its work. */
    public void touch(PlayerBody body) {
        boolean jumps = false;
        for (Trigger trigger : triggers) {
            if (wants(trigger, body) && body.touches(trigger.shape())) {
                switch (trigger) {
                    case Trigger.Push push -> {
                        body.jump(push.shape().entity(), push.velocity());
                        jumps = true;
                    }
                    case Trigger.Teleport teleport -> any(teleport.places()).receive(body);
                    case Trigger.Kill _ -> body.kill();
                    case Trigger.Act act -> act.act().accept(body, time);
                }
            }
        }
        if (!jumps) {
            body.leavePads();
        }
        if (!body.spectates()) {
            movers.touched(body, time);
        }
        if (!body.spectates() && body.origin().z() < floor) {
            body.kill();
        }
    }

    private static boolean wants(Trigger trigger, PlayerBody body) {
        return trigger instanceof Trigger.Teleport teleport
                ? body.spectates() || !teleport.spectators()
                : !body.spectates();
    }
}
