/**
 * UDP endpoints, the clock, the duty cycle, budgets for unproven addresses, a simulated network.
 */
@NullMarked
package dev.wishdir.net;

import org.jspecify.annotations.NullMarked;
