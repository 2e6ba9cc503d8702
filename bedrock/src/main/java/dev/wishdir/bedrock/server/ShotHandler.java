package dev.wishdir.bedrock.server;

import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.Missile;
import dev.wishdir.arena.Missile.Impact;
import dev.wishdir.arena.MissileMotion;
import dev.wishdir.arena.PlayerAction;
import dev.wishdir.arena.RateLimitedAction;
import dev.wishdir.arena.ShotViolation;
import dev.wishdir.bedrock.message.FightMessage.PlaySound;
import dev.wishdir.bedrock.message.InventoryMessage.Transaction;
import dev.wishdir.bedrock.message.Vec3f;
import dev.wishdir.bedrock.movement.BedrockBody;
import dev.wishdir.bedrock.movement.BedrockMotion;
import dev.wishdir.motion.CollisionSpace;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.TokenBucket;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.DoubleUnaryOperator;

/**
 * Handles what one client's player shoots and throws in a match. The client says when its player
 * uses an item and lets go; the server decides by its own clock how far a bow was drawn, and from
 * where and to where it shoots by the movements that it has accepted.
 */
final class ShotHandler {
    /** The shooter hears its hit, however far away it is. */
    private static final String SUCCESS = "random.orb";

    /** Uses that cost nothing: a client sends one for each click, and more while it is held. */
    private static final int MAX_CLICKS_PER_SECOND = 20;

    /** Snowballs that are thrown: a client that holds the button throws one each four ticks. */
    private static final int MAX_THROWS_PER_SECOND = 5;

    /** Throws that the network may bring together. */
    private static final int MAX_THROWS_AT_ONCE = 2;

    /** The speed of a snowball, metres a second. */
    private static final double SNOWBALL_SPEED = 1.5 * BedrockMotion.TICKS_PER_SECOND;

    private final TokenBucket clicks =
            new TokenBucket(MAX_CLICKS_PER_SECOND, MAX_CLICKS_PER_SECOND);
    private final TokenBucket throwing = new TokenBucket(MAX_THROWS_AT_ONCE, MAX_THROWS_PER_SECOND);
    private final CombatServices services;
    private final MovementHandler.Client client;
    private final ArenaPlayer player;
    private final Hotbar hotbar;
    private final LifeHandler lives;
    private final Aim aim;
    private final HitHandler hits;
    private final InputQueue queue;

    ShotHandler(
            CombatServices services,
            MovementHandler.Client client,
            ArenaPlayer player,
            Hotbar hotbar,
            LifeHandler lives,
            Aim aim,
            HitHandler hits,
            InputQueue queue) {
        this.services = services;
        this.client = client;
        this.player = player;
        this.hotbar = hotbar;
        this.lives = lives;
        this.aim = aim;
        this.hits = hits;
        this.queue = queue;
    }

    /** The player uses what it holds: a bow is drawn from now on, a snowball is thrown. */
    void use(long now, Transaction.UseItem use) {
        // Clients may repeat it each tick while the bow is drawn.
        if (hotbar.isDrawn()) {
            return;
        }
        WeaponItem held = hotbar.held();
        boolean isThrown = held == WeaponItem.SNOWBALL;
        if (!(isThrown && clicks.tryAcquire(now))
                && !player.allows(now, RateLimitedAction.ACT, 1)) {
            return;
        }
        boolean isUsed =
                use.action() <= Transaction.UseItem.IN_AIR
                        && (isThrown || held == WeaponItem.BOW)
                        && !lives.isDead();
        // A client may have thrown others since, of which it does not know yet what became.
        boolean isHeld =
                use.hotbarSlot() == hotbar.selected()
                        && (isThrown ? hotbar.isOfHeldKind(use.item()) : hotbar.isHeld(use.item()));
        if (!isUsed) {
            services.drops().count("use-item");
            client.output().accept(hotbar.content());
        } else if (!isHeld) {
            services.drops().count("use-item");
            client.output().accept(hotbar.heldSlot());
        } else if (isThrown) {
            throwSnowball(now, use.eyes());
        } else {
            draw(now);
        }
    }

    private void draw(long now) {
        if (hotbar.count(WeaponItem.ARROW) == 0) {
            services.drops().count("shot-empty");
            client.output().accept(hotbar.slot(WeaponItem.ARROW));
        } else {
            hotbar.draw(now);
            services.heldItems().draw(player.id(), true);
        }
    }

    private void throwSnowball(long now, Vec3f eyes) {
        Shot shot =
                new Shot(Projectile.SNOWBALL, WeaponItem.SNOWBALL, SNOWBALL_SPEED, eyes, _ -> 0);
        if (throwing.tryAcquire(now)) {
            queue.add(now, at -> launch(at, shot));
        } else {
            services.drops().count("shot-rate");
            giveBack(WeaponItem.SNOWBALL);
        }
    }

    /** The client has taken it away by itself. */
    private void giveBack(WeaponItem item) {
        hotbar.setCount(item, hotbar.count(item));
        client.output().accept(hotbar.slot(item));
    }

    /** The player lets go of the string. */
    void release(long now, Transaction.ReleaseItem release) {
        if (!player.allows(now, RateLimitedAction.ACT, 1)) {
            return;
        }
        OptionalLong drawnAt = hotbar.release();
        services.heldItems().draw(player.id(), false);
        if (release.action() != Transaction.ReleaseItem.RELEASE || drawnAt.isEmpty()) {
            services.drops().count("release-without-use");
            return;
        }
        double power = ArrowRules.power(now - drawnAt.getAsLong());
        if (power == 0) {
            services.drops().count("shot-early");
        } else {
            DoubleUnaryOperator damage =
                    speed -> ArrowRules.damage(speed, power == 1, services.random().nextDouble());
            Shot shot =
                    new Shot(
                            Projectile.ARROW,
                            WeaponItem.ARROW,
                            ArrowRules.MAX_SPEED * power,
                            release.head(),
                            damage);
            queue.add(now, at -> launch(at, shot));
        }
    }

    /**
     * A shot or throw, until it is launched.
     *
     * @param ammunition of which one is used up
     * @param speed metres a second
     * @param head of the player, as its client claims
     * @param damage of a hit, by the speed in metres a second; 0 if it only pushes
     */
    private record Shot(
            Projectile projectile,
            WeaponItem ammunition,
            double speed,
            Vec3f head,
            DoubleUnaryOperator damage) {}

    private void launch(long now, Shot shot) {
        WeaponItem ammunition = shot.ammunition;
        if (lives.isDead() || !player.snapshot().spawned()) {
            services.drops().count("attack-dead");
            return;
        }
        CollisionSpace space = services.world().get().level().space();
        Optional<ShotViolation> violation =
                player.combatant()
                        .checkOrigin(
                                now,
                                BedrockMotion.point(shot.head),
                                BedrockMotion.EYES,
                                BedrockBody.LIMITS.speed(),
                                space);
        if (violation.isPresent()) {
            services.drops().count("attack-violation");
            player.combatant().report(now, violation.get());
            giveBack(ammunition);
            return;
        }
        Movement from = aim.newest();
        Vec3 eyes = Aim.eyes(from);
        Missile.Launch launch =
                new Missile.Launch(
                        shot.projectile.means(),
                        eyes,
                        Aim.direction(from).times(shot.speed),
                        now,
                        now + BedrockMotion.TICK_NANOS);
        if (hotbar.count(ammunition) == 0
                || player.combatant()
                        .launch(now, shot.projectile.rules(space), launch, new Flight(shot))
                        .isEmpty()) {
            services.drops().count("shot-no-effect");
            giveBack(ammunition);
            return;
        }
        hotbar.setCount(ammunition, hotbar.count(ammunition) - 1);
        client.output().accept(hotbar.slot(ammunition));
        services.sounds().play(shot.projectile.launchSound(), eyes);
        player.performAction(now, PlayerAction.ATTACK);
        // The hand may be empty now.
        services.heldItems().show(player.id(), hotbar.held());
    }

    /** What this player shot or threw. */
    private final class Flight implements Missile.Listener {
        private final Shot shot;

        Flight(Shot shot) {
            this.shot = shot;
        }

        /** What does not break stays in a wall until its time is over. */
        @Override
        public Optional<MissileMotion.State> onImpact(long now, Missile missile, Impact impact) {
            Vec3 place = impact.state().place();
            if (impact instanceof Impact.TimeOut) {
                return Optional.empty();
            }
            if (!shot.projectile.impactSound().isEmpty()) {
                services.sounds().play(shot.projectile.impactSound(), place);
            }
            if (impact instanceof Impact.Body body) {
                hit(now, body);
            }
            return impact instanceof Impact.Body || shot.projectile.breaks()
                    ? Optional.empty()
                    : Optional.of(new MissileMotion.State(place, Vec3.ZERO));
        }

        private void hit(long now, Impact.Body body) {
            Vec3 velocity = body.state().velocity();
            double damage = shot.damage.applyAsDouble(velocity.length());
            Vec3 place = body.state().place();
            boolean isCounted =
                    hits.hit(
                            now,
                            body.victim(),
                            shot.projectile.means(),
                            damage,
                            place.minus(velocity),
                            place);
            if (isCounted && damage > 0 && player.isHere() && !body.victim().equals(player.id())) {
                Vec3f ears = BedrockMotion.point(Aim.eyes(aim.newest()));
                client.output().accept(PlaySound.of(SUCCESS, ears, 1, 1));
            }
        }

        @Override
        public void onRemoved(long now, Missile missile) {
            // Viewers see that it is gone.
        }
    }
}
