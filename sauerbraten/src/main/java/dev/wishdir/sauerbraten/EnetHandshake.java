package dev.wishdir.sauerbraten;

import dev.wishdir.sauerbraten.EnetCommand.Terms;

import java.net.InetSocketAddress;

/**
 * A CONNECT that a host has answered, until its sender proves that it receives at its address: its
 * acknowledgement repeats the sent time of the VERIFY_CONNECT, which is a random number.
 */
final class EnetHandshake {
    final int index;
    final InetSocketAddress address;
    final Terms asked;
    final Terms granted;
    final int proof;

    /** When the CONNECT came, milliseconds. */
    final long begun;

    /** When the VERIFY_CONNECT was sent last, milliseconds. */
    long verified;

    EnetHandshake(
            int index,
            InetSocketAddress address,
            Terms asked,
            Terms granted,
            int proof,
            long begun) {
        this.index = index;
        this.address = address;
        this.asked = asked;
        this.granted = granted;
        this.proof = proof;
        this.begun = begun;
    }
}
