/** Files of recordings: open, read and cut clips. */
@NullMarked
package dev.wishdir.record.file;

import org.jspecify.annotations.NullMarked;
