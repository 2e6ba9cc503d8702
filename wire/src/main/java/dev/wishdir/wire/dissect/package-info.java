/**
 * The interface between the inspector and each game: captured datagrams in, explained messages out.
 */
@NullMarked
package dev.wishdir.wire.dissect;

import org.jspecify.annotations.NullMarked;
