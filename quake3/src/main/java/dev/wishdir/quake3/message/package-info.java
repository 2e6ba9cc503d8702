/** The messages of Quake III's netchan: one record per message, with its wire walk next to it. */
@NullMarked
package dev.wishdir.quake3.message;

import org.jspecify.annotations.NullMarked;
