/** Messages of a recording: encoding and decoding. */
@NullMarked
package dev.wishdir.record.message;

import org.jspecify.annotations.NullMarked;
