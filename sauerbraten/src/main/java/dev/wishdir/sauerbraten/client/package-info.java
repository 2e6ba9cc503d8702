/**
 * The headless client: sign-on, what it sees, its body. Uses all but the server and the inspector.
 */
@NullMarked
package dev.wishdir.sauerbraten.client;

import org.jspecify.annotations.NullMarked;
