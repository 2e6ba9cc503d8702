/** The messages of Minecraft: Bedrock, named as the protocol names them. */
@NullMarked
package dev.wishdir.bedrock.message;

import org.jspecify.annotations.NullMarked;
