/**
 * The transport: messages numbered, cut into packets and put together again, what guards packets,
 * and what goes outside of any connection: docs/PROTOCOLS.md, Quake III. Pure state machines. Uses
 * {@code message}.
 */
@NullMarked
package dev.wishdir.quake3.netchan;

import org.jspecify.annotations.NullMarked;
