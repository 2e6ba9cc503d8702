/** Handlers of fights: shots, hits, missiles, lives and items. */
@NullMarked
package dev.wishdir.bedrock.server.combat;

import org.jspecify.annotations.NullMarked;
