/**
 * Changes messages between a client and a server. Uses {@code message}, {@code netchan} and {@code
 * protocol}.
 */
@NullMarked
package dev.wishdir.quake2.proxy;

import org.jspecify.annotations.NullMarked;
