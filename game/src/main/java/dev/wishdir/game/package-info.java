/**
 * What every game provides: endpoint, headless client, dissector; and what endpoints share:
 * operator commands, bans, shared arena.
 */
@NullMarked
package dev.wishdir.game;

import org.jspecify.annotations.NullMarked;
