/** The duty cycle: sockets, clock, meters and memory budget. */
@NullMarked
package dev.wishdir.net.loop;

import org.jspecify.annotations.NullMarked;
