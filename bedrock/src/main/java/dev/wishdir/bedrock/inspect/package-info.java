/** Explains captures of the game. Uses protocol and message, and RakNet's own explainer. */
@NullMarked
package dev.wishdir.bedrock.inspect;

import org.jspecify.annotations.NullMarked;
