/**
 * Interfaces that every game provides: endpoint, headless client, dissector; and services that
 * endpoints share: operator commands, bans, shared arena.
 */
@NullMarked
package dev.wishdir.game;

import org.jspecify.annotations.NullMarked;
