/** Layers of a captured packet, from the link to the UDP datagram. */
@NullMarked
package dev.wishdir.inspect.link;

import org.jspecify.annotations.NullMarked;
