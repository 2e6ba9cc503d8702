/**
 * A map while it is played: what players touch, and what moves. Uses {@code map}, {@code movement}
 * and {@code message}.
 */
@NullMarked
package dev.wishdir.quake3.entity;

import org.jspecify.annotations.NullMarked;
