/** The headless client. Uses all other packages except server and inspect. */
@NullMarked
package dev.wishdir.quake2.client;

import org.jspecify.annotations.NullMarked;
