package dev.wishdir.quake3.server.view;

import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.motion.Vec3f;
import dev.wishdir.quake3.combat.CombatState;
import dev.wishdir.quake3.message.EntityField;
import dev.wishdir.quake3.message.EntityState;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToIntFunction;

/**
 * The entities of fights, as all clients of the endpoint see them: items, events, corpses, flags
 * and missiles. Players in them are named by the slots that each client knows them by. Bounded:
 * there are as many as there are numbers.
 */
public final class CombatEntities {
    /** The first number that no level uses. */
    public static final int FIRST_EVENT = 256;

    /**
     * Enough that a number rests until all clients have acknowledged a snapshot without it: with 20
     * events a second, for 25 s.
     */
    static final int MAX_EVENTS = 512;

    private static final int FIRST_CORPSE = FIRST_EVENT + MAX_EVENTS;
    private static final int MAX_CORPSES = 8;

    /** The first number of flags: two at home, two where they were dropped. */
    public static final int FIRST_FLAG = FIRST_CORPSE + MAX_CORPSES;

    private static final int MAX_FLAGS = 4;
    private static final int FIRST_MISSILE = FIRST_FLAG + MAX_FLAGS;
    private static final int MAX_MISSILES = EntityState.WORLD - FIRST_MISSILE;

    public static final int EVENT_MILLIS = 300;
    private static final int CORPSE_MILLIS = 6_500;

    /** Type of the entity of an event, less the event's number. */
    private static final int ET_EVENTS = 13;

    /**
     * Content of an entity.
     *
     * @param players fields that name players
     * @param only the player whose client is sent it; empty for all
     * @param hidden the player whose client is not sent it
     * @param everywhere whether it is sent before those that are only near
     * @param instead the player that it stands for, at clients that do not know that one
     */
    public record Content(
            EntityState state,
            Map<EntityField, PlayerId> players,
            Optional<PlayerId> only,
            Optional<PlayerId> hidden,
            boolean everywhere,
            Optional<PlayerId> instead) {
        public Content(EntityState state) {
            this(state, Map.of(), Optional.empty(), Optional.empty(), false, Optional.empty());
        }

        /** This with a player named in a field; a client that does not know it is sent nothing. */
        public Content naming(EntityField field, PlayerId player) {
            Map<EntityField, PlayerId> named = new EnumMap<>(EntityField.class);
            named.putAll(players);
            named.put(field, player);
            return new Content(state, named, only, hidden, everywhere, instead);
        }

        public Content toAll() {
            return new Content(state, players, only, hidden, true, instead);
        }

        /** This for the clients that do not know a player. */
        public Content insteadOf(PlayerId player) {
            return new Content(state, players, only, hidden, everywhere, Optional.of(player));
        }

        public Content onlyTo(PlayerId player) {
            return new Content(state, players, Optional.of(player), hidden, true, instead);
        }

        public Content notTo(PlayerId player) {
            return new Content(state, players, only, Optional.of(player), everywhere, instead);
        }

        private boolean isFor(PlayerId viewer) {
            return only.map(viewer::equals).orElse(true) && !hidden.equals(Optional.of(viewer));
        }

        /** The state with the slots of a client; empty if it does not know a player. */
        private Optional<EntityState> state(ToIntFunction<PlayerId> slots) {
            if (instead.filter(player -> slots.applyAsInt(player) >= 0).isPresent()) {
                return Optional.empty();
            }
            EntityState seen = state;
            for (Map.Entry<EntityField, PlayerId> each : players.entrySet()) {
                int slot = slots.applyAsInt(each.getValue());
                if (slot < 0 && each.getKey() != EntityField.OTHER_ENTITY_NUM2) {
                    return Optional.empty();
                }
                seen = seen.with(each.getKey(), slot < 0 ? CombatState.WORLD : slot);
            }
            return Optional.of(seen);
        }

        private Vec3f place() {
            return new Vec3f(
                    state.real(EntityField.POS_TR_BASE_0),
                    state.real(EntityField.POS_TR_BASE_1),
                    state.real(EntityField.POS_TR_BASE_2));
        }
    }

    /** An entity of a client's frame. */
    public record Visible(int number, EntityState state) {}

    private record Entity(int number, Content content, int until) {
        Entity later(int millis) {
            return until == Integer.MAX_VALUE ? this : new Entity(number, content, until + millis);
        }
    }

    private final SortedMap<Integer, Entity> entities = new TreeMap<>();
    private int nextEvent;
    private int nextCorpse;
    private int nextMissile;

    /** The time of the last {@link #advance}; negative before the first. */
    private int advanced = -1;

    /** A state with the place of an event, which clients receive without fractions. */
    public static EntityState.Builder at(Vec3f place) {
        return EntityState.builder()
                .real(EntityField.POS_TR_BASE_0, place.x())
                .real(EntityField.POS_TR_BASE_1, place.y())
                .real(EntityField.POS_TR_BASE_2, place.z());
    }

    /** Shows an event for 300 ms. */
    public void event(int time, TempEvent event, EntityState.Builder state) {
        event(time, event, new Content(state.build()));
    }

    /** Shows an event for 300 ms. */
    public void event(int time, TempEvent event, Content content) {
        Content typed =
                new Content(
                        content.state().with(EntityField.E_TYPE, ET_EVENTS + event.number()),
                        content.players(),
                        content.only(),
                        content.hidden(),
                        content.everywhere(),
                        content.instead());
        put(FIRST_EVENT + Math.floorMod(nextEvent++, MAX_EVENTS), typed, time + EVENT_MILLIS);
    }

    /** Shows a corpse; it replaces the oldest of eight. */
    public void corpse(int time, Content content) {
        put(FIRST_CORPSE + Math.floorMod(nextCorpse++, MAX_CORPSES), content, time + CORPSE_MILLIS);
    }

    /**
     * Shows a missile until it is {@linkplain #remove removed} or exploded.
     *
     * @return its number, or -1 if no number is free
     */
    public int missile(Content content) {
        for (int tries = 0; tries < MAX_MISSILES; tries++) {
            int number = FIRST_MISSILE + Math.floorMod(nextMissile++, MAX_MISSILES);
            if (!entities.containsKey(number)) {
                put(number, content, Integer.MAX_VALUE);
                return number;
            }
        }
        return -1;
    }

    /** Shows another state of a missile. */
    public void change(int missile, Content content) {
        if (entities.containsKey(missile)) {
            put(missile, content, Integer.MAX_VALUE);
        }
    }

    /** Turns a missile into its last event, for 300 ms. */
    public void end(int missile, int time, Content content) {
        if (entities.containsKey(missile)) {
            put(missile, content, time + EVENT_MILLIS);
        }
    }

    public void remove(int number) {
        entities.remove(number);
    }

    /**
     * Shows an item until it is {@linkplain #remove removed}.
     *
     * @param number above those of the level, below {@link #FIRST_EVENT}
     */
    public void item(int number, EntityState state) {
        put(number, new Content(state), Integer.MAX_VALUE);
    }

    /**
     * Shows a flag until it is {@linkplain #remove removed}.
     *
     * @param number from {@link #FIRST_FLAG}
     */
    public void flag(int number, Content content) {
        Entity known = entities.get(number);
        if (known == null || !known.content().equals(content)) {
            put(number, content, Integer.MAX_VALUE);
        }
    }

    /** Removes all: another level or round. */
    public void clear() {
        entities.clear();
    }

    private void put(int number, Content content, int until) {
        entities.put(number, new Entity(number, content, until));
    }

    /**
     * Removes what is over, once each server frame. The time of frames that were left out on a busy
     * machine does not count: no snapshot has shown an event during it.
     */
    public void advance(int time) {
        int leftOut = time - advanced - RunningLevel.FRAME_MILLIS;
        if (advanced >= 0 && leftOut >= RunningLevel.FRAME_MILLIS) {
            entities.replaceAll((_, entity) -> entity.later(leftOut));
        }
        advanced = time;
        entities.values().removeIf(entity -> time >= entity.until());
    }

    /**
     * Entities that a client is sent, by number: if there are too many, those for all, then the
     * nearest.
     *
     * @param slots of players at the client, its own included; -1 for none
     * @param most entities
     */
    public List<Visible> visible(
            PlayerId viewer, Vec3f eye, ToIntFunction<PlayerId> slots, int most) {
        if (entities.isEmpty()) {
            return List.of();
        }
        List<Entity> chosen = new ArrayList<>();
        for (Entity entity : entities.values()) {
            if (entity.content().isFor(viewer)) {
                chosen.add(entity);
            }
        }
        if (chosen.size() > most) {
            chosen.sort(
                    Comparator.comparing((Entity entity) -> !entity.content().everywhere())
                            .thenComparingDouble(
                                    entity -> entity.content().place().minus(eye).length()));
            chosen = chosen.subList(0, Math.max(0, most));
            chosen.sort(Comparator.comparingInt(Entity::number));
        }
        List<Visible> visible = new ArrayList<>(chosen.size());
        for (Entity entity : chosen) {
            entity.content()
                    .state(slots)
                    .ifPresent(state -> visible.add(new Visible(entity.number(), state)));
        }
        return visible;
    }
}
