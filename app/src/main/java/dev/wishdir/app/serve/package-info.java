/**
 * The commands {@code serve}, {@code demo} and {@code config}: a server, and its operator's files
 * and log.
 */
@NullMarked
package dev.wishdir.app.serve;

import org.jspecify.annotations.NullMarked;
