/**
 * Event loop over UDP and HTTP (Netty), its clock and duty cycle, limits by address (amplification,
 * rate, half-open, sessions), the memory budget, and a simulated network in virtual time.
 */
@NullMarked
package dev.wishdir.net;

import org.jspecify.annotations.NullMarked;
