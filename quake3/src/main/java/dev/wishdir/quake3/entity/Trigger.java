package dev.wishdir.quake3.entity;

import dev.wishdir.quake3.movement.PlayerBody;
import dev.wishdir.world.PlacedModel;
import dev.wishdir.world.Vec3f;

import java.util.List;
import java.util.function.ObjIntConsumer;

/** A part of the level that does something to who is in it. */
sealed interface Trigger {
    /** What is in it touches it. */
    PlacedModel shape();

    /**
     * A jump pad.
     *
     * @param velocity of who leaves it, units a second
     */
    record Push(PlacedModel shape, Vec3f velocity) implements Trigger {}

    /**
     * A teleporter.
     *
     * @param places one of which is drawn
     * @param spectators whether it works only for spectators, and is not sent to clients
     */
    record Teleport(PlacedModel shape, List<Place> places, boolean spectators) implements Trigger {}

    /** A pit: who touches it would be dead. */
    record Kill(PlacedModel shape) implements Trigger {}

    /**
     * Something else, as of a door that opens.
     *
     * @param act receives the body that touches it, and the time
     */
    record Act(PlacedModel shape, ObjIntConsumer<PlayerBody> act) implements Trigger {}

    /**
     * A place to arrive at.
     *
     * @param angles pitch, yaw and roll in degrees
     */
    record Place(Vec3f origin, Vec3f angles) {
        /** Teleports a player there. */
        void receive(PlayerBody body) {
            body.teleport(origin, angles);
        }
    }
}
