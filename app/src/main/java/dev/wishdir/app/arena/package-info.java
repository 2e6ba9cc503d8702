/** The command {@code arena}, and the arenas of blocks that commands are given. */
@NullMarked
package dev.wishdir.app.arena;

import org.jspecify.annotations.NullMarked;
