/**
 * The headless client: login, its own player, the other players. Uses protocol, movement and
 * message.
 */
@NullMarked
package dev.wishdir.bedrock.client;

import org.jspecify.annotations.NullMarked;
