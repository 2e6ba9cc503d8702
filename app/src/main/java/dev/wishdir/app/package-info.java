/** The command line, the wiring of the games, the live map. */
@NullMarked
package dev.wishdir.app;

import org.jspecify.annotations.NullMarked;
