/** Who is here and what everyone sees: players, relay, chat; knows no protocol. */
@NullMarked
package dev.wishdir.arena;

import org.jspecify.annotations.NullMarked;
