package dev.wishdir.bedrock.server.combat;

import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.combat.Combatant;
import dev.wishdir.arena.event.DamageMeans;
import dev.wishdir.arena.event.RateLimitedAction;
import dev.wishdir.arena.event.ViolationRule;
import dev.wishdir.arena.validation.ShotViolation;
import dev.wishdir.bedrock.combat.Hotbar;
import dev.wishdir.bedrock.combat.MeleeRules;
import dev.wishdir.bedrock.message.InventoryMessage.InventoryTransaction;
import dev.wishdir.bedrock.message.InventoryMessage.Transaction;
import dev.wishdir.bedrock.movement.BedrockBody;
import dev.wishdir.bedrock.movement.BedrockMotion;
import dev.wishdir.bedrock.server.movement.Aim;
import dev.wishdir.bedrock.server.movement.MovementHandler;
import dev.wishdir.bedrock.server.view.ShownPlayers;
import dev.wishdir.motion.CollisionSpace;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.limit.TokenBucket;

import java.util.Optional;

/**
 * Handles the blows of one client in a match, and passes on what it shoots and throws. The client
 * says which actor it hit; the server checks its eyes, its view, the reach and the path of the
 * victim. A blow that fails has no effect, and the client is not notified, as it shows no damage by
 * itself.
 */
public final class AttackHandler {
    /** Blows that count; a client sends one for each click. */
    private static final int MAX_BLOWS_PER_SECOND = 20;

    /** Largest angle of a finger's touch from the middle of the view. */
    private static final double MAX_TOUCH_DEGREES = 60;

    private final CombatServices services;
    private final MovementHandler.Client client;
    private final ArenaPlayer player;
    private final ShownPlayers shownPlayers;
    private final Hotbar hotbar;
    private final LifeHandler lives;
    private final Aim aim;
    private final TokenBucket blows = new TokenBucket(MAX_BLOWS_PER_SECOND, MAX_BLOWS_PER_SECOND);
    private final HitHandler hits;
    private final ActionQueue queue;
    private final ShotHandler shots;

    public AttackHandler(
            CombatServices services,
            MovementHandler.Client client,
            ArenaPlayer player,
            ShownPlayers shownPlayers,
            Hotbar hotbar,
            LifeHandler lives,
            Aim aim,
            ActionQueue queue) {
        this.services = services;
        this.client = client;
        this.player = player;
        this.shownPlayers = shownPlayers;
        this.hotbar = hotbar;
        this.lives = lives;
        this.aim = aim;
        this.queue = queue;
        hits = new HitHandler(services, player);
        shots = new ShotHandler(services, client, player, hotbar, lives, aim, hits, queue);
    }

    void handle(long now, InventoryTransaction message) {
        switch (message.transaction()) {
            case Transaction.UseOnActor use when use.action() == Transaction.UseOnActor.ATTACK -> {
                if (blows.tryAcquire(now)) {
                    queue.add(now, at -> judge(at, use));
                } else {
                    services.drops().count("attack-rate");
                    player.allows(now, RateLimitedAction.ACT, 1);
                }
            }
            case Transaction.UseOnActor _ -> services.drops().count("ignored");
            case Transaction.UseItem use -> shots.use(now, use);
            case Transaction.ReleaseItem release -> shots.release(now, release);
            // The client has changed its inventory by itself, or will.
            case Transaction.Normal _, Transaction.Mismatch _ -> {
                if (player.allows(now, RateLimitedAction.ACT, 1)) {
                    client.output().accept(hotbar.content());
                }
            }
        }
    }

    private void judge(long now, Transaction.UseOnActor claim) {
        if (!hotbar.isHeld(claim.item()) || claim.hotbarSlot() != hotbar.selected()) {
            services.drops().count("attack-item");
            client.output().accept(hotbar.heldSlot());
        }
        // An honest client learns late of its own death and of the victim's.
        if (lives.isDead() || !player.snapshot().spawned()) {
            services.drops().count("attack-dead");
            return;
        }
        Optional<ArenaPlayer> target = shownPlayers.shown(claim.target());
        if (target.isEmpty()) {
            services.drops().count("attack-unknown");
            return;
        }
        ArenaPlayer victim = target.get();
        if (!victim.combatant().isAlive()) {
            services.drops().count("attack-dead");
            return;
        }
        Optional<ShotViolation> violation = check(now, claim, victim);
        if (violation.isEmpty()) {
            boolean isCritical = aim.isFalling();
            aim.claim(now, (wrong, at) -> shots.report(at, wrong))
                    .whenProven(now, at -> hit(at, victim, isCritical));
        } else if (player.combatant().isNewLife(now, victim.id())) {
            services.drops().count("attack-late");
        } else {
            shots.report(now, violation.get());
        }
    }

    private Optional<ShotViolation> check(
            long now, Transaction.UseOnActor claim, ArenaPlayer victim) {
        Combatant attacker = player.combatant();
        CollisionSpace space = services.world().get().level().space();
        Vec3 eyes = BedrockMotion.point(claim.eyes());
        Optional<ShotViolation> origin =
                attacker.checkOrigin(
                        now, eyes, BedrockMotion.EYES, BedrockBody.LIMITS.speed(), space);
        if (origin.isPresent()) {
            return origin;
        }
        // A player clicks between two ticks: the body may not have moved yet, nor the view.
        Movement newest = aim.newest();
        Movement before = aim.before();
        Optional<ShotViolation> violation = checkRay(now, newest, newest, victim, space);
        return violation.isEmpty()
                        || checkRay(now, before, before, victim, space).isEmpty()
                        || checkRay(now, before, newest, victim, space).isEmpty()
                ? Optional.empty()
                : violation;
    }

    private Optional<ShotViolation> checkRay(
            long now, Movement from, Movement looking, ArenaPlayer victim, CollisionSpace space) {
        Vec3 eyes = Aim.eyes(from);
        Vec3 view = Aim.direction(looking);
        if (aim.isTouch()) {
            Vec3 middle =
                    victim.snapshot()
                            .movement()
                            .position()
                            .plus(new Vec3(0, 0, BedrockBody.SIZE.height() / 2));
            Vec3 way = middle.minus(eyes);
            double cosine = way.length() == 0 ? 1 : way.dot(view) / way.length();
            if (cosine < Math.cos(Math.toRadians(MAX_TOUCH_DEGREES))) {
                double aside = way.length() * Math.sqrt(1 - cosine * cosine);
                return Optional.of(
                        new ShotViolation(
                                ViolationRule.HIT_DISTANCE,
                                aside,
                                Combatant.HIT_ALLOWANCE_METRES,
                                Combatant.HIT_ALLOWANCE_METRES));
            }
            view = way.length() == 0 ? view : way.times(1 / way.length());
        }
        Combatant.Ray ray =
                new Combatant.Ray(eyes, eyes.plus(view.times(MeleeRules.REACH_METRES)), space);
        return player.combatant().checkRay(now, victim.id(), ray, BedrockBody.SIZE, 0);
    }

    private void hit(long now, ArenaPlayer victim, boolean isCritical) {
        double damage = hits.factor(now) * MeleeRules.damage(hotbar.held(), isCritical);
        Vec3 middle =
                victim.snapshot()
                        .movement()
                        .position()
                        .plus(new Vec3(0, 0, BedrockBody.SIZE.height() / 2));
        if (hits.hit(
                        now,
                        victim.id(),
                        DamageMeans.MELEE,
                        damage,
                        player.snapshot().movement().position(),
                        middle)
                && isCritical) {
            services.criticals().accept(victim.id());
        }
    }
}
