/** Output of messages: text, JSON and filters. */
@NullMarked
package dev.wishdir.inspect.output;

import org.jspecify.annotations.NullMarked;
