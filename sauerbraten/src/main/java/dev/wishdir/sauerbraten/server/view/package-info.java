/** Content for clients, encoded once: identifiers, entities, level and caches. */
@NullMarked
package dev.wishdir.sauerbraten.server.view;

import org.jspecify.annotations.NullMarked;
