/** Input of players: chat lines, commands and remote console. */
@NullMarked
package dev.wishdir.quake3.server.chat;

import org.jspecify.annotations.NullMarked;
