/**
 * The headless client: its way in, what it sees, its steering. Uses protocol, movement and message.
 */
@NullMarked
package dev.wishdir.bedrock.client;

import org.jspecify.annotations.NullMarked;
