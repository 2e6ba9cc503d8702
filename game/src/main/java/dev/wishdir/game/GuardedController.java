package dev.wishdir.game;

import dev.wishdir.motion.Movement;
import dev.wishdir.net.loop.DutyCycle;

/**
 * A controller whose exceptions go to {@link DutyCycle#report}; its player stands still meanwhile,
 * and its client stays connected.
 */
record GuardedController(DutyCycle cycle, BotController controller) implements BotController {
    /** The given controller if it is guarded already. */
    static BotController around(DutyCycle cycle, BotController controller) {
        return controller instanceof GuardedController
                ? controller
                : new GuardedController(cycle, controller);
    }

    @Override
    public PlayerInput steer(long now, Movement self) {
        try {
            return controller.steer(now, self);
        } catch (RuntimeException | Error e) {
            cycle.report(controller, e);
            return PlayerInput.look(self.yaw(), self.pitch());
        }
    }
}
