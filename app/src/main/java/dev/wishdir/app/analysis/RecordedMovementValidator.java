package dev.wishdir.app.analysis;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerAction;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.event.ViolationRule;
import dev.wishdir.arena.validation.MovementLimits;
import dev.wishdir.arena.validation.MovementValidator;
import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.blocks.arena.MoveTrigger;
import dev.wishdir.motion.Vec3;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Validates the movements of a recording as servers validate those of their clients. After a
 * violation the body is believed to be where it was recorded, unless that is outside the level.
 *
 * <p>What a server knows and a recording does not have: how late a movement arrived, and how much
 * time an input covers, pauses by operators, and the start of a warm-up, which counts as a part of
 * the intermission before it. A recording of a server that puts cheats back has only what it let
 * through.
 */
final class RecordedMovementValidator {
    /** Longest throw of a jump pad, in heights of its apex, up and down again. */
    private static final double THROW_FACTOR = 3;

    /** Largest distance of a body from a pad that it has touched before or after its position. */
    private static final double AWAY_METRES = 1.5;

    /** A hit moves a body as fast as at first for at most this long: the air slows it down. */
    private static final double PUSH_SECONDS = 1.5;

    /**
     * A violation.
     *
     * @param player with its movement
     */
    record Finding(long time, Player player, ViolationRule rule, double measured, double allowed) {}

    private final Map<String, MovementLimits> limits;
    private final Optional<BlockArena> arena;
    private final Map<String, Level> levels = new HashMap<>();
    private final Map<PlayerId, MovementValidator> validators = new HashMap<>();
    private boolean intermission;

    /**
     * @param limits by game; players of other games are not validated
     * @param arena that was played at the start, if the recording has it
     * @param levels that were played at the start, by game
     */
    RecordedMovementValidator(
            Map<String, MovementLimits> limits,
            Optional<BlockArena> arena,
            Map<String, Level> levels) {
        this.limits = limits;
        this.arena = arena;
        levels.forEach(this::setLevel);
    }

    /** Takes the collision space from the arena, if the level is that of the arena. */
    private void setLevel(String game, Level recorded) {
        Level level =
                arena.filter(it -> it.bounds().equals(recorded.bounds()))
                        .map(Level::of)
                        .orElse(recorded);
        levels.put(game, level);
        validators.values().forEach(MovementValidator::reset);
    }

    /** Validates an event, in the order of time. */
    Optional<Finding> validate(ArenaEvent event) {
        switch (event) {
            case ArenaEvent.LevelChanged changed -> {
                setLevel(changed.game(), changed.level());
                validators.clear();
            }
            case ArenaEvent.RoundStarted _ -> intermission = false;
            case ArenaEvent.RoundEnded _ -> intermission = true;
            case ArenaEvent.Left left -> validators.remove(left.id());
            case ArenaEvent.Spawned spawned ->
                    validator(spawned.player())
                            .ifPresent(it ->
                                    it.acceptSpawn(spawned.time(), spawned.movement().position()));
            case ArenaEvent.Teleported teleported ->
                    validator(teleported.player())
                            .ifPresent(it ->
                                    it.teleportTo(
                                            teleported.time(), teleported.movement().position()));
            case ArenaEvent.ActionPerformed action -> {
                if (action.action() == PlayerAction.ATTACK) {
                    validator(action.player()).ifPresent(it -> it.allowImpulse(action.time()));
                }
            }
            case ArenaEvent.Hit hit ->
                    validator(hit.player())
                            .ifPresent(it ->
                                    it.allowThrow(
                                            hit.time(), PUSH_SECONDS * hit.knockback().length()));
            case ArenaEvent.Moved moved -> {
                return validator(moved.player()).flatMap(it -> validate(it, moved));
            }
            default -> {}
        }
        return Optional.empty();
    }

    /** Whether the movements of a player are validated: its game has limits, and a level. */
    boolean judges(Player player) {
        return limits.containsKey(player.game()) && levels.containsKey(player.game());
    }

    /** The validator of a player whose game has limits. */
    private Optional<MovementValidator> validator(Player player) {
        MovementLimits its = limits.get(player.game());
        Level level = levels.get(player.game());
        if (its == null || level == null) {
            return Optional.empty();
        }
        return Optional.of(
                validators.computeIfAbsent(player.id(), _ -> new MovementValidator(its, level)));
    }

    private Optional<Finding> validate(MovementValidator validator, ArenaEvent.Moved moved) {
        Vec3 at = moved.movement().position();
        if (intermission) {
            // Clients stop bodies where they are, also in the air.
            validator.hang(moved.time());
        }
        MovementValidator.Violation violation = validator.validate(moved.time(), at);
        if (violation != null && !violation.outside()) {
            validator.accept(moved.time(), at);
        }
        MovementLimits its = limits.get(moved.player().game());
        List<MoveTrigger> triggers = arena.map(BlockArena::moveTriggers).orElse(List.of());
        if (its != null
                && MoveTrigger.at(triggers, at, its.body().width() + 2 * AWAY_METRES).orElse(null)
                        instanceof MoveTrigger.JumpPad pad) {
            double rise = pad.apex().minus(pad.place()).length();
            validator.allowThrow(moved.time(), THROW_FACTOR * rise);
        }
        return violation == null
                ? Optional.empty()
                : Optional.of(
                        new Finding(
                                moved.time(),
                                moved.player(),
                                violation.rule(),
                                violation.measured(),
                                violation.allowed()));
    }
}
