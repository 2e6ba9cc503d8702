/** The Quake III server endpoint. Uses all packages but {@code client} and {@code inspect}. */
@NullMarked
package dev.wishdir.quake3.server;

import org.jspecify.annotations.NullMarked;
