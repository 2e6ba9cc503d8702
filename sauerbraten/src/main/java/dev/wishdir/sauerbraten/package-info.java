/** Cube 2: Sauerbraten over ENet. */
@NullMarked
package dev.wishdir.sauerbraten;

import org.jspecify.annotations.NullMarked;
