/**
 * ICE: credentials, connectivity checks, and the STUN messages that carry them.
 *
 * <p>Not API: what is public here is for the other packages of NetherNet, and may change in any
 * release.
 */
@NullMarked
package dev.wishdir.nethernet.ice;

import org.jspecify.annotations.NullMarked;
