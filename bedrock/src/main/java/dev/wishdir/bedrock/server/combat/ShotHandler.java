package dev.wishdir.bedrock.server.combat;

import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.combat.Missile;
import dev.wishdir.arena.combat.Missile.Impact;
import dev.wishdir.arena.combat.MissileMotion;
import dev.wishdir.arena.combat.PlaceClaims;
import dev.wishdir.arena.event.PlayerAction;
import dev.wishdir.arena.event.RateLimitedAction;
import dev.wishdir.arena.validation.ShotViolation;
import dev.wishdir.bedrock.combat.ArrowRules;
import dev.wishdir.bedrock.combat.Hotbar;
import dev.wishdir.bedrock.combat.MeleeRules;
import dev.wishdir.bedrock.combat.Projectile;
import dev.wishdir.bedrock.combat.Weapon;
import dev.wishdir.bedrock.message.FightMessage.ActorEvent;
import dev.wishdir.bedrock.message.FightMessage.PlaySound;
import dev.wishdir.bedrock.message.InventoryMessage.Transaction;
import dev.wishdir.bedrock.message.Vec3f;
import dev.wishdir.bedrock.movement.BedrockBody;
import dev.wishdir.bedrock.movement.BedrockMotion;
import dev.wishdir.bedrock.server.movement.Aim;
import dev.wishdir.bedrock.server.movement.MovementHandler;
import dev.wishdir.motion.CollisionSpace;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.limit.TokenBucket;

import java.util.EnumSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.DoubleUnaryOperator;

/**
 * Handles what one client's player shoots and throws in a match. The client says when its player
 * uses an item and lets go; the server decides by its own clock how far it was drawn, and from
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

    private static final Set<Weapon> USED =
            EnumSet.of(
                    Weapon.BOW,
                    Weapon.CROSSBOW,
                    Weapon.CHARGED_CROSSBOW,
                    Weapon.TRIDENT,
                    Weapon.SNOWBALL);

    private static final String BOW_SHOT = "random.bow";
    private static final String CROSSBOW_SHOT = "crossbow.shoot";
    private static final String TRIDENT_THROW = "item.trident.throw";

    /** A trident that was drawn for less is not thrown. */
    private static final long MIN_TRIDENT_DRAW_NANOS = 10 * BedrockMotion.TICK_NANOS;

    /** Metres a second. */
    private static final double TRIDENT_SPEED = 2.5 * BedrockMotion.TICKS_PER_SECOND;

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
    private final ActionQueue queue;

    ShotHandler(
            CombatServices services,
            MovementHandler.Client client,
            ArenaPlayer player,
            Hotbar hotbar,
            LifeHandler lives,
            Aim aim,
            HitHandler hits,
            ActionQueue queue) {
        this.services = services;
        this.client = client;
        this.player = player;
        this.hotbar = hotbar;
        this.lives = lives;
        this.aim = aim;
        this.hits = hits;
        this.queue = queue;
    }

    /** The player uses what it holds: that is drawn from now on, shot or thrown. */
    void use(long now, Transaction.UseItem use) {
        Weapon held = hotbar.held();
        OptionalLong drawnAt = hotbar.drawnAt();
        // Clients may repeat it each tick while the weapon is drawn, and after it is loaded.
        if (drawnAt.isPresent()) {
            if (held == Weapon.CROSSBOW && now - drawnAt.getAsLong() >= ArrowRules.LOAD_NANOS) {
                letGo();
                load();
            }
            return;
        }
        if (held == Weapon.CHARGED_CROSSBOW && use.trigger() == Transaction.UseItem.HELD_DOWN) {
            return;
        }
        boolean isThrown = held == Weapon.SNOWBALL;
        if (!(isThrown && clicks.tryAcquire(now))
                && !player.allows(now, RateLimitedAction.ACT, 1)) {
            return;
        }
        boolean isUsed =
                use.action() <= Transaction.UseItem.IN_AIR
                        && USED.contains(held)
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
        } else {
            switch (held) {
                case SNOWBALL -> throwSnowball(now, use.eyes());
                case CHARGED_CROSSBOW -> shootCrossbow(now, use.eyes());
                case TRIDENT -> draw(now);
                default -> drawWithArrow(now);
            }
        }
    }

    private void drawWithArrow(long now) {
        if (hotbar.count(Weapon.ARROW) == 0) {
            services.drops().count("shot-empty");
            client.output().accept(hotbar.slot(Weapon.ARROW));
        } else {
            draw(now);
        }
    }

    private void draw(long now) {
        hotbar.draw(now);
        services.heldItems().draw(player.id(), true);
    }

    /** Lets go of what is drawn; returns since when it was. */
    private OptionalLong letGo() {
        services.heldItems().draw(player.id(), false);
        return hotbar.release();
    }

    /** An arrow lies in the crossbow from now on, also while the player holds another item. */
    private void load() {
        int arrows = hotbar.count(Weapon.ARROW);
        if (arrows == 0) {
            // It was shot with the bow meanwhile.
            services.drops().count("shot-empty");
            return;
        }
        hotbar.setCount(Weapon.ARROW, arrows - 1);
        hotbar.replace(Weapon.CROSSBOW, Weapon.CHARGED_CROSSBOW);
        client.output().accept(hotbar.slot(Weapon.ARROW));
        client.output().accept(hotbar.slot(Weapon.CHARGED_CROSSBOW));
        client.output().accept(ActorEvent.of(client.runtimeId(), ActorEvent.CROSSBOW_CHARGED));
        services.heldItems().show(player.id(), hotbar.held());
    }

    private void shootCrossbow(long now, Vec3f eyes) {
        Shot shot =
                new Shot(
                        Projectile.ARROW,
                        Weapon.CHARGED_CROSSBOW,
                        CROSSBOW_SHOT,
                        ArrowRules.MAX_SPEED,
                        eyes,
                        _ -> ArrowRules.CROSSBOW_DAMAGE);
        queue.add(now, at -> launch(at, shot));
    }

    private void throwSnowball(long now, Vec3f eyes) {
        Shot shot =
                new Shot(
                        Projectile.SNOWBALL,
                        Weapon.SNOWBALL,
                        BOW_SHOT,
                        SNOWBALL_SPEED,
                        eyes,
                        _ -> 0);
        if (throwing.tryAcquire(now)) {
            queue.add(now, at -> launch(at, shot));
        } else {
            services.drops().count("shot-rate");
            giveBack(Weapon.SNOWBALL);
        }
    }

    /** The client has taken it away by itself. */
    private void giveBack(Weapon item) {
        if (hotbar.contains(item)) {
            hotbar.setCount(item, hotbar.count(item));
            client.output().accept(hotbar.slot(item));
        }
    }

    /** The player lets go of what it has drawn. */
    void release(long now, Transaction.ReleaseItem release) {
        if (!player.allows(now, RateLimitedAction.ACT, 1)) {
            return;
        }
        OptionalLong drawnAt = letGo();
        if (release.action() != Transaction.ReleaseItem.RELEASE || drawnAt.isEmpty()) {
            services.drops().count("release-without-use");
            return;
        }
        long drawn = now - drawnAt.getAsLong();
        boolean isEarly =
                switch (hotbar.held()) {
                    case CROSSBOW -> drawn < ArrowRules.LOAD_NANOS;
                    case TRIDENT -> drawn < MIN_TRIDENT_DRAW_NANOS;
                    default -> ArrowRules.power(drawn) == 0;
                };
        if (isEarly) {
            services.drops().count("shot-early");
        } else if (hotbar.held() == Weapon.CROSSBOW) {
            load();
        } else {
            Shot shot =
                    hotbar.held() == Weapon.TRIDENT
                            ? ofTrident(release.head())
                            : ofBow(ArrowRules.power(drawn), release.head());
            queue.add(now, at -> launch(at, shot));
        }
    }

    private Shot ofBow(double power, Vec3f head) {
        return new Shot(
                Projectile.ARROW,
                Weapon.ARROW,
                BOW_SHOT,
                ArrowRules.MAX_SPEED * power,
                head,
                speed -> ArrowRules.damage(speed, power == 1, services.random().nextDouble()));
    }

    private static Shot ofTrident(Vec3f head) {
        return new Shot(
                Projectile.TRIDENT,
                Weapon.TRIDENT,
                TRIDENT_THROW,
                TRIDENT_SPEED,
                head,
                _ -> MeleeRules.damage(Weapon.TRIDENT, false));
    }

    /**
     * A shot or throw, until it is launched.
     *
     * @param ammunition of which one is used up; a loaded crossbow becomes one that is not
     * @param sound its name
     * @param speed metres a second
     * @param head of the player, as its client claims
     * @param damage of a hit, by the speed in metres a second; 0 if it only pushes
     */
    private record Shot(
            Projectile projectile,
            Weapon ammunition,
            String sound,
            double speed,
            Vec3f head,
            DoubleUnaryOperator damage) {}

    /** Reports a violation, unless it is late or of the client's life before. */
    void report(long now, ShotViolation violation) {
        if (violation.isLate() || player.combatant().isNewLife(now, player.id())) {
            services.drops().count("attack-late");
        } else {
            services.drops().count("attack-refused");
            player.combatant().report(now, violation);
        }
    }

    /** Launches a shot from where its player is, once it is known that it was there. */
    private void launch(long now, Shot shot) {
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
            report(now, violation.get());
            giveBack(shot.ammunition);
            return;
        }
        Movement from = aim.newest();
        PlaceClaims.Claim origin =
                aim.claim(
                        now,
                        (wrong, at) -> {
                            report(at, wrong);
                            giveBack(shot.ammunition);
                        });
        if (origin.isRefuted()) {
            giveBack(shot.ammunition);
        }
        origin.whenProven(now, at -> launch(at, shot, from, space));
    }

    private void launch(long now, Shot shot, Movement from, CollisionSpace space) {
        Weapon ammunition = shot.ammunition;
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
                        .launch(
                                now,
                                shot.projectile.rules(space),
                                launch,
                                new Flight(shot, hits.factor(now)))
                        .isEmpty()) {
            services.drops().count("shot-no-effect");
            giveBack(ammunition);
            return;
        }
        if (ammunition == Weapon.CHARGED_CROSSBOW) {
            hotbar.replace(ammunition, Weapon.CROSSBOW);
            client.output().accept(hotbar.slot(Weapon.CROSSBOW));
        } else {
            hotbar.setCount(ammunition, hotbar.count(ammunition) - 1);
            client.output().accept(hotbar.slot(ammunition));
        }
        services.sounds().play(shot.sound, eyes);
        player.performAction(now, PlayerAction.ATTACK);
        // The hand may be empty now, or its crossbow.
        services.heldItems().show(player.id(), hotbar.held());
    }

    /** Flight of a missile that this player shot or threw. */
    private final class Flight implements Missile.Listener {
        private final Shot shot;
        private final double factor;

        /**
         * @param factor of the damage, which the player had at the shot
         */
        Flight(Shot shot, double factor) {
            this.shot = shot;
            this.factor = factor;
        }

        /** A missile that does not break stays in a wall until its time is over. */
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
            double damage = factor * shot.damage.applyAsDouble(velocity.length());
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
