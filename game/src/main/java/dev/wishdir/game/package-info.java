/** What every game offers: its server endpoint, its headless client, its dissector. */
@NullMarked
package dev.wishdir.game;

import org.jspecify.annotations.NullMarked;
