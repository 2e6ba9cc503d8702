/** Movement: the game's and the canonical one, and how a body walks. Uses message. */
@NullMarked
package dev.wishdir.bedrock.movement;

import org.jspecify.annotations.NullMarked;
