/** The way from an unproven address to a joined player, and the answers to strangers. */
@NullMarked
package dev.wishdir.quake2.server.join;

import org.jspecify.annotations.NullMarked;
