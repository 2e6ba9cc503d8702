/** Minecraft: Bedrock over RakNet. */
@NullMarked
package dev.wishdir.bedrock;

import org.jspecify.annotations.NullMarked;
