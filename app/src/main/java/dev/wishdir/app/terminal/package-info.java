/** The terminal of a command: its size, and the text that is drawn in it. */
@NullMarked
package dev.wishdir.app.terminal;

import org.jspecify.annotations.NullMarked;
