package dev.wishdir.quake3.entity;

import dev.wishdir.idtech.Box;
import dev.wishdir.idtech.PlacedModel;
import dev.wishdir.motion.Vec3f;
import dev.wishdir.quake3.map.MapEntity;
import dev.wishdir.quake3.map.Quake3Map;
import dev.wishdir.quake3.message.EntityDelta;
import dev.wishdir.quake3.message.EntityField;
import dev.wishdir.quake3.message.EntityState;
import dev.wishdir.quake3.movement.PlayerBody;
import dev.wishdir.wire.Bytes;

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

/** The entities of a running level: triggers that players touch, and movers. */
public final class LevelEntities {
    /** The first entity number that is not a player. */
    private static final int FIRST_NUMBER = EntityState.MAX_CLIENTS;

    /** Maximum number of entities besides players: a snapshot has at most 256. */
    private static final int MAX_ENTITIES = 256 - EntityState.MAX_CLIENTS;

    /** Number of models that can be sent: their field has 8 bits. */
    private static final int MAX_MODELS = 1 << 8;

    private static final int ET_PUSH_TRIGGER = 8;
    private static final int ET_TELEPORT_TRIGGER = 9;

    /** Depth below the map at which a player is killed. */
    private static final float ABYSS_UNITS = 256;

    private static final float GRAVITY = 800;

    /** Minimum damage that kills a player that has just spawned. */
    private static final int DEADLY_DAMAGE = 125;

    private static final int SPECTATORS_ONLY = 1;
    private static final int START_OFF = 1;

    private final Quake3Map map;
    private final RandomGenerator random;
    private final Map<String, List<MapEntity>> byTargetname = new HashMap<>();
    private final List<Trigger> triggers = new ArrayList<>();
    private final TargetQueue targetQueue = new TargetQueue();
    private final Movers movers;
    private final AreaPortals portals;
    private final List<NetworkedEntity> networked = new ArrayList<>();

    /** The initial states, which clients receive before the first snapshot, by number. */
    private final SortedMap<Integer, EntityState> baselines = new TreeMap<>();

    private final float floor;
    private int next = FIRST_NUMBER;
    private int time;

    public LevelEntities(Quake3Map map, RandomGenerator random) {
        this.map = map;
        this.random = random;
        movers = new Movers(map, targetQueue);
        floor = map.map().models().getFirst().bounds().mins().z() - ABYSS_UNITS;
        List<MapEntity> all = map.entities();
        for (MapEntity entity : all) {
            byTargetname
                    .computeIfAbsent(entity.text("targetname"), _ -> new ArrayList<>())
                    .add(entity);
        }
        for (MapEntity entity : all) {
            Optional<Integer> model = map.map().model(entity.keys());
            if (model.isPresent()
                    && model.get() < MAX_MODELS
                    && next < FIRST_NUMBER + MAX_ENTITIES) {
                addModel(entity, model.get());
            }
            addTarget(entity);
        }
        triggers.addAll(movers.triggers());
        portals = new AreaPortals(map.map().leafs());
        movers.addPortals(portals);
    }

    private void addModel(MapEntity entity, int model) {
        switch (entity.classname()) {
            case "trigger_push" -> addPush(entity, model);
            case "trigger_teleport" -> addTeleporter(entity, model);
            case "trigger_hurt" -> {
                if (entity.number("dmg", 5) >= DEADLY_DAMAGE && !entity.flag(START_OFF)) {
                    triggers.add(new Trigger.Kill(shape(entity, model, next)));
                }
            }
            case "trigger_multiple" -> addMultiple(entity, model);
            default ->
                    movers.add(next, model, entity)
                            .ifPresent(mover -> addNetworked(mover.state(), mover::state));
        }
    }

    private void addNetworked(EntityState initial, Supplier<EntityState> now) {
        baselines.put(next, initial);
        networked.add(new NetworkedEntity(next++, now));
    }

    private PlacedModel shape(MapEntity entity, int model, int number) {
        return new PlacedModel(number, map.map().solids(model), entity.origin(), Vec3f.ZERO);
    }

    /** The origins and angles of the entities with this target name. */
    private List<Trigger.Place> places(String target) {
        List<Trigger.Place> places = new ArrayList<>();
        if (!target.isEmpty()) {
            for (MapEntity entity : byTargetname.getOrDefault(target, List.of())) {
                entity.vector("origin")
                        .ifPresent(at -> places.add(new Trigger.Place(at, entity.angles())));
            }
        }
        return List.copyOf(places);
    }

    private <T> T pickRandom(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }

    private void addPush(MapEntity entity, int model) {
        List<Trigger.Place> targets = places(entity.text("target"));
        if (targets.isEmpty()) {
            return;
        }
        Box bounds = map.map().models().get(model).bounds();
        Vec3f middle = bounds.mins().plus(bounds.maxs()).times(0.5f).plus(entity.origin());
        Vec3f way = pickRandom(targets).origin().minus(middle);
        if (way.z() <= 0) {
            return;
        }
        Vec3f velocity = launchVelocity(way);
        triggers.add(new Trigger.Push(shape(entity, model, next), velocity));
        EntityState state =
                trigger(ET_PUSH_TRIGGER, model)
                        .real(EntityField.ORIGIN2_0, velocity.x())
                        .real(EntityField.ORIGIN2_1, velocity.y())
                        .real(EntityField.ORIGIN2_2, velocity.z())
                        .build();
        addNetworked(state, () -> state);
    }

    /** The velocity of a flight whose apex is the end of the way. */
    private static Vec3f launchVelocity(Vec3f way) {
        float time = (float) Math.sqrt(way.z() / (0.5f * GRAVITY));
        Vec3f flat = way.withZ(0);
        return flat.normalised().times(flat.length() / time).withZ(time * GRAVITY);
    }

    private void addTeleporter(MapEntity entity, int model) {
        List<Trigger.Place> places = places(entity.text("target"));
        if (places.isEmpty()) {
            return;
        }
        boolean spectators = entity.flag(SPECTATORS_ONLY);
        triggers.add(new Trigger.Teleport(shape(entity, model, next), places, spectators));
        if (!spectators) {
            EntityState state = trigger(ET_TELEPORT_TRIGGER, model).build();
            addNetworked(state, () -> state);
        }
    }

    private void addMultiple(MapEntity entity, int model) {
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

    private void addTarget(MapEntity entity) {
        String name = entity.text("targetname");
        String next = entity.text("target");
        switch (entity.classname()) {
            case "target_relay" ->
                    targetQueue.register(name, (now, by) -> targetQueue.fire(next, by, now));
            case "target_delay" -> {
                int wait = entity.millis("wait", entity.number("delay", 1));
                targetQueue.register(name, (now, by) -> targetQueue.fire(next, by, now + wait));
            }
            case "target_teleporter" -> {
                List<Trigger.Place> places = places(next);
                if (!places.isEmpty()) {
                    targetQueue.register(name, (_, by) -> pickRandom(places).receive(by));
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

    /** The initial states of entities, by number. */
    public SortedMap<Integer, EntityState> states() {
        return baselines;
    }

    /** An entity that is sent to clients: its number, and its current state. */
    public record NetworkedEntity(int number, Supplier<EntityState> state) {}

    /** The entities that are sent to clients, by number. */
    public List<NetworkedEntity> networkedEntities() {
        return networked;
    }

    /** The first number above those of the level. */
    public int firstFree() {
        return next;
    }

    /** The bits of the areas hidden from an eye: docs/protocols/quake3.md#area-bits. */
    public Bytes hiddenAreas(Vec3f eye) {
        return portals.hiddenAreas(eye);
    }

    /** The models of all movers at their present positions. */
    public List<PlacedModel> placed() {
        List<Mover> all = movers.all();
        List<PlacedModel> placed = new ArrayList<>(all.size());
        for (int i = 0; i < all.size(); i++) {
            placed.add(all.get(i).placed());
        }
        return placed;
    }

    /** Advances targets and movers to a time; movers carry players. */
    public void advance(int now, Iterable<PlayerBody> bodies) {
        if (now != time) {
            time = now;
            targetQueue.advance(now);
            movers.advance(now, bodies);
        }
    }

    /** Activates the triggers and movers that a body touches after it has moved. */
    public void touch(PlayerBody body) {
        boolean onPad = false;
        for (Trigger trigger : triggers) {
            if (appliesTo(trigger, body) && body.touches(trigger.shape())) {
                switch (trigger) {
                    case Trigger.Push push -> {
                        body.launch(push.shape().entity(), push.velocity());
                        onPad = true;
                    }
                    case Trigger.Teleport teleport -> pickRandom(teleport.places()).receive(body);
                    case Trigger.Kill _ -> body.kill();
                    case Trigger.Act act -> act.act().accept(body, time);
                }
            }
        }
        if (!onPad) {
            body.leavePads();
        }
        if (!body.spectates()) {
            movers.activateTouched(body, time);
        }
        if (!body.spectates() && body.origin().z() < floor) {
            body.kill();
        }
    }

    private static boolean appliesTo(Trigger trigger, PlayerBody body) {
        return trigger instanceof Trigger.Teleport teleport
                ? body.spectates() || !teleport.spectators()
                : !body.spectates();
    }
}
