/**
 * The weapons, damage and tables of the game's deathmatch, without players and packets. See
 * docs/combat.md.
 */
@NullMarked
package dev.wishdir.quake2.combat;

import org.jspecify.annotations.NullMarked;
