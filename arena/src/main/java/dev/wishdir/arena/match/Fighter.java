package dev.wishdir.arena.match;

import dev.wishdir.arena.combat.ArmourRule;
import dev.wishdir.arena.combat.BodyBox;
import dev.wishdir.arena.combat.Combatant;
import dev.wishdir.arena.combat.Missile;
import dev.wishdir.arena.combat.MissileRules;
import dev.wishdir.arena.combat.Missiles;
import dev.wishdir.arena.combat.PathHistory;
import dev.wishdir.arena.combat.ShotTrace;
import dev.wishdir.arena.combat.SplashLaw;
import dev.wishdir.arena.combat.TeamRefusal;
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
import dev.wishdir.motion.Vec3;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

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

    /** Shortest time between a death and the next life in a match with flags. */
    private static final long RESPAWN_NANOS = TimeUnit.SECONDS.toNanos(3);

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

    private final ShotValidator validator;
    private final TargetSearch targets;
    private final MirrorValidator mirror;

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
        validator = new ShotValidator(this, referee);
        targets = new TargetSearch(this, referee);
        mirror = new MirrorValidator(this, referee);
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

    /** Carries out a hit by a player of another server, if that can be. */
    MirrorResult receive(Fighter attacker, ArenaEvent.Hit hit, long made) {
        if (!isPossible(hit.damage(), hit.knockback(), hit.place())) {
            return MirrorResult.IMPOSSIBLE;
        }
        if (made < lifeBegan || !attacker.canHit(this)) {
            return MirrorResult.NO_EFFECT;
        }
        MirrorResult result = mirror.checkHit(attacker, hit, made);
        if (result == MirrorResult.TAKEN) {
            take(hit.time(), attacker, hit.means(), hit.damage(), hit.knockback(), hit.place());
        }
        return result;
    }

    @Override
    public MirrorResult reached(long now, long made, Vec3 place) {
        return mirror.reached(now, made, place);
    }

    MirrorValidator mirrorValidator() {
        return mirror;
    }

    /** End of its quad damage. */
    long quadUntil() {
        return quadUntil;
    }

    /** The path of its body; null if none is known. */
    @Nullable PathHistory knownPath() {
        return path == null || path.isEmpty() ? null : path;
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

    boolean canBeHitBy(Fighter attacker) {
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

    @Override
    public boolean isNewLife(long now, PlayerId id) {
        return validator.isNewLife(now, id);
    }

    /** Time at which its life began; of a player of another server, at which it died. */
    long lifeBegan() {
        return lifeBegan;
    }

    @Override
    public Optional<ShotViolation> checkOrigin(
            long now, Vec3 from, double eyeHeight, double speed, CollisionSpace space) {
        return validator.checkOrigin(now, from, eyeHeight, speed, space);
    }

    @Override
    public double distanceFromPath(long now, Vec3 feet) {
        return validator.distanceFromPath(now, feet);
    }

    @Override
    public Optional<ShotViolation> checkRay(
            long now, PlayerId victimId, Ray ray, BodyDimensions body, double spread) {
        return validator.checkRay(now, victimId, ray, body, spread);
    }

    @Override
    public Optional<ShotViolation> checkBlast(
            long now,
            PlayerId victimId,
            List<Blast> places,
            BodyDimensions body,
            double distance,
            CollisionSpace space) {
        return validator.checkBlast(now, victimId, places, body, distance, space);
    }

    @Override
    public ShotTrace trace(long now, Ray ray, BodyBox body, long rewindNanos) {
        return targets.trace(now, ray, body, rewindNanos);
    }

    @Override
    public List<SplashLaw.Reached> splash(
            long now, Vec3 place, double radius, BodyBox body, SplashLaw law) {
        return targets.splash(place, radius, body, law);
    }

    /** Its body now, in the box of the shooter's game. */
    BodyBox.Placed box(BodyBox body) {
        return body.at(player.movement().position(), player.movement().stance());
    }

    /** As {@link #box(BodyBox)}, where it was at a time. */
    BodyBox.Placed box(BodyBox body, long at) {
        PathHistory known = knownPath();
        return known == null ? box(body) : body.at(known.at(at), player.movement().stance());
    }

    @Override
    public Optional<Missile> launch(
            long now, MissileRules rules, Missile.Launch launch, Missile.Listener listener) {
        return player.isHere() && subscriber != null && referee.isFighting()
                ? referee.launch(now, player.id, rules, launch, listener, targets::firstOnWay)
                : Optional.empty();
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
        Optional<ShotViolation> wrong =
                validator.checkPlace(now, middle, ITEM_MIDDLE, reach, 0, space);
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
            validator
                    .checkPlace(now, middle, ITEM_MIDDLE, reach, 0, space)
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
