/** A headless client for any server of the family. Uses all packages but {@code server}. */
@NullMarked
package dev.wishdir.quake3.client;

import org.jspecify.annotations.NullMarked;
