/**
 * The transport: netchan, fragments, checksums and scrambling, out-of-band packets:
 * docs/protocols/quake3.md. Pure state machines. Uses {@code message}.
 */
@NullMarked
package dev.wishdir.quake3.netchan;

import org.jspecify.annotations.NullMarked;
