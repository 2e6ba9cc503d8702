/**
 * The endpoint: a client's way in, what its player does, what it is shown, its console. Uses
 * protocol, movement, map and message.
 */
@NullMarked
package dev.wishdir.bedrock.server;

import org.jspecify.annotations.NullMarked;
