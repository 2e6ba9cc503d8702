/** Minecraft: Bedrock, for applications: only {@link dev.wishdir.bedrock.BedrockGame}. */
@NullMarked
package dev.wishdir.bedrock;

import org.jspecify.annotations.NullMarked;
