/** The command {@code replay}: recordings in a browser, and clips of them. */
@NullMarked
package dev.wishdir.app.replay;

import org.jspecify.annotations.NullMarked;
