/**
 * Changes messages between a client and a server. Uses {@code message}, {@code netchan}, {@code
 * protocol} and {@code inspect}.
 */
@NullMarked
package dev.wishdir.quake3.proxy;

import org.jspecify.annotations.NullMarked;
