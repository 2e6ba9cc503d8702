/** A proxy between the clients of a game and one server. */
@NullMarked
package dev.wishdir.game.proxy;

import org.jspecify.annotations.NullMarked;
