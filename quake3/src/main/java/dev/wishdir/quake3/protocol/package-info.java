/**
 * Connection state of clients and servers: message codec, reliable commands, snapshot delta bases.
 * Pure state machines. Uses {@code message} and {@code netchan}.
 */
@NullMarked
package dev.wishdir.quake3.protocol;

import org.jspecify.annotations.NullMarked;
