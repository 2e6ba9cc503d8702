/** Reads captures and recordings and decodes their messages. */
@NullMarked
package dev.wishdir.inspect;

import org.jspecify.annotations.NullMarked;
