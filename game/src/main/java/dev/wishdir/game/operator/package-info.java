/** Operator commands, remote console, bans and other servers. */
@NullMarked
package dev.wishdir.game.operator;

import org.jspecify.annotations.NullMarked;
