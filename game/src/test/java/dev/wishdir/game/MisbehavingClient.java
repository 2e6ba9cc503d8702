package dev.wishdir.game;

import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.net.loop.DutyCycle;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * A client that does whatever its game's messages allow, and much that they nearly allow: for
 * driving a server by long random sequences in virtual time. Used on the thread of its cycle.
 */
public interface MisbehavingClient {
    /** Makes one that begins to join at once. */
    @FunctionalInterface
    interface Maker {
        /**
         * @param name letters and digits, at most twelve
         * @param random decides all that it does, so that a seed repeats a run
         */
        MisbehavingClient join(
                DutyCycle cycle, InetSocketAddress server, String name, RandomGenerator random)
                throws IOException;
    }

    /**
     * Does one thing, chosen at random: walks, talks, takes another name of letters and digits,
     * dies, watches, asks for things, repeats, forgets or garbles what it should say, keeps from
     * acknowledging for a while, leaves.
     */
    void act();

    /** From now on it behaves: it acknowledges and walks, and does nothing else. */
    void behave();

    /** Whether the server has let it in and has not sent it away, as far as it knows. */
    boolean isIn();

    /** Whether it is gone for good. */
    boolean isOver();

    /** The name that the server knows it by; empty before it is in. */
    String name();

    /** The names of the others who are here, as its game shows them: each as often as it does. */
    List<String> others();

    /** Whether the map that its game shows is the one of an arena. */
    boolean plays(BlockArena arena);
}
