/** The commands {@code inspect} and {@code explore}, which explain captures and recordings. */
@NullMarked
package dev.wishdir.app.inspect;

import org.jspecify.annotations.NullMarked;
