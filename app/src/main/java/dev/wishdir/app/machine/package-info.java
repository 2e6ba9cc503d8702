/** This machine: its ports and processor time, and the datagrams of an event loop. */
@NullMarked
package dev.wishdir.app.machine;

import org.jspecify.annotations.NullMarked;
