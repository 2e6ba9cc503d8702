/** The generated arena as the game's blocks. Uses message. */
@NullMarked
package dev.wishdir.bedrock.map;

import org.jspecify.annotations.NullMarked;
