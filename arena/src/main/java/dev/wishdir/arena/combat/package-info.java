/** Rules of hits, missiles, splash and armour, the same for every game. */
@NullMarked
package dev.wishdir.arena.combat;

import org.jspecify.annotations.NullMarked;
