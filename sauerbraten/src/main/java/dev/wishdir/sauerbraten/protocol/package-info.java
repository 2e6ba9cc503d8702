/**
 * Parts that client and server share: codecs by version, disconnect reasons, password hashes, ENet
 * settings. Uses the messages.
 */
@NullMarked
package dev.wishdir.sauerbraten.protocol;

import org.jspecify.annotations.NullMarked;
