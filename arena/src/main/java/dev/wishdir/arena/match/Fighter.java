package dev.wishdir.arena.match;

import dev.wishdir.arena.combat.ArmourRule;
import dev.wishdir.arena.combat.BlastCheck;
import dev.wishdir.arena.combat.BodyBox;
import dev.wishdir.arena.combat.Combatant;
import dev.wishdir.arena.combat.HitGeometry;
import dev.wishdir.arena.combat.Missile;
import dev.wishdir.arena.combat.MissileRules;
import dev.wishdir.arena.combat.Missiles;
import dev.wishdir.arena.combat.PathHistory;
import dev.wishdir.arena.combat.ShotTrace;
import dev.wishdir.arena.combat.ShotTrace.BodyHit;
import dev.wishdir.arena.combat.SplashLaw;
import dev.wishdir.arena.combat.TeamRefusal;
import dev.wishdir.arena.combat.WeaponLimit;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.DamageMeans;
import dev.wishdir.arena.event.MirrorResult;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.event.Score;
import dev.wishdir.arena.event.Team;
import dev.wishdir.arena.event.ViolationRule;
import dev.wishdir.arena.event.Vitals;
import dev.wishdir.arena.flag.FlagCarrier;
import dev.wishdir.arena.flag.FlagClaim;
import dev.wishdir.arena.flag.Flags;
import dev.wishdir.arena.item.Item;
import dev.wishdir.arena.item.ItemReach;
import dev.wishdir.arena.item.ItemSpawns;
import dev.wishdir.arena.item.ItemTaker;
import dev.wishdir.arena.player.ActivePlayer;
import dev.wishdir.arena.race.Entrant;
import dev.wishdir.arena.relay.Subscriber;
import dev.wishdir.arena.validation.Allowance;
import dev.wishdir.arena.validation.ShotViolation;
import dev.wishdir.blocks.reach.BodyDimensions;
import dev.wishdir.motion.CollisionSpace;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Stance;
import dev.wishdir.motion.Vec3;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongFunction;

/** One player's state in the referee. Its path is kept in the player, which records it. */
public final class Fighter implements Combatant, Entrant, FlagCarrier {
    /** More knock-back than this is no push but a mistake, metres a second. */
    private static final double MAX_KNOCKBACK = 500;

    /** More damage than this kills whatever the health. */
    private static final double MAX_DAMAGE = 1e6;

    /** From the base of an item to its middle, and from feet to what reaches it. */
    private static final Vec3 ITEM_MIDDLE = new Vec3(0, 0, 0.5);

    /** Flags that a client may claim to touch, at once and a second. */
    private static final int MAX_FLAG_CLAIMS = 20;

    private static final long NO_QUAD = Long.MIN_VALUE / 2;

    /** Time after which the place of a player without a body here is not judged. */
    private static final long UNKNOWN_PATH_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** In which clients learn of a new life, on a bad network. */
    private static final long NEW_LIFE_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** Shortest time between a death and the next life in a match with flags. */
    private static final long RESPAWN_NANOS = TimeUnit.SECONDS.toNanos(3);

    /** A missile that was launched with quad damage has it until it hits. */
    private static final long QUAD_GRACE_NANOS = TimeUnit.SECONDS.toNanos(3);

    /** Referee of the fights of all players: the match. */
    interface Referee {
        /** Whether there is a match. */
        boolean isOn();

        /** Whether hits count now. */
        boolean isFighting();

        MatchRules rules();

        /** The state of a player; null if it has left. */
        @Nullable Fighter fighter(PlayerId id);

        /** A hit has taken effect. */
        void onHit(ArenaEvent.Hit hit, Fighter victim);

        /** A life has ended. */
        void onDeath(long now, Fighter victim, Fighter killer, DamageMeans means);

        /** A player only watches from now on, or plays again. */
        void onWatchingChanged(long now, Fighter player);

        /** Changes the team of a player; returns why it can't. */
        Optional<TeamRefusal> changeTeam(long now, Fighter player, Team to);

        /** The items of the levels. */
        ItemSpawns items();

        /** The flags of the match. */
        Flags flags();

        /** Launches a missile; empty if there are too many. */
        Optional<Missile> launch(
                long now,
                PlayerId owner,
                MissileRules rules,
                Missile.Launch launch,
                Missile.Listener listener,
                Missiles.Bodies bodies);

        /** Recent lateness of the server's own loop for which checks allow, nanoseconds. */
        long lateNanos();

        /** Whether the loop was recently later than checks allow for. */
        boolean isLateBeyondLimit();

        /** Whether players of other servers can be hit. */
        boolean isShared();

        /** Has the victim's server carry out a hit. */
        void send(ArenaEvent.Hit hit);

        /** A client claimed what its game's rules do not allow. */
        void report(long now, ActivePlayer player, ShotViolation violation);
    }

    final ActivePlayer player;
    final @Nullable Subscriber subscriber;
    private final Referee referee;
    private Vitals vitals = Vitals.NONE;
    private ArmourRule armour = ArmourRule.EXACT;
    private boolean alive;
    private boolean watches;

    /** End of its quad damage. */
    private long quadUntil = NO_QUAD;

    private long lifeBegan = Long.MIN_VALUE / 2;
    private long diedAt = Long.MIN_VALUE / 2;
    private Score score = Score.ZERO;

    /** Flags that it has captured in this round. */
    private int captures;

    /** Null without teams. */
    private @Nullable Team team;

    private long teamChangedAt = Long.MIN_VALUE / 2;

    /** Whether its team has changed since its last life. */
    private boolean isBetweenTeams;

    /** Null without a referee. */
    private final @Nullable PathHistory path;

    /** Seconds of fire that its server may still report, at the rate of what it fires with. */
    private final Allowance fire = new Allowance(WeaponLimit.MAX_FIRE_SECONDS, 1);

    /** Flags that its client may still claim to touch. */
    private final Allowance flagClaims = new Allowance(MAX_FLAG_CLAIMS, MAX_FLAG_CLAIMS);

    /**
     * @param subscriber null for a mirrored player
     */
    Fighter(ActivePlayer player, @Nullable Subscriber subscriber, Referee referee) {
        this.player = player;
        this.subscriber = subscriber;
        this.referee = referee;
        path = referee.isOn() ? new PathHistory() : null;
    }

    /** Sets the score: of a new round, or the one that the player had before it left. */
    @Override
    public void setScore(Score given) {
        score = given;
    }

    int captures() {
        return captures;
    }

    void setCaptures(int given) {
        captures = given;
    }

    /** Sets the team: at the start, or the server's choice at the start of a round. */
    void setTeam(Team given) {
        team = given;
    }

    /** Changes the team at the player's own request, which ends its life. */
    void switchTeam(long now, Team to) {
        team = to;
        teamChangedAt = now;
        isBetweenTeams = true;
        endLife();
    }

    boolean isIn(Team other) {
        return team == other;
    }

    @Override
    public ActivePlayer player() {
        return player;
    }

    @Override
    public boolean isWatching() {
        return watches;
    }

    @Override
    public void setWatching(long now, boolean on) {
        if (watches != on && player.isHere()) {
            watches = on;
            if (on) {
                endLife();
            }
            referee.onWatchingChanged(now, this);
        }
    }

    /** Whether another player is in the same team. */
    boolean isTeammateOf(Fighter other) {
        return other != this && team != null && team == other.team;
    }

    /** Time at which the player last changed its team. */
    long teamChangedAt() {
        return teamChangedAt;
    }

    @Override
    public Optional<Team> team() {
        return Optional.ofNullable(team);
    }

    @Override
    public Optional<TeamRefusal> changeTeam(long now, Team to) {
        return player.isHere()
                ? referee.changeTeam(now, this, to)
                : Optional.of(TeamRefusal.NO_TEAMS);
    }

    /** Records where the player walked to. */
    public void onMoved(long now, Vec3 at) {
        if (path != null) {
            path.add(now, at);
        }
    }

    /** Begins the path of a new body. */
    public void onSpawned(long now, Vec3 at) {
        if (path != null) {
            path.clear();
            path.jump(now, at);
        }
    }

    /** Records where the player was put. */
    public void onPlaced(long now, Vec3 at) {
        if (path != null) {
            path.jump(now, at);
        }
    }

    @Override
    public void beginLife(long now, Vitals whole, ArmourRule rule) {
        if (referee.isOn() && player.isHere() && subscriber != null) {
            vitals = whole;
            armour = rule;
            alive = true;
            quadUntil = NO_QUAD;
            lifeBegan = now;
            isBetweenTeams = false;
            if (path != null) {
                path.clear();
            }
        }
    }

    @Override
    public void setVitals(Vitals changed) {
        if (alive && changed.health() > 0) {
            vitals = changed;
        }
    }

    /** Ends the life without a score: the player left, watches, or has no body any more. */
    public void endLife() {
        alive = false;
        quadUntil = NO_QUAD;
        vitals = Vitals.NONE;
    }

    /** Ends the life, as a round begins, in which the next one may begin at once. */
    void startRound() {
        endLife();
        diedAt = Long.MIN_VALUE / 2;
    }

    @Override
    public void setQuad(long until) {
        if (alive) {
            quadUntil = until;
        }
    }

    @Override
    public long quadLeft(long now) {
        return now < quadUntil ? quadUntil - now : 0;
    }

    /** A player of another server took quad damage; its server reports that again and again. */
    void mirrorQuad(long made) {
        if (made >= lifeBegan) {
            quadUntil = made + QUAD_NANOS;
        }
    }

    /** A player of another server died. */
    void mirrorDeath(long now) {
        lifeBegan = now;
        quadUntil = NO_QUAD;
    }

    @Override
    public void die(long now) {
        if (alive) {
            vitals = new Vitals(Math.min(0, vitals.health()), vitals.armour(), 0);
            alive = false;
            diedAt = now;
            quadUntil = NO_QUAD;
            referee.onDeath(now, this, this, DamageMeans.SUICIDE);
        }
    }

    @Override
    public long respawnWait(long now) {
        return referee.rules().mode().hasFlags() ? Math.max(0, diedAt + RESPAWN_NANOS - now) : 0;
    }

    /** Of a player of another server: whether it has a body here. */
    @Override
    public boolean isAlive() {
        return alive || player.id.isOfOtherServer() && referee.isShared() && player.spawned();
    }

    @Override
    public Vitals vitals() {
        return vitals;
    }

    @Override
    public Score score() {
        return score;
    }

    @Override
    public boolean hit(
            long now,
            PlayerId victimId,
            DamageMeans means,
            double damage,
            Vec3 knockback,
            Vec3 place) {
        Fighter victim = referee.fighter(victimId);
        // What the level does, such as a fall, is not a weapon of the game.
        double factor =
                means == DamageMeans.SUICIDE ? 1 : referee.rules().damageFactor(player.game());
        double scaled = damage * factor;
        if (victim == null || !isPossible(scaled, knockback, place) || !canHit(victim)) {
            return false;
        }
        if (victimId.isOfOtherServer()) {
            referee.send(
                    new ArenaEvent.Hit(
                            now,
                            victim.player.snapshot(),
                            player.snapshot(),
                            means,
                            scaled,
                            knockback,
                            place,
                            Vitals.NONE));
        } else {
            victim.take(now, this, means, scaled, knockback, place);
        }
        return true;
    }

    /** Carries out a hit of a player of another server, which has applied its damage factor. */
    MirrorResult receive(Fighter attacker, ArenaEvent.Hit hit, long made) {
        long now = hit.time();
        if (!isPossible(hit.damage(), hit.knockback(), hit.place())) {
            return MirrorResult.IMPOSSIBLE;
        }
        if (made < lifeBegan || !attacker.canHit(this)) {
            return MirrorResult.NO_EFFECT;
        }
        WeaponLimit limit = WeaponLimit.of(hit.means());
        double factor = attacker.maxFactor(now);
        if (!wasNear(now, made, hit.place())
                || hit.damage() > limit.damage() * factor
                || !attacker.wasWithin(limit.range(), now, made, hit.place())) {
            return MirrorResult.IMPOSSIBLE;
        }
        if (!attacker.fire.trySpend(now, hit.damage() / (limit.perSecond() * factor))) {
            return MirrorResult.TOO_MUCH;
        }
        take(now, attacker, hit.means(), hit.damage(), hit.knockback(), hit.place());
        return MirrorResult.TAKEN;
    }

    /** Largest factor of the damage of its weapons, by the rules of this server. */
    private double maxFactor(long now) {
        boolean hasQuad = now - quadUntil < QUAD_GRACE_NANOS;
        return Math.max(1, referee.rules().damageFactor(player.game()))
                * (hasQuad ? WeaponLimit.QUAD_FACTOR : 1);
    }

    /** Whether it may have been at a place, of which another server reports. */
    private boolean wasNear(long now, long made, Vec3 place) {
        return wasWithin(0, now, made, place);
    }

    private boolean wasWithin(double range, long now, long made, Vec3 place) {
        double late = Math.max(0, now - made) / 1e9;
        double away =
                path == null || path.isEmpty()
                        ? player.movement().position().distance(place)
                        : path.least(now - pathNanos(), feet -> feet.distance(place));
        return away
                <= range + SharedMatch.PLACE_METRES + late * SharedMatch.PLACE_METRES_PER_SECOND;
    }

    @Override
    public MirrorResult reached(long now, long made, Vec3 place) {
        if (path == null || path.isEmpty()) {
            // It has had no body here, so it may have been anywhere a while ago.
            return now - made < UNKNOWN_PATH_NANOS ? MirrorResult.NO_EFFECT : MirrorResult.TAKEN;
        }
        return wasNear(now, made, place) ? MirrorResult.TAKEN : MirrorResult.IMPOSSIBLE;
    }

    private static boolean isPossible(double damage, Vec3 knockback, Vec3 place) {
        double push = knockback.length();
        // Without the zero below zero, which is less than the least that armour takes.
        return Double.compare(damage, 0) >= 0
                && damage <= MAX_DAMAGE
                && damage + push > 0
                && place.isFinite()
                && push <= MAX_KNOCKBACK;
    }

    private boolean canHit(Fighter victim) {
        return referee.isFighting()
                && victim.canBeHitBy(this)
                && (!isTeammateOf(victim) || referee.rules().friendlyFire());
    }

    /** Loses armour and health, and may die; without damage it is only pushed. */
    private void take(
            long now,
            Fighter attacker,
            DamageMeans means,
            double damage,
            Vec3 knockback,
            Vec3 place) {
        boolean kills = referee.rules().mode().isOneHit() && attacker != this && damage > 0;
        double points = kills ? Math.max(damage, vitals.health()) : damage;
        double most = kills ? 0 : Math.min(points, vitals.armour());
        double absorbed = Math.clamp(armour.absorbed(points, vitals), 0, most);
        vitals = vitals.after(points, absorbed);
        alive = vitals.health() > 0;
        quadUntil = alive ? quadUntil : NO_QUAD;
        referee.onHit(
                new ArenaEvent.Hit(
                        now,
                        player.snapshot(),
                        attacker.player.snapshot(),
                        means,
                        points,
                        knockback,
                        place,
                        vitals),
                this);
        if (!alive) {
            diedAt = now;
            referee.onDeath(now, this, attacker, means);
        }
    }

    /** Takes over the vitals that its server reports. */
    void mirrorVitals(Vitals reported) {
        vitals = reported;
    }

    private boolean canBeHitBy(Fighter attacker) {
        return isAlive()
                && player.isHere()
                && player.spawned()
                && attacker.player.isHere()
                && !attacker.isBetweenTeams
                && (attacker == this
                        || attacker.player.id.isOfOtherServer()
                        || attacker.sees(player));
    }

    private boolean sees(ActivePlayer other) {
        return subscriber != null && subscriber.interestSet.contains(other);
    }

    /** Age of the paths at which victims of this player's claims may be, nanoseconds. */
    private long window() {
        long roundTrip = TimeUnit.MILLISECONDS.toNanos(player.snapshot().ping());
        return Math.min(PATH_NANOS, HIT_WINDOW_NANOS + roundTrip) + referee.lateNanos();
    }

    /** Age to which the path of a body is looked at, nanoseconds. */
    private long pathNanos() {
        return PATH_NANOS + referee.lateNanos();
    }

    @Override
    public boolean isNewLife(long now, PlayerId id) {
        Fighter other = referee.fighter(id);
        return other != null && now - other.lifeBegan < NEW_LIFE_NANOS;
    }

    @Override
    public Optional<ShotViolation> checkOrigin(
            long now, Vec3 from, double eyeHeight, double speed, CollisionSpace space) {
        return checkPlace(now, from, new Vec3(0, 0, eyeHeight), 0, speed, space);
    }

    @Override
    public double distanceFromPath(long now, Vec3 feet) {
        return path == null || path.isEmpty() ? 0 : path.least(now - pathNanos(), feet::distance);
    }

    /**
     * Checks that a place was near the body on its recent path, and in its sight.
     *
     * @param up from the feet to what the distance counts from
     * @param reach of the body besides the allowance
     */
    private Optional<ShotViolation> checkPlace(
            long now, Vec3 from, Vec3 up, double reach, double speed, CollisionSpace space) {
        return checked(
                now,
                now - pathNanos(),
                since -> checkPlaceSince(since, now, from, up, reach, speed, space));
    }

    /** A check from a time on; what only a check of the whole known path allows is late. */
    private static Optional<ShotViolation> checked(
            long now, long since, LongFunction<Optional<ShotViolation>> check) {
        return check.apply(since)
                .map(violation ->
                        check.apply(now - PathHistory.SPAN_NANOS).isEmpty()
                                ? violation.asLate()
                                : violation);
    }

    private Optional<ShotViolation> checkPlaceSince(
            long since,
            long now,
            Vec3 from,
            Vec3 up,
            double reach,
            double speed,
            CollisionSpace space) {
        if (path == null || path.isEmpty()) {
            return Optional.empty();
        }
        PathHistory own = path;
        double unheard = Math.min(own.age(now), pathNanos()) / 1e9;
        double allowance = reach + ORIGIN_ALLOWANCE_METRES + speed * unheard;
        double away =
                from.isFinite()
                        ? own.least(since, feet -> feet.plus(up).distance(from))
                        : Double.MAX_VALUE;
        if (away > allowance) {
            return Optional.of(
                    new ShotViolation(ViolationRule.SHOT_ORIGIN, away, allowance, allowance));
        }
        double clear =
                own.least(
                        since,
                        feet ->
                                HitGeometry.isClear(
                                                space, feet.plus(up), from, HIT_ALLOWANCE_METRES)
                                        ? 0
                                        : 1);
        return clear == 0
                ? Optional.empty()
                : Optional.of(new ShotViolation(ViolationRule.SHOT_THROUGH_SOLID, away, 0, 0));
    }

    @Override
    public Optional<ShotViolation> checkRay(
            long now, PlayerId victimId, Ray ray, BodyDimensions body, double spread) {
        return checked(
                now,
                now - window(),
                since -> checkRaySince(since, now, victimId, ray, body, spread));
    }

    private Optional<ShotViolation> checkRaySince(
            long since, long now, PlayerId victimId, Ray ray, BodyDimensions body, double spread) {
        PathHistory way = path(victimId);
        if (way == null) {
            return Optional.empty();
        }
        double away = way.least(since, feet -> distanceFrom(ray, feet, body, spread));
        if (!(away <= HIT_ALLOWANCE_METRES)) {
            return Optional.of(
                    new ShotViolation(
                            ViolationRule.HIT_DISTANCE,
                            away,
                            HIT_ALLOWANCE_METRES,
                            HIT_ALLOWANCE_METRES));
        }
        double clear =
                way.least(
                        since,
                        feet ->
                                distanceFrom(ray, feet, body, spread) <= HIT_ALLOWANCE_METRES
                                                && HitGeometry.isSeen(
                                                        ray.space(),
                                                        ray.from(),
                                                        feet,
                                                        body,
                                                        HIT_ALLOWANCE_METRES)
                                        ? 0
                                        : 1);
        return clear == 0
                ? Optional.empty()
                : Optional.of(
                        new ShotViolation(
                                ViolationRule.SHOT_THROUGH_SOLID,
                                ray.from().distance(way.at(now)),
                                0,
                                0));
    }

    /** The path of a player; null if none is known. */
    private @Nullable PathHistory path(PlayerId id) {
        Fighter other = referee.fighter(id);
        PathHistory known = other == null ? null : other.path;
        return known == null || known.isEmpty() ? null : known;
    }

    private static double distanceFrom(Ray ray, Vec3 feet, BodyDimensions body, double spread) {
        double strayed = spread * ray.from().distance(feet);
        return Math.max(0, HitGeometry.distance(ray.from(), ray.to(), feet, body) - strayed);
    }

    @Override
    public Optional<ShotViolation> checkBlast(
            long now,
            PlayerId victimId,
            List<Blast> places,
            BodyDimensions body,
            double distance,
            CollisionSpace space) {
        return checked(
                now,
                now - pathNanos(),
                since -> checkBlastSince(since, now, victimId, places, body, distance, space));
    }

    private Optional<ShotViolation> checkBlastSince(
            long since,
            long now,
            PlayerId victimId,
            List<Blast> places,
            BodyDimensions body,
            double distance,
            CollisionSpace space) {
        PathHistory way = path(victimId);
        if (way == null) {
            return Optional.empty();
        }
        BlastCheck check = new BlastCheck(since, now, way, body, Math.max(0, distance), space);
        // Most explode at the end of the time in which they can have.
        for (Blast place : places.reversed()) {
            if (check.isHit(place)) {
                return Optional.empty();
            }
        }
        return Optional.of(check.violation());
    }

    @Override
    public ShotTrace trace(long now, Ray ray, BodyBox body, long rewindNanos) {
        double free = HitGeometry.free(ray.space(), ray.from(), ray.to());
        Vec3 way = ray.to().minus(ray.from());
        Vec3 end = free >= 1 ? ray.to() : ray.from().plus(way.times(free));
        long at = now - Math.clamp(rewindNanos, 0, referee.rules().rewind().toNanos());
        List<BodyHit> bodies = new ArrayList<>();
        forEachTarget(
                false,
                target -> {
                    BodyBox.Placed box = target.box(body, at);
                    double part = box.entry(ray.from(), end);
                    if (part <= 1) {
                        Vec3 place = ray.from().plus(end.minus(ray.from()).times(part));
                        bodies.add(new BodyHit(target.player.id, place, part, box));
                    }
                });
        bodies.sort(Comparator.comparingDouble(BodyHit::part));
        return new ShotTrace(bodies, end, free < 1);
    }

    /** Calls with each fighter that this one can hit now. */
    private void forEachTarget(boolean itself, Consumer<Fighter> action) {
        if (subscriber == null || !player.isHere() || !referee.isFighting()) {
            return;
        }
        if (itself && canBeHitBy(this)) {
            action.accept(this);
        }
        subscriber.interestSet.forEach(other -> {
            Fighter fighter = referee.fighter(other.id);
            if (fighter != null && fighter.canBeHitBy(this)) {
                action.accept(fighter);
            }
        });
    }

    /** Place of its body at a time, in the box of the shooter's game. */
    private BodyBox.Placed box(BodyBox body, long at) {
        Movement here = player.movement();
        Vec3 feet = path == null || path.isEmpty() ? here.position() : path.at(at);
        return body.at(feet, here.stance());
    }

    @Override
    public List<SplashLaw.Reached> splash(
            long now, Vec3 place, double radius, BodyBox body, SplashLaw law) {
        List<SplashLaw.Reached> reached = new ArrayList<>();
        forEachTarget(
                true,
                target -> {
                    BodyBox.Placed box =
                            body.at(target.player.movement().position(), target.stance());
                    double distance = law.distance(place, box);
                    if (distance < radius && law.isSeen(place, box)) {
                        reached.add(new SplashLaw.Reached(target.player.id, box, distance));
                    }
                });
        return reached;
    }

    private Stance stance() {
        return player.movement().stance();
    }

    @Override
    public Optional<Missile> launch(
            long now, MissileRules rules, Missile.Launch launch, Missile.Listener listener) {
        return player.isHere() && subscriber != null && referee.isFighting()
                ? referee.launch(now, player.id, rules, launch, listener, this::firstOnWay)
                : Optional.empty();
    }

    /** The first body on the way of a missile, where the bodies are now. */
    private Optional<BodyHit> firstOnWay(Vec3 from, Vec3 to, MissileRules rules, boolean owner) {
        List<BodyHit> first = new ArrayList<>(1);
        forEachTarget(
                owner,
                target -> {
                    BodyBox.Placed box =
                            rules.bodies()
                                    .at(target.player.movement().position(), target.stance())
                                    .grown(rules.margin());
                    double part = box.entry(from, to);
                    if (part <= 1 && (first.isEmpty() || part < first.getFirst().part())) {
                        Vec3 place = from.plus(to.minus(from).times(part));
                        first.clear();
                        first.add(new BodyHit(target.player.id, place, part, box));
                    }
                });
        return first.stream().findFirst();
    }

    @Override
    public void takeItems(long now, Vec3 feet, ItemReach reach, ItemTaker taker) {
        ItemSpawns items = referee.items();
        if (!items.isOn() || !alive || !player.spawned() || !referee.isFighting()) {
            return;
        }
        for (Item item : items.near(player.game(), feet)) {
            if (item.isPresent() && reach.touches(feet, item.place()) && taker.take(item)) {
                items.take(now, player, item);
            }
        }
    }

    @Override
    public ItemClaim claimItem(
            long now,
            int number,
            double reach,
            CollisionSpace space,
            ItemTaker taker,
            Consumer<ShotViolation> impossible) {
        List<Item> items = referee.items().of(player.game());
        if (!alive
                || !player.spawned()
                || !referee.isFighting()
                || number < 0
                || number >= items.size()
                || !items.get(number).isPresent()) {
            return ItemClaim.GONE;
        }
        Item item = items.get(number);
        Vec3 middle = item.place().plus(ITEM_MIDDLE);
        Optional<ShotViolation> wrong = checkPlace(now, middle, ITEM_MIDDLE, reach, 0, space);
        if (wrong.isPresent()) {
            ShotViolation found = wrong.get();
            if (!found.isLate()) {
                impossible.accept(
                        new ShotViolation(
                                ViolationRule.ITEM_DISTANCE,
                                found.measured(),
                                found.allowed(),
                                found.allowance()));
            }
            return ItemClaim.IMPOSSIBLE;
        }
        if (!taker.take(item)) {
            return ItemClaim.NO_USE;
        }
        referee.items().take(now, player, item);
        return ItemClaim.TAKEN;
    }

    @Override
    public boolean canTouchFlags() {
        return isAlive() && !watches;
    }

    @Override
    public FlagClaim claimFlag(
            long now, Team flag, int version, double reach, CollisionSpace space) {
        if (!flagClaims.trySpend(now, 1)) {
            report(
                    now,
                    new ShotViolation(
                            ViolationRule.FLAG_CLAIMS, MAX_FLAG_CLAIMS + 1, MAX_FLAG_CLAIMS, 0));
            return referee.flags().count(FlagClaim.RATE);
        }
        Flags flags = referee.flags();
        FlagClaim claim = flags.count(flags.claim(now, this, flag, version));
        if (claim == FlagClaim.DISTANCE || claim == FlagClaim.WALL) {
            Vec3 middle = flags.place(flags.all().get(flag.ordinal())).plus(ITEM_MIDDLE);
            checkPlace(now, middle, ITEM_MIDDLE, reach, 0, space)
                    .filter(wrong -> !wrong.isLate())
                    .ifPresent(wrong ->
                            report(
                                    now,
                                    new ShotViolation(
                                            ViolationRule.FLAG_DISTANCE,
                                            wrong.measured(),
                                            wrong.allowed(),
                                            wrong.allowance())));
        }
        return claim;
    }

    @Override
    public boolean dropFlag(long now) {
        return player.isHere() && referee.flags().dropByKey(now, this);
    }

    @Override
    public void report(long now, ShotViolation violation) {
        // A loop that was later than checks look back does not know where bodies were.
        boolean isUnknown = violation.rule().isOfPlace() && referee.isLateBeyondLimit();
        if (player.isHere() && subscriber != null && !isUnknown) {
            referee.report(now, player, violation);
        }
    }
}
