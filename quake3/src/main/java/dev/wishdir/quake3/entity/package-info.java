/**
 * The entities of a running level: triggers and movers. Uses {@code map}, {@code movement} and
 * {@code message}.
 */
@NullMarked
package dev.wishdir.quake3.entity;

import org.jspecify.annotations.NullMarked;
