/**
 * Parts that both sides share: the codec by version, batches with their compression and encryption,
 * logins, names, and the transport under the game. Uses message, and RakNet under {@link
 * dev.wishdir.bedrock.protocol.transport.Transport}.
 */
@NullMarked
package dev.wishdir.bedrock.protocol;

import org.jspecify.annotations.NullMarked;
