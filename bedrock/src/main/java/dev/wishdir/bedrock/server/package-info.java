/**
 * The endpoint: sessions, login, spawn, the messages and viewers of clients. Uses protocol,
 * movement, map and message.
 */
@NullMarked
package dev.wishdir.bedrock.server;

import org.jspecify.annotations.NullMarked;
