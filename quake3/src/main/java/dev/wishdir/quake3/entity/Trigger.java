package dev.wishdir.quake3.entity;

import dev.wishdir.idtech.PlacedModel;
import dev.wishdir.motion.Vec3f;
import dev.wishdir.quake3.movement.PlayerBody;

import java.util.List;
import java.util.function.ObjIntConsumer;

/** A volume of the level that acts on the bodies inside. */
sealed interface Trigger {
    /** The volume. */
    PlacedModel shape();

    /**
     * A jump pad.
     *
     * @param velocity that the body gets, units a second
     */
    record Push(PlacedModel shape, Vec3f velocity) implements Trigger {}

    /**
     * A teleporter.
     *
     * @param places destinations, of which one is chosen at random
     * @param spectators whether it works only for spectators, and is not sent to clients
     */
    record Teleport(PlacedModel shape, List<Place> places, boolean spectators) implements Trigger {}

    /** A pit or hazard that kills. */
    record Kill(PlacedModel shape) implements Trigger {}

    /**
     * Any other effect, such as opening a door.
     *
     * @param act receives the body that touches it, and the time
     */
    record Act(PlacedModel shape, ObjIntConsumer<PlayerBody> act) implements Trigger {}

    /**
     * A teleport destination.
     *
     * @param angles pitch, yaw and roll in degrees
     */
    record Place(Vec3f origin, Vec3f angles) {
        /** Teleports a player to this destination. */
        void receive(PlayerBody body) {
            body.teleport(origin, angles);
        }
    }
}
