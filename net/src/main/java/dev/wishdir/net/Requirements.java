package dev.wishdir.net;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Objects;

/**
 * Checks of settings where they come in. Each returns the value, or throws an {@link
 * IllegalArgumentException} that names it, and what is allowed. A null is a {@link
 * NullPointerException} that names it.
 */
public final class Requirements {
    private Requirements() {}

    /** A number of at least 0. */
    public static long notNegative(String name, long value) {
        if (value < 0) {
            throw new IllegalArgumentException(name + " must not be negative, is " + value);
        }
        return value;
    }

    /** A number above 0. */
    public static long positive(String name, long value) {
        if (value <= 0) {
            throw new IllegalArgumentException(name + " must be positive, is " + value);
        }
        return value;
    }

    /** A number of at least 0; infinity is allowed. */
    public static double notNegative(String name, double value) {
        if (!(value >= 0)) {
            throw new IllegalArgumentException(name + " must not be negative, is " + value);
        }
        return value;
    }

    /** A probability, 0..1. */
    public static double probability(String name, double value) {
        if (!(value >= 0 && value <= 1)) {
            throw new IllegalArgumentException(
                    name + " must be a probability from 0 to 1, is " + value + "; 5 % is 0.05");
        }
        return value;
    }

    /** An address whose host name was resolved: nothing sent to another one would arrive. */
    public static InetSocketAddress resolved(String name, InetSocketAddress address) {
        if (Objects.requireNonNull(address, name).isUnresolved()) {
            throw new IllegalArgumentException(
                    name
                            + " "
                            + PortException.text(address)
                            + " is not resolved: no host has this name, or it was not looked up");
        }
        return address;
    }

    /** A resolved address to send to, with a port. */
    public static InetSocketAddress destination(String name, InetSocketAddress address) {
        if (resolved(name, address).getPort() == 0) {
            throw new IllegalArgumentException(
                    name
                            + " "
                            + PortException.text(address)
                            + " has no port to send to, which must be from 1 to 65535");
        }
        return address;
    }

    /** A time above zero, up to a maximum. */
    public static Duration positive(String name, Duration value, Duration max) {
        if (!Objects.requireNonNull(value, name).isPositive() || value.compareTo(max) > 0) {
            throw new IllegalArgumentException(
                    name + " must be positive and at most " + max + ", is " + value);
        }
        return value;
    }
}
