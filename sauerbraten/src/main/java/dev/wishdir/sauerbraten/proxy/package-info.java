/** Changes messages between a client and a server. Uses {@code message} and {@code protocol}. */
@NullMarked
package dev.wishdir.sauerbraten.proxy;

import org.jspecify.annotations.NullMarked;
