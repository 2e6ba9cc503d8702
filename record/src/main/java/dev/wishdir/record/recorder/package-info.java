/** Writing of recordings: thread, sequence of files and status. */
@NullMarked
package dev.wishdir.record.recorder;

import org.jspecify.annotations.NullMarked;
