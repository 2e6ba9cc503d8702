/** The capture explorer. */
@NullMarked
package dev.wishdir.web.explore;

import org.jspecify.annotations.NullMarked;
