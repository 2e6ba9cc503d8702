/** JMH and whole-server measurements; not shipped. */
@NullMarked
package dev.wishdir.bench;

import org.jspecify.annotations.NullMarked;
