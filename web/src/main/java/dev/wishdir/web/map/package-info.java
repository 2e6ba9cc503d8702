/** The live map and the replay page. */
@NullMarked
package dev.wishdir.web.map;

import org.jspecify.annotations.NullMarked;
