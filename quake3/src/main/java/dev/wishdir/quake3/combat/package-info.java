/** Weapons, items, damage and loadouts of the game, as tables and state without a session. */
@NullMarked
package dev.wishdir.quake3.combat;

import org.jspecify.annotations.NullMarked;
