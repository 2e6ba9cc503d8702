/** Input of players: chat lines, commands and remote console. */
@NullMarked
package dev.wishdir.sauerbraten.server.chat;

import org.jspecify.annotations.NullMarked;
