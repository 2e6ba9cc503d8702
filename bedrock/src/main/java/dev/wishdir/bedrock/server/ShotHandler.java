package dev.wishdir.bedrock.server;

import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.DamageMeans;
import dev.wishdir.arena.Missile;
import dev.wishdir.arena.Missile.Impact;
import dev.wishdir.arena.MissileMotion;
import dev.wishdir.arena.PlayerAction;
import dev.wishdir.arena.RateLimitedAction;
import dev.wishdir.arena.ShotViolation;
import dev.wishdir.bedrock.message.FightMessage.PlaySound;
import dev.wishdir.bedrock.message.InventoryMessage.Transaction;
import dev.wishdir.bedrock.message.ItemStack;
import dev.wishdir.bedrock.message.Vec3f;
import dev.wishdir.bedrock.movement.BedrockBody;
import dev.wishdir.bedrock.movement.BedrockMotion;
import dev.wishdir.motion.CollisionSpace;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * Handles the bow of one client in a match. The client says when its player draws it and lets go;
 * the server decides by its own clock how far it was drawn, and from where and to where it shoots
 * by the movements that it has accepted.
 */
final class ShotHandler {
    private static final String SHOT = "random.bow";
    private static final String IMPACT = "random.bowhit";

    /** The shooter hears its hit, however far away it is. */
    private static final String SUCCESS = "random.orb";

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

    /** The player uses what it holds, which only a bow allows: it is drawn from now on. */
    void use(long now, Transaction.UseItem use) {
        // Clients may repeat it each tick while the bow is drawn.
        if (hotbar.isDrawn() || !player.allows(now, RateLimitedAction.ACT, 1)) {
            return;
        }
        boolean isBow =
                use.action() <= Transaction.UseItem.IN_AIR
                        && hotbar.held() == WeaponItem.BOW
                        && !lives.isDead();
        if (!isBow) {
            services.drops().count("use-item");
            client.output().accept(hotbar.content());
        } else if (isHeld(use.item(), use.hotbarSlot())) {
            if (hotbar.count(WeaponItem.ARROW) == 0) {
                services.drops().count("shot-empty");
                client.output().accept(hotbar.slot(WeaponItem.ARROW));
            } else {
                hotbar.draw(now);
                services.heldItems().draw(player.id(), true);
            }
        }
    }

    /** Whether the client claims what the player holds; else it is sent that again. */
    private boolean isHeld(ItemStack item, int slot) {
        boolean isHeld = slot == hotbar.selected() && hotbar.isHeld(item);
        if (!isHeld) {
            services.drops().count("use-item");
            client.output().accept(hotbar.heldSlot());
        }
        return isHeld;
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
            queue.add(now, at -> shoot(at, power, release.head()));
        }
    }

    private void shoot(long now, double power, Vec3f head) {
        if (lives.isDead() || !player.snapshot().spawned()) {
            services.drops().count("attack-dead");
            return;
        }
        CollisionSpace space = services.world().get().level().space();
        Optional<ShotViolation> violation =
                player.combatant()
                        .checkOrigin(
                                now,
                                BedrockMotion.point(head),
                                BedrockMotion.EYES,
                                BedrockBody.LIMITS.speed(),
                                space);
        if (violation.isPresent()) {
            services.drops().count("attack-violation");
            player.combatant().report(now, violation.get());
            return;
        }
        Movement from = aim.newest();
        Vec3 eyes = Aim.eyes(from);
        Missile.Launch launch =
                new Missile.Launch(
                        DamageMeans.PISTOL,
                        eyes,
                        Aim.direction(from).times(ArrowRules.MAX_SPEED * power),
                        now,
                        now + BedrockMotion.TICK_NANOS);
        if (hotbar.count(WeaponItem.ARROW) == 0
                || player.combatant()
                        .launch(now, ArrowRules.missile(space), launch, new Arrow(power == 1))
                        .isEmpty()) {
            services.drops().count("shot-no-effect");
        } else {
            hotbar.setCount(WeaponItem.ARROW, hotbar.count(WeaponItem.ARROW) - 1);
            services.sounds().play(SHOT, eyes);
            player.performAction(now, PlayerAction.ATTACK);
        }
        client.output().accept(hotbar.slot(WeaponItem.ARROW));
    }

    /** An arrow of this player. */
    private final class Arrow implements Missile.Listener {
        private final boolean isFull;

        Arrow(boolean isFull) {
            this.isFull = isFull;
        }

        /** In a wall it stays until its time is over. */
        @Override
        public Optional<MissileMotion.State> onImpact(long now, Missile missile, Impact impact) {
            Vec3 place = impact.state().place();
            if (impact instanceof Impact.TimeOut) {
                return Optional.empty();
            }
            services.sounds().play(IMPACT, place);
            if (impact instanceof Impact.Body body) {
                hit(now, body);
                return Optional.empty();
            }
            return Optional.of(new MissileMotion.State(place, Vec3.ZERO));
        }

        private void hit(long now, Impact.Body body) {
            Vec3 velocity = body.state().velocity();
            double damage =
                    ArrowRules.damage(velocity.length(), isFull, services.random().nextDouble());
            Vec3 place = body.state().place();
            boolean isCounted =
                    hits.hit(
                            now,
                            body.victim(),
                            DamageMeans.PISTOL,
                            damage,
                            place.minus(velocity),
                            place);
            if (isCounted && player.isHere() && !body.victim().equals(player.id())) {
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
