/** The events of an arena as lines of JSON. */
@NullMarked
package dev.wishdir.app.event;

import org.jspecify.annotations.NullMarked;
