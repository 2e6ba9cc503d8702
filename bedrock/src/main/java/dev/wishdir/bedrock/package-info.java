/** Minecraft: Bedrock, for applications: {@link dev.wishdir.bedrock.BedrockGame} alone. */
@NullMarked
package dev.wishdir.bedrock;

import org.jspecify.annotations.NullMarked;
