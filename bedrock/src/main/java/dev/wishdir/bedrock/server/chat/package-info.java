/** Input of players: chat lines, commands and remote console. */
@NullMarked
package dev.wishdir.bedrock.server.chat;

import org.jspecify.annotations.NullMarked;
