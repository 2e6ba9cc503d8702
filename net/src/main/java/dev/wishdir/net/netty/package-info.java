/** The duty cycle over Netty. */
@NullMarked
package dev.wishdir.net.netty;

import org.jspecify.annotations.NullMarked;
