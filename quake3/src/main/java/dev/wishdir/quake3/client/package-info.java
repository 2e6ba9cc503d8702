/** A headless player that joins any server of the family. Uses all but {@code server}. */
@NullMarked
package dev.wishdir.quake3.client;

import org.jspecify.annotations.NullMarked;
