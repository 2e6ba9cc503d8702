/** The messages of Quake III's netchan: one record a message, with its wire walk beside it. */
@NullMarked
package dev.wishdir.quake3.message;

import org.jspecify.annotations.NullMarked;
