/** The command {@code doctor}, which checks whether a machine can run a server. */
@NullMarked
package dev.wishdir.app.doctor;

import org.jspecify.annotations.NullMarked;
