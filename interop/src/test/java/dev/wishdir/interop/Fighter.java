package dev.wishdir.interop;

import dev.wishdir.arena.event.Score;
import dev.wishdir.game.Game;
import dev.wishdir.motion.Angles;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;

import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;

/** One player of a fight, which a test steers. */
abstract class Fighter {
    private static final Duration FIGHT = Duration.ofMinutes(3);

    /** What a server knows of players, by their names. */
    interface ServerView {
        /** Whether a player has a body that lives. */
        boolean lives(String name);

        Movement movement(String name);

        Score score(String name);
    }

    final Game game;
    final String name;
    private final ServerView server;

    Fighter(Game game, String name, ServerView server) {
        this.game = game;
        this.name = name;
        this.server = server;
    }

    /** Goes on to attack another, which lives, as this one does. */
    abstract void attack(Fighter victim);

    /** Attacks none. */
    abstract void rest();

    /** Asks for the next life. */
    abstract void respawn();

    /** Whether its user has read of a death, in the words of its game. */
    abstract boolean hasReadOf(String victim, String killer);

    /** Whether its user has read a line of the server. */
    abstract boolean hasRead(String line);

    boolean lives() {
        return server.lives(name);
    }

    Movement movement() {
        return server.movement(name);
    }

    Score score() {
        return server.score(name);
    }

    double yawTo(Fighter other) {
        Vec3 way = other.movement().position().minus(movement().position());
        return Angles.wrap360(Angles.yaw(way.x(), way.y()));
    }

    /** One attacks another until it is over; the others stand, and live again when they died. */
    static void fight(Fighter killer, Fighter victim, List<Fighter> all, BooleanSupplier over) {
        Peer.await(
                killer + " to kill " + victim,
                FIGHT,
                () -> {
                    for (Fighter each : all) {
                        if (!each.lives()) {
                            // It must not die again by what is still on its way.
                            killer.rest();
                            each.respawn();
                        } else if (each.equals(killer) && victim.lives()) {
                            each.attack(victim);
                        } else {
                            each.rest();
                        }
                    }
                    return over.getAsBoolean();
                });
        killer.rest();
    }

    @Override
    public String toString() {
        return name;
    }
}
