/** The command line, the wiring of the games and of the pages. */
@NullMarked
package dev.wishdir.app;

import org.jspecify.annotations.NullMarked;
