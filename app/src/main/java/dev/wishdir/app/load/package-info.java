/** The command {@code load}, which measures how a server relays movement. */
@NullMarked
package dev.wishdir.app.load;

import org.jspecify.annotations.NullMarked;
