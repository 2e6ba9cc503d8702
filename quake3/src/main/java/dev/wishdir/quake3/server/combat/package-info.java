/** Handlers of fights: shots, hits, missiles, lives and items. */
@NullMarked
package dev.wishdir.quake3.server.combat;

import org.jspecify.annotations.NullMarked;
