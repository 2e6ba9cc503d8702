/** The command line, which connects the games, the arena and the web pages. */
@NullMarked
package dev.wishdir.app;

import org.jspecify.annotations.NullMarked;
