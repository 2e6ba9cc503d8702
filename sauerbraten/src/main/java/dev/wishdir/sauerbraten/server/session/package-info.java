/** One client of the endpoint, and the state that all of its sessions share. */
@NullMarked
package dev.wishdir.sauerbraten.server.session;

import org.jspecify.annotations.NullMarked;
