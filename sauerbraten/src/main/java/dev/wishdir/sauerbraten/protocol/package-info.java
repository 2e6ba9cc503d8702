/**
 * What both sides must know: the codec by version, reasons of a disconnect, modes, password hashes,
 * how ENet is set up. Uses the messages.
 */
@NullMarked
package dev.wishdir.sauerbraten.protocol;

import org.jspecify.annotations.NullMarked;
