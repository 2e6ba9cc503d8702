/**
 * Discovery in a local network: advertisements, the encrypted datagrams, and their dissector.
 *
 * <p>Only {@link dev.wishdir.nethernet.discovery.LanAdvertisement} is API: what else is public here
 * is for the other packages of NetherNet, and may change in any release.
 */
@NullMarked
package dev.wishdir.nethernet.discovery;

import org.jspecify.annotations.NullMarked;
