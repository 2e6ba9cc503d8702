/**
 * Parts that client and server share: message numbers, frame history with delta bases, text
 * encoding. Uses the messages.
 */
@NullMarked
package dev.wishdir.quake2.protocol;

import org.jspecify.annotations.NullMarked;
