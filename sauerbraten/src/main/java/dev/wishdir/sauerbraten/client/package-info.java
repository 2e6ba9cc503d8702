/** The headless client. Uses all other packages except server and inspect. */
@NullMarked
package dev.wishdir.sauerbraten.client;

import org.jspecify.annotations.NullMarked;
