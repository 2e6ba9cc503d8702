package dev.wishdir.quake3.server.combat;

import static org.assertj.core.api.Assertions.assertThat;

import static java.util.Objects.requireNonNull;

import dev.wishdir.arena.combat.MissileMotion;
import dev.wishdir.arena.event.Vitals;
import dev.wishdir.idtech.BrushWorld;
import dev.wishdir.idtech.Bsp46;
import dev.wishdir.idtech.Obstacle;
import dev.wishdir.idtech.Trace;
import dev.wishdir.motion.Vec3f;
import dev.wishdir.quake3.Quake3Captures;
import dev.wishdir.quake3.combat.Weapon;
import dev.wishdir.quake3.combat.WeaponRules;
import dev.wishdir.quake3.message.EntityField;
import dev.wishdir.quake3.message.EntityState;
import dev.wishdir.quake3.message.PlayerArray;
import dev.wishdir.quake3.message.PlayerField;
import dev.wishdir.quake3.message.PlayerState;
import dev.wishdir.quake3.message.Usercmd;
import dev.wishdir.quake3.movement.CapturedBody;
import dev.wishdir.quake3.movement.PlayerBody;
import dev.wishdir.quake3.movement.Pmove;
import dev.wishdir.quake3.protocol.Frame;
import dev.wishdir.quake3.server.view.DirectionByte;
import dev.wishdir.quake3.server.view.TempEvent;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * From the usercmds of captured clients of OpenArena, the rules of this server give the weapons,
 * shots and missiles that the original server sent. Each pair of snapshots is replayed by itself,
 * so that one difference is not the cause of the next.
 */
class CombatReplayTest {
    private static final int BODY = 0x2000000;
    private static final int ET_EVENTS = 13;
    private static final int ET_PLAYER = 1;
    private static final int ET_MISSILE = 3;
    private static final int PM_NORMAL = 0;
    private static final float NEAR = 2;
    private static final int SHOOTER = 42_191;

    private static final int QUAD = 1;

    /** This server has none. */
    private static final int BATTLE_SUIT = 2;

    /** The statistic of armour in OpenArena. */
    private static final int ARMOUR = 4;

    private record Shot(Weapon weapon, Vec3f muzzle, PlayerBody body, int seed) {}

    private final Map<String, Integer> counts = new TreeMap<>();
    private final List<String> differences = new ArrayList<>();
    private @Nullable CapturedFight target;

    private void compare(String what, boolean same, Object details) {
        counts.merge(what + (same ? " same" : " other"), 1, Integer::sum);
        if (!same) {
            differences.add(what + ": " + details);
        }
    }

    /** Counts by the name of what is compared: {@code "rail 4, shotgun 1"}. */
    private static Map<String, Integer> expected(String text) {
        Map<String, Integer> expected = new TreeMap<>();
        for (String each : text.split(", ")) {
            int end = each.lastIndexOf(' ');
            expected.put(
                    each.substring(0, end) + " same", Integer.parseInt(each.substring(end + 1)));
        }
        return expected;
    }

    private static BrushWorld labbox() throws IOException {
        return Bsp46.read(Quake3Captures.FILES.file("labbox.bsp").toArray()).world(Set.of());
    }

    private static boolean isComparable(PlayerState before, PlayerState after) {
        boolean ammo = true;
        for (Weapon weapon : Weapon.values()) {
            ammo &=
                    after.get(PlayerArray.AMMO, weapon.number())
                            <= before.get(PlayerArray.AMMO, weapon.number());
        }
        return ammo
                && before.get(PlayerField.PM_TYPE) == PM_NORMAL
                && after.get(PlayerField.PM_TYPE) == PM_NORMAL
                && before.get(PlayerField.CLIENT_NUM) == after.get(PlayerField.CLIENT_NUM)
                && before.get(PlayerArray.PERSISTANT, 4) == after.get(PlayerArray.PERSISTANT, 4)
                && before.get(PlayerArray.STATS, 3) == after.get(PlayerArray.STATS, 3)
                && after.get(PlayerArray.STATS, 0) > 0
                && Weapon.of(before.get(PlayerField.WEAPON)).isPresent()
                && Weapon.of(after.get(PlayerField.WEAPON)).isPresent()
                && ((before.get(PlayerField.E_FLAGS) ^ after.get(PlayerField.E_FLAGS))
                                & PlayerBody.EF_TELEPORT_BIT)
                        == 0;
    }

    private void replay(String capture, int port) throws IOException {
        BrushWorld world = labbox();
        CapturedFight fight = CapturedFight.read(capture, port);
        target = CapturedFight.read(capture, port + 1);
        for (int i = 1; i < fight.frames.size(); i++) {
            Frame before = fight.frames.get(i - 1);
            Frame after = fight.frames.get(i);
            if (isComparable(before.player(), after.player())) {
                replay(world, fight, before, after);
            }
        }
    }

    private void replay(BrushWorld world, CapturedFight fight, Frame before, Frame after) {
        int self = after.player().get(PlayerField.CLIENT_NUM);
        // The original shows the others to real clients a frame late, and hits them there.
        BrushWorld withBodies = world.with(bodies(before, self));
        CapturedBody captured = new CapturedBody(before.player());
        PlayerBody body = captured.body;
        List<Shot> shots = new ArrayList<>();
        for (Usercmd command :
                fight.between(body.commandTime(), after.player().get(PlayerField.COMMAND_TIME))
                        .values()) {
            int events = body.events();
            body.setGauntletHits(
                    (command.buttons() & Usercmd.ATTACK) != 0
                            && body.canStrike()
                            && shot(
                                                    withBodies,
                                                    body.muzzle(),
                                                    body.muzzle().along(32, body.view().forward()))
                                            .entity()
                                    >= 0);
            captured.move(command, withBodies);
            for (int event = events; event < body.events(); event++) {
                if (body.isShot(event)) {
                    shots.add(
                            new Shot(
                                    body.weapon().orElseThrow(),
                                    body.muzzle(),
                                    new CapturedBody(body.playerState(self, true)).body,
                                    command.serverTime() & 0xFF));
                }
            }
        }
        compare(
                "weapon state",
                captured.figures().equals(CapturedBody.figures(after.player())),
                captured.figures() + " " + CapturedBody.figures(after.player()));
        List<EntityState> events = newEvents(before, after);
        for (Shot shot : shots) {
            compare(shot, withBodies, self, events);
        }
        if (shots.size() == 1) {
            compareDamage(shots.getFirst(), withBodies, before, after);
        }
    }

    /** The points that a straight shot takes from the one other player of the capture. */
    private static int points(Shot shot, BrushWorld world) {
        Vec3f muzzle = shot.muzzle();
        Vec3f forward = shot.body().view().forward();
        int damage = WeaponRules.of(shot.weapon()).damage();
        return switch (shot.weapon()) {
            case MACHINE_GUN ->
                    meets(
                                    world,
                                    muzzle,
                                    ShotGeometry.bulletEnd(muzzle, shot.body().view(), shot.seed()))
                            * damage;
            case RAILGUN -> meets(world, muzzle, muzzle.along(8_192, forward)) * damage;
            case LIGHTNING_GUN -> meets(world, muzzle, muzzle.along(768, forward)) * damage;
            case SHOTGUN ->
                    ShotGeometry.pelletEnds(
                                            muzzle,
                                            ShotGeometry.sentDirection(forward),
                                            shot.seed())
                                    .stream()
                                    .mapToInt(end -> meets(world, muzzle, end))
                                    .sum()
                            * damage;
            default -> 0;
        };
    }

    private static int meets(BrushWorld world, Vec3f from, Vec3f to) {
        return shot(world, from, to).entity() >= 0 ? 1 : 0;
    }

    /** Damage, armour and health of the victim, in its own snapshots. */
    private void compareDamage(Shot shot, BrushWorld world, Frame before, Frame after) {
        boolean quad = before.player().get(PlayerArray.POWERUPS, QUAD) != 0;
        int points = points(shot, world) * (quad ? HitHandler.QUAD_FACTOR : 1);
        Optional<PlayerState> was = victim(before.serverTime());
        Optional<PlayerState> is = victim(after.serverTime());
        if (points == 0 || was.isEmpty() || is.isEmpty()) {
            return;
        }
        int health = was.get().get(PlayerArray.STATS, 0);
        int armour = was.get().get(PlayerArray.STATS, ARMOUR);
        int left = is.get().get(PlayerArray.STATS, 0);
        boolean powerups =
                quad != (after.player().get(PlayerArray.POWERUPS, QUAD) != 0)
                        || is.get().get(PlayerArray.POWERUPS, BATTLE_SUIT) != 0;
        if (powerups || health <= 0 || health > 100 || left <= 0) {
            return;
        }
        int absorbed =
                (int)
                        Math.min(
                                armour,
                                HitHandler.absorbed(points, HitHandler.vitals(health, armour)));
        // Each pellet is a hit of its own, whose share is rounded by itself.
        int each = WeaponRules.of(shot.weapon()).damage();
        int pellets =
                shot.weapon() == Weapon.SHOTGUN
                        ? points / each * (int) HitHandler.absorbed(each, HitHandler.vitals(1, 1))
                        : absorbed;
        int taken = Math.min(armour, pellets);
        compare(
                (quad ? "quad damage of " : "damage of ") + shot.weapon(),
                left == health - points + taken
                        && is.get().get(PlayerArray.STATS, ARMOUR) == armour - taken,
                points
                        + ": "
                        + health
                        + " "
                        + armour
                        + " to "
                        + left
                        + " "
                        + is.get().get(PlayerArray.STATS, ARMOUR));
    }

    private Optional<PlayerState> victim(int serverTime) {
        return requireNonNull(target).frames.stream()
                .filter(frame -> frame.serverTime() == serverTime)
                .map(Frame::player)
                .findFirst();
    }

    private static Trace shot(BrushWorld world, Vec3f from, Vec3f to) {
        return world.trace(from, Vec3f.ZERO, Vec3f.ZERO, to, Pmove.SOLID | BODY);
    }

    private static List<Obstacle> bodies(Frame frame, int self) {
        List<Obstacle> bodies = new ArrayList<>();
        for (int i = 0; i < frame.size(); i++) {
            EntityState state = frame.state(i);
            if (state.get(EntityField.E_TYPE) == ET_PLAYER
                    && state.get(EntityField.SOLID) != 0
                    && frame.number(i) != self) {
                bodies.add(PlayerBody.obstacle(frame.number(i), state));
            }
        }
        return bodies;
    }

    /** Entities that have become an event, or are new. */
    private static List<EntityState> newEvents(Frame before, Frame after) {
        List<EntityState> found = new ArrayList<>();
        for (int i = 0; i < after.size(); i++) {
            EntityState state = after.state(i);
            EntityState old = before.entity(after.number(i));
            if (old == null
                    || old.get(EntityField.E_TYPE) != state.get(EntityField.E_TYPE)
                    || !base(old).equals(base(state))) {
                found.add(state);
            }
        }
        return found;
    }

    private static Vec3f base(EntityState state) {
        return new Vec3f(
                state.real(EntityField.POS_TR_BASE_0),
                state.real(EntityField.POS_TR_BASE_1),
                state.real(EntityField.POS_TR_BASE_2));
    }

    private static Vec3f delta(EntityState state) {
        return new Vec3f(
                state.real(EntityField.POS_TR_DELTA_0),
                state.real(EntityField.POS_TR_DELTA_1),
                state.real(EntityField.POS_TR_DELTA_2));
    }

    private static Vec3f origin2(EntityState state) {
        return new Vec3f(
                state.real(EntityField.ORIGIN2_0),
                state.real(EntityField.ORIGIN2_1),
                state.real(EntityField.ORIGIN2_2));
    }

    private static Optional<EntityState> nearest(
            List<EntityState> all, Vec3f place, TempEvent... events) {
        Optional<EntityState> nearest = Optional.empty();
        for (EntityState state : all) {
            for (TempEvent event : events) {
                if (state.get(EntityField.E_TYPE) == ET_EVENTS + event.number()
                        && (nearest.isEmpty()
                                || base(state).minus(place).length()
                                        < base(nearest.get()).minus(place).length())) {
                    nearest = Optional.of(state);
                }
            }
        }
        return nearest;
    }

    /** How far a place is off a line: where on it a body is depends on the moment. */
    private static float off(Vec3f place, Vec3f from, Vec3f to) {
        Vec3f direction = to.minus(from).normalised();
        Vec3f way = place.minus(from);
        return way.along(-way.dot(direction), direction).length();
    }

    private static float away(Optional<EntityState> event, Vec3f place) {
        return event.map(state -> base(state).minus(place).length()).orElse(Float.MAX_VALUE);
    }

    private void compare(Shot shot, BrushWorld world, int self, List<EntityState> events) {
        Vec3f muzzle = shot.muzzle();
        Vec3f forward = shot.body().view().forward();
        switch (shot.weapon()) {
            case MACHINE_GUN -> {
                Vec3f end = ShotGeometry.bulletEnd(muzzle, shot.body().view(), shot.seed());
                Trace trace = shot(world, muzzle, end);
                Vec3f place = ShotGeometry.rounded(trace.end(), muzzle);
                boolean body = trace.entity() >= 0;
                Optional<EntityState> event =
                        nearest(
                                events,
                                place,
                                body ? TempEvent.BULLET_HIT_FLESH : TempEvent.BULLET_HIT_WALL);
                compare(
                        body ? "bullet at a body" : "bullet at a wall",
                        (body
                                                ? event.map(it -> off(base(it), muzzle, place))
                                                        .orElse(Float.MAX_VALUE)
                                                : away(event, place))
                                        <= NEAR
                                && event.map(it -> it.get(EntityField.OTHER_ENTITY_NUM) == self)
                                        .orElse(false),
                        place + " " + event.map(CombatReplayTest::base));
                event.filter(_ -> !body)
                        .ifPresent(it ->
                                compare(
                                        "normal of a wall",
                                        it.get(EntityField.EVENT_PARM)
                                                == DirectionByte.of(trace.plane().normal()),
                                        it));
            }
            case SHOTGUN -> {
                Optional<EntityState> event = nearest(events, muzzle, TempEvent.SHOTGUN);
                compare(
                        "shotgun",
                        event.map(it ->
                                        base(it).equals(muzzle)
                                                && origin2(it)
                                                        .equals(ShotGeometry.sentDirection(forward))
                                                && it.get(EntityField.EVENT_PARM) == shot.seed()
                                                && it.get(EntityField.OTHER_ENTITY_NUM) == self)
                                .orElse(false),
                        muzzle + " " + ShotGeometry.sentDirection(forward) + " " + event);
            }
            case RAILGUN -> {
                Trace trace =
                        world.with(List.of())
                                .trace(
                                        muzzle,
                                        Vec3f.ZERO,
                                        Vec3f.ZERO,
                                        muzzle.along(8_192, forward),
                                        Pmove.SOLID);
                Vec3f place = ShotGeometry.rounded(trace.end(), muzzle);
                Vec3f from =
                        muzzle.along(-4, shot.body().view().left())
                                .along(-1, shot.body().view().up());
                Optional<EntityState> event = nearest(events, place, TempEvent.RAIL_TRAIL);
                compare(
                        "rail",
                        away(event, place) <= NEAR
                                && event.map(it -> origin2(it).minus(from).length() < 0.01f)
                                        .orElse(false),
                        place + " " + event);
            }
            case GRENADE_LAUNCHER, ROCKET_LAUNCHER, PLASMA_GUN, BFG -> {
                Optional<EntityState> missile =
                        events.stream()
                                .filter(it ->
                                        it.get(EntityField.E_TYPE) == ET_MISSILE
                                                && it.get(EntityField.WEAPON)
                                                        == shot.weapon().number())
                                .findFirst();
                Vec3f velocity = MissileFlight.velocity(shot.weapon(), forward);
                // One that explodes within the first frame is never sent in flight.
                missile.ifPresent(it ->
                        compare(
                                "missile",
                                base(it).equals(muzzle) && delta(it).equals(velocity),
                                muzzle + " " + velocity + " " + it));
            }
            case GAUNTLET, LIGHTNING_GUN -> {}
        }
    }

    @ParameterizedTest
    @CsvSource({
        "combat-oa-duel, 'weapon state 2098, bullet at a body 11, rail 4, shotgun 1, missile 1,"
                + " damage of LIGHTNING_GUN 8, damage of MACHINE_GUN 11, damage of RAILGUN 2'",
        "combat-oa-far, 'weapon state 1462, bullet at a body 8, rail 1, missile 11,"
                + " quad damage of MACHINE_GUN 4'"
    })
    void weaponsAndShotsAreThoseOfTheOriginalServer(String capture, String same)
            throws IOException {
        replay(capture, SHOOTER);
        assertThat(counts).containsAllEntriesOf(expected(same));
        assertThat(differences).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "combat-oa-duel, 'explosion ROCKET_LAUNCHER 1'",
        "combat-oa-far, 'bounce 10, explosion BFG 1, explosion GRENADE_LAUNCHER 1,"
                + " explosion PLASMA_GUN 6, explosion ROCKET_LAUNCHER 2'"
    })
    void missilesFlyAndBounceAsTheOriginals(String capture, String same) throws IOException {
        BrushWorld world = labbox();
        Map<Integer, EntityState> flying = new HashMap<>();
        Frame last = Frame.EMPTY;
        for (Frame frame : CapturedFight.read(capture, SHOOTER).frames) {
            Map<Integer, EntityState> next = new HashMap<>();
            for (int i = 0; i < frame.size(); i++) {
                EntityState state = frame.state(i);
                EntityState old = flying.get(frame.number(i));
                if (old != null
                        && (!base(old).equals(base(state)) || !delta(old).equals(delta(state)))) {
                    follow(world.with(bodies(last, -1)), old, state);
                }
                if (state.get(EntityField.E_TYPE) == ET_MISSILE
                        && Weapon.of(state.get(EntityField.WEAPON)).isPresent()
                        && state.get(EntityField.POS_TR_TYPE) != 0) {
                    next.put(frame.number(i), state);
                }
            }
            flying = next;
            last = frame;
        }
        assertThat(counts).containsAllEntriesOf(expected(same));
        assertThat(differences).isEmpty();
    }

    /** Flies a missile from its trajectory to where something stops it. */
    private void follow(BrushWorld world, EntityState from, EntityState to) {
        Weapon weapon = Weapon.of(from.get(EntityField.WEAPON)).orElseThrow();
        MissileMotion.State state =
                new MissileMotion.State(
                        ShotGeometry.metres(base(from)), ShotGeometry.metres(delta(from)));
        for (int step = 0; step < 400; step++) {
            MissileMotion.State after = MissileFlight.motion(weapon).after(state, 0.025);
            Vec3f start = ShotGeometry.units(state.place());
            Trace trace = shot(world, start, ShotGeometry.units(after.place()));
            if (trace.fraction() < 1) {
                Vec3f velocity =
                        ShotGeometry.units(
                                MissileFlight.motion(weapon)
                                        .after(state, 0.025 * trace.fraction())
                                        .velocity());
                stop(weapon, trace, base(from), velocity, to);
                return;
            }
            state = after;
        }
    }

    private void stop(Weapon weapon, Trace trace, Vec3f base, Vec3f velocity, EntityState to) {
        Vec3f normal = trace.plane().normal();
        boolean bounces =
                to.get(EntityField.E_TYPE) == ET_MISSILE && to.get(EntityField.POS_TR_TYPE) != 0;
        if (bounces) {
            Vec3f place = trace.end().plus(normal);
            Vec3f bounced = MissileFlight.bounced(velocity, normal);
            compare(
                    "bounce",
                    base(to).minus(place).length() <= NEAR
                            && delta(to).minus(bounced).length() <= 10,
                    place + " " + bounced + " " + base(to) + " " + delta(to));
        } else if (to.get(EntityField.E_TYPE) == 0) {
            Vec3f place = ShotGeometry.rounded(trace.end(), base);
            compare(
                    "explosion " + weapon,
                    (trace.entity() >= 0
                                    ? off(base(to), base, place)
                                    : base(to).minus(place).length())
                            <= NEAR,
                    place + " " + base(to));
        }
    }

    /** Health and armour of a victim that only this law explains. */
    @ParameterizedTest
    @CsvSource({"100, 100, 66", "64, 100, 43", "7, 100, 5", "7, 3, 3"})
    void armourTakesItsShareRoundedUp(int damage, int armour, int absorbed) {
        assertThat(Math.min(armour, HitHandler.absorbed(damage, new Vitals(100, armour, 0.66))))
                .isEqualTo(absorbed);
    }
}
