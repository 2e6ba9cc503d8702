/** The headless client. Uses all but the server and the inspector. */
@NullMarked
package dev.wishdir.quake2.client;

import org.jspecify.annotations.NullMarked;
