@NullMarked
package dev.wishdir.dist;

import org.jspecify.annotations.NullMarked;
