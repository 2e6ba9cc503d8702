/** The log and the other lines that the program writes, without blocking the threads that log. */
@NullMarked
package dev.wishdir.app.log;

import org.jspecify.annotations.NullMarked;
