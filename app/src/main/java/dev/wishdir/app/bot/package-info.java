/** The command {@code bot}, and the paths of bots. */
@NullMarked
package dev.wishdir.app.bot;

import org.jspecify.annotations.NullMarked;
