/** Players in captures. */
@NullMarked
package dev.wishdir.game.capture;

import org.jspecify.annotations.NullMarked;
