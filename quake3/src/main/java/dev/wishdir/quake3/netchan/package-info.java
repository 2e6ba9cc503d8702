/**
 * The transport: messages numbered, cut into packets and put together again, what guards packets,
 * and what goes outside of any connection: docs/protocols/quake3.md. Pure state machines. Uses
 * {@code message}.
 */
@NullMarked
package dev.wishdir.quake3.netchan;

import org.jspecify.annotations.NullMarked;
